/**
 * How a resource is stored: its columns, and the record of the wire format that is made of them. The fields that its owner
 * sets are declared here once: the columns that are read and written and the trigger of the feed follow from it. The compiler
 * requires an entry for each field of the contract, and a test checks that a field is stored, sent, undone, exported and
 * imported.
 */
import type { KeptValues, MachineType, Position, Resource, ResourceCreate, ResourceUpdate } from '../../contract.ts';
import { nameKey, searchText } from './search-text.ts';
import type { Value } from './statement.ts';

export interface ResourceRow {
  /** Identifies the device in map indexes. Never reused. */
  ref: number;
  id: string;
  user_id: string;
  name: string;
  machine_type: MachineType;
  description: string | null;
  longitude: number | null;
  latitude: number | null;
  positioned_at: string | null;
  accuracy: number | null;
  created_at: string;
  modified_at: string | null;
  /** Seconds. */
  expected_every: number | null;
  keep_track: number | null;
  keep_values: KeptValues | null;
  changed_at: string;
  version: number;
  /** The time of the position, reported or when it was set or removed. Null of a position from before this was stored. */
  located_at: string | null;
  /** When `keep_track` was last switched on. Null if that was before this was stored. */
  track_since: string | null;
  /** When `keep_values` was last switched on. */
  values_since: string | null;
  /** When the owner took it over from another user. Null: its owner has created it. */
  owner_since: string | null;
  /** What a list by name is sorted by: folded, runs of digits led by their length. */
  name_key: string;
  /** What is searched (search-text.ts). */
  name_folded: string;
  description_folded: string | null;
}

/** What is said about a position. */
export const fixParts = ['positioned_at', 'accuracy'] as const;
type FixPart = (typeof fixParts)[number];
/** A position with what is said about it: one field, because neither may be stored, compared or undone without the other. */
export type Fix = Position & { [Name in FixPart]?: ResourceCreate[Name] };

export type FieldName = Exclude<keyof ResourceCreate, FixPart>;
/** Null: no value, which only the fields can have that are optional. */
export type ResourceFields = {
  [Name in FieldName]-?: Name extends 'position'
    ? Fix | null
    : undefined extends ResourceCreate[Name]
      ? Exclude<ResourceCreate[Name], undefined> | null
      : ResourceCreate[Name];
};
/** New values of some fields. */
export type FieldChange = { [Name in FieldName]?: ResourceFields[Name] | undefined };

interface StoredField<Value> {
  /** The columns of the field. */
  columns: readonly (keyof ResourceRow)[];
  /** Columns for lists and searches, which follow from the field. */
  folded?: readonly (keyof ResourceRow)[];
  toRow(value: Value): Partial<ResourceRow>;
}

const fields: { [Name in FieldName]-?: StoredField<ResourceFields[Name]> } = {
  name: {
    columns: ['name'],
    folded: ['name_key', 'name_folded'],
    toRow: (name) => ({ name, name_key: nameKey(name), name_folded: searchText(name) }),
  },
  machine_type: {
    columns: ['machine_type'],
    toRow: (machine_type) => ({ machine_type }),
  },
  description: {
    columns: ['description'],
    folded: ['description_folded'],
    toRow: (description) => ({
      description,
      description_folded: description === null ? null : searchText(description),
    }),
  },
  position: {
    columns: ['longitude', 'latitude', 'positioned_at', 'accuracy'],
    toRow: (fix) => ({
      longitude: fix?.longitude ?? null,
      latitude: fix?.latitude ?? null,
      positioned_at: fix?.positioned_at ?? null,
      accuracy: fix?.accuracy ?? null,
    }),
  },
  expected_every: {
    columns: ['expected_every'],
    toRow: (expected_every) => ({ expected_every }),
  },
  keep_track: {
    columns: ['keep_track'],
    toRow: (keep_track) => ({ keep_track: keep_track === null ? null : Number(keep_track) }),
  },
  keep_values: {
    columns: ['keep_values'],
    toRow: (keep_values) => ({ keep_values }),
  },
};

export const fieldNames = Object.keys(fields) as FieldName[];
/** All columns that change with a field. */
export const columnsOf = (name: FieldName) => [...fields[name].columns, ...(fields[name].folded ?? [])];
/** The columns that the service sets. */
export const serviceColumns = [
  ...(['ref', 'id', 'user_id', 'created_at', 'modified_at', 'changed_at', 'version'] as const),
  ...(['located_at', 'track_since', 'values_since', 'owner_since'] as const),
] as const;

/** The columns of the fields that `change` has, with their values. */
export function storedFields(change: FieldChange): Record<string, Value> {
  const columns = {};
  for (const name of fieldNames) {
    const value = change[name];
    if (value !== undefined) Object.assign(columns, fields[name].toRow(value as never));
  }
  return columns;
}

/** All fields of a resource. */
export function fieldsOf(record: ResourceCreate): ResourceFields {
  const fields = Object.fromEntries(
    fieldNames.map((name) => [name, record[name] ?? null]),
  ) as unknown as ResourceFields;
  return { ...fields, position: fixOf(record) ?? null };
}

/** The fields that `body` has. */
export function changeOf(body: { [Name in FieldName | FixPart]?: ResourceUpdate[Name] | undefined }): FieldChange {
  const change: Record<string, unknown> = {};
  for (const name of fieldNames) if (body[name] !== undefined) change[name] = body[name];
  if (body.position) change['position'] = fixOf(body);
  return change;
}

function fixOf(body: Pick<ResourceUpdate, 'position' | FixPart>): Fix | null | undefined {
  const { position, positioned_at, accuracy } = body;
  if (!position) return position;
  return {
    ...position,
    ...(typeof positioned_at === 'string' && { positioned_at }),
    ...(typeof accuracy === 'number' && { accuracy }),
  };
}

/** The columns of a record and its version. */
const columnsOfRecord = [
  'id',
  'user_id',
  ...fieldNames.flatMap((name) => fields[name].columns),
  'created_at',
  'modified_at',
  'version',
];
export type RecordRow = Omit<
  ResourceRow,
  'ref' | 'changed_at' | 'located_at' | `${'track' | 'values' | 'owner'}_since` | 'name_key' | `${string}_folded`
>;
/** SQL: the columns of a record in this table. */
export const recordColumns = (table: string) => columnsOfRecord.map((column) => `${table}.${column}`).join(', ');

/** The record of the wire format. Fields without a value are absent. A literal takes half the time of a loop over the fields. */
export function resourceOf(row: Omit<RecordRow, 'version'>): Resource {
  const { id, user_id, name, machine_type, description, longitude, latitude } = row;
  const { positioned_at, accuracy, expected_every, keep_track, keep_values, created_at, modified_at } = row;
  return {
    id,
    user_id,
    name,
    machine_type,
    ...(description !== null && { description }),
    ...(longitude !== null && latitude !== null && { position: { longitude, latitude } }),
    // Most records have neither, and each spread takes time.
    ...((positioned_at !== null || accuracy !== null) && fixPartsOf(positioned_at, accuracy)),
    ...(expected_every !== null && { expected_every }),
    ...(keep_track !== null && { keep_track: keep_track === 1 }),
    ...(keep_values !== null && { keep_values }),
    created_at,
    ...(modified_at !== null && { modified_at }),
  };
}

function fixPartsOf(positioned_at: string | null, accuracy: number | null): { [Name in FixPart]?: Resource[Name] } {
  return { ...(positioned_at !== null && { positioned_at }), ...(accuracy !== null && { accuracy }) };
}

/** What a body says about its position. It is not from the future. */
const reported = ({ positioned_at: at, accuracy }: ResourceCreate, now: string) =>
  fixPartsOf(at === undefined || at < now ? (at ?? null) : now, accuracy ?? null);

/** The record of a resource that was created from `body`. */
export function newResource(created: {
  id: string;
  userId: string;
  body: ResourceCreate;
  created_at: string;
}): Resource {
  const { id, userId, body, created_at } = created;
  const record: Record<string, unknown> = { id, user_id: userId };
  for (const name of fieldNames) {
    if (body[name] !== undefined) record[name] = body[name];
    if (name === 'position') Object.assign(record, reported(body, created_at));
  }
  record['created_at'] = created_at;
  return record as Resource;
}
