import { deviceFile } from '@swarmdeck/bff/device-export';
import { createExport } from '../../../bulk/export-dialog.tsx';
import { t } from '../../../text/text.ts';
import { addToSwarm } from './add-to-swarm.tsx';
import { copyCodes } from './copy-codes.tsx';
import { deleteDevices } from './delete-devices.tsx';
import { textsOf, type DeviceAction, type SelectedDevice } from './device-action.tsx';
import { leaveSwarm } from './leave-swarm.tsx';
import { printCodes } from './print-codes.tsx';
import { setDescription } from './set-description.tsx';
import { setType } from './set-type.tsx';

export const exportDevices = createExport<SelectedDevice>({
  texts: textsOf('export'),
  fileName: () => t.bulk.file_name,
  partsOf: deviceFile,
});

/** The menu of the selection, in its order. */
export const deviceActions: readonly DeviceAction[] = [
  addToSwarm,
  leaveSwarm,
  setType,
  setDescription,
  copyCodes,
  printCodes,
  exportDevices,
  deleteDevices,
];
