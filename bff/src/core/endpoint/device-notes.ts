/** What the service tells of devices to who notes whether they are there and what they are refused (presence/). */
import { problemCodes } from '../../contract.ts';
import { Problem } from '../problem.ts';
import type { PhoneReport } from '../store/presence-row.ts';
import type { Caller } from '../keys/api-keys.store.ts';
import { isOnlyForDevices, ofDevice, type Operation } from './policy.ts';

/** Why a request of a device was refused. `operation`: empty if no key of a device may do it. */
export interface Refusal {
  code: string;
  detail: string;
  operation: string;
}

export interface DeviceNotes {
  /** Something came from the device. */
  heard: (id: string) => void;
  /** What its phone says about itself. */
  said: (id: string, phone: PhoneReport) => void;
  refused: (device: { id: string; userId: string }, refusal: Refusal) => void;
  accepted: (id: string, operation: string) => void;
  /** A key was used for the device that is not one of its keys. `from`: the address of the client, or the user whose key it is. */
  wrongKey: (id: string, from: string) => void;
}

/** Notes what a device was refused. What the server could not do is no refusal. */
export function noteRefused(
  devices: Pick<DeviceNotes, 'refused'>,
  { resourceId: id, userId }: Caller,
  { error, operation }: { error: unknown; operation: Operation | undefined },
): void {
  if (id === undefined || !(error instanceof Problem) || error.code === 'request.aborted') return;
  const { code, errors = [], message } = error;
  if (problemCodes[code][0] >= 500) return;
  const [fault] = errors;
  devices.refused(
    { id, userId },
    {
      code,
      detail: fault ? `${fault.pointer} ${fault.detail}` : message,
      operation: operation !== undefined && isForDevices(operation) ? operation : '',
    },
  );
}

const isForDevices = (operation: Operation) => ofDevice.has(operation) || isOnlyForDevices(operation);
