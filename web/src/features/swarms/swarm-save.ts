/**
 * Saving a swarm's settings while others save theirs: only changed fields are sent, with `If-Match`. Where somebody
 * was faster, their version is fetched and merged by field; a field that both changed stops it and is shown.
 */
import type { SwarmUpdate } from '@swarmdeck/bff/contract';
import type { SwarmField, SwarmValues } from './swarm-form.ts';
import { changedFields } from './swarm-form.ts';

/** A swarm's settings as they were read. */
export interface SettingsRead {
  values: SwarmValues;
  etag: string | null;
}

type SettingsSaved =
  | { kind: 'saved'; read: SettingsRead }
  /** What both sides changed to different values. `read` is theirs: saving upon it keeps mine. */
  | { kind: 'contested'; read: SettingsRead; fields: SwarmField[] };

const maximumTries = 20;

export async function saveSettings(options: {
  base: SwarmValues;
  mine: SwarmValues;
  etag: string | null;
  read(): Promise<SettingsRead>;
  /** Throws what `isMoved` recognises when the ETag no longer holds. */
  write(update: { body: SwarmUpdate; etag: string | null }): Promise<{ etag: string | null }>;
  isMoved(error: unknown): boolean;
}): Promise<SettingsSaved> {
  let { base, mine, etag } = options;
  for (let tries = 1; ; tries += 1) {
    const body: SwarmUpdate = pick(mine, changedFields(base, mine));
    try {
      const written = await options.write({ body, etag });
      return { kind: 'saved', read: { values: mine, etag: written.etag } };
    } catch (error) {
      if (!options.isMoved(error) || tries >= maximumTries) throw error;
    }
    const read = await options.read();
    const merged = mergeSettings({ base, mine, theirs: read.values });
    if (merged.contested.length > 0) return { kind: 'contested', read, fields: merged.contested };
    if (changedFields(read.values, merged.values).length === 0) return { kind: 'saved', read };
    base = read.values;
    mine = merged.values;
    etag = read.etag;
  }
}

/** Mine where I changed something, theirs everywhere else. */
export function mergeSettings(versions: { base: SwarmValues; mine: SwarmValues; theirs: SwarmValues }): {
  values: SwarmValues;
  contested: SwarmField[];
} {
  const { base, mine, theirs } = versions;
  const byMe = changedFields(base, mine);
  const contested = changedFields(base, theirs).filter(
    (field) => byMe.includes(field) && mine[field] !== theirs[field],
  );
  return { values: { ...theirs, ...pick(mine, byMe) }, contested };
}

function pick(values: SwarmValues, fields: readonly SwarmField[]): Partial<SwarmValues> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
