/** Files that are saved, to be changed and imported again. */
import type { Resource } from '@swarmdeck/bff/contract';
import { deviceColumns, toCells } from '../../../api/device-fields.ts';
import type { CsvFile } from './csv-file.ts';
import { readRows } from './dry-run.ts';
import type { Fixes } from './dry-run.ts';
import type { Uses } from './mapping.ts';
import { fateOf } from './row-fate.ts';
import type { ImportFault, Owned } from './row-fate.ts';
import { toLine } from './csv-line.ts';

/** Spreadsheets take a file for UTF-8 by this mark alone. */
const mark = '\uFEFF';

/** The rows of a file that were refused: mended, they are imported as any others. */
export async function errorRows({
  names,
  separator,
  problem,
  sentenceOf,
  uses,
  owned,
  ...source
}: {
  names: readonly string[];
  separator: string;
  /** The name of one more column, which says what is wrong. */
  problem: string;
  sentenceOf: (errors: readonly ImportFault[]) => string;
  file: CsvFile;
  uses: Uses;
  owned: Owned;
  fixes: Fixes;
}): Promise<string[]> {
  const lines = [mark + toLine([...names, problem], separator)];
  const seen = new Set<string>();
  for await (const record of readRows(source)) {
    const fate = fateOf({ record, uses, owned, seen });
    if (fate.kind !== 'refused') continue;
    const empty = names.slice(record.fields.length).map(() => '');
    lines.push(toLine([...record.fields, ...empty, sentenceOf(fate.errors)], separator));
  }
  return lines;
}

/** Devices as a file that can be changed and imported again: each row names the one that it is about. */
export function deviceRows(devices: readonly Resource[]): string[] {
  const rows = devices.map((device) => toLine([device.id, ...toCells(device)], ','));
  return [mark + toLine(['id', ...deviceColumns], ','), ...rows];
}
