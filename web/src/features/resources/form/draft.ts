import type { MachineType } from '@swarmdeck/bff/contract';

/** A device as it is typed: text instead of values. `device-form.ts` reads it. */
export type Draft = {
  name: string;
  machine_type: MachineType | null;
  description: string;
  latitude: string;
  longitude: string;
};

export const emptyDraft: Draft = { name: '', machine_type: null, description: '', latitude: '', longitude: '' };
