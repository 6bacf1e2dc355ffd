/**
 * Three-way merge of a record by field, and saving with it. `base` has the values that the form was filled with, `mine`
 * the values in the form, `theirs` the current values on the server.
 */
import { ProblemError } from '../problem.ts';

export interface FieldRule<Value> {
  /** `Object.is` by default. */
  equal?(a: Value, b: Value): boolean;
}

type FieldRules<Values> = { readonly [Field in keyof Values]-?: FieldRule<Values[Field]> };

/** A field that both sides changed, to different values. */
type Conflict<Values> = {
  [Field in keyof Values]-?: { field: Field; mine: Values[Field]; theirs: Values[Field]; before: Values[Field] };
}[keyof Values];

interface Merge<Values> {
  /** Mine where I changed something, theirs everywhere else. Conflicts contain mine until the user decides. */
  merged: Values;
  /** Fields that only they changed. */
  theirs: (keyof Values)[];
  conflicts: Conflict<Values>[];
}

/** Whose value the user keeps, by field; mine by default. */
export type Choices<Values> = Partial<Record<keyof Values, 'mine' | 'theirs'>>;

type FieldMerge<Values extends object> = ReturnType<typeof createMerge<Values>>;

export function createMerge<Values extends object>(rules: FieldRules<Values>) {
  type Field = keyof Values;
  const fields = Object.keys(rules) as Field[];
  const isEqual = (field: Field, a: Values, b: Values) => (rules[field].equal ?? Object.is)(a[field], b[field]);
  const changed = ({ base, mine }: { base: Values; mine: Values }) =>
    fields.filter((field) => !isEqual(field, base, mine));
  const pick = (values: Values, picked: readonly Field[]) =>
    Object.fromEntries(picked.map((field) => [field, values[field]])) as Partial<Values>;

  return {
    fields,
    isEqual,
    changed,
    /** The values that I have changed. */
    mineOf: (values: { base: Values; mine: Values }) => pick(values.mine, changed(values)),
    /** The values with some fields of others. */
    take: (values: Values, from: Values, picked: readonly Field[]): Values => ({ ...values, ...pick(from, picked) }),
    /** The body of an update: only what changed, `null` for what was cleared. */
    toUpdate(values: { base: Values; mine: Values }): object {
      return Object.fromEntries(changed(values).map((field) => [field, values.mine[field] ?? null]));
    },
    merge({ base, mine, theirs }: { base: Values; mine: Values; theirs: Values }): Merge<Values> {
      const byMe = changed({ base, mine });
      const byThem = changed({ base, mine: theirs });
      const conflicts = byMe.filter((field) => byThem.includes(field) && !isEqual(field, mine, theirs));
      return {
        merged: { ...theirs, ...pick(mine, byMe) },
        theirs: byThem.filter((field) => !byMe.includes(field)),
        conflicts: conflicts.map((field): Conflict<Values> => ({
          field,
          mine: mine[field],
          theirs: theirs[field],
          before: base[field],
        })),
      };
    },
    /** The values after the user's choices. `taken`: the fields whose values are theirs by choice. */
    resolve({ merge, theirs, choices }: { merge: Merge<Values>; theirs: Values; choices: Choices<Values> }) {
      const taken = merge.conflicts.map(({ field }) => field).filter((field) => choices[field] === 'theirs');
      return { mine: { ...merge.merged, ...pick(theirs, taken) }, taken };
    },
  };
}

export interface ConflictFound<Values, Read> {
  kind: 'conflict';
  theirs: Read;
  merge: Merge<Values>;
  base: Values;
}
export type MergeResult<Values, Read> = { kind: 'saved'; read: Read } | ConflictFound<Values, Read>;
/** `waits`: the change is stored in this browser until the server can be reached. `read` has the values that are shown meanwhile. */
export type SaveResult<Values, Read> = MergeResult<Values, Read> | { kind: 'waits'; read: Read };

/** Limits the retries for a record that changes before every write. The last error is thrown. */
const maxAttempts = 50;

const isOutdated = (error: unknown) => error instanceof ProblemError && error.problem.status === 412;

/**
 * Sends only the changed fields, with `If-Match`. After a 412, reads the new version, merges, and sends the remaining
 * changes, until the record is saved or both sides have changed the same field. Without an ETag or a change it begins with reading.
 */
export async function saveMerged<Values extends object, Read extends { etag: string | null }>(options: {
  fields: FieldMerge<Values>;
  base: Values;
  mine: Values;
  etag: string | null;
  valuesOf(read: Read): Values;
  read(): Promise<Read>;
  /** Throws the problem 412 if the ETag is outdated. */
  write(update: { body: object; etag: string | null }): Promise<Read>;
}): Promise<MergeResult<Values, Read>> {
  const { fields } = options;
  let { base, mine, etag } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      if (tries > 1 || (etag !== null && fields.changed({ base, mine }).length > 0)) {
        return { kind: 'saved', read: await options.write({ body: fields.toUpdate({ base, mine }), etag }) };
      }
    } catch (error) {
      if (!isOutdated(error) || tries >= maxAttempts) throw error;
    }
    const theirs = await options.read();
    const values = options.valuesOf(theirs);
    const merge = fields.merge({ base, mine, theirs: values });
    if (merge.conflicts.length > 0) return { kind: 'conflict', theirs, merge, base };
    if (fields.changed({ base: values, mine: merge.merged }).length === 0) return { kind: 'saved', read: theirs };
    base = values;
    mine = merge.merged;
    etag = theirs.etag;
  }
}
