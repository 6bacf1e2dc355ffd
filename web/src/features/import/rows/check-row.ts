/** What an import does with one row: it creates a device, changes one, does nothing, or rejects the row. */
import { readDevice, type Readings } from '@swarmdeck/bff/device-import';
import { isExportedTime } from '@swarmdeck/bff/device-export';
import type { Position, Resource, ResourceCreate, ResourceUpdate } from '@swarmdeck/bff/contract';
import type { CsvRecord } from '@swarmdeck/bff/csv-parser';
import type { RowError } from '@swarmdeck/bff/device-errors';
import {
  deviceMerge,
  hasField,
  valuesOf,
  type DeviceField,
  type DeviceValues,
} from '../../../data/forms/device-fields.ts';
import { changedAt } from '../../../data/server-clock.ts';
import type { Reported } from '../../../ui/symbols/position-facts.tsx';
import { columnsOf, type Uses } from './column-uses.ts';

export type ImportError =
  | RowError
  | { column: 'id'; code: 'not_yours' | 'twice'; text: string }
  | { column: 'changed_at'; code: 'not_exported'; text: string };

/** The devices of the user by their id. */
export type Owned = ReadonlyMap<string, Resource>;

/** A position with what was reported about it. */
export type Fix = Position & Reported;

/** The old and the new value of a field that a row changes. */
export type FieldChange = {
  [Field in DeviceField]: { field: Field } & Record<
    'before' | 'after',
    Field extends 'position' ? Fix | undefined : DeviceValues[Field]
  >;
}[DeviceField];

export type RowResult =
  | { kind: 'new'; position?: Position | undefined }
  | { kind: 'same' }
  /** `isNewer`: the device was changed after the file was exported. */
  | { kind: 'changed'; changes: FieldChange[]; isNewer: boolean }
  | { kind: 'invalid'; errors: ImportError[] };

/** The line of each id of a file, because two rows must not change the same device. */
export type SeenIds = Map<string, number>;

/** Checks one row, and adds its id to `seen`. */
export function checkRow(
  options: { record: CsvRecord; uses: Uses; owned: Owned; seen: SeenIds } & Readings,
): RowResult {
  const { record, uses, owned, seen, ...readings } = options;
  const read = readDevice({ columns: columnsOf(uses), record, ...readings });
  const id = idOf({ fields: record.fields, uses });
  const exported = record.fields[uses.indexOf('changed_at')]?.trim() ?? '';
  const errors: ImportError[] = 'errors' in read ? [...read.errors] : [];
  if (id !== undefined) {
    if (!owned.has(id)) errors.push({ column: 'id', code: 'not_yours', text: id.slice(0, 60) });
    else if ((seen.get(id) ?? record.line) !== record.line) errors.push({ column: 'id', code: 'twice', text: id });
    else seen.set(id, record.line);
    if (exported !== '' && !isExportedTime(exported)) {
      errors.push({ column: 'changed_at', code: 'not_exported', text: exported.slice(0, 60) });
    }
  }
  if (errors.length > 0 || 'errors' in read) return { kind: 'invalid', errors };
  const before = id === undefined ? undefined : owned.get(id);
  if (!before) return { kind: 'new', position: read.row.position };
  const changes = changesOf({ before, change: changeOf({ device: read.row, uses }) });
  if (changes.length === 0) return { kind: 'same' };
  return {
    kind: 'changed',
    changes,
    isNewer: Date.parse(changedAt(before)) > Date.parse(exported),
  };
}

export function idOf({ fields, uses }: { fields: readonly string[]; uses: Uses }): string | undefined {
  const cell = fields[uses.indexOf('id')]?.trim().toLowerCase();
  return cell === '' ? undefined : cell;
}

/** The fields that the file has. An empty cell clears its field. */
export function changeOf({ device, uses }: { device: ResourceCreate; uses: Uses }): ResourceUpdate {
  const fields = deviceMerge.fields.filter((field) => hasField(field, uses));
  const aboutPosition = (['positioned_at', 'accuracy'] as const).filter(
    (column) => uses.includes(column) && hasField('position', uses),
  );
  return Object.fromEntries([...fields, ...aboutPosition].map((field) => [field, device[field] ?? null]));
}

function changesOf({ before, change }: { before: Resource; change: ResourceUpdate }): FieldChange[] {
  const base = valuesOf(before);
  const given = Object.entries(change).map(([field, value]) => [field, value ?? undefined]);
  const mine = { ...base, ...Object.fromEntries(given) } as DeviceValues;
  const changed = deviceMerge.changed({ base, mine });
  const fields =
    changed.includes('position') || !isNewReport(before, change) ? changed : [...changed, 'position' as const];
  return fields.map((field) => {
    const isPosition = field === 'position';
    return {
      field,
      before: isPosition ? fixOf(before) : base[field],
      after: isPosition ? fixOf(change) : mine[field],
    } as FieldChange;
  });
}

/** Whether a file has a newer time or another accuracy for the same position. A file need not say them. */
function isNewReport(before: Resource, { position, positioned_at, accuracy }: ResourceUpdate): boolean {
  if (!position) return false;
  const isNewer = (positioned_at ?? '') > (before.positioned_at ?? '');
  const isOlder = positioned_at && positioned_at < (before.positioned_at ?? '');
  return isNewer || (!isOlder && typeof accuracy === 'number' && accuracy !== before.accuracy);
}

function fixOf({ position, positioned_at, accuracy }: ResourceUpdate): Fix | undefined {
  return position
    ? { ...position, positioned_at: positioned_at ?? undefined, accuracy: accuracy ?? undefined }
    : undefined;
}
