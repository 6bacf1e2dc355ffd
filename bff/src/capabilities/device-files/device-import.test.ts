import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resourceCreate, type ResourceCreate } from '../../contract.ts';
import type { CsvSource } from './csv-parser.ts';
import { readDevices, readLetterO, type DeviceRecord } from './device-import.ts';
import { faultSentence, type DeviceError } from './device-errors.ts';

const head = 'name,machine_type,description,longitude,latitude\n';

async function read(source: CsvSource): Promise<DeviceRecord[]> {
  const records: DeviceRecord[] = [];
  for await (const record of readDevices(source)) records.push(record);
  return records;
}

async function rowOf(text: string) {
  const [record] = await read(head + text);
  if (!record || !('row' in record)) throw new Error(`refused: ${JSON.stringify(record)}`);
  return record.row;
}

/** Without the column that a sentence may begin with. */
const sentence = (fault: DeviceError) =>
  faultSentence(fault).replace(`${fault.column}: `, fault.column === 'header' ? '$&' : '');

async function reasonsOf(text: string) {
  const records = await read(text);
  return records.flatMap((record) => ('errors' in record ? record.errors.map(sentence) : []));
}

function sample(name: string) {
  return readFileSync(new URL(`../../../../e2e/data/${name}`, import.meta.url));
}

async function* chunksOf<T extends Uint8Array | string>(whole: T, size: number) {
  for (let at = 0; at < whole.length; at += size) yield whole.slice(at, at + size);
}

const refusedOf = (records: DeviceRecord[]) => records.filter((record) => 'errors' in record);

describe('the sample files', () => {
  test('8,995 stations are valid, and Loon Creek is refused because its coordinates are swapped', async () => {
    const records = await read(chunksOf(sample('stations.csv'), 65_536));
    expect(records.filter((record) => 'row' in record)).toHaveLength(8995);
    expect(refusedOf(records)).toEqual([
      {
        line: 778,
        name: 'Loon Creek',
        errors: [{ column: 'latitude', code: 'out_of_range', text: '-104.323611', most: 90, swapped: true }],
      },
    ]);
  });

  test('11 rows of the messy file are valid, and every other row has an error', async () => {
    const records = await read(chunksOf(sample('messy.csv'), 7));
    expect(records.filter((record) => 'row' in record).map(({ line }) => line)).toEqual([
      2, 10, 11, 13, 14, 15, 16, 17, 18, 20, 23,
    ]);
    const reasons = refusedOf(records).flatMap(({ line, errors }) =>
      errors.map((fault) => `${line} ${faultSentence(fault)}`),
    );
    expect(reasons).toEqual([
      '3 name: a name is missing',
      '4 machine_type: a machine type is missing: pc, bug, smartphone',
      '5 machine_type: "toaster" is not one of pc, bug, smartphone',
      '6 latitude: "91" is outside -90 to 90; longitude and latitude look swapped',
      '7 longitude: "-180,0001" is outside -180 to 180',
      '8 latitude: missing: a position needs both',
      '9 longitude: "1.234,5" is not a number of degrees such as 8.5492',
      '19 name: longer than 128 characters',
      '21 6 fields for 5 columns',
      '22 longitude: "NaN" is not a number of degrees such as 8.5492',
      '25 name: a name is missing',
    ]);
  });

  test('the values of the valid rows are unchanged', async () => {
    const records = await read(sample('messy.csv').toString());
    const rows = new Map(records.flatMap((record) => ('row' in record ? [[record.line, record.row]] : [])));
    expect(rows.get(2)).toEqual({
      name: 'Plain good row',
      machine_type: 'bug',
      description: 'fine',
      position: { longitude: 8.5492, latitude: 47.4583 },
    });
    expect(rows.get(11)?.name).toBe('Quoted; with "quotes" and\na line break');
    expect(rows.get(13)?.name).toBe('=HYPERLINK("http://example.invalid","click")');
    expect(rows.get(18)).not.toHaveProperty('position');
    expect(rows.get(20)).toEqual({ name: 'Too few fields', machine_type: 'pc' });
    expect(rows.get(23)?.position).toEqual({ longitude: 10, latitude: 45 });
  });
});

describe('the header', () => {
  test.each([
    ['Name,Machine Type,Description,Lon,Lat', 'a,pc,d,8,47'],
    ['NAME;type;description;LNG;Latitude', 'a;pc;d;8;47'],
    ['name\tMACHINE_TYPE\tdescription\tLong\tLat', 'a\tpc\td\t8\t47'],
    ['y|x|description|machine-type|name', '47|8|d|pc|a'],
    ['Device;Kind;Note;Lon;Lat', 'a;pc;d;8;47'],
    ['friendly_name;type;note;longitude;latitude', 'a;pc;d;8;47'],
    ['"name","machine type","description","lon","lat"', 'a,pc,d,8,47'],
    ['name;type;description;x;y;', 'a;pc;d;8;47;'],
    ['Name;Gerätetyp;Beschreibung;Längengrad;Breitengrad', 'a;pc;d;8;47'],
    ['Station;Typ;Bemerkung;x;y', 'a;pc;d;8;47'],
    ['Name;Station;Typ;Bemerkung;x;y', 'a;B;pc;d;8;47'],
    ['BEZEICHNUNG;Gera\u0308tetyp;Kommentar;La\u0308ngengrad;Breite', 'a;pc;d;8;47'],
  ])('is recognised: %s', async (header, line) => {
    expect(await read(`\n${header}\n${line}`)).toEqual([
      { line: 3, row: { name: 'a', machine_type: 'pc', description: 'd', position: { longitude: 8, latitude: 47 } } },
    ]);
  });

  test.each([
    ['name,lon', ['header: no column machine_type', 'header: no column latitude: a position needs both']],
    ['nothing we know', ['header: no column name', 'header: no column machine_type']],
    ['"name,type', ['header: a quotation mark is not closed']],
    ['', ['the file is empty']],
    ['%PDF-1.7', ['this is not a text file: save it as CSV UTF-8']],
    ['PK\u0003\u0004', ['this is not a text file: save it as CSV UTF-8']],
  ])('is refused as a whole if it is invalid: %s', async (header, reasons) => {
    expect(await reasonsOf(header === '' ? '' : `${header}\na,pc,1\n`)).toEqual(reasons);
  });

  test('a file with column names only is one error', async () => {
    expect(await reasonsOf('name,type\n\n')).toEqual(['the file has column names, but no rows below them']);
  });

  test.each(['sep=;\r\n', '"sep=;"\n', 'SEP=;\r'])('the line %j names the separator and is no row', async (line) => {
    expect(await read(`\uFEFF${line}a,b;Name;Type\n1;x,y;pc`.replace('a,b;', 'note;'))).toEqual([
      { line: 3, row: { name: 'x,y', machine_type: 'pc', description: '1' } },
    ]);
  });

  test.each(['utf-16le', 'utf-16be'])(
    'a file in %s is read as one in UTF-8, in chunks of any size',
    async (encoding) => {
      const bytes = Buffer.from('\uFEFFName\tGerätetyp\nBoje 🛰️\tbug\n', 'utf16le');
      if (encoding === 'utf-16be') bytes.swap16();
      for (const size of [1, 2, 3, 7, 1000]) {
        expect(await read(chunksOf(bytes, size))).toEqual([{ line: 2, row: { name: 'Boje 🛰️', machine_type: 'bug' } }]);
      }
    },
  );

  test('with an id, an empty cell clears its field, and a field without a column is unchanged', async () => {
    const id = '01a1fe30-a2a7-7293-b717-11517485ac50';
    const named = { name: 'a', machine_type: 'pc' };
    const changeOf = async (text: string) =>
      (await read(text)).map((record) => 'row' in record && record.update?.change);
    expect(await changeOf(`Geräte-ID,${head}${id},a,pc,,,\n`)).toEqual([
      { ...named, description: null, position: null },
    ]);
    expect(await changeOf(`id,name,type\n${id},a,pc\n`)).toEqual([named]);
    expect(await changeOf(`id,name,type,position\n${id},a,pc,"47.4, 8.5"\n${id},a,pc,\n`)).toEqual([
      { ...named, position: { longitude: 8.5, latitude: 47.4 } },
      { ...named, position: null },
    ]);
  });

  test('an update has the time of the last change, if the file has it', async () => {
    const id = '01a1fe30-a2a7-7293-b717-11517485ac50';
    const change = { name: 'a', machine_type: 'pc' };
    expect(await read(`id,name,type,changed_at\n${id},a,pc, 2026-01-02T03:04:05.678Z \n${id},a,pc,\n,a,pc,x`)).toEqual([
      { line: 2, row: change, update: { id, change, changedAt: '2026-01-02T03:04:05.678Z' } },
      { line: 3, row: change, update: { id, change } },
      { line: 4, row: change },
    ]);
  });

  test('the columns of an export of members are ignored', async () => {
    const id = '01a1fe30-a2a7-7293-b717-11517485ac50';
    expect(await read(`id,name,machine_type,user_id,resource_type\n${id},a,pc,ben,both`)).toEqual([
      { line: 2, row: { name: 'a', machine_type: 'pc' }, update: { id, change: { name: 'a', machine_type: 'pc' } } },
    ]);
  });

  /** The names of the columns that are left out, and the rows. */
  async function readWith(text: string) {
    const leftOut: string[][] = [];
    const records: DeviceRecord[] = [];
    for await (const record of readDevices(text, { onLeftOut: (names) => leftOut.push(names) })) records.push(record);
    return { leftOut, records };
  }

  test('a column with another name is left out and named', async () => {
    expect(await readWith('name,machine_type,latitude,longitude,altitude, Colour \nPier,bug,47.3,8.5,400,red')).toEqual(
      {
        leftOut: [['altitude', 'Colour']],
        records: [
          { line: 2, row: { name: 'Pier', machine_type: 'bug', position: { latitude: 47.3, longitude: 8.5 } } },
        ],
      },
    );
    expect((await readWith('name,machine_type\nPier,bug')).leftOut).toEqual([]);
    // Of several columns of one field, the first one.
    expect(
      await readWith('name,type,Note,Lon,Lat,Comment,x,changed_at,Last change\nPier,bug,red,8,54,old,9,,'),
    ).toEqual({
      leftOut: [['Comment', 'x', 'Last change']],
      records: [
        {
          line: 2,
          row: { name: 'Pier', machine_type: 'bug', description: 'red', position: { longitude: 8, latitude: 54 } },
        },
      ],
    });
  });

  async function aboveOf(text: string) {
    const above: unknown[] = [];
    const records: DeviceRecord[] = [];
    for await (const record of readDevices(text, { onLinesAbove: (lines) => above.push(...lines) }))
      records.push(record);
    return { above, lines: records.map((record) => ('row' in record ? record.line : record.errors)) };
  }

  test.each([
    ['stop_lat,stop_lon', '53.5,9.9'],
    ['location.latitude,location.longitude', '53.5,9.9'],
    ['GPS Lat,GPS Long', '53.5,9.9'],
    ['lat (deg),lon (deg)', '53.5,9.9'],
    ['Latitude [°],Longitude [°]', '53.5,9.9'],
    ['point', '"(53.5, 9.9)"'],
    ['geopoint', '53.5 9.9 12.0 4.5'],
    ['location', '"geo:53.5,9.9;u=12"'],
    ['WKT', 'POINT(9.9 53.5)'],
    ['geom', '"SRID=4326;POINT Z (9.9 53.5 12)"'],
    ['geometry', '"{""type"":""Point"",""coordinates"":[9.9, 53.5]}"'],
  ])('the coordinates of other programs are read: %s', async (names, cells) => {
    expect(await read(`name,type,${names}\nA,pc,${cells}\n`)).toEqual([
      { line: 2, row: { name: 'A', machine_type: 'pc', position: { longitude: 9.9, latitude: 53.5 } } },
    ]);
  });

  test.each([
    ['start_lat,start_lon,end_lat,end_lon', undefined],
    ['max_lat,min_lon,note,comment', undefined],
    ['home_lat,home_lon,x,y', { longitude: 3, latitude: 4 }],
    ['flat,as_long,room,floor', undefined],
    ['Länge (m),Breite (m),x [m],y [m]', undefined],
  ])('columns that may be other coordinates are not taken for them: %s', async (names, position) => {
    const [record] = await read(`name,type,${names}\nA,pc,1,2,3,4\n`);
    expect(record).toMatchObject({ row: { name: 'A', machine_type: 'pc' } });
    expect((record as { row: ResourceCreate }).row.position).toEqual(position);
  });

  test('lines above the column names are left out and named', async () => {
    expect(await aboveOf('Export of 3.11.2026\n\n;Filter: all;;\nname;type;note\nPier;bug;a name\n')).toEqual({
      above: [
        { line: 1, text: 'Export of 3.11.2026' },
        { line: 3, text: 'Filter: all' },
      ],
      lines: [5],
    });
    expect(await aboveOf('name,type\nPier,bug')).toEqual({ above: [], lines: [2] });
  });

  test('a row is not taken for the column names', async () => {
    const unknown = [{ column: 'header', code: 'missing', of: 'name' }];
    expect(await aboveOf('Standort;Art;x\nname;bug;1\ny;pc;2')).toMatchObject({
      above: [],
      lines: [[unknown[0], {}, {}]],
    });
    expect((await aboveOf('"name,type\na,bug')).above).toEqual([]);
    expect((await aboveOf('name\nPier, north\nPier, south')).above).toEqual([]);
  });

  test.each([
    ['numbers', '1', '2'],
    ['ids of another kind', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ])('a column of ids of another program is left out and named: %s', async (_kind, one, two) => {
    expect(await readWith(`ID,Name,Machine type,x1\n${one},Pier,bug,1\n${two},Quay,bug,2`)).toEqual({
      leftOut: [['ID', 'x1']],
      records: [
        { line: 2, row: { name: 'Pier', machine_type: 'bug' } },
        { line: 3, row: { name: 'Quay', machine_type: 'bug' } },
      ],
    });
  });

  test('with one id of this service, the column is of ids, also for the rows before it', async () => {
    const id = '01a1fe30-a2a7-7293-b717-11517485ac50';
    const { leftOut, records } = await readWith(`id,name,type\n,a,pc\n7,b,pc\n${id.toUpperCase()},c,pc\n`);
    expect(leftOut).toEqual([]);
    expect(records.map((record) => 'row' in record && record.update?.id)).toEqual([undefined, '7', id]);
  });

  test('a column of ids may be empty', async () => {
    expect(await readWith('id,name,type\n,a,pc')).toEqual({
      leftOut: [],
      records: [{ line: 2, row: { name: 'a', machine_type: 'pc' } }],
    });
  });

  test('empty cells beyond the columns do not count', async () => {
    expect(await read('name,type\na,pc,\nb,pc, ,,\n"c",pc,"",\nd,pc,,x\n')).toEqual([
      { line: 2, row: { name: 'a', machine_type: 'pc' } },
      { line: 3, row: { name: 'b', machine_type: 'pc' } },
      { line: 4, row: { name: 'c', machine_type: 'pc' } },
      { line: 5, name: 'd', errors: [{ column: 'row', code: 'too_many_cells', fields: 4, columns: 2 }] },
    ]);
  });

  test('a cell that says that it has no value is empty, except in a text', async () => {
    const none = ['NULL', 'NA', 'n/a', '#N/A', '-', '\\N', ' null '];
    const file = none.map((cell) => `NULL,pc,${cell},${cell},${cell}`).join('\n');
    const records = await read(`name,type,lat,lon,interval\n${file}`);
    expect(records.map((record) => 'row' in record && record.row)).toEqual(
      none.map(() => ({ name: 'NULL', machine_type: 'pc' })),
    );
    expect(await reasonsOf('name,type\na,NULL')).toHaveLength(1);
  });

  test.each([
    [60, ['60', '60s', '60 sec', '1 min', '1min', '1 Min.', '1\u00A0min', '1 Minute']],
    [3600, ['1 h', '1h', '1 hr', '1 Std.', '60 min', '1 Stunde']],
    [604_800, ['7 d', '7 days', '7 Tage', '168 hrs']],
    [0, ['0', '0 min']],
  ])('an interval of %i seconds may have a unit, as the forms write it', async (seconds, cells) => {
    const records = await read(`name,type,interval\n${cells.map((cell) => `a,pc,${cell}`).join('\n')}`);
    expect(records.map((record) => 'row' in record && record.row.expected_every)).toEqual(cells.map(() => seconds));
  });

  test.each(['5 m', '1.5 h', '1,5 h', '5 min 3', 'min', '30 s', '31 d', '-1 h', '1 month', '5..'])(
    'no interval: %s',
    async (cell) => {
      const [record] = await read(`name,type,interval\na,pc,"${cell}"`);
      expect(record).toMatchObject({ errors: [{ column: 'expected_every', code: 'no_interval', text: cell }] });
    },
  );

  test('any number of columns is read', async () => {
    const more = Array.from({ length: 300 }, (_, index) => `"c${index}"`).join(',');
    expect(await read(`name,type,${more}\n"a",pc,${more}`)).toEqual([
      { line: 2, row: { name: 'a', machine_type: 'pc' } },
    ]);
  });

  test('a value without a column name is an error', async () => {
    expect(await reasonsOf('name,type,\na,pc,surprise')).toEqual(['"surprise" is in a column without a name']);
  });
});

describe('a cell', () => {
  test.each([
    ['47.5', 47.5],
    ['47,5', 47.5],
    [' +4,75E1 ', 47.5],
    ['.5', 0.5],
    ['\u221212', -12],
    ['-0', 0],
  ])('is read as degrees: %s', async (text, value) => {
    expect((await rowOf(`a,pc,,8,"${text}"`)).position?.latitude).toBe(value);
  });

  test.each([
    ['47°22\'36.8"N', 47.37688889],
    ['47° 22′ 36,8″ N', 47.37688889],
    ['N 47 22.614', 47.3769],
    ['47.3769° S', -47.3769],
    ['-47°30’', -47.5],
    ['47:22:36.8', 47.37688889],
    ['47d22\'36.8"N', 47.37688889],
    ["47 deg 30' South", -47.5],
    ['47.3769 Süd', -47.3769],
  ])('is read as degrees, minutes and seconds: %s', async (text, value) => {
    expect((await rowOf(`a,pc,,8,"${text.replaceAll('"', '""')}"`)).position?.latitude).toBe(value);
  });

  test('with the hemisphere of the other axis is refused', async () => {
    expect(await reasonsOf(`${head}a,pc,,47.3 N,8.5 E`)).toEqual([
      '"47.3 N" is not a number of degrees such as 8.5492',
      '"8.5 E" is not a number of degrees such as 8.5492',
    ]);
  });

  test.each(['1.234,5', '1,234.5', '1.234.567', "1'234", '1 234', 'NaN', 'Infinity', '1e', '8° N', '0x1F', '٤٧'])(
    'is not read as degrees: %s',
    async (text) => {
      expect(await reasonsOf(`${head}a,pc,,"${text}",8`)).toHaveLength(1);
    },
  );

  test.each(['1e999', '181,50', '181° 30′ E'])('out of range is named as the file has it: %s', async (text) => {
    expect(await reasonsOf(`${head}a,pc,," ${text}",8`)).toEqual([`"${text}" is outside -180 to 180`]);
  });

  test.each([
    ['47.4583, 8.5492', { latitude: 47.4583, longitude: 8.5492 }],
    ['8.5492° E 47.4583° N', { latitude: 47.4583, longitude: 8.5492 }],
    ["-47° 30', 8° 15'", { latitude: -47.5, longitude: 8.25 }],
    [' - ', undefined],
  ])('is read as both coordinates: %s', async (text, position) => {
    const [, second] = await read(`name,type,Coordinates\na,pc,"1, 2"\nb,pc,"${text}"`);
    expect(second).toMatchObject({ row: { name: 'b', ...(position && { position }) } });
  });

  test('that is no pair of coordinates is refused, also one with the longitude first', async () => {
    expect(await reasonsOf('name,type,position\na,pc,"1, 2"\nb,pc,"139.7, 35.6"\nc,pc,47.5\nd,pc,"47 N, 8 O"')).toEqual(
      [
        '"139.7, 35.6" is not a latitude and a longitude such as 47.4583, 8.5492',
        '"47.5" is not a latitude and a longitude such as 47.4583, 8.5492',
        '"47 N, 8 O": the file does not say whether O is east or west; write E or W',
      ],
    );
  });

  test('of position with long gaps is refused at once', async () => {
    const gap = ' '.repeat(30);
    const row = `a,pc,1${gap}2${gap}3${gap}x\n`;
    const { user } = process.cpuUsage();
    const records = await read(`name,type,position\na,pc,"1, 2"\n${row.repeat(500)}`);
    expect(records.filter((record) => 'errors' in record)).toHaveLength(500);
    // In microseconds. Each took 12,000.
    expect((process.cpuUsage().user - user) / 500).toBeLessThan(2000);
  });

  test('beyond the only column is counted', async () => {
    expect(faultSentence({ column: 'row', code: 'too_many_cells', fields: 5, columns: 1 })).toBe(
      '5 fields for 1 column',
    );
  });

  test('a machine type may be in capitals and between spaces', async () => {
    expect((await rowOf('a, SmartPhone ')).machine_type).toBe('smartphone');
  });

  test('a name keeps its spaces, and an empty description is left out', async () => {
    expect(await rowOf('  a  ,pc,')).toEqual({ name: '  a  ', machine_type: 'pc' });
  });

  test('a name is measured in code points', async () => {
    expect((await rowOf(`${'🛰'.repeat(128)},pc`)).name).toHaveLength(256);
    expect(await reasonsOf(`${head}${'🛰'.repeat(129)},pc`)).toEqual(['longer than 128 characters']);
  });

  test('all errors of a row are reported at once', async () => {
    expect(await reasonsOf(`${head},robot,a\u0000b,1,`)).toEqual([
      'a name is missing',
      '"robot" is not one of pc, bug, smartphone',
      'contains a control character',
      'missing: a position needs both',
    ]);
  });
});

describe('a damaged file', () => {
  test('an unclosed quotation mark invalidates only its own row', async () => {
    const records = await read(`${head}a,pc\n"b,pc\nc,pc\n"d",bug\n`);
    expect(records).toEqual([
      { line: 2, row: { name: 'a', machine_type: 'pc' } },
      { line: 3, errors: [expect.objectContaining({ column: 'row' })] },
      { line: 4, row: { name: 'c', machine_type: 'pc' } },
      { line: 5, row: { name: 'd', machine_type: 'bug' } },
    ]);
  });

  test('bytes that are not UTF-8 invalidate only their own row', async () => {
    const bytes = Buffer.from(`${head}a,pc\nM\u00fcnchen,pc\nM\u00fcnchen,pc\n`, 'latin1');
    const utf8 = Buffer.concat([bytes.subarray(0, bytes.lastIndexOf('M')), Buffer.from('M\u00fcnchen,pc\n')]);
    const records = await read(chunksOf(new Uint8Array(utf8), 3));
    expect(records).toEqual([
      { line: 2, row: { name: 'a', machine_type: 'pc' } },
      {
        line: 3,
        name: 'M\uFFFDnchen',
        errors: [{ column: 'name', code: 'not_utf8' }],
      },
      { line: 4, row: { name: 'München', machine_type: 'pc' } },
    ]);
  });

  test('a line of a megabyte is one error, without its text', async () => {
    const records = await read(
      chunksOf(`${head}a,pc\r\n${'x'.repeat(1_000_000)},pc\r\n"${'y'.repeat(100_000)}",pc\r\nb,bug`, 50_000),
    );
    expect(records.map((record) => [record.line, 'row' in record])).toEqual([
      [2, true],
      [3, false],
      [4, false],
      [5, true],
    ]);
  });

  test('a skipped line may be split inside its CRLF', async () => {
    async function* halves() {
      yield `${head}${'x'.repeat(200_000)}\r`;
      yield '\nb,bug';
    }
    expect((await read(halves())).map((record) => [record.line, 'row' in record])).toEqual([
      [2, false],
      [3, true],
    ]);
  });

  test('text after a closing quotation mark is an error', async () => {
    expect(await reasonsOf(`${head}"a"b,pc`)).toEqual([expect.stringContaining('after a closing quotation mark')]);
  });
});

describe('arbitrary devices', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab ,;|\t"\n\r=é🛰0.'), maxLength: 12 });
  const device = fc.record(
    {
      name: text.map((name) => `${name}n`),
      machine_type: fc.constantFrom('pc' as const, 'bug' as const, 'smartphone' as const),
      description: text.filter((description) => description !== ''),
      position: fc.record({
        longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
        latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
      }),
    },
    { requiredKeys: ['name', 'machine_type'] },
  );
  const style = fc.record({
    separator: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    decimal: fc.constantFrom('.', ','),
    always: fc.boolean(),
    mark: fc.constantFrom('', '\uFEFF'),
    chunk: fc.integer({ min: 1, max: 100 }),
  });

  test('are read with their line numbers from any separator, quoting and line break', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(device, { minLength: 1, maxLength: 8 }), style, async (devices, how) => {
        const { separator, lineEnd, decimal, always, mark, chunk } = how;
        const cell = (value: string) =>
          always || /[,;|\t"\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
        const degrees = (value: number | undefined) => String(value ?? '').replace('.', decimal);
        const lines = devices.map(({ name, machine_type, description, position }) =>
          [name, machine_type, description ?? '', degrees(position?.longitude), degrees(position?.latitude)]
            .map(cell)
            .join(separator),
        );
        const whole = mark + [head.trim().replaceAll(',', separator), ...lines].join(lineEnd) + lineEnd;
        let line = 2;
        const expected = devices.map((row, index) => {
          const at = line;
          line += (lines[index] ?? '').split(/\r\n|\r|\n/).length;
          return { line: at, row };
        });
        expect(await read(whole)).toEqual(expected);
        expect(await read(chunksOf(new Uint8Array(Buffer.from(whole)), chunk))).toEqual(expected);
      }),
    );
  });

  test('are read the same from any split into chunks, also from damaged text', async () => {
    const junk = fc.string({ unit: fc.constantFrom(...'a,"\r\n\uFEFF'), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(junk, fc.integer({ min: 1, max: 7 }), async (text, size) => {
        expect(await read(chunksOf(head + text, size))).toEqual(await read(head + text));
      }),
    );
  });

  test('that are valid are accepted by the service', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.string(),
        fc.string(),
        async (name, lon, lat) => {
          const records = await read(`name;type;lon;lat\n${name};pc;${lon};${lat}`);
          const rows = records.flatMap((record) => ('row' in record ? [record.row] : []));
          expect(rows.filter((row) => !resourceCreate.safeParse(row).success)).toEqual([]);
        },
      ),
    );
  });
});

describe('the letter O', () => {
  const file = (header: string, ...longitudes: string[]) =>
    [header, ...longitudes.map((longitude) => `a;pc;${longitude};47`)].join('\n');
  const english = 'name;type;lon;lat';

  test.each([
    ['is the east in German columns', file('Gerät;Typ;Länge;Breite', '8°32\'57"O'), 'east'],
    ['is the east beside a W', file(english, '8 O', '9 W'), 'east'],
    ['is the west beside an E', file(english, '8 O', '9 E'), 'west'],
    ['is the east in German columns, also beside an E', file('Gerät;Typ;Länge;Breite', '8 O', '9 E'), 'east'],
    ['is the west in Spanish columns', file('name;type;longitud;lat', '8 O'), 'west'],
    ['is not known', file(english, '8 O', '1e1'), undefined],
  ] as const)('%s', async (_case, text, meaning) => {
    expect(await readLetterO(text, 'utf-8')).toBe(meaning);
  });

  test('is read as it is given, refused if it is not, and never a letter of a latitude', async () => {
    const positions = async (text: string, letterO?: 'east' | 'west') => {
      const found: unknown[] = [];
      for await (const record of readDevices(text, { letterO }))
        found.push('row' in record ? record.row.position : record.errors.map(faultSentence));
      return found;
    };
    const text = file(english, '8,5 O', "O 9°30'");
    expect(await positions(text, 'east')).toEqual([
      { longitude: 8.5, latitude: 47 },
      { longitude: 9.5, latitude: 47 },
    ]);
    expect(await positions(text, 'west')).toEqual([
      { longitude: -8.5, latitude: 47 },
      { longitude: -9.5, latitude: 47 },
    ]);
    expect(await positions(text)).toEqual([
      ['longitude: "8,5 O": the file does not say whether O is east or west; write E or W'],
      ['longitude: "O 9°30\'": the file does not say whether O is east or west; write E or W'],
    ]);
    expect(await positions(`${english}\na;pc;8;47 O`, 'east')).toEqual([
      ['latitude: "47 O" is not a number of degrees such as 8.5492'],
    ]);
  });
});

test('machine types of another program are read as the given ones', async () => {
  const records: DeviceRecord[] = [];
  const machineTypes = { pegel: 'bug' } as const;
  for await (const record of readDevices('name,type\na,Pegel\nb,PC\nc,Pumpe', { machineTypes })) records.push(record);
  expect(records.map((record) => ('row' in record ? record.row.machine_type : null))).toEqual(['bug', 'pc', null]);
});

test('rows without a machine type, and other types of another program, are read as the one for all of them', async () => {
  const records: DeviceRecord[] = [];
  const readings = { machineTypes: { pegel: 'bug' }, otherType: 'smartphone' } as const;
  const rows = ['a,Pegel', 'b,PC', 'c,Pumpe', 'd,', 'e,NULL'];
  for await (const record of readDevices(`name,type\n${rows.join('\n')}`, readings)) records.push(record);
  const types = records.map((record) => ('row' in record ? record.row.machine_type : null));
  expect(types).toEqual(['bug', 'pc', 'smartphone', 'smartphone', 'smartphone']);
});

test('a file without a column of machine types is read if one is given for all rows', async () => {
  expect(await read('name\nBuoy 7')).toMatchObject([{ errors: [{ code: 'missing', of: 'machine_type' }] }]);
  const records: DeviceRecord[] = [];
  for await (const record of readDevices('name\nBuoy 7', { otherType: 'bug' })) records.push(record);
  expect(records).toEqual([{ line: 2, row: { name: 'Buoy 7', machine_type: 'bug' } }]);
});
