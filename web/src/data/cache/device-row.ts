import type { Device, Resource } from '@swarmdeck/bff/contract';
import { changedAt } from '../server-clock.ts';

/**
 * What a row shows of a device that is no part of the resource. It changes without a new time of the device, and saving
 * the resource does not change it. The type check fails until a new field of `Device` is here.
 */
const besideResource: Record<Exclude<keyof Device, keyof Resource | 'changed_at'>, true> = {
  expected: true,
  presence: true,
  phone: true,
  refusals: true,
  swarms: true,
  values: true,
};
const fields = Object.keys(besideResource) as (keyof typeof besideResource)[];

const besideOf = (row: Device) =>
  Object.fromEntries(fields.flatMap((field) => (row[field] === undefined ? [] : [[field, row[field]]]))) as Pick<
    Device,
    keyof typeof besideResource
  >;

/** The row of a resource that was saved. */
export function rowAfterSave(row: Device, resource: Resource): Device {
  return { ...resource, ...besideOf(row), changed_at: changedAt(resource) };
}

/** Whether two rows of the same time of a device show the same. */
export function isSameRow(a: Device, b: Device): boolean {
  return JSON.stringify(besideOf(a)) === JSON.stringify(besideOf(b));
}
