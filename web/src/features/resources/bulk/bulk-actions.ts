import { addToSwarm } from './add-to-swarm.job.tsx';
import { copyCodes } from './copy-codes.tsx';
import { deleteDevices } from './delete.job.tsx';
import { exportDevices } from './export.tsx';
import type { DeviceAction } from './device-action.tsx';
import { leaveSwarm } from './leave-swarm.job.tsx';
import { printCodes } from './print-codes.tsx';
import { setDescription } from './set-description.job.tsx';
import { setType } from './set-type.job.tsx';

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
