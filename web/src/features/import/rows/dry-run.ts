/** Checks each row of a file without importing it. */
import { readRows } from './csv-file.ts';
import type { Fixes } from './csv-file.ts';
import type { Uses } from './column-uses.ts';
import { checkRow } from './check-row.ts';
import type { ImportError, Owned, RowResult } from './check-row.ts';

export interface InvalidRow {
  line: number;
  fields: readonly string[];
  errors: ImportError[];
}

export interface DryRun {
  fresh: number;
  /** The lines of the rows that change a device. */
  changes: readonly number[];
  /** The number of rows that would not change their device. */
  same: number;
  invalid: number;
  /** The invalid rows, up to `listedAtMost`. */
  listed: InvalidRow[];
}

/** Limits memory. Nobody corrects more rows than this by hand. */
export const listedAtMost = 10_000;

export async function dryRun({
  uses,
  owned,
  signal,
  ...source
}: {
  file: Blob;
  uses: Uses;
  owned: Owned;
  fixes: Fixes;
  onRead?: (part: number) => void;
  signal?: AbortSignal;
}): Promise<DryRun> {
  const changes: number[] = [];
  const listed: InvalidRow[] = [];
  const counts = { fresh: 0, same: 0, invalid: 0 };
  const seen = new Set<string>();
  for await (const record of readRows(source)) {
    signal?.throwIfAborted();
    const result = checkRow({ record, uses, owned, seen });
    if (result.kind === 'invalid') {
      counts.invalid += 1;
      if (listed.length < listedAtMost)
        listed.push({ line: record.line, fields: record.fields, errors: result.errors });
    } else if (result.kind === 'changed') changes.push(record.line);
    else counts[result.kind === 'new' ? 'fresh' : 'same'] += 1;
  }
  return { ...counts, changes, listed };
}

/** The result after a row was corrected: it is removed from the list and counted again. */
export function withFix({ run, line, kind }: { run: DryRun; line: number; kind: RowResult['kind'] }): DryRun {
  return {
    fresh: run.fresh + (kind === 'new' ? 1 : 0),
    same: run.same + (kind === 'same' ? 1 : 0),
    changes: kind === 'changed' ? [...run.changes, line] : run.changes,
    invalid: run.invalid - 1,
    listed: run.listed.filter((row) => row.line !== line),
  };
}

/** The number of rows that would be sent. */
export const rowsOf = ({ fresh, changes }: DryRun): number => fresh + changes.length;
