import { expect, test } from 'vitest';
import { lacking, suggestUses, withUse } from './mapping.ts';

const head = (names: string[], first: string[] = []) => ({ names, first, separator: ',' });

test('columns are recognised by their usual names, each use once', () => {
  expect(suggestUses(head(['name', 'kind', 'lat', 'lon', 'note', 'serial', 'Latitude']))).toEqual([
    'name',
    'machine_type',
    'latitude',
    'longitude',
    'description',
    'skip',
    'skip',
  ]);
});

test('a column of ids says which device a row changes', () => {
  expect(suggestUses(head(['Resource ID', 'name', 'id']))).toEqual(['id', 'name', 'skip']);
  expect(lacking(['id', 'name', 'machine_type'])).toEqual([]);
});

test('a nameless column is one where it holds something', () => {
  expect(suggestUses(head(['name', '', ''], ['a', 'x']))).toEqual(['name', 'skip', undefined]);
});

test('a use goes from the column that had it to the one that gets it', () => {
  const uses = ['name', 'skip', 'skip'] as const;
  expect(withUse({ uses, index: 1, use: 'name' })).toEqual(['skip', 'name', 'skip']);
  expect(withUse({ uses, index: 0, use: 'skip' })).toEqual(['skip', 'skip', 'skip']);
});

test('a name and a machine type are needed, and of a position both numbers', () => {
  expect(lacking(['skip', 'latitude'])).toEqual(['name', 'machine_type', 'longitude']);
  expect(lacking(['name', 'machine_type'])).toEqual([]);
});
