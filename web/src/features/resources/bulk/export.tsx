import { deviceFile } from '@swarmdeck/bff/device-file';
import { createExport } from '../../../bulk/export-dialog.tsx';
import { t } from '../../../text/text.ts';
import { textsOf } from './device-action.tsx';
import type { SelectedDevice } from './device-action.tsx';

export const exportDevices = createExport<SelectedDevice>({
  texts: textsOf('export'),
  fileName: () => t.bulk.file_name,
  partsOf: deviceFile,
});
