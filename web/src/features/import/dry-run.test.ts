import { expect, test } from 'vitest';
import { hashOf, readHead } from './csv-file.ts';
import { dryRun, withFix } from './dry-run.ts';
import { suggestColumns } from './mapping.ts';

const csv = (text: string) => new Blob([text]);

async function run(text: string, fixes = {}) {
  const file = csv(text);
  const head = await readHead(file);
  if (typeof head === 'string') throw new Error(head);
  return dryRun({ file, columns: suggestColumns(head), fixes });
}

test('the head of a file is its names, its first row and what separates them', async () => {
  expect(await readHead(csv('\uFEFF\n\nName;Kind\r\n"a;b";pc\r\n'))).toEqual({
    names: ['Name', 'Kind'],
    first: ['a;b', 'pc'],
    separator: ';',
  });
});

test('what is no such file is told', async () => {
  expect(await readHead(csv(''))).toBe('empty');
  expect(await readHead(csv('\n \n'))).toBe('empty');
  expect(await readHead(csv('PK\u0003\u0004\0\0name,type'))).toBe('not_text');
  expect(await readHead(csv('"name,type\na,pc'))).toBe('broken');
});

test('rows are counted, and each refused one is listed with its line, fields and reasons', async () => {
  expect(await run('name,type,serial\na,pc,1\n,pc,2\nb,toaster,3\nc,bug,4\n')).toEqual({
    good: 2,
    refused: 2,
    listed: [
      { line: 3, fields: ['', 'pc', '2'], errors: [{ column: 'name', code: 'missing' }] },
      {
        line: 4,
        fields: ['b', 'toaster', '3'],
        errors: [{ column: 'machine_type', code: 'unknown', text: 'toaster' }],
      },
    ],
  });
});

test('a mended row is good, in this run and in the next', async () => {
  const text = 'name,type\n,pc\n';
  expect(withFix(await run(text), 2)).toEqual({ good: 1, refused: 0, listed: [] });
  expect(await run(text, { 2: ['a', 'pc'] })).toEqual({ good: 1, refused: 0, listed: [] });
});

test('100,000 rows are read in pieces, and how far is told', async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => `Device ${index},pc,${index % 90}`).join('\n');
  const file = csv(`name,type,serial\n${rows}`);
  const parts: number[] = [];
  const { good } = await dryRun({
    file,
    columns: ['name', 'machine_type', 'skip'],
    fixes: {},
    onRead: (part) => parts.push(part),
  });
  expect(good).toBe(100_000);
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.at(-1)).toBe(1);
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
});

test('a run that nobody waits for any more ends', async () => {
  const file = csv('name,type\na,pc\nb,pc');
  const columns = ['name', 'machine_type'] as const;
  await expect(dryRun({ file, columns, fixes: {}, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});

test('the same bytes have the same hash', async () => {
  expect(await hashOf(csv('a'))).toBe(await hashOf(csv('a')));
  expect(await hashOf(csv('a'))).not.toBe(await hashOf(csv('b')));
});
