import { readDevice, type Readings } from '@swarmdeck/bff/device-import';
import type { ActionItem } from '@swarmdeck/bff/contract';
import { readRows, type Fixes, type RowSource } from './csv-file.ts';
import { columnsOf, type Uses } from './column-uses.ts';
import { changeOf, idOf } from './check-row.ts';

interface ImportItemsOptions extends RowSource, Readings {
  uses: Uses;
  fixes: Fixes;
  changes: readonly number[];
  omitted: readonly number[];
}

/** Reads the rows to import. `changes`: the lines of the rows that change a device. `omitted`: the lines of those that are left out. */
export async function* importItems({
  uses,
  changes,
  omitted,
  ...options
}: ImportItemsOptions): AsyncGenerator<ActionItem<'import'>> {
  const changed = new Set(changes);
  const left = new Set(omitted);
  const columns = columnsOf(uses);
  for await (const record of readRows(options)) {
    const { line, fields } = record;
    if (left.has(line)) continue;
    const read = readDevice({ ...options, columns, record });
    const id = idOf({ fields, uses });
    if ('errors' in read || (id !== undefined && !changed.has(line))) continue;
    const { row: device } = read;
    const { name } = device;
    yield id === undefined ? { line, name, create: device } : { line, name, id, update: changeOf({ device, uses }) };
  }
}
