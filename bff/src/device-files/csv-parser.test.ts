import { expect, test } from 'vitest';
import { readCsv, type Separator } from './csv-parser.ts';

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
