import { expect, test } from 'vitest';
import { convertCsv, localCsvForm } from './local-csv.ts';

const german = { separator: ';', decimal: ',' } as const;

test('a spreadsheet in German has semicolons and decimal commas, and one in English those of the server', () => {
  expect(localCsvForm('de')).toEqual(german);
  expect(localCsvForm('de-CH')).toEqual({ separator: ';', decimal: '.' });
  for (const locale of ['en-GB', 'en-US']) expect(localCsvForm(locale)).toBeUndefined();
});

test('values are converted, and texts stay as they are', () => {
  const text =
    '\uFEFFat,key,value,first,last,min,max,count\r\n' +
    '2026-01-02T03:04:05.678Z,room 1.5,21.5,2.5e-7,-0.25,3,1.2.3,60\r\n' +
    '2026-01-02T03:04:05.678Z,"a, ""b""\r\nc",on,,,,,\r\n';
  expect(convertCsv(text, german)).toBe(
    '\uFEFFat;key;value;first;last;min;max;count\r\n' +
      '2026-01-02T03:04:05.678Z;room 1.5;21,5;2,5e-7;-0,25;3;1.2.3;60\r\n' +
      '2026-01-02T03:04:05.678Z;"a, ""b""\r\nc";on;;;;;\r\n',
  );
});
