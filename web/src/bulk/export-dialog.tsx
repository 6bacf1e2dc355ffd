import { useState } from 'react';
import { deviceFiles, type DeviceFormat } from '@swarmdeck/bff/device-export';
import { t } from '../text/text.ts';
import { downloadCsv } from '../shared/download-csv.ts';
import { downloadFile, saveFile } from '../ui/browser/save-file.ts';
import { Segmented } from '../ui/fields/segmented.tsx';
import { useToasts } from '../ui/toasts/toast.tsx';
import type { CommandTexts, SelectionCommand } from './commands.tsx';

interface CreateExportOptions<Item> {
  texts(): CommandTexts & { done(count: number): string };
  fileName(): string;
  partsOf(format: DeviceFormat, items: readonly Item[]): string[];
}

/** A command that saves the selected items as a file: one of the server, or of the items that its dialog has read. */
export function createExport<Item, Context = never>({
  texts,
  fileName,
  partsOf,
}: CreateExportOptions<Item>): SelectionCommand<Item, Context> {
  return {
    texts,
    usesFile: true,
    Dialog({ items, file, render }) {
      const count = file?.count ?? items.length;
      const [format, setFormat] = useState<DeviceFormat>('csv');
      const toasts = useToasts();
      return render({
        concerned: { count, others: 0 },
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
        summary: <p className="stack gap-1 muted">{t.bulk.format_text[format]}</p>,
        run() {
          const name = `${fileName()}.${format}`;
          const path = file?.path(format);
          if (path === undefined) saveFile({ name, type: deviceFiles[format].type, parts: partsOf(format, items) });
          else if (format === 'csv') void downloadCsv({ name, path });
          else downloadFile({ name, path });
          toasts.show({ title: texts().done(count), icon: 'check' });
        },
      });
    },
  };
}
