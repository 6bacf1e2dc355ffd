import { useState } from 'react';
import { deviceFile, deviceFiles } from '@swarmdeck/bff/device-file';
import type { DeviceFormat } from '@swarmdeck/bff/device-file';
import { t } from '../../../text/text.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import type { ActionDialogProps, DeviceAction } from './device-action.tsx';

/** Sends nothing: the devices have been read for the dialog. */
export const exportDevices: DeviceAction = {
  name: 'export',
  icon: 'download',
  isDangerous: false,
  Dialog({ devices, render }: ActionDialogProps) {
    const [format, setFormat] = useState<DeviceFormat>('csv');
    const toasts = useToasts();
    const text = t.bulk.actions.export;
    return render({
      concerned: { count: devices.length, others: 0 },
      fields: (
        <Segmented<DeviceFormat>
          label={t.bulk.format}
          value={format}
          options={[
            { value: 'csv', label: t.bulk.formats.csv },
            { value: 'geojson', label: t.bulk.formats.geojson },
          ]}
          onChange={setFormat}
        />
      ),
      summary: <p className="bulk-others">{t.bulk.format_text[format]}</p>,
      run() {
        saveFile({
          name: `${t.bulk.file_name}.${format}`,
          type: deviceFiles[format].type,
          parts: deviceFile(format, devices),
        });
        toasts.show({ title: text.done(devices.length), icon: 'check' });
      },
    });
  },
};
