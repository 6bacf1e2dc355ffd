import { expect, test } from 'vitest';
import { deviceRows, errorRows } from './saved-rows.ts';

test('the error file contains the invalid rows as they were written, with their errors', async () => {
  const lines = await errorRows({
    file: new Blob(['name;type\n"a;""b""\nc";x\ngood;pc\n;pc\nlonely\n']),
    names: ['name', 'type'],
    separator: ';',
    problem: 'problem',
    uses: ['name', 'machine_type'],
    owned: new Map(),
    fixes: {},
    sentenceOf: (errors) => errors.map(({ code }) => code).join('; '),
  });
  expect(lines).toEqual([
    '\uFEFFname;type;problem\r\n',
    '"a;""b""\nc";x;unknown\r\n',
    ';pc;missing\r\n',
    'lonely;;missing\r\n',
  ]);
});

test('the exported file contains all devices with their ids', () => {
  const device = { id: 'i1', user_id: 'ann', machine_type: 'bug', created_at: '' } as const;
  expect(
    deviceRows([
      { ...device, name: 'a, "b"', description: 'c\nd', position: { longitude: 1.5, latitude: -2 } },
      { ...device, id: 'i2', name: 'e' },
    ]),
  ).toEqual([
    '\uFEFFid,name,machine_type,description,longitude,latitude\r\n',
    'i1,"a, ""b""",bug,"c\nd",1.5,-2\r\n',
    'i2,e,bug,,,\r\n',
  ]);
});
