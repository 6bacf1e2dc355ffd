/** The uses of the columns of a file. */
import {
  fieldsOfColumns,
  exportColumnOf,
  missingColumns,
  type Columns,
  type Readings,
} from '@swarmdeck/bff/device-import';
import type { DeviceColumn, ImportColumn } from '@swarmdeck/bff/device-errors';
import type { CsvHead } from './csv-file.ts';

/** What uses are suggested by. */
type Names = Pick<CsvHead, 'names' | 'first'>;

/** `id`: the row changes the device that has it. `changed_at`: the time of the device's last change before the export. */
export type Use = ImportColumn | 'id' | 'changed_at' | 'skip';
export type Uses = readonly (Use | undefined)[];

/**
 * Suggests uses by the names of the columns, each use once. A column without a name is skipped if it is empty, and
 * undefined if it has a value.
 */
export function suggestUses({ names, first }: Names): Uses {
  const taken = new Set<Use>();
  const fields = fieldsOfColumns(names, first);
  return names.map((name, index) => {
    if (name.trim() === '' && (first[index] ?? '').trim() === '') return undefined;
    const use = exportColumnOf(name) ?? fields[index];
    if (!use || taken.has(use)) return 'skip';
    taken.add(use);
    return use;
  });
}

/** Gives a column a use, and removes from the other columns what would contradict it. */
export function withUse({ uses, index, use }: { uses: Uses; index: number; use: Use }): Uses {
  const ended: Uses = use === 'skip' ? [] : [use, ...otherFormsOf(use)];
  return uses.map((now, at) => {
    if (at === index) return use;
    return ended.includes(now) ? 'skip' : now;
  });
}

/** A position is in one column or in two. */
function otherFormsOf(use: Use): Use[] {
  if (use === 'position') return ['longitude', 'latitude'];
  return use === 'longitude' || use === 'latitude' ? ['position'] : [];
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
