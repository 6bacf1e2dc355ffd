/** Small files as other programs make them, and what must come of each. GeoJSON is read by the app. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDevices, type DeviceRecord } from './device-import.ts';

const folder = join(import.meta.dirname, '../../../../e2e/data/inputs/csv');
const input = (name: string) => readFileSync(join(folder, name));

const pier = { name: 'Pier', machine_type: 'bug', position: { longitude: 8.5, latitude: 47.3 } };
const quay = { name: 'Quay', machine_type: 'bug', position: { longitude: 8.6, latitude: 47.4 } };

/** The rows of each file, and the columns that are left out and named. */
const files: Record<string, { rows: object[]; leftOut?: string[] }> = {
  // Empty cells beyond the names do not count.
  'trailing-rows.csv': { rows: [pier, quay] },
  // The separator is the one that makes the following rows equally long, although another is more frequent in the names.
  'commas-in-header.csv': {
    rows: [pier],
    leftOut: ['description (short, long, none, free, as you like, optional)'],
  },
  // Spaces before a quotation mark do not count.
  'space-quote.csv': { rows: [pier] },
  // Degrees, minutes, seconds and hemispheres.
  'dms.csv': {
    rows: [{ ...pier, position: { longitude: expect.closeTo(8.549194, 5), latitude: expect.closeTo(47.376889, 5) } }],
  },
  // A column without a single id of this service is not an id of a device.
  'foreign-id.csv': { rows: [pier, quay], leftOut: ['ID'] },
  // Both coordinates in one cell.
  'position.csv': { rows: [pier, quay] },
  // A location that is a room is no position.
  'room-location.csv': {
    rows: [
      { name: 'Pier', machine_type: 'bug' },
      { name: 'Quay', machine_type: 'bug' },
    ],
    leftOut: ['Location'],
  },
  'more-columns.csv': { rows: [pier], leftOut: ['altitude'] },
};

test.each(Object.entries(files))('%s is read as it is meant', async (name, { rows, leftOut = [] }) => {
  const records: DeviceRecord[] = [];
  const found: string[] = [];
  const source = (async function* () {
    yield input(name);
  })();
  for await (const record of readDevices(source, { onLeftOut: (names) => found.push(...names) })) records.push(record);
  expect(records.map((record) => ('row' in record ? record.row : record.errors))).toEqual(rows);
  expect(found).toEqual(leftOut);
});

test('every input has its test', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(files).toSorted());
});
