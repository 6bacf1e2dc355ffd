/** Checks each row of a file without importing it. */
import type { CsvRecord, Separator } from '@swarmdeck/bff/csv-parser';
import { unescapeFormula } from '@swarmdeck/bff/device-export';
import { readRows, type Fixes } from './csv-file.ts';
import type { Uses } from './column-uses.ts';
import { checkRow, type FieldChange, type ImportError, type Owned, type RowResult, type SeenIds } from './check-row.ts';

export interface InvalidRow {
  line: number;
  name: string;
  fields: readonly string[];
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

export interface DryRun {
  fresh: number;
  /** The lines of the rows that change a device. */
  changes: readonly number[];
  /** These rows, up to `listedAtMost`. */
  changed: readonly ChangedRow[];
  /** The lines of those whose device was changed after the file was exported. */
  newer: readonly number[];
  /** For checking corrected rows. */
  ids: SeenIds;
  /** The number of rows that would not change their device. */
  same: number;
  invalid: number;
  /** The invalid rows, up to `listedAtMost`. */
  listed: InvalidRow[];
}

/** Limits memory. Nobody corrects more rows than this by hand. */
export const listedAtMost = 10_000;

interface DryRunOptions {
  file: Blob;
  separator?: Separator | undefined;
  uses: Uses;
  owned: Owned;
  fixes: Fixes;
  onRead?: (part: number) => void;
  signal?: AbortSignal;
}

export async function dryRun({ uses, owned, signal, ...source }: DryRunOptions): Promise<DryRun> {
  const changes: number[] = [];
  const listed: InvalidRow[] = [];
  const counts = { fresh: 0, same: 0, invalid: 0 };
  const changed: ChangedRow[] = [];
  const newer: number[] = [];
  const ids: SeenIds = new Map();
  for await (const record of readRows(source)) {
    signal?.throwIfAborted();
    const result = checkRow({ record, uses, owned, seen: ids });
    const { line } = record;
    const name = nameOf({ record, uses });
    if (result.kind === 'invalid') {
      counts.invalid += 1;
      if (listed.length < listedAtMost) listed.push({ line, name, fields: record.fields, errors: result.errors });
    } else if (result.kind === 'changed') {
      changes.push(line);
      if (result.isNewer) newer.push(line);
      if (changed.length < listedAtMost) changed.push({ line, name, changes: result.changes, isNewer: result.isNewer });
    } else counts[result.kind === 'new' ? 'fresh' : 'same'] += 1;
  }
  return { ...counts, changes, changed, newer, ids, listed };
}

const nameOf = ({ record: { fields }, uses }: { record: CsvRecord; uses: Uses }) =>
  unescapeFormula(fields[uses.indexOf('name')] ?? '').slice(0, 200);

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
  const isChanged = kind === 'changed';
  return {
    ...run,
    fresh: run.fresh + (kind === 'new' ? 1 : 0),
    same: run.same + (kind === 'same' ? 1 : 0),
    changes: isChanged ? [...run.changes, line] : run.changes,
    changed: isChanged ? [...run.changed, { line, name: nameOf({ record, uses }), ...result }] : run.changed,
    newer: isChanged && result.isNewer ? [...run.newer, line] : run.newer,
    invalid: run.invalid - 1,
    listed: run.listed.filter((row) => row.line !== line),
  };
}

/** The result without the rows whose device was changed after the file was exported. */
export function withoutNewer(run: DryRun): DryRun {
  const newer = new Set(run.newer);
  return {
    ...run,
    changes: run.changes.filter((line) => !newer.has(line)),
    changed: run.changed.filter(({ line }) => !newer.has(line)),
    newer: [],
  };
}

/** The number of rows that would be sent. */
export const rowsOf = ({ fresh, changes }: DryRun): number => fresh + changes.length;
