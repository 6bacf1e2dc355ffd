/** CSV files for editing and importing again. */
import type { Resource } from '@swarmdeck/bff/contract';
import { deviceColumns, toCells } from '../../../api/device-fields.ts';
import type { CsvFile } from './csv-file.ts';
import { readRows } from './dry-run.ts';
import type { Fixes } from './dry-run.ts';
import type { Uses } from './mapping.ts';
import { fateOf } from './row-fate.ts';
import type { ImportFault, Owned } from './row-fate.ts';
import { toLine } from './csv-line.ts';

/** A byte order mark: without it, spreadsheets do not read the file as UTF-8. */
const mark = '\uFEFF';

/** The refused rows of a file, which can be corrected and imported. */
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
  /** The name of the additional column with the error messages. */
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

/** Devices as CSV. Each row has the id of its device, so that an import updates that device. */
export function deviceRows(devices: readonly Resource[]): string[] {
  const rows = devices.map((device) => toLine([device.id, ...toCells(device)], ','));
  return [mark + toLine(['id', ...deviceColumns], ','), ...rows];
}
