import { deviceFile } from '@swarmdeck/bff/device-export';
import { readDevices } from '@swarmdeck/bff/device-import';
import { expect, test } from 'vitest';
import { convertCsv } from '../../../ui/fields/local-csv.ts';

test('an import reads devices in German back as they were', async () => {
  const devices = [
    { name: '1.5', machine_type: 'bug', description: 'a; b, c', position: { longitude: 8.13, latitude: -54.5 } },
    { name: 'Pegel, Süd', machine_type: 'pc', position: { longitude: 8, latitude: 54 }, accuracy: 2.5 },
    { name: 'ohne', machine_type: 'smartphone' },
  ] as const;
  const file = deviceFile(
    'csv',
    devices.map((device, index) => ({ ...device, id: `019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d1${index}` })),
  ).join('');
  const read = async (text: string) => {
    const found: unknown[] = [];
    for await (const record of readDevices(text)) found.push(record);
    return found;
  };
  const local = convertCsv(file, { separator: ';', decimal: ',' });
  expect(local).toContain(';8,13;-54,5;');
  expect(await read(local)).toEqual(await read(file));
  expect(JSON.stringify(await read(local))).toContain('-54.5');
});
