import { useState } from 'react';
import { deviceFiles } from '@swarmdeck/bff/device-file';
import type { DeviceFormat } from '@swarmdeck/bff/device-file';
import { t } from '../text/text.ts';
import { saveFile } from '../ui/save-file.ts';
import { Segmented } from '../ui/segmented.tsx';
import { useToasts } from '../ui/toast.tsx';
import type { ActionTexts, BulkAction } from './bulk-action.tsx';

/** An action that saves the selected items as a file. It sends nothing: the items have been read for its dialog. */
export function createExport<Item>({
  texts,
  fileName,
  partsOf,
}: {
  texts(): ActionTexts;
  fileName(): string;
  partsOf(format: DeviceFormat, items: readonly Item[]): string[];
}): BulkAction<Item> {
  return {
    name: 'export',
    texts,
    icon: 'download',
    isDangerous: false,
    Dialog({ items, render }) {
      const [format, setFormat] = useState<DeviceFormat>('csv');
      const toasts = useToasts();
      return render({
        concerned: { count: items.length, others: 0 },
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
          const name = `${fileName()}.${format}`;
          saveFile({ name, type: deviceFiles[format].type, parts: partsOf(format, items) });
          toasts.show({ title: texts().done(items.length), icon: 'check' });
        },
      });
    },
  };
}
