/** What the cells of a row say of a device, each with what is wrong with it. */
import type { KeptValues, MachineType, Position } from '../../contract.ts';
import { hemisphereOf, readCoordinate, readPair, type LetterO } from './coordinates.ts';
import type { DeviceColumn, ImportColumn, RowError } from './device-errors.ts';
import {
  codePoints,
  keptValues,
  limits,
  machineTypes,
  neverExpected,
  positionLimits,
  presenceLimits,
  unprintable,
  visible,
} from '../../core/limits/field-rules.ts';

/** What a file does not say itself. */
export interface Readings {
  letterO?: LetterO | undefined;
  /** Ours for those of another program, in lower case. */
  machineTypes?: Readonly<Record<string, MachineType>> | undefined;
  /** The type of rows that have none, and of those whose type is of another program and not in `machineTypes`. */
  otherType?: MachineType | undefined;
}

export type Cells = Partial<Record<ImportColumn, string>>;

export type Refuse = (fault: RowError) => void;

export function readName(cell: string, refuse: Refuse): string {
  const column = 'name';
  if (cell.trim() === '') refuse({ column, code: 'missing' });
  else if (!visible.test(cell)) refuse({ column, code: 'invisible' });
  if (codePoints(cell) > limits.nameLength) refuse({ column, code: 'too_long', most: limits.nameLength });
  refuseUnreadable(column, cell, refuse);
  return cell;
}

export function readMachineType(
  cell: string,
  { ours, otherType, refuse }: { ours: Readings['machineTypes']; otherType: MachineType | undefined; refuse: Refuse },
): MachineType | undefined {
  const column = 'machine_type';
  const known = machineTypes.find((each) => each === cell.trim().toLowerCase());
  const machine_type = known ?? ours?.[foldedType(cell)] ?? otherType;
  if (machine_type) return machine_type;
  refuse(cell.trim() === '' ? { column, code: 'missing' } : { column, code: 'unknown', text: clipped(cell) });
  return undefined;
}

/** A machine type of another program, as `Readings` has it. */
export const foldedType = (cell: string): string => clipped(cell.trim().toLowerCase());

export function readDescription(cell: string, refuse: Refuse): string {
  const column = 'description';
  if (codePoints(cell) > limits.descriptionLength) refuse({ column, code: 'too_long', most: limits.descriptionLength });
  refuseUnreadable(column, cell, refuse);
  return cell;
}

/** Refuses text that the service does not accept. U+FFFD replaces invalid UTF-8, here or in another program. */
function refuseUnreadable(column: DeviceColumn, cell: string, refuse: Refuse) {
  if (cell.includes('\uFFFD') || !cell.isWellFormed()) refuse({ column, code: 'not_utf8' });
  if (unprintable.test(cell)) refuse({ column, code: 'unprintable' });
}

export function readPosition(
  cells: Cells,
  { letterO, refuse }: { letterO: LetterO | undefined; refuse: Refuse },
): Position | undefined {
  if (cells.position !== undefined) return readPairCell(cells.position, { letterO, refuse });
  const longitude = readDegrees('longitude', cells.longitude ?? '', { letterO, refuse });
  const latitude = readDegrees('latitude', cells.latitude ?? '', { letterO, refuse });
  if (longitude === 'unreadable' || latitude === 'unreadable') return undefined;
  if (longitude === undefined && latitude === undefined) return undefined;
  if (longitude === undefined || latitude === undefined) {
    refuse({ column: longitude === undefined ? 'longitude' : 'latitude', code: 'missing_coordinate' });
    return undefined;
  }
  const swapped = Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180;
  const within = (column: DeviceColumn, value: number, most: number) =>
    Math.abs(value) <= most ||
    refuse({ column, code: 'out_of_range', text: clipped((cells[column] ?? '').trim()), most, swapped });
  within('longitude', longitude, 180);
  within('latitude', latitude, 90);
  return { longitude, latitude };
}

/** Both coordinates, latitude first. */
function readPairCell(
  cell: string,
  { letterO, refuse }: { letterO: LetterO | undefined; refuse: Refuse },
): Position | undefined {
  if (cell.trim() === '') return undefined;
  const pair = readPair(cell, letterO);
  if (pair) {
    const longitude = readCoordinate(pair.longitude, 'longitude', letterO);
    const latitude = readCoordinate(pair.latitude, 'latitude', letterO);
    if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return { longitude, latitude };
  }
  const isO = !letterO && hemisphereOf(readPair(cell, 'east')?.longitude ?? '') === 'O';
  refuse({ column: 'position', code: isO ? 'letter_o' : 'no_pair', text: clipped(cell) });
  return undefined;
}

const timeWithZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

export function readTime(cell: string, refuse: Refuse): string | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  const ms = timeWithZone.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return new Date(Math.max(0, ms)).toISOString();
  refuse({ column: 'positioned_at', code: 'no_time', text: clipped(text) });
  return undefined;
}

/** Metres as a file has them, with a point or a comma. */
const decimalNumber = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;

export function readAccuracy(cell: string, refuse: Refuse): number | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  const metres = decimalNumber.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  if (metres >= 0 && metres <= positionLimits.accuracy) return metres + 0;
  refuse({ column: 'accuracy', code: 'no_accuracy', text: clipped(text) });
  return undefined;
}

/** The seconds of a unit, as the forms write it in the languages of the app. */
const unitSeconds = new Map<string, number>([
  ...['', 's', 'sec', 'second', 'seconds', 'sek', 'sekunde', 'sekunden'].map((unit) => [unit, 1] as const),
  ...['min', 'mins', 'minute', 'minutes', 'minuten'].map((unit) => [unit, 60] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours', 'std', 'stunde', 'stunden'].map((unit) => [unit, 3600] as const),
  ...['d', 'day', 'days', 'tag', 'tage'].map((unit) => [unit, 86_400] as const),
]);

export function readInterval(cell: string, refuse: Refuse): number | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  const { least, most } = presenceLimits;
  const [, count, unit = ''] = /^(\d{1,9})\s?([a-z]{0,8})\.?$/i.exec(text) ?? [];
  const seconds = Number(count) * (unitSeconds.get(unit.toLowerCase()) ?? Number.NaN);
  if (seconds === neverExpected || (seconds >= least && seconds <= most)) return seconds;
  refuse({ column: 'expected_every', code: 'no_interval', text: clipped(text), least, most });
  return undefined;
}

/** As spreadsheets write it in the languages of the app. */
const answers = new Map([
  ...['true', 'wahr'].map((text) => [text, true] as const),
  ...['false', 'falsch'].map((text) => [text, false] as const),
]);

export function readAnswer(cell: string, refuse: Refuse): boolean | undefined {
  const text = cell.trim().toLowerCase();
  if (text === '') return undefined;
  const answer = answers.get(text);
  if (answer === undefined) refuse({ column: 'keep_track', code: 'no_answer', text: clipped(cell) });
  return answer;
}

export function readKeptValues(cell: string, refuse: Refuse): KeptValues | undefined {
  const text = cell.trim().toLowerCase();
  const kept = keptValues.find((each) => each === text);
  if (kept === undefined && text !== '') refuse({ column: 'keep_values', code: 'no_kept_values', text: clipped(cell) });
  return kept;
}

/** `undefined` if the cell is empty. */
function readDegrees(
  column: 'longitude' | 'latitude',
  cell: string,
  { letterO, refuse }: { letterO: LetterO | undefined; refuse: Refuse },
): number | undefined | 'unreadable' {
  if (cell.trim() === '') return undefined;
  const degrees = readCoordinate(cell, column, letterO);
  if (!Number.isNaN(degrees)) return degrees;
  const isO = column === 'longitude' && !letterO && !Number.isNaN(readCoordinate(cell, column, 'east'));
  refuse({ column, code: isO ? 'letter_o' : 'not_a_number', text: clipped(cell) });
  return 'unreadable';
}

/** Shortens the text of a cell for an error message. */
export function clipped(text: string): string {
  const start = Array.from(text.slice(0, 200)).slice(0, 60).join('');
  return start.length < text.length ? `${start}…` : text;
}
