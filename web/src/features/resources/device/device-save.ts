/**
 * Saving while the world moves: only changed fields are sent, with `If-Match`. When somebody else was
 * faster, their version is fetched and merged by field, and what is left of mine goes out again, until
 * it lands or a field turns out to be changed on both sides.
 */
import type { Resource, ResourceUpdate } from '@swarmdeck/bff/contract';
import { changedFields, merge, toUpdate, valuesOf } from '../form/device-merge.ts';
import type { DeviceValues, Merge } from '../form/device-merge.ts';

/** A resource as it was read: with the ETag to send back and the server's time of the answer. */
export interface ResourceRead {
  resource: Resource;
  etag: string | null;
  at: string;
}

export type Saved =
  | { kind: 'saved'; read: ResourceRead }
  | { kind: 'conflict'; theirs: ResourceRead; merge: Merge; base: DeviceValues };

/** A device that moves faster than this many tries in a row is not saved; the last refusal is thrown. */
const maximumTries = 50;

export async function saveDevice(options: {
  base: DeviceValues;
  mine: DeviceValues;
  etag: string | null;
  read(): Promise<ResourceRead>;
  /** Throws what `isMoved` recognises when the ETag no longer holds. */
  write(update: { body: ResourceUpdate; etag: string | null }): Promise<ResourceRead>;
  isMoved(error: unknown): boolean;
}): Promise<Saved> {
  let { base, mine, etag } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      return { kind: 'saved', read: await options.write({ body: toUpdate({ base, mine }), etag }) };
    } catch (error) {
      if (!options.isMoved(error) || tries >= maximumTries) throw error;
    }
    const theirs = await options.read();
    const values = valuesOf(theirs.resource);
    const result = merge({ base, mine, theirs: values });
    if (result.conflicts.length > 0) return { kind: 'conflict', theirs, merge: result, base };
    if (changedFields({ base: values, mine: result.merged }).length === 0) return { kind: 'saved', read: theirs };
    base = values;
    mine = result.merged;
    etag = theirs.etag;
  }
}
