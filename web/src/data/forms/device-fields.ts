/**
 * The fields of a device that users edit: how they are merged, and how files contain them. The type check asks for what a new one of
 * `DeviceField` needs. Its input is declared in features/devices/form/device-form.tsx.
 */
import type { MachineType, RecordedField, Resource } from '@swarmdeck/bff/contract';
import type { ImportColumn } from '@swarmdeck/bff/device-errors';
import { recordedFields } from '@swarmdeck/bff/field-rules';
import { createMerge, type FieldRule } from './merge-fields.ts';

/** A position is one field: one side's latitude with the other side's longitude would be one that nobody chose. */
export type DeviceField =
  | 'name'
  | 'machine_type'
  | 'description'
  | 'position'
  | 'expected_every'
  | 'keep_track'
  | 'keep_values';
export type DeviceValues = { [Field in DeviceField]: Resource[Field] };

interface DeviceFieldRule<Value> extends FieldRule<Value> {
  /** The columns of CSV files. */
  columns: readonly ImportColumn[];
}

const deviceFields: { readonly [Field in DeviceField]: DeviceFieldRule<DeviceValues[Field]> } = {
  name: { columns: ['name'] },
  machine_type: { columns: ['machine_type'] },
  description: {
    equal: (a = '', b = '') => a === b,
    columns: ['description'],
  },
  position: {
    equal: (a, b) => a?.latitude === b?.latitude && a?.longitude === b?.longitude,
    columns: ['longitude', 'latitude', 'position'],
  },
  expected_every: { columns: ['expected_every'] },
  keep_track: { equal: (a = false, b = false) => a === b, columns: ['keep_track'] },
  keep_values: { columns: ['keep_values'] },
};

export const deviceMerge = createMerge<DeviceValues>(deviceFields);

/** Whether a file with these columns contains the field. */
export const hasField = (field: DeviceField, columns: readonly unknown[]): boolean =>
  deviceFields[field].columns.some((column) => columns.includes(column));

export function valuesOf(device: Pick<Resource, DeviceField>): DeviceValues {
  const { name, machine_type, description, position, expected_every, keep_track, keep_values } = device;
  return { name, machine_type, description, position, expected_every, keep_track, keep_values };
}

/** What is no longer recorded with these values or inputs, so that it is deleted. */
export const deletedRecords = (
  base: Pick<DeviceValues, RecordedField>,
  mine: Pick<DeviceValues | Draft, RecordedField>,
): RecordedField[] => recordedFields.filter((field) => base[field] && !mine[field]);

/** A device as form values: text instead of numbers. */
export type Draft = {
  name: string;
  machine_type: MachineType | null;
  description: string;
  latitude: string;
  longitude: string;
  /** Seconds. */
  expected_every: string;
  keep_track: boolean;
  /** Empty: not kept. */
  keep_values: NonNullable<Resource['keep_values']> | '';
};

export const emptyDraft: Draft = {
  name: '',
  machine_type: null,
  description: '',
  latitude: '',
  longitude: '',
  expected_every: '',
  keep_track: false,
  keep_values: '',
};
