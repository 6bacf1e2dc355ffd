import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainErrors } from '../check/row-error-text.tsx';
import { rowLabels } from '../check/row-labels.ts';
import { readHead } from './csv-file.ts';
import { dryRun } from './dry-run.ts';
import { deviceFile } from '@swarmdeck/bff/device-export';
import { readDevices } from '@swarmdeck/bff/device-import';
import { isGeoJson, tableOfGeoJson } from '@swarmdeck/bff/geojson';
import { suggestUses } from './column-uses.ts';

const id = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates });
const feature = (properties: object | null, geometry: unknown, more: object = {}) => ({
  type: 'Feature',
  properties,
  geometry,
  ...more,
});
const collection = (features: object[], more: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });

function linesOf(text: string): string[] {
  const table = tableOfGeoJson(text);
  if (typeof table === 'string') throw new Error(table);
  return table;
}
const table = (...features: object[]) => linesOf(collection(features));

async function checked(lines: string[]) {
  const file = new Blob(lines);
  const countsRows = true;
  const head = await readHead(file, { countsRows });
  if (typeof head === 'string') throw new Error(head);
  const uses = suggestUses(head);
  return { uses, ...(await dryRun({ file, header: head.line, countsRows, uses, owned: new Map(), fixes: {} })) };
}

test('each feature becomes a row of its properties and its point', () => {
  expect(
    table(
      feature({ name: 'a, "b"', machine_type: 'bug', height: 3 }, point(1.5, -2)),
      feature({ name: 'c', machine_type: 'pc', description: 'd\ne' }, null),
    ),
  ).toEqual([
    'name,machine_type,height,description,longitude,latitude\r\n',
    '"a, ""b""",bug,3,,1.5,-2\r\n',
    'c,pc,,"d\ne",,\r\n',
  ]);
});

test('rows from GeoJSON pass the same dry run, with the same errors', async () => {
  const lines = table(
    feature({ name: 'good', machine_type: 'bug' }, point(1.5, -2, 30)),
    feature({ name: 'far', machine_type: 'bug' }, point(200, 0)),
    feature({ name: 'wide', machine_type: 'bug' }, { type: 'Polygon', coordinates: [] }),
    feature({ name: 'half', machine_type: 'bug' }, point(1)),
    feature({ machine_type: 'tank' }, point('1', '2')),
    feature(null, { type: 'GeometryCollection', geometries: [] }),
  );
  const run = await checked(lines);
  const geometry = 'the geometry is a Polygon; only points can be imported';
  expect(plainErrors(run.listed[1]!.errors)).toBe(geometry);
  expect(run.listed[1]!.name).toBe('wide');
  expect(run.uses).toEqual(['name', 'machine_type', 'longitude', 'latitude']);
  expect([run.fresh, run.invalid]).toEqual([1, 5]);
  expect(run.listed.map(({ line, errors }) => [line, ...errors.map(({ code }) => code)])).toEqual([
    [3, 'out_of_range'],
    [4, 'not_a_number'],
    [5, 'missing_coordinate'],
    [6, 'missing', 'unknown'],
    [7, 'missing', 'missing', 'not_a_number'],
  ]);
});

test('a text with a control character is an error of its row and its field', async () => {
  const run = await checked(
    table(
      feature({ name: 'a', machine_type: 'bug', description: 'dry' }, point(1, 2)),
      feature({ name: 'b', machine_type: 'bug', description: 'we\u0000t' }, point(1, 2)),
      feature({ name: 'PK\u0003', machine_type: 'bug' }, point(1, 2)),
    ),
  );
  expect(run.listed.map(({ line, errors }) => [line, ...errors])).toMatchObject([
    [3, { column: 'description', code: 'unprintable' }],
    [4, { column: 'name', code: 'unprintable' }],
  ]);
});

test('only the ids that this app exports are used as device ids', () => {
  const named = { name: 'a', machine_type: 'pc' };
  expect(table(feature(named, null, { id }))[1]).toBe(`${id},a,pc,,\r\n`);
  expect(table(feature(named, null, { id: 7 }))[0]).toBe('name,machine_type,longitude,latitude\r\n');
  const mixed = [feature(named, null, { id }), feature(named, null, { id: 7 })];
  expect(table(...mixed)[0]).toBe('name,machine_type,longitude,latitude\r\n');
});

test('the geometry comes before properties that name a position', () => {
  const named = { name: 'a', machine_type: 'pc' };
  const position = (geometry: unknown, properties: object) =>
    table(feature({ ...named, ...properties }, geometry)).map((line) => line.trim());
  expect(position(point(9.9, 53.5), { lat: 0, lon: 0 })).toEqual([
    'name,machine_type,longitude,latitude',
    'a,pc,9.9,53.5',
  ]);
  expect(position(point(9.9, 53.5), { X: 565000, Längengrad: '' })[1]).toBe('a,pc,9.9,53.5');
  expect(position(null, { lat: 53.5, lng: 9.9 })[1]).toBe('a,pc,9.9,53.5');
  expect(position({ type: 'Polygon', coordinates: [] }, { lat: 53.5, lon: 9.9 })[1]).toBe('a,pc,Polygon,');
});

test('nested properties are columns, and a text of JSON only below the fifth level', () => {
  const location = { name: 'Old pier', country: 'DE', none: {}, tags: ['a'] };
  const deep = { a: { b: { c: { d: { e: 1 } } } } };
  expect(
    table(
      feature({ location, deep }, point(9.99, 53.55)),
      feature({ location: { name: 'New pier' }, at: point(1, 2) }, point(10, 53)),
      feature({ location: 'Quay' }, point(10, 53)),
    ),
  ).toEqual([
    'name,location.country,location.none,location.tags,deep.a.b.c.d,at,location,longitude,latitude\r\n',
    'Old pier,DE,{},"[""a""]","{""e"":1}",,,9.99,53.55\r\n',
    'New pier,,,,,"{""type"":""Point"",""coordinates"":[1,2]}",,10,53\r\n',
    ',,,,,,Quay,10,53\r\n',
  ]);
});

test('a nested property is the name only if it is the only one', () => {
  const names = (properties: object) => table(feature(properties, point(9, 53)))[0];
  expect(names({ location: { Name: 'a' } })).toBe('name,longitude,latitude\r\n');
  expect(names({ location: { name: 'a' }, owner: { name: 'b' } })).toBe(
    'location.name,owner.name,longitude,latitude\r\n',
  );
  expect(names({ location: { name: 'a' }, Name: 'b' })).toBe('location.name,Name,longitude,latitude\r\n');
});

test('one point of several is a point', () => {
  const position = (geometry: unknown) => table(feature({ name: 'a' }, geometry))[1];
  expect(position({ type: 'MultiPoint', coordinates: [[9.9, 53.5]] })).toBe('a,9.9,53.5\r\n');
  expect(position({ type: 'GeometryCollection', geometries: [point(9.9, 53.5)] })).toBe('a,9.9,53.5\r\n');
  expect(
    position({
      type: 'MultiPoint',
      coordinates: [
        [9.9, 53.5],
        [1, 2],
      ],
    }),
  ).toBe('a,MultiPoint,\r\n');
  expect(position({ type: 'MultiPoint', coordinates: [] })).toBe('a,MultiPoint,\r\n');
});

test('known properties are kept, however many there are', async () => {
  const more = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`tag${index}`, index]));
  const run = await checked(table(feature({ ...more, Name: 'Pier', machine_type: 'bug' }, point(9.9, 53.5))));
  expect([run.fresh, run.uses.length]).toEqual([1, 94]);
});

test('the ids of this app come before a property of ids of another program', () => {
  const own = { id: 7, name: 'a', machine_type: 'pc' };
  expect(table(feature(own, null, { id }))).toEqual([
    'id,name,machine_type,longitude,latitude\r\n',
    `${id},a,pc,,\r\n`,
  ]);
});

test('exported devices are imported unchanged', async () => {
  const device = { machine_type: 'bug' } as const;
  const text = deviceFile('geojson', [
    { ...device, id, name: 'a', description: 'c\nd', position: { longitude: 1.5, latitude: -2 } },
    { ...device, id, name: 'e' },
    { ...device, id, name: "'=1" },
  ]).join('');
  expect(linesOf(`\uFEFF${text}`)).toEqual([
    'id,name,machine_type,description,longitude,latitude\r\n',
    `${id},a,bug,"c\nd",1.5,-2\r\n`,
    `${id},e,bug,,,\r\n`,
    // The import removes one apostrophe.
    `${id},''=1,bug,,,\r\n`,
  ]);
});

test('a feature in each line is one of a collection', () => {
  const features = [feature({ name: 'a' }, [9, 54]), feature({ name: 'b' }, [10, 53])];
  const all = table(...features);
  expect(all).toHaveLength(3);
  for (const [start, end] of [
    ['', '\n'],
    ['\u001E', '\n'],
    ['', '\r\n\r\n'],
  ])
    expect(tableOfGeoJson(features.map((one) => start + JSON.stringify(one) + end).join(''))).toEqual(all);
  expect(tableOfGeoJson(`${JSON.stringify(features[0])}\n{"type":"Feat`)).toBe('not_json');
  for (const name of ['a.geojsonl', 'a.GeoJSONSeq', 'a.ndjson', 'a.geojsons']) expect(isGeoJson({ name })).toBe(true);
});

test('the number of a feature is its place in the file', async () => {
  const run = await checked(
    table(
      feature({ name: 'a', machine_type: 'bug', description: 'two\nlines' }, point(1.5, -2)),
      feature({}, null),
      feature({ machine_type: 'bug' }, null),
    ),
  );
  expect(run.fresh).toBe(1);
  expect(run.listed.map(({ line }) => rowLabels({ file: 'a.geojson', line }).number)).toEqual(['2', '3']);
});

test.each([
  'urn:ogc:def:crs:OGC:1.3:CRS84',
  'urn:ogc:def:crs:EPSG::4326',
  'EPSG:4326',
  'urn:ogc:def:crs:EPSG:9.8.15:4258',
  'WGS84',
])('coordinates in %s are imported', (name) => {
  const crs = { type: 'name', properties: { name } };
  expect(linesOf(collection([feature({ name: 'a' }, point(9.9, 53.5))], { crs }))).toHaveLength(2);
});

test.each([
  { crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } } },
  { crs: { type: 'name', properties: { name: 'WGS 84 / UTM zone 32N' } } },
  { crs: { type: 'EPSG', properties: { code: 31467 } } },
  { crs: { type: 'link', properties: { href: 'https://spatialreference.org/ref/epsg/25832/proj4/' } } },
])('a file with another coordinate system is refused: %j', (crs) => {
  const utm = feature({ name: 'a' }, point(565_000, 5_934_000));
  expect(tableOfGeoJson(collection([utm], crs))).toBe('other_coordinates');
  expect(tableOfGeoJson(JSON.stringify({ ...utm, ...crs }))).toBe('other_coordinates');
});

test.each([{}, { crs: null }, { crs: {} }])('a file that names no coordinate system is imported: %j', (crs) => {
  expect(linesOf(collection([feature({ name: 'a' }, point(9.9, 53.5))], crs))).toHaveLength(2);
});

test('other content is not read as GeoJSON', () => {
  const none = ['', '[]', 'null', '5', '{"type":"FeatureCollection"}', '{"type":"FeatureCollection","features":[]}'];
  expect(none.map(tableOfGeoJson)).toEqual(none.map(() => 'not_geojson'));
  const cut = ['{', collection([feature({ name: 'a' }, null)]).slice(0, -9), 'name,machine_type'];
  expect(cut.map(tableOfGeoJson)).toEqual(cut.map(() => 'not_json'));
  expect(tableOfGeoJson(JSON.stringify(feature({ name: 'a' }, null)))).toHaveLength(2);
  expect(tableOfGeoJson('{"type":"FeatureCollection","features":[null,5,"a"]}')).toHaveLength(4);
  const files = ['a.geojson', 'a.JSON', 'a.csv', 'json'].map((name) => isGeoJson({ name, type: '' }));
  expect(files).toEqual([true, true, false, false]);
});

test.each([
  ['the geometry comes first, then the properties', 'lat-lon-properties'],
  ['the columns that are known are kept, however many there are', 'many-properties'],
  ['one point is a point', 'multipoint-of-one'],
])('a file of another program: %s', async (_, name) => {
  const file = join(import.meta.dirname, `../../../../../e2e/data/inputs/geojson/${name}.geojson`);
  const lines = linesOf(readFileSync(file, 'utf8'));
  const rows: unknown[] = [];
  for await (const record of readDevices(lines.join(''))) rows.push('row' in record ? record.row : record.errors);
  expect(rows).toEqual([{ name: 'Pier', machine_type: 'bug', position: { longitude: 9.9, latitude: 53.5 } }]);
});
