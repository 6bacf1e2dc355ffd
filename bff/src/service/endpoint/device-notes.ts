import type { PhoneReport } from '../../store/presence-row.ts';

/** What the service tells of devices to who notes whether they are there (presence/). */
export interface DeviceNotes {
  /** Something came from the device. */
  heard: (id: string) => void;
  /** What its phone says about itself. */
  said: (id: string, phone: PhoneReport) => void;
}
