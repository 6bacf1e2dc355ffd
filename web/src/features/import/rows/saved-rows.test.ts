import { expect, test } from 'vitest';
import { errorRows } from './saved-rows.ts';

test('the error file contains the invalid rows as they were written, with their errors', async () => {
  const lines = await errorRows({
    file: new Blob(['name;type\n"a;""b""\nc";x\ngood;pc\n;pc\nlonely\nbad "1";"x"y\n']),
    header: 1,
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
    '"bad ""1""";"""x""y";text_after_quote\r\n',
  ]);
});
