import type { MachineType } from '@swarmdeck/bff/contract';

/** A device as it is typed: text where the service keeps values. What it means is read by device-form.ts. */
export interface Draft {
  name: string;
  machine_type: MachineType | null;
  description: string;
  latitude: string;
  longitude: string;
}

export const emptyDraft: Draft = { name: '', machine_type: null, description: '', latitude: '', longitude: '' };
