/** Which column of a file holds what. */
import { columnOf, missingColumns } from '@swarmdeck/bff/device-csv';
import type { Columns } from '@swarmdeck/bff/device-csv';
import type { DeviceColumn } from '@swarmdeck/bff/device-fault';
import type { CsvHead } from './csv-file.ts';

export type Use = DeviceColumn | 'skip';

/** By the names of the columns, each use once; a column with neither name nor value stays none. */
export function suggestColumns({ names, first }: CsvHead): Columns {
  const taken = new Set<DeviceColumn>();
  return names.map((name, index) => {
    if (name.trim() === '' && (first[index] ?? '').trim() === '') return undefined;
    const use = columnOf(name);
    if (!use || taken.has(use)) return 'skip';
    taken.add(use);
    return use;
  });
}

/** Gives a column a use; the column that had it before has none then. */
export function withUse({ columns, index, use }: { columns: Columns; index: number; use: Use }): Columns {
  return columns.map((now, at) => {
    if (at === index) return use;
    return use !== 'skip' && now === use ? 'skip' : now;
  });
}

/** What no column holds and a device needs. */
export function lacking(columns: Columns): DeviceColumn[] {
  return missingColumns(columns).map(({ of }) => of);
}
