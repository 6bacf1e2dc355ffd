import { expect, test } from 'vitest';
import { missingFields, suggestUses, withUse } from './column-uses.ts';

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

test('a column of ids is recognised', () => {
  expect(suggestUses(head(['Resource ID', 'name', 'id']))).toEqual(['id', 'name', 'skip']);
  expect(missingFields(['id', 'name', 'machine_type'])).toEqual([]);
});

test('a column without a name is skipped only if it is empty', () => {
  expect(suggestUses(head(['name', '', ''], ['a', 'x']))).toEqual(['name', 'skip', undefined]);
});

test('a use moves from its previous column to the new one', () => {
  const uses = ['name', 'skip', 'skip'] as const;
  expect(withUse({ uses, index: 1, use: 'name' })).toEqual(['skip', 'name', 'skip']);
  expect(withUse({ uses, index: 0, use: 'skip' })).toEqual(['skip', 'skip', 'skip']);
});

test('name and machine type are required, and both coordinates or none', () => {
  expect(missingFields(['skip', 'latitude'])).toEqual(['name', 'machine_type', 'longitude']);
  expect(missingFields(['name', 'machine_type'])).toEqual([]);
});
