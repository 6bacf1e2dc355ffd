import { expect, test } from 'vitest';
import { device as german } from '../../../text/de/device.ts';
import { importing as germanImport } from '../../../text/de/import.ts';
import { device as english } from '../../../text/en/device.ts';
import { importing as englishImport } from '../../../text/en/import.ts';
import { missingFields, suggestUses, withUse } from './column-uses.ts';

const head = (names: string[], first: string[] = []) => ({
  names,
  first,
  separator: ',' as const,
  encoding: 'utf-8' as const,
});

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

test('the names of the columns in every language of the app are recognised', () => {
  for (const { device, importing } of [
    { device: english, importing: englishImport },
    { device: german, importing: germanImport },
  ]) {
    const uses = ['name', 'machine_type', 'description', 'longitude', 'latitude'] as const;
    const names = [
      ...uses.map((use) => device.form[use]),
      importing.columns.uses.id,
      importing.columns.uses.changed_at,
    ];
    expect(suggestUses(head(names))).toEqual([...uses, 'id', 'changed_at']);
  }
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

test('a column of pairs is the position, unless another column has a coordinate', () => {
  const names = ['name', 'type', 'Location'];
  expect(suggestUses(head(names, ['a', 'pc', '53.55, 9.99']))).toEqual(['name', 'machine_type', 'position']);
  expect(suggestUses(head(names, ['a', 'pc', 'Hall 3']))).toEqual(['name', 'machine_type', 'skip']);
  expect(suggestUses(head(['Lat, Long', 'longitude'], ['53.55, 9.99', '9.99']))).toEqual(['skip', 'longitude']);
  for (const name of ['Position', 'coordinates', 'GPS', 'lat/lon', 'Latitude, Longitude', 'Koordinaten', 'Standort'])
    expect(suggestUses(head([name], ['53° 33.0′ N, 9° 59.4′ O'])), name).toEqual(['position']);
});

test('a column of stations has the names, unless another column has them', () => {
  expect(suggestUses(head(['Station', 'type']))).toEqual(['name', 'machine_type']);
  expect(suggestUses(head(['type', 'Stationsname']))).toEqual(['machine_type', 'name']);
  expect(suggestUses(head(['Station', 'Name']))).toEqual(['skip', 'name']);
});

test('a position is in one column or in two', () => {
  const uses = ['longitude', 'latitude', 'skip'] as const;
  expect(withUse({ uses, index: 2, use: 'position' })).toEqual(['skip', 'skip', 'position']);
  expect(withUse({ uses: ['skip', 'position'], index: 0, use: 'latitude' })).toEqual(['latitude', 'skip']);
  expect(missingFields(['name', 'machine_type', 'position'])).toEqual([]);
});

test('name and machine type are required, and both coordinates or none', () => {
  expect(missingFields(['skip', 'latitude'])).toEqual(['name', 'machine_type', 'longitude']);
  expect(missingFields(['name', 'machine_type'])).toEqual([]);
});
