import { expect, test } from 'vitest';
import { guessEncoding, readCsv, type Separator } from './csv-parser.ts';

async function fieldsOf(text: string, separator?: Separator) {
  const rows: string[][] = [];
  for await (const batch of readCsv(text, { separator }))
    rows.push(...batch.map(({ fields, fault }) => (fault ? [fault] : fields)));
  return rows;
}

test.each([
  [
    'commas in a name',
    'name;note (short, long, none, free, as you like);lon;lat\nPier;x;8,5;47,3',
    ['Pier', 'x', '8,5', '47,3'],
  ],
  ['semicolons in a name', 'name,note (a; b; c; d; e),lon\nPier,x,8.5', ['Pier', 'x', '8.5']],
  ['a quoted name', '"a, b, c, d";name\n1;2', ['1', '2']],
  ['rows of different length', 'a;b;c\n1;2,3;3\n1\n1;2;3;4\n1;2', ['1', '2,3', '3']],
  ['empty cells at the end', 'a,b;b\n1;2;;', ['1', '2', '', '']],
  ['decimal commas', 'lon;lat\n8,5;47,3\n8,6;47,4', ['8,5', '47,3']],
  ['decimal commas in one column', 'name\tlon\nPier\t8,5', ['Pier', '8,5']],
  ['one column', 'name\na;b\nc', ['a;b']],
  ['no rows that fit', 'a|b\n1', ['1']],
  ['a title above', 'Export of 3.11.2026\nname;lon\nPier;8,5\nQuay;8,6', ['name', 'lon']],
  [
    'a title with another separator',
    'Stations, as of 3.11.\n\nname;lon;lat\nPier;8,5;47\nQuay;9;47',
    ['name', 'lon', 'lat'],
  ],
])('the separator is the one that fits the rows: %s', async (_case, text, first) => {
  expect((await fieldsOf(text))[1]).toEqual(first);
});

test('the separator can be given, also instead of the one that the file names', async () => {
  expect(await fieldsOf('a,b;c\n1,2;3', ';')).toEqual([
    ['a,b', 'c'],
    ['1,2', '3'],
  ]);
  expect(await fieldsOf('sep=,\na,b;c', ';')).toEqual([['a,b', 'c']]);
});

test('a separator that the file names, but that its column names do not have, is not believed', async () => {
  expect(await fieldsOf('sep=,\nname;latitude;longitude\nMast;53,551;9,993\n')).toEqual([
    ['name', 'latitude', 'longitude'],
    ['Mast', '53,551', '9,993'],
  ]);
  expect(await fieldsOf('sep=;\nname\nBuoy, north\nBuoy, south\n')).toEqual([
    ['name'],
    ['Buoy, north'],
    ['Buoy, south'],
  ]);
});

test('spaces around a quoted field do not count', async () => {
  expect(await fieldsOf('"name", "type"\t,\t "lon"\n"Pier, 4", "b ""x""" , "8.5" \n')).toEqual([
    ['name', 'type', 'lon'],
    ['Pier, 4', 'b "x"', '8.5'],
  ]);
  expect(await fieldsOf('"a"\t "b"\t"c" \n', '\t')).toEqual([['a', 'b', 'c']]);
});

test('a quotation mark behind spaces that does not begin a quoted field is text', async () => {
  expect(await fieldsOf('a,b\n1, "x" y\n2, "z\n3,"y\n4,5')).toEqual([
    ['a', 'b'],
    ['1', ' "x" y'],
    ['2', ' "z'],
    ['quote_left_open'],
    ['4', '5'],
  ]);
});

test('a record with a wrong quotation mark has its line as it was written, unless that is too long', async () => {
  const long = 'x'.repeat(65_536);
  const text = `a;b\n1;=F("x";"y")\r\n"2;z\n"${long}\n3;4`;
  const read = [];
  for await (const batch of readCsv(text)) read.push(...batch);
  expect(read.slice(1)).toEqual([
    { line: 2, fields: [], fault: 'text_after_quote', text: '1;=F("x";"y")' },
    { line: 3, fields: [], fault: 'text_after_quote', text: '"2;z' },
    { line: 4, fields: [], fault: 'quote_left_open' },
    { line: 5, fields: ['3', '4'] },
  ]);
});

test.each([
  ['UTF-8', Buffer.from('Gerät;Größe'), 'utf-8'],
  ['ASCII', Buffer.from('name;type'), 'utf-8'],
  ['no bytes', Buffer.from(''), 'utf-8'],
  ['UTF-8 with one invalid byte', Buffer.concat([Buffer.from('Gerät;Größe;'), Buffer.from([0xfc])]), 'utf-8'],
  ['UTF-8 that is cut at its end', Buffer.from('Gerät;Größe').subarray(0, -2), 'utf-8'],
  ['a German spreadsheet', Buffer.from('Gerät;Größe', 'latin1'), 'windows-1252'],
  ['the euro of Windows', Buffer.from([0x61, 0x80]), 'windows-1252'],
  ['UTF-8 with its mark', Buffer.from('\uFEFF\u00FC'), 'utf-8'],
  ['UTF-16 with its mark', Buffer.from('\uFEFFname', 'utf16le'), 'utf-16le'],
  ['UTF-16 without one', Buffer.from('name;Gerät\n', 'utf16le'), 'utf-16le'],
  ['UTF-16, the first byte first', Buffer.from('name;Gerät\n', 'utf16le').swap16(), 'utf-16be'],
  ['a picture', Buffer.from([0x89, 0x50, 0, 0, 0, 1, 0, 0xff]), 'windows-1252'],
])('the encoding is guessed from the whole file: %s', (_case, bytes, encoding) => {
  expect(guessEncoding(bytes)).toBe(encoding);
});

test('a character that is cut between two parts of a file is whole', async () => {
  const bytes = Buffer.from(`${'a'.repeat(1_048_575)}\u00FC${'b'.repeat(9)}`);
  expect(guessEncoding(bytes)).toBe('utf-8');
});
