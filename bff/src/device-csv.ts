/**
 * Devices from comma-separated text: what an import reads. Every record is either a device that the service takes
 * or a list of reasons, by column; no good row is lost to a bad one.
 * Pure: it only reads what it is given, in Node and in a browser, so zod stays out.
 */
import type { MachineType, Position, ResourceCreate } from './contract.ts';
import { readCsv } from './csv.ts';
import type { CsvRecord, CsvSource } from './csv.ts';
import { codePoints, limits, machineTypes, unprintable, visible } from './limits.ts';

export type DeviceColumn = 'name' | 'machine_type' | 'description' | 'longitude' | 'latitude';

/** `row` is the record as a whole, or the header. */
export interface DeviceFault {
  column: DeviceColumn | 'row';
  reason: string;
}

/** `line` is where the record starts; the header of a file without blank lines is line 1. `name` is given where it could be read. */
export type DeviceRecord =
  | { line: number; row: ResourceCreate }
  | { line: number; name?: string; errors: DeviceFault[] };

/** Folded by `folded`: lower case, without spaces, underscores and hyphens. */
const synonyms: Record<DeviceColumn, string[]> = {
  name: ['name'],
  machine_type: ['machinetype', 'type'],
  description: ['description'],
  longitude: ['longitude', 'long', 'lng', 'lon', 'x'],
  latitude: ['latitude', 'lat', 'y'],
};
const columns = Object.keys(synonyms) as DeviceColumn[];

type Header = (DeviceColumn | undefined)[];
type Cells = Partial<Record<DeviceColumn, string>>;

/**
 * Yields the records in the order of the file. A header that cannot be read is one refused record, and the only one.
 * Empty cells are absent values. Names and descriptions are kept as they are, never trimmed.
 */
export async function* readDevices(source: CsvSource): AsyncGenerator<DeviceRecord> {
  let header: Header | undefined;
  for await (const records of readCsv(source)) {
    for (const record of records) {
      if (header) {
        yield readDevice(header, record);
        continue;
      }
      const found = readHeader(record);
      if (found.errors.length > 0) {
        yield { line: record.line, errors: found.errors };
        return;
      }
      header = found.header;
    }
  }
  if (!header) yield { line: 1, errors: [{ column: 'row', reason: 'the file is empty' }] };
}

function readHeader({ fields, fault }: CsvRecord): { header: Header; errors: DeviceFault[] } {
  const header = fields.map((field) => columns.find((column) => synonyms[column].includes(folded(field))));
  if (fault !== undefined) return { header, errors: [inHeader(fault)] };
  const errors: DeviceFault[] = [];
  fields.forEach((field, index) => {
    const column = header[index];
    // a nameless column is what spreadsheets leave at the end; its cells have to be empty
    if (!column && field.trim() !== '') errors.push(inHeader(`unknown column ${quoted(field)}`));
    if (column && header.indexOf(column) < index) errors.push(inHeader(`${quoted(field)} is a second ${column}`));
  });
  const lacks = (column: DeviceColumn) => !header.includes(column);
  if (lacks('name')) errors.push(inHeader('no column name'));
  if (lacks('machine_type')) errors.push(inHeader('no column machine_type'));
  if (lacks('longitude') !== lacks('latitude')) {
    errors.push(inHeader(`no column ${lacks('latitude') ? 'latitude' : 'longitude'}: a position needs both`));
  }
  return { header, errors };
}

function inHeader(reason: string): DeviceFault {
  return { column: 'row', reason: `header: ${reason}` };
}

function readDevice(header: Header, { line, fields, fault }: CsvRecord): DeviceRecord {
  if (fault !== undefined) return { line, errors: [{ column: 'row', reason: fault }] };
  const cells: Cells = {};
  const errors: DeviceFault[] = [];
  if (fields.length > header.length) {
    errors.push({ column: 'row', reason: `${fields.length} fields under ${header.length} columns` });
  }
  header.forEach((column, index) => {
    const cell = fields[index] ?? '';
    if (column) cells[column] = cell;
    else if (cell.trim() !== '') errors.push({ column: 'row', reason: `${quoted(cell)} stands under no column name` });
  });
  const refuse = (column: DeviceColumn, reason: string) => errors.push({ column, reason });
  const name = readName(cells.name ?? '', refuse);
  const machine_type = readMachineType(cells.machine_type ?? '', refuse);
  const description = readDescription(cells.description ?? '', refuse);
  const position = readPosition(cells, refuse);
  if (errors.length > 0 || machine_type === undefined) {
    return { line, ...(name.trim() !== '' && { name: clipped(name) }), errors };
  }
  return { line, row: { name, machine_type, ...(description && { description }), ...(position && { position }) } };
}

type Refuse = (column: DeviceColumn, reason: string) => void;

function readName(cell: string, refuse: Refuse): string {
  if (cell.trim() === '') refuse('name', 'a name is missing');
  else if (!visible.test(cell)) refuse('name', 'at least one visible character');
  if (codePoints(cell) > limits.nameLength) refuse('name', `longer than ${limits.nameLength} characters`);
  refuseUnreadable('name', cell, refuse);
  return cell;
}

function readMachineType(cell: string, refuse: Refuse): MachineType | undefined {
  const machine_type = machineTypes.find((each) => each === cell.trim().toLowerCase());
  if (machine_type) return machine_type;
  const allowed = machineTypes.join(', ');
  refuse(
    'machine_type',
    cell.trim() === '' ? `a machine type is missing: ${allowed}` : `${quoted(cell)} is none of ${allowed}`,
  );
  return undefined;
}

function readDescription(cell: string, refuse: Refuse): string {
  if (codePoints(cell) > limits.descriptionLength) {
    refuse('description', `longer than ${limits.descriptionLength} characters`);
  }
  refuseUnreadable('description', cell, refuse);
  return cell;
}

/** What the service takes in no text. U+FFFD is where bytes were not UTF-8, here or in a program before. */
function refuseUnreadable(column: DeviceColumn, cell: string, refuse: Refuse) {
  if (cell.includes('\uFFFD') || !cell.isWellFormed()) refuse(column, 'not valid UTF-8: save the file as CSV UTF-8');
  if (unprintable.test(cell)) refuse(column, 'a control character');
}

function readPosition(cells: Cells, refuse: Refuse): Position | undefined {
  const longitude = readDegrees('longitude', cells.longitude ?? '', refuse);
  const latitude = readDegrees('latitude', cells.latitude ?? '', refuse);
  if (longitude === 'unreadable' || latitude === 'unreadable') return undefined;
  if (longitude === undefined && latitude === undefined) return undefined;
  if (longitude === undefined || latitude === undefined) {
    refuse(longitude === undefined ? 'longitude' : 'latitude', 'missing: a position needs both');
    return undefined;
  }
  const swapped = Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180 ? '; longitude and latitude look swapped' : '';
  if (Math.abs(longitude) > 180) refuse('longitude', `${longitude} is outside -180 to 180${swapped}`);
  if (Math.abs(latitude) > 90) refuse('latitude', `${latitude} is outside -90 to 90${swapped}`);
  return { longitude, latitude };
}

const degrees = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;
const grouped = /^[+-]?\d{1,3}([.,'\u2019\s]\d{3})+([.,]\d*)?$/;

/** Decimal comma or point, told for this cell alone; `undefined` where it is empty. */
function readDegrees(column: DeviceColumn, cell: string, refuse: Refuse): number | undefined | 'unreadable' {
  const text = cell.trim().replace('\u2212', '-');
  if (text === '') return undefined;
  // adding 0 turns -0 into 0
  if (degrees.test(text)) return Number(text.replace(',', '.')) + 0;
  const reason = grouped.test(text)
    ? 'grouped digits are not read: write 1234.5'
    : 'not a number of degrees such as 8.5492';
  refuse(column, `${quoted(cell)}: ${reason}`);
  return 'unreadable';
}

function folded(column: string): string {
  return column.toLowerCase().replaceAll(/[\s_-]+/g, '');
}

function quoted(text: string): string {
  return `"${clipped(text)}"`;
}

/** A cell can be 65,000 characters of somebody's mistake; a reason is a line on a screen. */
function clipped(text: string): string {
  const start = Array.from(text.slice(0, 200)).slice(0, 60).join('');
  return start.length < text.length ? `${start}…` : text;
}
