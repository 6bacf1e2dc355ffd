import type { IndexRow, Rows } from './audience-rows.store.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { finish } from './points/point-layer.ts';
import { createPointIndex } from './points/point-index.ts';
import type { PointIndex } from './points/point-index.ts';
import { createRecent } from './recent.ts';
import type { Recent } from './recent.ts';
import { createStaleRefs } from './stale-refs.ts';

/** The point index of an audience: built in slices, and updated with every commit. */
export interface AudiencePointIndex {
  readonly index: PointIndex;
  readonly recent: Recent;
  /** Changes with every change of the content. */
  readonly version: string;
  /** The progress from 0 to 1; undefined when it is complete and can be queried. */
  readonly building: number | undefined;
  /** Builds the index. Yields every few milliseconds. Applies the changes during the build at its end. */
  build(): AsyncGenerator<void, void>;
  /** Marks the build as cancelled. */
  abandon(): void;
  /** Whether the device is in the index, or may be in it after the next `refresh`. */
  mayHave(ref: number): boolean;
  /** Marks devices as changed. */
  changed(refs: readonly number[]): void;
  /**
   * Reads the devices again that were marked before this call, and updates the index. During the build it does nothing,
   * because a chunk that is being read may have older rows.
   */
  refresh(): Promise<void>;
  /** Resolves when the index can be queried, or the build was cancelled. Rejects if it could not be read. */
  ready: Promise<void>;
}

const rowsAtOnce = 500;

export function createAudiencePointIndex(options: {
  rows: Rows<IndexRow>;
  kinds: DeviceKinds;
  name: string;
}): AudiencePointIndex {
  const { rows, kinds, name } = options;
  const index = createPointIndex({ kinds: kinds.count });
  const recent = createRecent();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let building: number | undefined = 0;
  let changes = 0;

  function put([ref, machine_type, longitude, latitude, changed_at, alone, resource_type]: IndexRow): boolean {
    const kind = kinds.kindOf({ machine_type, ...(resource_type && { resource_type }), alone: alone === 1 });
    const at = Date.parse(changed_at);
    recent.note(ref, at);
    return index.put({ ref, kind, longitude, latitude, at });
  }

  function remove(ref: number): boolean {
    recent.forget(ref);
    return index.remove(ref);
  }

  /**
   * Folding an index of a million devices takes 42 ms, three times a minute at 1,000 moves a second, which delays one
   * response in 500. It is not sliced, because the next response must contain every acknowledged write.
   */
  const stale = createStaleRefs(async (refs) => {
    const current = await rows.these(refs);
    const missing = new Set(refs);
    for (const row of current) {
      missing.delete(row[0]);
      if (put(row)) changes += 1;
    }
    for (const ref of missing) if (remove(ref)) changes += 1;
    if (index.wantsFold) finish(index.fold());
  });

  async function* readAll() {
    const expected = Math.max(1, await rows.count());
    let read = 0;
    for await (const chunk of rows.chunks()) {
      for (let from = 0; from < chunk.rows.length; from += rowsAtOnce) {
        for (const row of chunk.rows.slice(from, from + rowsAtOnce)) put(row);
        yield;
      }
      read += chunk.of;
      building = Math.min(0.99, read / expected);
    }
  }

  return {
    index,
    recent,
    ready,
    get version() {
      return `${name}-${changes}`;
    },
    get building() {
      return building;
    },
    async *build() {
      try {
        yield* readAll();
        yield* index.fold();
        await stale.refresh();
        building = undefined;
        resolve();
      } catch (error) {
        reject(error);
      }
    },
    abandon: resolve,
    mayHave: (ref) => building !== undefined || index.has(ref) || stale.has(ref),
    changed: stale.add,
    refresh: async () => {
      if (building === undefined) await stale.refresh();
    },
  };
}
