import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from './csv-parser.ts';
import { readDevice } from './device-import.ts';
import { deviceColumns, deviceFile, unescapeFormula } from '../../core/resources/device-export.ts';

const device = { id: '0190c3a4-0000-7000-8000-000000000001', name: 'Buoy', machine_type: 'bug' } as const;

async function cellsOf(file: string[]) {
  const records = [];
  for await (const batch of readCsv(file.join(''))) records.push(...batch);
  return records;
}

test('a CSV file has the id, the fields and the last change of each device', () => {
  const written = deviceFile('csv', [
    {
      ...device,
      name: 'a, "b"',
      description: 'c\nd',
      position: { longitude: 1.5, latitude: -2 },
      positioned_at: '2026-01-01T00:00:00.000Z',
      accuracy: 7.5,
      expected_every: 60,
      created_at: '2026-01-02',
      modified_at: '2026-01-03',
    },
    { ...device, name: 'e', created_at: '2026-01-02' },
  ]);
  expect(written).toEqual([
    '\uFEFFid,name,machine_type,description,longitude,latitude,positioned_at,accuracy,expected_every,keep_track,keep_values,changed_at\r\n',
    `${device.id},"a, ""b""",bug,"c\nd",1.5,-2,2026-01-01T00:00:00.000Z,7.5,60,,,2026-01-03\r\n`,
    `${device.id},e,bug,,,,,,,,,2026-01-02\r\n`,
    '',
  ]);
});

test('a name or description that a spreadsheet would run as a formula begins with an apostrophe', async () => {
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t1', "'=1", '＝1']) {
    // One file after the other.
    const [, row] = await cellsOf(deviceFile('csv', [{ ...device, name, description: name }]));
    expect(row?.fields[1]).toBe(`'${name}`);
    expect(row?.fields[3]).toBe(`'${name}`);
  }
  expect(deviceFile('csv', [{ ...device, name: "'harmless", position: { longitude: -1.5, latitude: -2 } }])[1]).toBe(
    `${device.id},'harmless,bug,,-1.5,-2,,,,,,\r\n`,
  );
});

/** The cells of a line as a spreadsheet with this separator reads it. Only a quotation mark that begins a cell counts. */
function spreadsheetCells(line: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length;) {
    const [, inQuotes, plain = ''] = new RegExp(`^(?:"((?:[^"]|"")*)")?([^${separator}\r\n]*)`).exec(line.slice(at))!;
    cells.push((inQuotes?.replaceAll('""', '"') ?? '') + plain);
    at += (inQuotes === undefined ? 0 : inQuotes.length + 2) + plain.length + 1;
  }
  return cells;
}

test('no spreadsheet runs a formula behind a separator, whatever separator it expects', async () => {
  const attacks = [',', ';', '\t', '|', '\n', '\r\n', ';\t', ';"', `;'`, ';"";', ';"a";'].flatMap((before) =>
    ['=', '+', '-', '@', '＝', "'=", '"='].map((sign) => `x${before}${sign}cmd|'/c calc'!A1`),
  );
  for (const text of attacks) {
    const [, line = ''] = deviceFile('csv', [{ ...device, name: text, description: text }]);
    for (const separator of [',', ';', '\t', '|']) {
      expect(
        spreadsheetCells(line, separator).filter((cell) => /^[=+\-@＝]/.test(cell)),
        JSON.stringify([line, separator]),
      ).toEqual([]);
    }
    const [, row] = await cellsOf(deviceFile('csv', [{ ...device, name: text, description: text }]));
    expect([row?.fields[1], row?.fields[3]].map((cell) => unescapeFormula(cell!))).toEqual([text, text]);
  }
});

test('a cell with a separator of any spreadsheet is quoted', () => {
  for (const separator of [',', ';', '\t', '|', '\n']) {
    expect(deviceFile('csv', [{ ...device, name: `a${separator}b` }])[1]).toContain(`"a${separator}b"`);
  }
});

test('GeoJSON has one feature for each device, without a geometry where there is no position', () => {
  const position = { longitude: 9.9, latitude: 53.5 };
  const text = deviceFile('geojson', [
    { ...device, position },
    { ...device, description: 'd' },
  ]).join('');
  expect(JSON.parse(text)).toEqual({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        id: device.id,
        geometry: { type: 'Point', coordinates: [9.9, 53.5] },
        properties: { name: 'Buoy', machine_type: 'bug' },
      },
      {
        type: 'Feature',
        id: device.id,
        geometry: null,
        properties: { name: 'Buoy', machine_type: 'bug', description: 'd' },
      },
    ],
  });
  expect(JSON.parse(deviceFile('geojson', []).join(''))).toEqual({ type: 'FeatureCollection', features: [] });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((any) => !any.includes('\uFFFD')),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '|', '\t', '\n', '\r\n', ' ', 'a', '＝', 'ü'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);
const devices = fc.array(
  fc.record({
    id: fc.uuid(),
    name: text.map((name) => `${name}x`),
    machine_type: fc.constantFrom('pc' as const, 'bug' as const, 'smartphone' as const),
    description: text,
    position: fc.option(
      fc.record({
        longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((degrees) => degrees + 0),
        latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((degrees) => degrees + 0),
      }),
      { nil: undefined },
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

test('a CSV file is read as the devices that were written', async () => {
  await fc.assert(
    fc.asyncProperty(devices, async (written) => {
      const [, ...records] = await cellsOf(
        deviceFile(
          'csv',
          written.map(({ position, ...rest }) => ({ ...rest, ...(position && { position }) })),
        ),
      );
      const columns = ['skip', ...deviceColumns, 'skip'] as const;
      expect(records.map((record) => readDevice({ columns, record }))).toMatchObject(
        written.map(({ id: _id, position, description, ...rest }) => ({
          row: { ...rest, ...(description && { description }), ...(position && { position }) },
        })),
      );
    }),
  );
});
