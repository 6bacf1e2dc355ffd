/** What an import would do, row by row, without doing it. */
import { readDevice } from '@swarmdeck/bff/device-csv';
import type { Columns, DeviceRecord } from '@swarmdeck/bff/device-csv';
import type { RowFault } from '@swarmdeck/bff/device-fault';
import { recordsOf } from './csv-file.ts';
import type { CsvFile } from './csv-file.ts';

/** Fields of rows that were mended by hand, by their line. */
export type Fixes = Readonly<Record<number, readonly string[]>>;

export interface RefusedRow {
  line: number;
  fields: readonly string[];
  errors: RowFault[];
}

export interface DryRun {
  /** Rows that would become devices. */
  good: number;
  /** Those that would not; of very many only the first ones are listed. */
  refused: number;
  listed: RefusedRow[];
}

/** More than this nobody mends by hand, and a browser has to keep them all. */
export const listedAtMost = 10_000;

export interface ReadRow {
  fields: readonly string[];
  device: DeviceRecord<RowFault>;
}

/** Every row of the file as a device, or as what is wrong with it. */
export async function* readRows({
  file,
  columns,
  fixes,
  onRead,
}: {
  file: CsvFile;
  columns: Columns;
  fixes: Fixes;
  onRead?: (part: number) => void;
}): AsyncGenerator<ReadRow> {
  for await (const record of recordsOf({ file, ...(onRead && { onRead }) })) {
    const fixed = fixes[record.line];
    const { line, fields } = record;
    const device = readDevice({ columns, record: fixed ? { line, fields: [...fixed] } : record });
    yield { fields: fixed ?? fields, device };
  }
}

export async function dryRun({
  signal,
  ...source
}: {
  file: CsvFile;
  columns: Columns;
  fixes: Fixes;
  onRead?: (part: number) => void;
  signal?: AbortSignal;
}): Promise<DryRun> {
  const run: DryRun = { good: 0, refused: 0, listed: [] };
  for await (const { fields, device } of readRows(source)) {
    signal?.throwIfAborted();
    if ('row' in device) {
      run.good += 1;
      continue;
    }
    run.refused += 1;
    if (run.listed.length < listedAtMost) run.listed.push({ line: device.line, fields, errors: device.errors });
  }
  return run;
}

/** After a row was mended: it counts as good, and is listed no more. */
export function withFix(run: DryRun, line: number): DryRun {
  return { good: run.good + 1, refused: run.refused - 1, listed: run.listed.filter((row) => row.line !== line) };
}
