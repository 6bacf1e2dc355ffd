import type { IndexRow, Rows } from './audience-rows.store.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { finish } from './points/layer.ts';
import { createPointIndex } from './points/point-index.ts';
import type { PointIndex } from './points/point-index.ts';
import { createRecent } from './recent.ts';
import type { Recent } from './recent.ts';

/** The index of all devices of an audience: how it is built and kept correct. */
export interface HeldIndex {
  readonly index: PointIndex;
  readonly recent: Recent;
  /** Another one after every change, and while nothing changes the same. */
  readonly version: string;
  /** How much of it is read, from 0 to 1; undefined: all of it, and it may be asked. */
  readonly building: number | undefined;
  /** Yields every few milliseconds; changes are noted meanwhile, and seen to at its end. */
  build(): Generator<void, void>;
  /** It will not be built to its end. */
  abandon(): void;
  /** Devices of which something may be different: they are read again, and are then as they are now. */
  changed(refs: readonly number[]): void;
  /** Resolves when it may be asked, or when nobody wanted it any more; rejects where it could not be read. */
  ready: Promise<void>;
}

const rowsAtOnce = 500;

export function createHeldIndex(options: { rows: Rows<IndexRow>; kinds: DeviceKinds; name: string }): HeldIndex {
  const { rows, kinds, name } = options;
  const index = createPointIndex({ kinds: kinds.count });
  const recent = createRecent();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const noted = new Set<number>();
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
   * To fold an index of a million takes 42 ms, three times a minute while 1,000 a second move: one answer of 500 waits
   * for it. It is not done in slices, because what was written has to be in the next answer.
   */
  function refresh(refs: Iterable<number>) {
    const gone = new Set(refs);
    for (const row of rows.these([...gone])) {
      gone.delete(row[0]);
      if (put(row)) changes += 1;
    }
    for (const ref of gone) if (remove(ref)) changes += 1;
    if (index.wantsFold) finish(index.fold());
  }

  function* readAll() {
    const expected = Math.max(1, rows.count());
    let read = 0;
    for (const chunk of rows.chunks()) {
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
    *build() {
      try {
        yield* readAll();
        yield* index.fold();
        refresh(noted);
        building = undefined;
        resolve();
      } catch (error) {
        reject(error);
      }
    },
    abandon: resolve,
    changed(refs) {
      if (building === undefined) refresh(refs);
      else for (const ref of refs) noted.add(ref);
    },
  };
}
