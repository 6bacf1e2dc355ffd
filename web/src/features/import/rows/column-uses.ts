/** The uses of the columns of a file. */
import { columnOf, exportColumnOf, missingColumns, type Columns, type Readings } from '@swarmdeck/bff/device-import';
import type { DeviceColumn } from '@swarmdeck/bff/device-errors';
import type { CsvHead } from './csv-file.ts';

/** What uses are suggested by. */
type Names = Pick<CsvHead, 'names' | 'first'>;

/** `id`: the row changes the device that has it. `changed_at`: the time of the device's last change before the export. */
export type Use = DeviceColumn | 'id' | 'changed_at' | 'skip';
export type Uses = readonly (Use | undefined)[];

/**
 * Suggests uses by the names of the columns, each use once. A column without a name is skipped if it is empty, and
 * undefined if it has a value.
 */
export function suggestUses({ names, first }: Names): Uses {
  const taken = new Set<Use>();
  return names.map((name, index) => {
    if (name.trim() === '' && (first[index] ?? '').trim() === '') return undefined;
    const use = exportColumnOf(name) ?? columnOf(name);
    if (!use || taken.has(use)) return 'skip';
    taken.add(use);
    return use;
  });
}

/** Gives a column a use, and removes that use from the other columns. */
export function withUse({ uses, index, use }: { uses: Uses; index: number; use: Use }): Uses {
  return uses.map((now, at) => {
    if (at === index) return use;
    return use !== 'skip' && now === use ? 'skip' : now;
  });
}

/** Suggests uses for other names of the same columns, and keeps those that were chosen by hand. */
export function suggestAgain({ uses, before, head }: { uses: Uses; before: Names; head: Names }): Uses {
  const suggested = suggestUses(head);
  if (before.names.length !== head.names.length) return suggested;
  const old = suggestUses(before);
  return uses.reduce(
    (all, use, index) => (use && use !== old[index] ? withUse({ uses: all, index, use }) : all),
    suggested,
  );
}

/** The required fields that no column has, and that the user has not chosen for all rows. */
export function missingFields(uses: Uses, readings?: Readings): DeviceColumn[] {
  return missingColumns(columnsOf(uses), readings).map(({ of }) => of);
}

/** The columns for the reader of devices, which knows only their fields. */
export function columnsOf(uses: Uses): Columns {
  return uses.map((use) => (use === 'id' || use === 'changed_at' ? 'skip' : use));
}
