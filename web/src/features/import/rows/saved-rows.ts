/** CSV files for editing and importing again. */
import type { Separator } from '@swarmdeck/bff/csv-parser';
import { toLine } from '@swarmdeck/bff/device-export';
import type { Readings } from '@swarmdeck/bff/device-import';
import { cellsOf, readRows, type Fixes, type RowSource } from './csv-file.ts';
import type { Uses } from './column-uses.ts';
import { checkRow, type ImportError, type Owned, type SeenIds } from './check-row.ts';

/** A byte order mark: without it, spreadsheets do not read the file as UTF-8. */
const byteOrderMark = '\uFEFF';

interface ErrorRowsOptions extends RowSource, Readings {
  names: readonly string[];
  separator: Separator;
  /** The name of the additional column with the error messages. */
  problem: string;
  sentenceOf: (errors: readonly ImportError[]) => string;
  uses: Uses;
  owned: Owned;
  fixes: Fixes;
}

/** The invalid rows of a file, which can be corrected and imported. */
export async function errorRows({ names, problem, sentenceOf, ...options }: ErrorRowsOptions): Promise<string[]> {
  const { separator } = options;
  const lines = [byteOrderMark + toLine([...names, problem], separator)];
  const seen: SeenIds = new Map();
  for await (const record of readRows(options)) {
    const result = checkRow({ ...options, record, seen });
    if (result.kind !== 'invalid') continue;
    const cells = cellsOf(record, separator);
    const empty = names.slice(cells.length).map(() => '');
    lines.push(toLine([...cells, ...empty, sentenceOf(result.errors)], separator));
  }
  return lines;
}
