import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '@swarmdeck/bff/contract';
import { deviceFile } from '@swarmdeck/bff/device-export';
import { hashOf, readHead, type CsvHead } from './csv-file.ts';
import { dryRun, rowsOf, withFix, withoutNew, withoutNewer } from './dry-run.ts';
import { tableOfGeoJson } from '@swarmdeck/bff/geojson';
import { suggestUses } from './column-uses.ts';
import { checkRow, type Owned } from './check-row.ts';

const csv = (text: string) => new Blob([text]);

const nobody: Owned = new Map();

async function run(text: string, { fixes = {}, owned = nobody } = {}) {
  const file = csv(text);
  const head = await readHead(file);
  if (typeof head === 'string') throw new Error(head);
  return dryRun({ ...head, header: head.line, file, uses: suggestUses(head), owned, fixes });
}

test('the head of a file has its column names, its first row and its separator', async () => {
  expect(await readHead(csv('\uFEFF\n\nName;Kind\r\n"a;b";pc\r\n'))).toEqual({
    names: ['Name', 'Kind'],
    line: 3,
    first: ['a;b', 'pc'],
    start: [
      { line: 3, fields: ['Name', 'Kind'] },
      { line: 4, fields: ['a;b', 'pc'] },
    ],
    separator: ';',
    encoding: 'utf-8',
  });
});

test('a file that is empty, not text or broken has no head', async () => {
  expect(await readHead(csv(''))).toBe('empty');
  expect(await readHead(csv('\n \n'))).toBe('empty');
  expect(await readHead(csv('PK\u0003\u0004\0\0name,type'))).toBe('not_text');
  expect(await readHead(csv('"name,type\na,pc'))).toBe('broken');
  expect(await readHead(csv('%PDF-1.7\nstream'))).toBe('not_text');
  expect(await readHead(csv('name,type\n\n'))).toBe('no_rows');
});

test('GPX, KML and other XML has no head, and a column may be called <date>', async () => {
  expect(await readHead(csv('\uFEFF<?xml version="1.0"?>\n<gpx>\n<wpt lat="1" lon="2"/>'))).toBe('xml');
  expect(await readHead(csv('\n<kml xmlns="http://www.opengis.net/kml/2.2">\n'))).toBe('xml');
  expect(await readHead(csv('<date>,<name>\n1,a'))).toMatchObject({ names: ['<date>', '<name>'] });
});

test('a file in UTF-16 has the same head and rows as one in UTF-8', async () => {
  const text = 'Name\tGerätetyp\nBoje 🛰️\tbug\n';
  const units = Uint16Array.from(`\uFEFF${text}`.split(''), (unit) => unit.charCodeAt(0));
  const unicode = new Blob([units]);
  const head = await readHead(unicode);
  expect(head).toEqual({ ...((await readHead(csv(text))) as CsvHead), encoding: 'utf-16le' });
  expect(
    await dryRun({ file: unicode, header: 1, uses: ['name', 'machine_type'], owned: nobody, fixes: {} }),
  ).toMatchObject({
    fresh: 1,
    invalid: 0,
  });
});

test('a line sep=; is not a row', async () => {
  expect(await readHead(csv('sep=;\r\nname;type\r\na,b;pc'))).toMatchObject({
    names: ['name', 'type'],
    separator: ';',
  });
  expect(await run('sep=;\nname;type\na,b;pc')).toMatchObject({ fresh: 1, invalid: 0 });
});

test('a row with a newer time or another accuracy of the same position is changed, one with an older time is not', async () => {
  const position = { longitude: 8, latitude: 47 };
  const device = { id: 'i1', user_id: 'ann', name: 'one', machine_type: 'pc', created_at: '', position } as const;
  const owned = new Map<string, Resource>([
    ['i1', { ...device, positioned_at: '2026-01-02T00:00:00.000Z', accuracy: 20 }],
  ]);
  const checked = async (time: string, accuracy = '') =>
    run(`id,name,machine_type,longitude,latitude,positioned_at,accuracy\ni1,one,pc,8,47,${time},${accuracy}`, {
      owned,
    });
  expect(await checked('2026-01-02T00:00:00.000Z', '20')).toMatchObject({ same: 1, changes: [] });
  expect(await checked('2026-01-01T00:00:00.000Z', '5')).toMatchObject({ same: 1, changes: [] });
  expect(await checked('')).toMatchObject({ same: 1, changes: [] });
  expect(await checked('', '5')).toMatchObject({ changes: [2] });
  const after = { ...position, positioned_at: '2026-01-03T00:00:00.000Z' };
  const { changed } = await checked('2026-01-03T00:00:00Z');
  expect(changed[0]!.changes).toMatchObject([{ field: 'position', before: { accuracy: 20 }, after }]);
});

test('a changed row has the old and the new values, and is marked if its device was changed after the export', async () => {
  const stored = { user_id: 'ann', machine_type: 'pc', created_at: '2026-01-01T00:00:00.000Z' } as const;
  const devices: Resource[] = [
    { ...stored, id: 'i1', name: 'one', description: 'old' },
    { ...stored, id: 'i2', name: 'two' },
    { ...stored, id: 'i3', name: 'three' },
  ];
  const exported = deviceFile('csv', devices).join('');
  const edited = exported.replace('one,pc,old,,', 'uno,pc,,8,47').replace('two,pc', 'due,pc');
  const modified_at = '2026-01-02T00:00:00.000Z';
  const owned = new Map(
    devices.map((device) => [device.id, { ...device, ...(device.id !== 'i1' && { modified_at }) }]),
  );
  const checked = await run(edited, { owned });
  expect(checked).toMatchObject({
    fresh: 0,
    same: 1,
    changes: [2, 3],
    newer: [3],
    changed: [
      {
        line: 2,
        name: 'uno',
        isNewer: false,
        changes: [
          { field: 'name', before: 'one', after: 'uno' },
          { field: 'description', before: 'old', after: undefined },
          { field: 'position', before: undefined, after: { longitude: 8, latitude: 47 } },
        ],
      },
      { line: 3, name: 'due', isNewer: true },
    ],
  });
  expect(withoutNewer(checked)).toMatchObject({ changes: [2], newer: [], changed: [{ line: 2 }] });
});

test('the rows that end a recording are known, also after one was corrected or left out', async () => {
  const stored = { user_id: 'ann', machine_type: 'pc', created_at: '2026-01-01T00:00:00.000Z' } as const;
  const recording = { ...stored, keep_track: true, keep_values: 'sent_at' } as const;
  const devices: Resource[] = [
    { ...recording, id: 'i1', name: 'one' },
    { ...recording, id: 'i2', name: 'two', modified_at: '2026-01-02T00:00:00.000Z' },
    { ...stored, id: 'i3', name: 'three' },
    { ...recording, id: 'i4', name: 'four' },
  ];
  const owned = new Map(devices.map((device) => [device.id, device]));
  const at = stored.created_at;
  const head = 'id,name,machine_type,keep_track,keep_values,changed_at';
  const rows = [`i1,one,pc,false,time,${at}`, `i2,two,pc,,,${at}`, `i3,three,pc,,,${at}`, `i4,,pc,true,,${at}`];
  const checked = await run([head, ...rows].join('\n'), { owned });
  expect(checked.deletes).toEqual({ keep_track: [2, 3], keep_values: [3] });
  expect(withoutNewer(checked).deletes).toEqual({ keep_track: [2], keep_values: [] });
  const fields = ['i4', 'four', 'pc', 'true', '', at];
  const record = { line: 5, fields };
  const uses = ['id', 'name', 'machine_type', 'keep_track', 'keep_values', 'changed_at'] as const;
  const result = checkRow({ record, uses, owned, seen: new Map() });
  expect(withFix({ run: checked, record, uses, result }).deletes).toEqual({ keep_track: [2, 3], keep_values: [3, 5] });
});

for (const [rewritten, isInvalid] of [
  ['22.11.2026 20:41', true],
  ['11/22/2026 8:41 PM', true],
  ['2026-11-22', true],
  ['2026-11-22T20:41:00.000Z', false],
  ['', false],
] as const)
  test(`a row whose changed_at is "${rewritten}" is ${isInvalid ? 'invalid' : 'valid'}`, async () => {
    const created_at = '2026-01-01T00:00:00.000Z';
    const device = { id: 'i1', user_id: 'ann', name: 'one', machine_type: 'pc', created_at } as const;
    const edited = deviceFile('csv', [device]).join('').replace(',one,', ',uno,').replace(created_at, rewritten);
    const column = 'changed_at';
    const { listed, changes } = await run(edited, { owned: new Map([['i1', device]]) });
    expect(listed).toMatchObject(isInvalid ? [{ errors: [{ column, code: 'not_exported', text: rewritten }] }] : []);
    expect(changes).toEqual(isInvalid ? [] : [2]);
    // A new device has no last change.
    const fresh = await run(`name,machine_type,changed_at,id\nuno,pc,${rewritten},`, { owned: new Map() });
    expect(fresh).toMatchObject({ fresh: 1, invalid: 0 });
  });

test('rows are counted, and each invalid row is listed with its line, fields and errors', async () => {
  expect(await run('name,type,serial\na,pc,1\n,pc,2\nb,toaster,3\nc,bug,4\n')).toMatchObject({
    fresh: 2,
    changes: [],
    same: 0,
    invalid: 2,
    listed: [
      { line: 3, name: '', fields: ['', 'pc', '2'], errors: [{ column: 'name', code: 'missing' }] },
      {
        line: 4,
        name: 'b',
        fields: ['b', 'toaster', '3'],
        errors: [{ column: 'machine_type', code: 'unknown', text: 'toaster' }],
      },
    ],
  });
});

test('a corrected row is valid in this run and in the next', async () => {
  const text = 'name,type\n,pc\n';
  const mended = { fresh: 1, changes: [], same: 0, invalid: 0, listed: [] };
  const record = { line: 2, fields: ['a', 'pc'] };
  const uses = ['name', 'machine_type'] as const;
  expect(withFix({ run: await run(text), record, uses, result: { kind: 'new' } })).toMatchObject(mended);
  expect(await run(text, { fixes: { 2: ['a', 'pc'] } })).toMatchObject(mended);
});

test('rows that are identical to another one are found, also after a correction, and can be left out', async () => {
  const text =
    'name,type,lon,lat,serial\na,pc,8,47,1\nb,pc,8,47,2\n a ,pc,8,47,3\na,pc,9,47,4\na,pc,8,47,5\n,pc,8,47,6\n';
  const checked = await run(text);
  expect(checked).toMatchObject({ fresh: 5, repeated: [4, 6] });
  expect(withoutNew(checked, checked.repeated)).toMatchObject({ fresh: 3, repeated: [] });
  const uses = ['name', 'machine_type', 'longitude', 'latitude', 'skip'] as const;
  const fixed = (name: string) =>
    withFix({ run: checked, record: { line: 7, fields: [name, 'pc', '8', '47', '6'] }, uses, result: { kind: 'new' } });
  expect(fixed('b').repeated).toEqual([4, 6, 7]);
  expect(fixed('c').repeated).toEqual([4, 6]);
});

test('rows of new devices with the name of a device of the user are found, also after a correction, and can be left out', async () => {
  const device = { user_id: 'ann', machine_type: 'pc', created_at: '' } as const;
  const owned = new Map<string, Resource>([
    ['i1', { ...device, id: 'i1', name: 'Pier' }],
    ['i2', { ...device, id: 'i2', name: 'Quay ' }],
  ]);
  const checked = await run('name,type\nPier,pc\nquay,pc\nQuay,bug\nPier,pc\n,pc\n', { owned });
  const known = [
    { line: 2, name: 'Pier' },
    { line: 4, name: 'Quay' },
    { line: 5, name: 'Pier' },
  ];
  expect(checked).toMatchObject({ fresh: 4, known, repeated: [5] });
  const uses = ['name', 'machine_type'] as const;
  const fixed = withFix({ run: checked, record: { line: 6, fields: ['Quay', 'pc'] }, uses, result: { kind: 'new' } });
  expect(fixed).toMatchObject({ fresh: 5, known: [...known, { line: 6, name: 'Quay' }] });
  expect(withoutNew(checked, [5])).toMatchObject({ fresh: 3, known: known.slice(0, 2), repeated: [] });
  expect(withoutNew(checked, [2, 4, 5])).toMatchObject({ fresh: 1, known: [], repeated: [] });
});

test('rows of new devices with the name of another row above are found', async () => {
  const checked = await run('name,type,note\nPier,pc,1\nPier ,bug,2\nQuay,pc,3\nPier,pc,1\n,pc,4\n');
  expect(checked).toMatchObject({ fresh: 4, known: [{ line: 3, name: 'Pier ' }], repeated: [5] });
  const uses = ['name', 'machine_type', 'skip'] as const;
  const fixed = withFix({
    run: checked,
    record: { line: 6, fields: ['Quay', 'bug', ''] },
    uses,
    result: { kind: 'new' },
  });
  expect(fixed.known.map(({ line }) => line)).toEqual([3, 6]);
});

test('new rows without a position, and at 0, 0, are found, also after a correction, and can be left out', async () => {
  const text = 'name,type,lon,lat\nPier,pc,8,47\n150,pc,,\nBuoy,pc,0,"0,0"\n150,bug,,\n,pc,,\n';
  const checked = await run(text);
  const total = { line: 3, name: '150' };
  const again = { line: 5, name: '150' };
  const buoy = { line: 4, name: 'Buoy' };
  expect(checked).toMatchObject({ fresh: 4, unplaced: [total, again], atZero: [buoy] });
  expect(checked.previewed).toEqual([
    { line: 2, name: 'Pier', position: { longitude: 8, latitude: 47 } },
    { ...total, position: undefined },
    { ...buoy, position: { longitude: 0, latitude: 0 } },
    { ...again, position: undefined },
  ]);
  const left = withoutNew(checked, [5]);
  expect(left).toMatchObject({ unplaced: [total], atZero: [buoy] });
  expect(left.previewed).toHaveLength(3);
  const uses = ['name', 'machine_type', 'longitude', 'latitude'] as const;
  const record = { line: 6, fields: ['Quay', 'pc', '', ''] };
  const fixed = withFix({ run: checked, record, uses, result: { kind: 'new' } });
  expect(fixed.unplaced.at(-1)).toEqual({ line: 6, name: 'Quay' });
  expect(fixed.previewed).toHaveLength(5);
});

test('a file without positions has no new rows that lack one', async () => {
  expect(await run('name,type\nPier,pc\n')).toMatchObject({ unplaced: [], previewed: [{ name: 'Pier' }] });
});

test('a row with a wrong quotation mark has the parts of its line, and its line', async () => {
  const line = 'ST-0015;=HYPERLINK("http://evil";"x");48,1;11,2';
  const { listed, found } = await run(`name;type;lat;lon\nPier;pc;48,1;11,2\n${line}\n`);
  expect(found).toMatchObject({ hasUntyped: false });
  expect(listed).toMatchObject([
    {
      line: 3,
      name: 'ST-0015',
      fields: ['ST-0015', '=HYPERLINK("http://evil"', '"x")', '48,1', '11,2'],
      text: line,
      errors: [{ column: 'row', code: 'text_after_quote' }],
    },
  ]);
});

test('both coordinates may be in one column', async () => {
  const text = 'name,type,Position\na,pc,\nb,pc,"53.55, 9.99"\nc,pc,Hall 3\nd,pc,"53.55 N, 9.99 O"\n';
  expect(await run(text)).toMatchObject({
    fresh: 2,
    found: { letters: new Set(['O']) },
    listed: [
      { line: 4, errors: [{ column: 'position', code: 'no_pair', text: 'Hall 3' }] },
      { line: 5, errors: [{ column: 'position', code: 'letter_o', text: '53.55 N, 9.99 O' }] },
    ],
  });
});

test('the column names are found below a title, and can be in another line', async () => {
  const text = 'Export of 3.11.2026;;\n\nname;type;note\nPier;pc;x\nQuay;toaster;y\n';
  expect(await readHead(csv(text))).toMatchObject({
    names: ['name', 'type', 'note'],
    line: 3,
    first: ['Pier', 'pc', 'x'],
  });
  expect(await readHead(csv(text), { header: 4 })).toMatchObject({ names: ['Pier', 'pc', 'x'], line: 4 });
  // No row begins there: it is guessed.
  expect(await readHead(csv(text), { header: 99 })).toMatchObject({ line: 3 });
  expect(await run(text)).toMatchObject({ fresh: 1, listed: [{ line: 5, name: 'Quay' }] });
});

test('the rest of a file has the lines of the file', async () => {
  const file = csv('name,type\nPier,pc\nQuay,toaster\nDock,pc\n,pc\n');
  const uses = ['name', 'machine_type'] as const;
  const rest = await dryRun({
    file,
    header: 1,
    only: new Set([3, 5]),
    uses,
    owned: nobody,
    fixes: { 3: ['Quay', 'bug'] },
  });
  expect(rest).toMatchObject({ fresh: 1, invalid: 1, listed: [{ line: 5 }] });
});

test('100,000 rows are read in chunks, and progress is reported', async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => `Device ${index},pc,${index % 90}`).join('\n');
  const file = csv(`name,type,serial\n${rows}`);
  const parts: number[] = [];
  const checked = await dryRun({
    header: 1,
    file,
    uses: ['name', 'machine_type', 'skip'],
    owned: nobody,
    fixes: {},
    onRead: (part) => parts.push(part),
  });
  expect(rowsOf(checked)).toBe(100_000);
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.at(-1)).toBe(1);
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
});

test('a run ends when it is aborted', async () => {
  const file = csv('name,type\na,pc\nb,pc');
  const uses = ['name', 'machine_type'] as const;
  await expect(
    dryRun({ file, header: 1, uses, owned: nobody, fixes: {}, signal: AbortSignal.abort() }),
  ).rejects.toThrow(/abort/i);
});

test('the same bytes have the same hash', async () => {
  expect(await hashOf(csv('a'))).toBe(await hashOf(csv('a')));
  expect(await hashOf(csv('a'))).not.toBe(await hashOf(csv('b')));
});

test('a row with an id changes one of the user’s own devices, and only once', async () => {
  const position = { longitude: 8, latitude: 47 };
  const device = { user_id: 'ann', machine_type: 'pc', created_at: '' } as const;
  const owned: Owned = new Map([
    ['i1', { ...device, id: 'i1', name: 'one', description: 'd', position }],
    ['i2', { ...device, id: 'i2', name: 'two' }],
  ]);
  const text = [
    'id,name,type,description,lon,lat',
    'I1,one,pc,d,"8,0",47',
    'i2,two,bug,,,',
    'i1,one,pc,,8,47',
    'i3,three,pc,,,',
    ',four,pc,,,',
  ].join('\n');
  expect(await run(text, { owned })).toMatchObject({
    fresh: 1,
    changes: [3],
    same: 1,
    listed: [
      { line: 4, errors: [{ column: 'id', code: 'twice', text: 'i1' }] },
      { line: 5, errors: [{ column: 'id', code: 'not_yours', text: 'i3' }] },
    ],
  });
});

const anyText = fc
  .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\t', '\n', ' ', 'a', '＝', 'ü', '{'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const anyDevice = fc.record(
  {
    id: fc.uuid(),
    user_id: fc.constant('ann'),
    name: anyText.map((name) => `${name}x`),
    machine_type: fc.constantFrom('pc' as const, 'bug' as const, 'smartphone' as const),
    created_at: fc.constant(''),
    description: anyText,
    position: fc.record({
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    }),
  },
  { requiredKeys: ['id', 'user_id', 'name', 'machine_type', 'created_at'] },
);
const anyDevices = fc.uniqueArray(anyDevice, { minLength: 1, maxLength: 4, selector: ({ id }) => id });

test('importing an exported file changes nothing, as CSV and as GeoJSON', async () => {
  await fc.assert(
    fc.asyncProperty(anyDevices, async (devices) => {
      // The service stores -0 as 0.
      const stored = JSON.parse(JSON.stringify(devices)) as Resource[];
      const owned = new Map(stored.map((device) => [device.id, device]));
      const nothing = { fresh: 0, changes: [], same: stored.length, invalid: 0, listed: [] };
      expect(await run(deviceFile('csv', stored).join(''), { owned })).toMatchObject(nothing);
      const table = tableOfGeoJson(deviceFile('geojson', stored).join(''));
      expect(await run(Array.isArray(table) ? table.join('') : table, { owned })).toMatchObject(nothing);
    }),
  );
});

test.each([
  [
    'empty cells behind the columns',
    'name,machine_type,longitude,latitude\nPier,bug,8.5,47.3,\nQuay,bug,8.6,47.4,\n',
    2,
  ],
  [
    'commas in a name of a column',
    'name;machine_type;description (short, long, none);longitude;latitude\nPier;bug;x;8,5;47,3\n',
    1,
  ],
  [
    'spaces before quotation marks',
    '"name", "machine_type", "longitude", "latitude"\n"Pier", "bug", "8.5", "47.3"\n',
    1,
  ],
  [
    'degrees, minutes and seconds',
    `name,machine_type,longitude,latitude\nPier,bug,"8°32'57.1""E","47°22'36.8""N"\n`,
    1,
  ],
])('a file with %s is read', async (_kind, text, fresh) => {
  expect(await run(text)).toMatchObject({ fresh, invalid: 0 });
});
