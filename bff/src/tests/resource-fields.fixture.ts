/** Values of each field that the owner of a resource sets. */
import type { ResourceCreate } from '../contract.ts';
import { fieldNames, type FieldName, type Fix, type ResourceFields } from '../core/store/resource-fields.ts';

/** Of a new resource, and after a change. */
export const values: { [Name in FieldName]-?: [ResourceFields[Name], ResourceFields[Name]] } = {
  name: ['Tide gauge', 'Harbour hub'],
  machine_type: ['pc', 'bug'],
  description: ['north quay', 'south quay'],
  position: [
    { longitude: 8.13, latitude: 54.18, positioned_at: '2026-01-02T03:04:05.678Z', accuracy: 12.5 },
    { longitude: -3.5, latitude: 48, positioned_at: '2026-01-03T03:04:05.678Z', accuracy: 5 },
  ],
  expected_every: [60, 0],
  keep_track: [true, false],
  keep_values: ['sent_at', 'time'],
};
/** As it is sent. */
export const sent = (name: FieldName, value: ResourceFields[FieldName]): object =>
  name === 'position' ? bodyOf(value as Fix) : { [name]: value };
const bodyOf = ({ longitude, latitude, ...more }: Fix) => ({ position: { longitude, latitude }, ...more });
export const before = Object.assign({}, ...fieldNames.map((name) => sent(name, values[name][0]))) as ResourceCreate;
export const after = (name: FieldName) => sent(name, values[name][1]);
