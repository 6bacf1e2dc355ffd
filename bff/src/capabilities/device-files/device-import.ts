/**
 * Reads devices from CSV for an import. Each record is either a device that the service accepts, or a list of errors by
 * column. An invalid row does not affect others. Pure, for Node and the browser, hence without zod.
 */
import type { ResourceCreate, ResourceUpdate } from '../../contract.ts';
import { hemisphereOf, readPair, type LetterO } from './coordinates.ts';
import { filledLength, mostLinesAbove, readCsv, type CsvRecord, type CsvSource, type Encoding } from './csv-parser.ts';
import {
  type DeviceColumn,
  type DeviceError,
  type HeaderError,
  type ImportColumn,
  type RowError,
} from './device-errors.ts';
import { deviceColumns, unescapeFormula } from '../../core/resources/device-export.ts';
import { machineTypes } from '../../core/limits/field-rules.ts';
import {
  clipped,
  readAccuracy,
  readAnswer,
  readDescription,
  readInterval,
  readKeptValues,
  readMachineType,
  readName,
  readPosition,
  readTime,
  type Cells,
  type Readings,
  type Refuse,
} from './device-cells.ts';

export { clipped, foldedType, type Readings } from './device-cells.ts';

/** What each column contains; `skip`: ignored; undefined: an empty column. */
export type Columns = readonly (ImportColumn | 'skip' | undefined)[];

/**
 * `line` is the first line of the record; a header in the first line is line 1. `name` is set if it could be read.
 * `update` is set if the row has an id: the fields that the file has. An empty cell clears its field. `changedAt` is the
 * cell of `changed_at`, unless it is empty.
 */
export type DeviceRecord<Fault = DeviceError> =
  | { line: number; row: ResourceCreate; update?: { id: string; change: ResourceUpdate; changedAt?: string } }
  | { line: number; name?: string; errors: Fault[] };

/**
 * The names of the columns in the languages of the app, with other common ones. In the form of `folded`: lower case,
 * without spaces, underscores, hyphens, commas and slashes.
 */
const synonyms: Record<ImportColumn | 'id' | 'changed_at', string[]> = {
  name: [
    'name',
    'devicename',
    'device',
    'friendlyname',
    'displayname',
    'gerät',
    'gerätename',
    'anzeigename',
    'bezeichnung',
  ],
  machine_type: ['machinetype', 'type', 'kind', 'devicetype', 'gerätetyp', 'maschinentyp', 'typ'],
  description: [
    'description',
    'note',
    'notes',
    'comment',
    'beschreibung',
    'notiz',
    'notizen',
    'kommentar',
    'bemerkung',
  ],
  longitude: ['longitude', 'long', 'lng', 'lon', 'x', 'längengrad', 'länge', 'geografischelänge'],
  latitude: ['latitude', 'lat', 'y', 'breitengrad', 'breite', 'geografischebreite'],
  position: [
    'position',
    'coordinates',
    'coordinate',
    'coords',
    'location',
    'geolocation',
    'latlong',
    'latlng',
    'latlon',
    'latitudelongitude',
    'gps',
    'gpsposition',
    'gpscoordinates',
    'koordinaten',
    'koordinate',
    'standort',
    'gpskoordinaten',
    'breitelänge',
    'breitengradlängengrad',
    'wkt',
    'geom',
    'thegeom',
    'geometry',
    'geopoint',
    'point',
  ],
  positioned_at: ['positionedat', 'positiontime', 'timeofposition', 'positionszeit', 'zeitderposition'],
  accuracy: ['accuracy', 'gpsaccuracy', 'genauigkeit'],
  expected_every: ['expectedevery', 'interval', 'erwartetalle', 'intervall'],
  keep_track: ['keeptrack', 'keepitstrack', 'spuraufzeichnen', 'streckeaufzeichnen'],
  keep_values: ['keepvalues', 'keepitsvalues', 'werteaufzeichnen'],
  id: ['id', 'deviceid', 'resourceid', 'geräteid'],
  changed_at: ['changedat', 'lastchange', 'letzteänderung', 'geändert', 'geändertam'],
};
/** The unit at the end of a column name, as in `lat (deg)`: the one in which the import reads the values. */
const degrees = /[([](?:°|º|deg|degrees?|decimal degrees?|dd|grad|dezimalgrad|wgs ?84)[)\]]\s*$/i;
const units: { [column in keyof typeof synonyms]?: RegExp } = {
  longitude: degrees,
  latitude: degrees,
  position: degrees,
  accuracy: /[([](?:m|meters?|metres?|meter)[)\]]\s*$/i,
  expected_every: /[([](?:s|seconds?|sekunden?)[)\]]\s*$/i,
};

const isNamed = (field: string, column: keyof typeof synonyms) =>
  synonyms[column].includes(folded(field.replace(units[column] ?? '', '')));

const isStation = (field: string) => ['station', 'stationname', 'stationsname'].includes(folded(field));

const isText = (column: ImportColumn) => column === 'name' || column === 'description';

/** As databases and statistics write that there is no value. */
const isNone = (cell: string) => /^(?:null|n\/?a|#n\/a|-|\\n)$/i.test(cell.trim());

/** The field of a column, by its name. */
export function columnOf(field: string): DeviceColumn | undefined {
  return deviceColumns.find((column) => isNamed(field, column));
}

/**
 * The index of the column with both coordinates of each position, by its name and its first value, because a location may also be a room.
 * Returns -1 if there is none, or if another column has a coordinate.
 */
function positionColumnIn(names: readonly string[], first: readonly string[]): number {
  const isApart = names.some((name) => isNamed(name, 'longitude') || isNamed(name, 'latitude'));
  return isApart
    ? -1
    : names.findIndex((name, index) => isNamed(name, 'position') && readPair(first[index] ?? '', 'east') !== null);
}

const latitudes = ['latitude', 'lat', 'breitengrad'];
const longitudes = ['longitude', 'long', 'lng', 'lon', 'längengrad'];

/** What is before this word in the name of a column, such as `stop` in `stop_lat`. Undefined if the name does not end with one. */
function before(words: readonly string[], field: string): string | undefined {
  const name = folded(field.replace(degrees, ''));
  const word = words.find((end) => name.endsWith(end) && name !== end);
  return word && name.slice(0, -word.length);
}

/**
 * The columns of coordinates whose names begin alike, such as `stop_lat` and `stop_lon`, or `location.latitude`. Empty if two pairs do, as for
 * a start and an end, or if a column has the name of one alone.
 */
function coordinateColumnsIn(names: readonly string[]): { latitude?: number; longitude?: number } {
  if (names.some((name) => isNamed(name, 'longitude') || isNamed(name, 'latitude'))) return {};
  const longitudeOf = new Map(names.map((name, index) => [before(longitudes, name), index]));
  const pairs = names.flatMap((name, latitude) => {
    const longitude = longitudeOf.get(before(latitudes, name) ?? '');
    return longitude === undefined ? [] : [{ latitude, longitude }];
  });
  return pairs.length === 1 ? pairs[0]! : {};
}

/** The index of the column of stations, which are the devices unless another column has their names. Returns -1 if there is none. */
const stationColumnIn = (names: readonly string[]) =>
  names.some((name) => isNamed(name, 'name')) ? -1 : names.findIndex(isStation);

/** The field of each column, by the names and the first values of all. */
export function fieldsOfColumns(names: readonly string[], first: readonly string[]): (ImportColumn | undefined)[] {
  const [position, station] = [positionColumnIn(names, first), stationColumnIn(names)];
  const { latitude, longitude } = position === -1 ? coordinateColumnsIn(names) : {};
  return names.map((name, index) => {
    if (index === position) return 'position';
    if (index === latitude) return 'latitude';
    if (index === longitude) return 'longitude';
    return index === station ? 'name' : columnOf(name);
  });
}

/** The first value of each column in these rows. */
export function firstValues(rows: readonly CsvRecord[]): string[] {
  const values: string[] = [];
  for (const { fields } of rows) {
    fields.forEach((field, index) => {
      if ((values[index] ?? '').trim() === '') values[index] = field;
    });
  }
  return values;
}

/** A column of an export that is not a field of the device: its id, and the time of its last change. */
export function exportColumnOf(field: string): 'id' | 'changed_at' | undefined {
  return (['id', 'changed_at'] as const).find((column) => isNamed(field, column));
}

interface ReadDevicesOptions extends Readings {
  onLeftOut?: (names: string[]) => void;
  onLinesAbove?: (lines: { line: number; text: string }[]) => void;
  encoding?: Encoding | undefined;
  /** The line of a row is its place in the file, as in the table of a GeoJSON file. */
  countsRows?: boolean | undefined;
}

/**
 * The index of the column names among the first records of a file. Other programs write a title, a date or a filter above
 * them. They are the record that names most columns, or else the first one with more than one cell.
 */
export function headerIn(start: readonly CsvRecord[]): number {
  const [first] = start;
  if (!first || first.fault !== undefined || isBinary(first.fields.join('\n'))) return 0;
  const counts = start.map(({ fields }) => {
    const columns = fields.map(
      (field) =>
        columnOf(field) ??
        exportColumnOf(field) ??
        (isNamed(field, 'position') ? 'position' : isStation(field) ? 'name' : undefined),
    );
    return new Set(columns.filter(Boolean)).size;
  });
  const most = Math.max(...counts);
  // The cell of a row may be the name of a column.
  if (most > 1) return counts.indexOf(most);
  const row = start.findIndex(({ fields }) => filledLength(fields) > 1);
  return counts[0] === 0 && row > 0 ? row : 0;
}

/**
 * Yields the records in order. An invalid header is a single refused record. Empty cells are absent values. Names and
 * descriptions are not trimmed. A row with an id updates the device with this id. `onLeftOut` is called once, with the names of the
 * columns that are not imported: unknown ones, all but the first column of a field, and ids of another program. `onLinesAbove` is called with the
 * lines above the column names.
 */
export async function* readDevices(
  source: CsvSource,
  {
    onLeftOut = () => undefined,
    onLinesAbove = () => undefined,
    encoding,
    countsRows,
    ...readings
  }: ReadDevicesOptions = {},
): AsyncGenerator<DeviceRecord> {
  const { above, top, first, records } = await readTop(oneByOne(readCsv(source, { encoding, countsRows })));
  if (!top) {
    yield { line: 1, errors: [{ column: 'header', code: 'empty_file' }] };
    return;
  }
  if (above.length > 0)
    onLinesAbove(above.map(({ line, fields }) => ({ line, text: clipped(fields.join(' ').trim()) })));
  const header = readHeader(top, { first, readings });
  if (header.errors.length > 0) {
    yield { line: top.line, errors: header.errors };
    return;
  }
  const { held, isForeign } = await readUntilOwnId(records, header.idColumn);
  const idColumn = isForeign ? -1 : header.idColumn;
  const leftOut = [...(isForeign ? [top.fields[header.idColumn]!.trim()] : []), ...header.unknown];
  if (leftOut.length > 0) onLeftOut(leftOut);
  let hasRows = false;
  for (const record of held) {
    hasRows = true;
    yield readRow(record, { ...header, ...readings, idColumn });
  }
  for await (const record of records) {
    hasRows = true;
    yield readRow(record, { ...header, ...readings, idColumn });
  }
  if (!hasRows) yield { line: 1, errors: [{ column: 'header', code: 'no_rows' }] };
}

/** The column names of a file, what is above them, the first values and the rows below. `top`: undefined if the file is empty. */
async function readTop(records: AsyncGenerator<CsvRecord, undefined>) {
  const start: CsvRecord[] = [];
  while (start.length <= mostLinesAbove) {
    const { value } = await records.next();
    if (!value) break;
    start.push(value);
  }
  const at = headerIn(start);
  const below = start.slice(at + 1);
  return { above: start.slice(0, at), top: start[at], first: firstValues(below), records: joined(below, records) };
}

async function* joined(first: readonly CsvRecord[], rest: AsyncGenerator<CsvRecord, undefined>) {
  yield* first;
  return yield* rest;
}

async function* oneByOne(batches: AsyncIterable<CsvRecord[]>): AsyncGenerator<CsvRecord, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}

/**
 * The rows up to the first one with an id of this service. If none has one, they are all rows, and the column has ids of another
 * program.
 */
async function readUntilOwnId(records: AsyncGenerator<CsvRecord, undefined>, idColumn: number) {
  const held: CsvRecord[] = [];
  let isForeign = false;
  for (let isOwn = idColumn < 0; !isOwn;) {
    const { value } = await records.next();
    if (!value) return { held, isForeign };
    const id = value.fields[idColumn] ?? '';
    isForeign ||= id.trim() !== '';
    isOwn = isOwnId(id);
    held.push(value);
  }
  return { held, isForeign: false };
}

type CsvHeader = ReturnType<typeof readHeader>;

function readRow(
  record: CsvRecord,
  { columns, idColumn, changedAtColumn, ...readings }: CsvHeader & Readings,
): DeviceRecord {
  const read = readDevice({ columns, record, ...readings });
  const id = record.fields[idColumn]?.trim().toLowerCase();
  const changedAt = record.fields[changedAtColumn]?.trim();
  if (!('row' in read) || !id) return read;
  return { ...read, update: { id, change: changeOf(read.row, columns), ...(changedAt && { changedAt }) } };
}

/** Whether a cell has an id as this service gives it (UUIDv7). Other programs have ids of other forms. */
export function isOwnId(cell: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(cell.trim());
}

/** The columns in an export of a swarm's members, besides those of their devices. */
const memberColumns = ['userid', 'resourcetype'];
const isIdColumn = (field: string) => isNamed(field, 'id');
const isChangedAtColumn = (field: string) => isNamed(field, 'changed_at');
/** A document that is not text, such as a PDF or a workbook. */
export const isBinary = (start: string) =>
  start.startsWith('%PDF-') || start.startsWith('PK\u0003') || start.includes('\0');

/** The fields of an update: those of which the file has a column. */
const columnsOfField: { [Name in keyof ResourceCreate]-?: ImportColumn[] } = {
  name: ['name'],
  machine_type: ['machine_type'],
  description: ['description'],
  position: ['longitude', 'position'],
  positioned_at: ['positioned_at'],
  accuracy: ['accuracy'],
  expected_every: ['expected_every'],
  keep_track: ['keep_track'],
  keep_values: ['keep_values'],
};

function changeOf(row: ResourceCreate, columns: Columns): ResourceUpdate {
  const names = (Object.keys(columnsOfField) as (keyof ResourceCreate)[]).filter((name) =>
    columnsOfField[name].some((column) => columns.includes(column)),
  );
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}

/**
 * `first`: the first values. `unknown`: the names of columns that are not imported. If several columns have the same field, only the first one
 * is imported, as in the app.
 */
function readHeader(record: CsvRecord, { first, readings }: { first: readonly string[]; readings: Readings }) {
  const { fields } = record;
  const known = fieldsOfColumns(fields, first);
  const idColumn = fields.findIndex(isIdColumn);
  const changedAtColumn = fields.findIndex(isChangedAtColumn);
  const unknown: string[] = [];
  const columns: Columns = fields.map((field, index) => {
    if (index === idColumn || index === changedAtColumn || memberColumns.includes(folded(field))) return 'skip';
    const column = known[index];
    const isFirst = column && known.indexOf(column) === index;
    // Spreadsheets add nameless columns at the end, whose cells must be empty.
    if (isFirst || field.trim() === '') return column;
    unknown.push(clipped(field.trim()));
    return 'skip';
  });
  const errors = headerErrors(record, { columns, readings });
  return { columns, idColumn, changedAtColumn, unknown, errors };
}

function headerErrors(
  { fields, fault }: CsvRecord,
  { columns, readings }: { columns: Columns; readings: Readings },
): HeaderError[] {
  if (isBinary(fields.join('\n'))) return [{ column: 'header', code: 'not_text' }];
  if (fault !== undefined) return [{ column: 'header', code: fault }];
  return missingColumns(columns, readings);
}

/** A device needs a name and a machine type, and both coordinates or none. */
export function missingColumns(
  columns: Columns,
  { otherType }: Readings = {},
): Extract<HeaderError, { code: 'missing' | 'missing_coordinate' }>[] {
  const lacks = (column: DeviceColumn) => !columns.includes(column);
  const needed = (['name', 'machine_type'] as const).filter(
    (column) => lacks(column) && !(column === 'machine_type' && otherType),
  );
  const half = columns.includes('position') ? [] : (['longitude', 'latitude'] as const).filter(lacks);
  return [
    ...needed.map((of) => ({ column: 'header', code: 'missing', of }) as const),
    ...(half.length === 1 ? half : []).map((of) => ({ column: 'header', code: 'missing_coordinate', of }) as const),
  ];
}

/** Parses one record into a device or all of its errors. */
export function readDevice({
  columns,
  record: { line, fields, fault },
  letterO,
  machineTypes: ours,
  otherType,
}: { columns: Columns; record: CsvRecord } & Readings): DeviceRecord<RowError> {
  if (fault !== undefined) return { line, errors: [{ column: 'row', code: fault }] };
  const cells: Cells = {};
  const errors: RowError[] = [];
  const length = filledLength(fields);
  if (length > columns.length) {
    errors.push({ column: 'row', code: 'too_many_cells', fields: length, columns: columns.length });
  }
  columns.forEach((column, index) => {
    const cell = fields[index] ?? '';
    if (column === undefined && cell.trim() !== '') {
      errors.push({ column: 'row', code: 'unnamed_column', text: clipped(cell) });
    }
    if (column !== undefined && column !== 'skip')
      cells[column] = isText(column) ? unescapeFormula(cell) : isNone(cell) ? '' : cell;
  });
  const refuse: Refuse = (fault) => errors.push(fault);
  const name = readName(cells.name ?? '', refuse);
  const machine_type = readMachineType(cells.machine_type ?? '', { ours, otherType, refuse });
  const description = readDescription(cells.description ?? '', refuse);
  const position = readPosition(cells, { letterO, refuse });
  const positioned_at = readTime(cells.positioned_at ?? '', refuse);
  const accuracy = readAccuracy(cells.accuracy ?? '', refuse);
  const expected_every = readInterval(cells.expected_every ?? '', refuse);
  const keep_track = readAnswer(cells.keep_track ?? '', refuse);
  const keep_values = readKeptValues(cells.keep_values ?? '', refuse);
  if (errors.length > 0 || machine_type === undefined) {
    return { line, ...(name.trim() !== '' && { name: clipped(name) }), errors };
  }
  const optional = {
    ...(description && { description }),
    ...(position && { position }),
    // They say nothing without a position.
    ...(position && positioned_at !== undefined && { positioned_at }),
    ...(position && accuracy !== undefined && { accuracy }),
    ...(expected_every !== undefined && { expected_every }),
    ...(keep_track !== undefined && { keep_track }),
    ...(keep_values !== undefined && { keep_values }),
  };
  return { line, row: { name, machine_type, ...optional } };
}

const typeIn = ({ fields }: CsvRecord, columns: Columns) => {
  const cell = fields[columns.indexOf('machine_type')]?.trim() ?? '';
  return isNone(cell) ? '' : cell;
};

export const hasType = (record: CsvRecord, columns: Columns): boolean => typeIn(record, columns) !== '';

/** The machine type of a row that is not one of ours; undefined if it is, or if there is none. */
export function foreignTypeIn(record: CsvRecord, columns: Columns): string | undefined {
  const cell = typeIn(record, columns);
  return cell === '' || machineTypes.some((each) => each === cell.toLowerCase()) ? undefined : clipped(cell);
}

/** The letter of a row's longitude. */
export function longitudeLetterIn({ fields }: CsvRecord, columns: Columns): string | undefined {
  const both = fields[columns.indexOf('position')];
  return hemisphereOf(both ? (readPair(both, 'east')?.longitude ?? '') : (fields[columns.indexOf('longitude')] ?? ''));
}

/**
 * What O means in the longitudes of a file: the language of its columns says it. Else it is the west beside an E, and the east
 * beside a W, or `byDefault`. Returns undefined if nothing says it.
 */
export function guessLetterO({
  letters,
  names,
  byDefault,
}: {
  letters: ReadonlySet<string>;
  names: readonly string[];
  byDefault?: LetterO | undefined;
}): LetterO | undefined {
  const folds = names.map(folded);
  if (folds.some((name) => /länge|breite|gerät/.test(name))) return 'east';
  if (folds.some((name) => /^(longitud|latitud|longitudine|latitudine|nom|nombre|nome)$/.test(name))) return 'west';
  if (letters.has('E')) return 'west';
  return letters.has('W') ? 'east' : byDefault;
}

/** What O means in the longitudes of a whole file. */
export async function readLetterO(source: CsvSource, encoding: Encoding): Promise<LetterO | undefined> {
  const { top, first, records } = await readTop(oneByOne(readCsv(source, { encoding })));
  if (!top) return undefined;
  const names = top.fields;
  const { columns } = readHeader(top, { first, readings: {} });
  const letters = new Set<string>();
  for await (const record of records) letters.add(longitudeLetterIn(record, columns) ?? '');
  return guessLetterO({ letters, names });
}

function folded(column: string): string {
  // On macOS, ä is an a and a mark.
  return column
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_,/-]+/g, '');
}
