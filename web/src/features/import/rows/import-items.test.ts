import { expect, test } from 'vitest';
import { importItems } from './import-items.ts';

async function itemsOf(options: Omit<Parameters<typeof importItems>[0], 'file' | 'header'> & { text: string }) {
  const items = [];
  for await (const item of importItems({ ...options, header: 1, file: new Blob([options.text]) })) items.push(item);
  return items;
}

test('each valid row creates a device, with its line in the file; corrected rows are among them', async () => {
  const text = 'name,type\none,pc\ntwo,x\nthree,bug\nfour,x\n';
  expect(
    await itemsOf({ text, uses: ['name', 'machine_type'], fixes: { 5: ['four', 'pc'] }, changes: [], omitted: [] }),
  ).toEqual([
    { line: 2, name: 'one', create: { name: 'one', machine_type: 'pc' } },
    { line: 4, name: 'three', create: { name: 'three', machine_type: 'bug' } },
    { line: 5, name: 'four', create: { name: 'four', machine_type: 'pc' } },
  ]);
});

test('a row with an id updates the columns of its device that are in the file, if it changes it', async () => {
  const text = 'id,name,type,note\ni1,one,pc,\ni2,two,pc,d\n,three,bug,\n';
  const uses = ['id', 'name', 'machine_type', 'description'] as const;
  expect(await itemsOf({ text, uses, fixes: {}, changes: [2], omitted: [] })).toEqual([
    { line: 2, name: 'one', id: 'i1', update: { name: 'one', machine_type: 'pc', description: null } },
    { line: 4, name: 'three', create: { name: 'three', machine_type: 'bug' } },
  ]);
});

test('rows that the user leaves out are not imported', async () => {
  const text = 'name,type\none,pc\none,pc\n';
  expect(await itemsOf({ text, uses: ['name', 'machine_type'], fixes: {}, changes: [], omitted: [3] })).toEqual([
    { line: 2, name: 'one', create: { name: 'one', machine_type: 'pc' } },
  ]);
});
