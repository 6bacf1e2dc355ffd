/** What an import does with one row: it creates a device, changes one, does nothing, or rejects the row. */
import { readDevice } from '@swarmdeck/bff/device-csv';
import type { Resource, ResourceCreate, ResourceUpdate } from '@swarmdeck/bff/contract';
import type { CsvRecord } from '@swarmdeck/bff/csv';
import type { RowError } from '@swarmdeck/bff/device-errors';
import { deviceMerge, hasField, valuesOf } from '../../../api/device-fields.ts';
import { columnsOf } from './column-uses.ts';
import type { Uses } from './column-uses.ts';

export type ImportError = RowError | { column: 'id'; code: 'not_yours' | 'twice'; text: string };

/** The devices of the user by their id. */
export type Owned = ReadonlyMap<string, Resource>;

export type RowResult = { kind: 'new' | 'changed' | 'same' } | { kind: 'invalid'; errors: ImportError[] };

/** Checks one row. `seen` collects the ids of the file, because two rows must not change the same device. */
export function checkRow(options: { record: CsvRecord; uses: Uses; owned: Owned; seen?: Set<string> }): RowResult {
  const { record, uses, owned, seen } = options;
  const read = readDevice({ columns: columnsOf(uses), record });
  const id = idOf({ fields: record.fields, uses });
  const errors: ImportError[] = 'errors' in read ? [...read.errors] : [];
  if (id !== undefined) {
    if (!owned.has(id)) errors.push({ column: 'id', code: 'not_yours', text: id.slice(0, 60) });
    else if (seen?.has(id)) errors.push({ column: 'id', code: 'twice', text: id });
    seen?.add(id);
  }
  if (errors.length > 0 || 'errors' in read) return { kind: 'invalid', errors };
  const before = id === undefined ? undefined : owned.get(id);
  if (!before) return { kind: 'new' };
  return { kind: isSame({ before, change: changeOf({ device: read.row, uses }) }) ? 'same' : 'changed' };
}

export function idOf({ fields, uses }: { fields: readonly string[]; uses: Uses }): string | undefined {
  const cell = fields[uses.indexOf('id')]?.trim().toLowerCase();
  return cell === '' ? undefined : cell;
}

/** The fields that the file has. An empty cell clears its field. */
export function changeOf({ device, uses }: { device: ResourceCreate; uses: Uses }): ResourceUpdate {
  const fields = deviceMerge.fields.filter((field) => hasField(field, uses));
  return Object.fromEntries(fields.map((field) => [field, device[field] ?? null]));
}

function isSame({ before, change }: { before: Resource; change: ResourceUpdate }): boolean {
  const base = valuesOf(before);
  const given = Object.entries(change).map(([field, value]) => [field, value ?? undefined]);
  return deviceMerge.changed({ base, mine: { ...base, ...Object.fromEntries(given) } }).length === 0;
}
