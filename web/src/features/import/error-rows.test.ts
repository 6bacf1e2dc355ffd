import { expect, test } from 'vitest';
import { errorRows } from './error-rows.ts';

test('refused rows stand in a file of their own, as they were written, each with its reason', async () => {
  const lines = await errorRows({
    file: new Blob(['name;type\n"a;""b""\nc";x\ngood;pc\n;pc\nlonely\n']),
    names: ['name', 'type'],
    separator: ';',
    problem: 'problem',
    columns: ['name', 'machine_type'],
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
