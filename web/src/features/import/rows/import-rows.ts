import { readDevice } from '@swarmdeck/bff/device-csv';
import type { ImportRow } from '../import.api.ts';
import { readRows } from './csv-file.ts';
import type { Fixes } from './csv-file.ts';
import { columnsOf } from './column-uses.ts';
import type { Uses } from './column-uses.ts';
import { changeOf, idOf } from './check-row.ts';

/** Reads the rows to send, with their line numbers. */
export async function* importRows({
  file,
  plan: { uses, fixes, changes },
}: {
  file: Blob;
  plan: { uses: Uses; fixes: Fixes; changes: readonly number[] };
}): AsyncGenerator<readonly [line: number, row: ImportRow]> {
  const changed = new Set(changes);
  const columns = columnsOf(uses);
  for await (const record of readRows({ file, fixes })) {
    const read = readDevice({ columns, record });
    const id = idOf({ fields: record.fields, uses });
    if ('errors' in read || (id !== undefined && !changed.has(record.line))) continue;
    const device = read.row;
    yield [record.line, { device, ...(id !== undefined && { change: { id, body: changeOf({ device, uses }) } }) }];
  }
}
