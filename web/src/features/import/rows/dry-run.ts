/** Checks each row of a file without importing it. */
import type { Position, RecordedField } from '@swarmdeck/bff/contract';
import type { CsvRecord } from '@swarmdeck/bff/csv-parser';
import { unescapeFormula } from '@swarmdeck/bff/device-export';
import { recordedFields } from '@swarmdeck/bff/field-rules';
import {
  foldedType,
  foreignTypeIn,
  hasType,
  isOwnId,
  longitudeLetterIn,
  type Columns,
  type Readings,
} from '@swarmdeck/bff/device-import';
import { cellsOf, readRows, type Fixes, type RowSource } from './csv-file.ts';
import { columnsOf, type Uses } from './column-uses.ts';
import {
  checkRow,
  idOf,
  type FieldChange,
  type ImportError,
  type Owned,
  type RowResult,
  type SeenIds,
} from './check-row.ts';

export interface InvalidRow {
  line: number;
  name: string;
  fields: readonly string[];
  /** Its line in the file, if that could not be divided into fields. */
  text: string | undefined;
  errors: ImportError[];
}

/** A row that changes a device. */
interface ChangedRow {
  line: number;
  name: string;
  changes: readonly FieldChange[];
  /** The device was changed after the file was exported. */
  isNewer: boolean;
}

export interface NamedRow {
  line: number;
  name: string;
}

/** A row of a new device. */
interface NewRow extends NamedRow {
  position: Position | undefined;
}

/** What only the whole file shows. */
export interface Found {
  /** The column of ids has none of a device of this service: they are ids of another program. */
  hasForeignIds: boolean;
  /** The letters of the longitudes. */
  letters: ReadonlySet<string>;
  /** Machine types of another program with the number of their rows, as `Readings` has them. At most `mostTypes`. */
  types: ReadonlyMap<string, { text: string; rows: number }>;
  /** Some rows have no machine type. */
  hasUntyped: boolean;
}

const mostTypes = 50;

export interface DryRun {
  found: Found;
  fresh: number;
  /** The lines of the rows that change a device. */
  changes: readonly number[];
  /** These rows, up to `listedAtMost`. */
  changed: readonly ChangedRow[];
  /** The lines of those whose device was changed after the file was exported. */
  newer: readonly number[];
  /** The lines of rows that end a recording of their device, which deletes what was recorded. */
  deletes: Readonly<Record<RecordedField, readonly number[]>>;
  /** The lines of new devices whose row is identical to another one, without the first of each. */
  repeated: readonly number[];
  /** The rows of new devices that have the name of a device of the user, or that of a row above and other cells. */
  known: readonly NamedRow[];
  /** The first new devices, up to `previewedAtMost`. */
  previewed: readonly NewRow[];
  /** The rows of new devices without a position, if the file has positions. */
  unplaced: readonly NamedRow[];
  /** The rows of new devices at 0° N, 0° E, which other programs write if they know no position. */
  atZero: readonly NamedRow[];
  /** For checking corrected rows. */
  ids: SeenIds;
  rows: Set<string>;
  names: ReadonlySet<string>;
  newNames: Set<string>;
  /** The number of rows that would not change their device. */
  same: number;
  invalid: number;
  /** The invalid rows, up to `listedAtMost`. */
  listed: InvalidRow[];
}

/** Limits memory. Nobody corrects more rows than this by hand. */
export const listedAtMost = 10_000;

/** More than are shown, because some may be left out. */
const previewedAtMost = 100;

interface DryRunOptions extends RowSource, Readings {
  uses: Uses;
  owned: Owned;
  fixes: Fixes;
  onRead?: (part: number) => void;
  signal?: AbortSignal;
}

export async function dryRun(options: DryRunOptions): Promise<DryRun> {
  const { uses, owned, signal } = options;
  const columns = columnsOf(uses);
  const { found, look } = lookFor({ uses, columns, owned });
  const changes: number[] = [];
  const listed: InvalidRow[] = [];
  const counts = { fresh: 0, same: 0, invalid: 0 };
  const changed: ChangedRow[] = [];
  const newer: number[] = [];
  const deletes: Record<RecordedField, number[]> = { keep_track: [], keep_values: [] };
  const repeated: number[] = [];
  const known: NamedRow[] = [];
  const previewed: NewRow[] = [];
  const places = { unplaced: [] as NamedRow[], atZero: [] as NamedRow[] };
  const names = new Set(Array.from(owned.values(), (device) => device.name.trim()));
  const ids: SeenIds = new Map();
  const rows = new Set<string>();
  const newNames = new Set<string>();
  for await (const record of readRows(options)) {
    signal?.throwIfAborted();
    if (record.fault === undefined) look(record);
    const result = checkRow({ ...options, record, seen: ids });
    const { line, text } = record;
    const fields = cellsOf(record, options.separator);
    const name = nameOf({ record: { fields }, uses });
    if (result.kind === 'invalid') {
      counts.invalid += 1;
      if (listed.length < listedAtMost) listed.push({ line, name, fields, text, errors: result.errors });
    } else if (result.kind === 'changed') {
      changes.push(line);
      if (result.isNewer) newer.push(line);
      for (const field of deletedBy(result.changes)) deletes[field].push(line);
      if (changed.length < listedAtMost) changed.push({ line, name, changes: result.changes, isNewer: result.isNewer });
    } else if (result.kind === 'new') {
      counts.fresh += 1;
      const twin = twinOf({ record, name, columns, rows, names, newNames });
      if (twin.isRepeated) repeated.push(line);
      if (twin.isKnown) known.push({ line, name });
      const { position } = result;
      if (previewed.length < previewedAtMost) previewed.push({ line, name, position });
      const doubt = doubtIn(position, uses);
      if (doubt) places[doubt].push({ line, name });
    } else counts.same += 1;
  }
  const ofFile = { found: found(), ids, rows, names, newNames };
  return { ...counts, ...ofFile, ...places, changes, changed, newer, deletes, repeated, known, previewed, listed };
}

/** What was recorded of a device and is deleted by these changes. */
const deletedBy = (changes: readonly FieldChange[]): RecordedField[] =>
  recordedFields.filter((name) => changes.some(({ field, before, after }) => field === name && before && !after));

/** Why the position of a new device may be wrong. */
function doubtIn(position: Position | undefined, uses: Uses): 'unplaced' | 'atZero' | undefined {
  if (position) return position.latitude === 0 && position.longitude === 0 ? 'atZero' : undefined;
  return uses.includes('longitude') || uses.includes('position') ? 'unplaced' : undefined;
}

/** Collects what only the whole file shows. */
function lookFor({ uses, columns, owned }: { uses: Uses; columns: Columns; owned: Owned }) {
  const letters = new Set<string>();
  const types = new Map<string, { text: string; rows: number }>();
  const ids = { some: false, own: false };
  let hasUntyped = false;
  return {
    look(record: CsvRecord) {
      const id = idOf({ fields: record.fields, uses });
      if (id !== undefined) {
        ids.some = true;
        ids.own ||= isOwnId(id) || owned.has(id);
      }
      const letter = longitudeLetterIn(record, columns);
      if (letter) letters.add(letter);
      hasUntyped ||= !hasType(record, columns);
      const text = foreignTypeIn(record, columns);
      if (text === undefined) return;
      const key = foldedType(text);
      const type = types.get(key);
      if (type) type.rows += 1;
      else if (types.size < mostTypes) types.set(key, { text, rows: 1 });
    },
    found: (): Found => ({ hasForeignIds: ids.some && !ids.own, letters, types, hasUntyped }),
  };
}

const nameOf = ({ record: { fields }, uses }: { record: Pick<CsvRecord, 'fields'>; uses: Uses }) =>
  unescapeFormula(fields[uses.indexOf('name')] ?? '').slice(0, 200);

interface TwinOfOptions extends Pick<DryRun, 'rows' | 'names' | 'newNames'> {
  record: CsvRecord;
  name: string;
  columns: Columns;
}

/**
 * Whether the imported cells of a row are those of another row, and whether the user has a device with its name, or a row above has
 * this name and other cells. Adds them to `rows` and `newNames`.
 */
function twinOf({ record: { fields }, name, columns, rows, names, newNames }: TwinOfOptions) {
  const cells = columns.map((use, index) => (use === 'skip' ? '' : (fields[index] ?? '').trim()));
  const isRepeated = rows.size === rows.add(cells.join('\0')).size;
  const isNamesake = newNames.size === newNames.add(name.trim()).size;
  return { isRepeated, isKnown: names.has(name.trim()) || (isNamesake && !isRepeated) };
}

interface WithFixOptions {
  run: DryRun;
  record: CsvRecord;
  uses: Uses;
  result: RowResult;
}

/** The result after a row was corrected: it is removed from the list and counted again. */
export function withFix({ run, record, uses, result }: WithFixOptions): DryRun {
  const { line } = record;
  const { kind } = result;
  const name = nameOf({ record, uses });
  const isChanged = kind === 'changed';
  const isNew = kind === 'new';
  // React may call it twice with the same result.
  const rows = isNew ? new Set(run.rows) : run.rows;
  const newNames = isNew ? new Set(run.newNames) : run.newNames;
  const row = { line, name };
  const position = isNew ? result.position : undefined;
  const doubt = isNew && doubtIn(position, uses);
  const twin = isNew && twinOf({ record, name, columns: columnsOf(uses), rows, names: run.names, newNames });
  return {
    ...run,
    rows,
    newNames,
    fresh: run.fresh + (isNew ? 1 : 0),
    repeated: twin && twin.isRepeated ? [...run.repeated, line] : run.repeated,
    known: twin && twin.isKnown ? [...run.known, row] : run.known,
    previewed: isNew ? [...run.previewed, { ...row, position }].slice(0, previewedAtMost) : run.previewed,
    unplaced: doubt === 'unplaced' ? [...run.unplaced, row] : run.unplaced,
    atZero: doubt === 'atZero' ? [...run.atZero, row] : run.atZero,
    same: run.same + (kind === 'same' ? 1 : 0),
    changes: isChanged ? [...run.changes, line] : run.changes,
    changed: isChanged ? [...run.changed, { line, name, ...result }] : run.changed,
    newer: isChanged && result.isNewer ? [...run.newer, line] : run.newer,
    deletes: isChanged ? withDeletes(run.deletes, { line, fields: deletedBy(result.changes) }) : run.deletes,
    invalid: run.invalid - 1,
    listed: run.listed.filter((row) => row.line !== line),
  };
}

const withDeletes = (deletes: DryRun['deletes'], row: { line: number; fields: readonly RecordedField[] }) => ({
  ...deletes,
  ...Object.fromEntries(row.fields.map((field) => [field, [...deletes[field], row.line]])),
});

/** The result without the rows whose device was changed after the file was exported. */
export function withoutNewer(run: DryRun): DryRun {
  const newer = new Set(run.newer);
  const isKept = (line: number) => !newer.has(line);
  const { keep_track, keep_values } = run.deletes;
  return {
    ...run,
    deletes: { keep_track: keep_track.filter(isKept), keep_values: keep_values.filter(isKept) },
    changes: run.changes.filter(isKept),
    changed: run.changed.filter(({ line }) => !newer.has(line)),
    newer: [],
  };
}

/** The result without these rows of new devices. */
export function withoutNew(run: DryRun, lines: readonly number[]): DryRun {
  const left = new Set(lines);
  const isKept = ({ line }: NamedRow) => !left.has(line);
  return {
    ...run,
    fresh: run.fresh - left.size,
    repeated: run.repeated.filter((line) => !left.has(line)),
    known: run.known.filter(isKept),
    previewed: run.previewed.filter(isKept),
    unplaced: run.unplaced.filter(isKept),
    atZero: run.atZero.filter(isKept),
  };
}

/** The number of rows that would be sent. */
export const rowsOf = ({ fresh, changes }: DryRun): number => fresh + changes.length;
