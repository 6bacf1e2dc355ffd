import { runInSlices } from '../limits/fair-queue.ts';
import type { Requester, FairQueue } from '../limits/fair-queue.ts';
import type { IndexRow, Rows } from './audience-rows.store.ts';
import { deviceKindsOf } from './device-kinds.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { swarmOf } from './query-types.ts';
import type { SelectingFilters } from './query-types.ts';
import { createPointIndex } from './points/point-index.ts';
import { finish } from './points/point-layer.ts';
import { createRefHashMap } from './points/ref-hash-map.ts';
import { createRecentChangeCount } from './recent-change-count.ts';

export type AudienceIndex = ReturnType<typeof createAudienceIndex>;
export type AudiencePointIndex = ReturnType<typeof createAudiencePointIndex>;
export type Selection = ReturnType<typeof createSelection>;

/** What may have changed: a resource, by its `ref`; the access of a user; or so much that everything is read again. */
export type Change =
  | { resource: number; user: string }
  | { resource: number; swarm: string }
  /** The user has gained or lost access to the members of the swarm. */
  | { user: string; swarm: string }
  /** Many resources that this user can see, or that are in this swarm. */
  | { allOfUser: string }
  | { allOfSwarm: string }
  | { everything: true };

interface Search {
  user: string;
  selection: Selection;
  found: Promise<void>;
  isFound: boolean;
  /** The number of requests that wait for it. */
  waiting: number;
  stop: AbortController;
}

/** The number of searches that are cached per user, for other requests with the same search. */
const mostCached = 8;
/** A search that is not used again is dropped after this many changes. */
const mostUnchecked = 5000;

/** The devices of one audience, and the searches in them. */
export function createAudienceIndex(options: {
  audience: string;
  /** The user whose queue reads the audience; also the owner of `own` and `visible`. */
  user: string;
  readAll: () => Rows<IndexRow>;
  readMatching: (search: { user: string; filters: SelectingFilters }) => Rows<readonly [ref: number]>;
  queue: FairQueue;
  newName: () => string;
}) {
  const { audience, user: owner, readAll, readMatching, queue, newName } = options;
  const kinds = deviceKindsOf(audience);
  const swarm = swarmOf(audience);
  /** Least recently used first. */
  const searches = new Map<string, Search>();
  let base: { points: AudiencePointIndex; stop: AbortController } | undefined;

  function startBase() {
    const points = createAudiencePointIndex({ rows: readAll(), kinds, name: newName() });
    const stop = new AbortController();
    const started = { points, stop };
    points.ready.catch(() => {
      if (base === started) base = undefined;
    });
    runInSlices(queue, { user: owner, signal: stop.signal }, points.build()).catch(points.abandon);
    return started;
  }

  function dropBase() {
    base?.stop.abort();
    base = undefined;
    searches.clear();
  }

  function startSearch(key: string, { user, filters }: { user: string; filters: SelectingFilters }): Search {
    const selection = createSelection({ rows: readMatching({ user, filters }), name: newName() });
    const stop = new AbortController();
    const found = runInSlices(queue, { user, signal: stop.signal }, selection.find());
    const search: Search = { user, selection, found, isFound: false, waiting: 0, stop };
    found.then(
      () => {
        search.isFound = true;
        trim();
      },
      () => forget(key, search),
    );
    return search;
  }

  function forget(key: string, search: Search) {
    if (searches.get(key) === search) searches.delete(key);
  }

  /**
   * Evicts finished searches, the least recently used first, if a user has too many or if there are too many refs in
   * total.
   */
  function trim() {
    const most = 2 * (base?.points.index.size ?? 0);
    const counts = new Map<string, number>();
    let refs = 0;
    for (const [key, search] of [...searches].reverse()) {
      if (!search.isFound) continue;
      const count = (counts.get(search.user) ?? 0) + 1;
      counts.set(search.user, count);
      refs += search.selection.size;
      if (count > mostCached || refs > most) searches.delete(key);
    }
  }

  function searchFor({ user, signal }: Requester, filters: SelectingFilters): Search {
    // Users can see different swarms of other users' devices, and only their own actions.
    const key = JSON.stringify([filters.q, filters.action, filters.swarm, (filters.action ?? filters.swarm) && user]);
    const search = searches.get(key) ?? startSearch(key, { user, filters });
    searches.delete(key);
    searches.set(key, search);
    search.waiting += 1;
    signal?.addEventListener('abort', () => {
      search.waiting -= 1;
      if (search.waiting > 0 || search.isFound) return;
      search.stop.abort();
      forget(key, search);
    });
    return search;
  }

  function mayConcern(change: Extract<Change, { resource: number }>): boolean {
    if (base!.points.mayHave(change.resource)) return true;
    if ('user' in change) return swarm === undefined && change.user === owner;
    return audience === 'visible' || change.swarm === swarm;
  }

  /** A user with changed access to swarms sees other devices, and other swarms of them. */
  function viewerChanged(change: Exclude<Change, { resource: number }>) {
    if ('everything' in change) dropBase();
    else if ('allOfSwarm' in change) {
      if (change.allOfSwarm === swarm) dropBase();
    } else if ('allOfUser' in change) {
      if (swarm === undefined && change.allOfUser === owner) dropBase();
    } else if (audience === 'visible' && change.user === owner) dropBase();
    else if (swarm !== undefined) {
      for (const [key, { user }] of searches) if (user === change.user) searches.delete(key);
    }
  }

  return {
    kinds,
    /** All devices of the audience. Starts to read them if necessary. */
    all: (): AudiencePointIndex => (base ??= startBase()).points,
    /**
     * The devices that a search or a swarm selects; undefined for all. The caller holds the selection until its response
     * is complete, so that other searches cannot evict it.
     * @throws `request.aborted` if all clients have disconnected
     */
    async select(request: { requester: Requester; filters: SelectingFilters }): Promise<Selection | undefined> {
      const { q, action, swarm: inSwarm } = request.filters;
      // `none` is covered by the kinds.
      const filters = {
        ...(q !== undefined && { q }),
        ...(action !== undefined && { action }),
        ...(inSwarm && inSwarm !== 'none' && { swarm: inSwarm }),
      };
      if (Object.keys(filters).length === 0) return undefined;
      const search = searchFor(request.requester, filters);
      await search.found;
      return search.selection;
    },
    /**
     * Marks the devices that a commit has changed, and drops what cannot be updated. The changes need not concern this
     * audience.
     */
    changed(changes: readonly Change[]): void {
      if (!base) return;
      const resources = new Set<number>();
      for (const change of changes) {
        if (!('resource' in change)) viewerChanged(change);
        else if (mayConcern(change)) resources.add(change.resource);
        if (!base) return;
      }
      if (resources.size === 0) return;
      const refs = [...resources];
      base.points.changed(refs);
      for (const [key, { selection, isFound }] of searches) {
        if (selection.changed(refs) > mostUnchecked && isFound) searches.delete(key);
      }
    },
    /** Applies the changes to the devices. Searches are refreshed when they are used. */
    refresh: async () => base?.points.refresh(),
    /** The number of devices and refs in memory. */
    get size(): number {
      let size = base?.points.index.size ?? 0;
      for (const { selection } of searches.values()) size += selection.size;
      return size;
    },
  };
}

const rowsAtOnce = 500;

/** The point index of an audience: built in slices, and updated with every commit. */
export function createAudiencePointIndex(options: { rows: Rows<IndexRow>; kinds: DeviceKinds; name: string }) {
  const { rows, kinds, name } = options;
  const index = createPointIndex({ kinds: kinds.count });
  const recent = createRecentChangeCount();
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
    /** Resolves when the index can be queried, or the build was cancelled. Rejects if it could not be read. */
    ready,
    /** Changes with every change of the content. */
    get version(): string {
      return `${name}-${changes}`;
    },
    /** The progress from 0 to 1; undefined when it is complete and can be queried. */
    get building(): number | undefined {
      return building;
    },
    /** Builds the index. Yields every few milliseconds. Applies the changes during the build at its end. */
    async *build(): AsyncGenerator<void, void> {
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
    /** Marks the build as cancelled. */
    abandon: () => resolve(),
    /** Whether the device is in the index, or may be in it after the next `refresh`. */
    mayHave: (ref: number): boolean => building !== undefined || index.has(ref) || stale.has(ref),
    /** Marks devices as changed. */
    changed: stale.add,
    /**
     * Reads the devices again that were marked before this call, and updates the index. During the build it does nothing,
     * because a chunk that is being read may have older rows.
     */
    refresh: async () => {
      if (building === undefined) await stale.refresh();
    },
  };
}

/** The refs of the devices of an audience that match a search or are in a swarm. */
function createSelection({ rows, name }: { rows: Rows<readonly [ref: number]>; name: string }) {
  const selected = createRefHashMap();
  let changes = 0;
  const has = (ref: number) => selected.get(ref) !== undefined;

  const stale = createStaleRefs(async (refs) => {
    const matching = new Set((await rows.these(refs)).map(([ref]) => ref));
    for (const ref of refs) {
      if (matching.has(ref) === has(ref)) continue;
      if (matching.has(ref)) selected.set(ref, 0);
      else selected.delete(ref);
      changes += 1;
    }
  });

  return {
    has,
    each: (visit: (ref: number) => void) => selected.each(visit),
    get size(): number {
      return selected.size;
    },
    /** Changes with every change of the selection. */
    get version(): string {
      return `${name}-${changes}`;
    },
    /** Reads the refs in chunks. */
    async *find(): AsyncGenerator<void, void> {
      for await (const chunk of rows.chunks()) {
        for (const [ref] of chunk.rows) selected.set(ref, 0);
        yield;
      }
    },
    /** Marks changed devices, which `refresh` reads. Returns the number of marked devices. */
    changed(refs: readonly number[]): number {
      stale.add(refs);
      return stale.size;
    },
    /** Applies the changes that were passed to `changed` before this call. Only after `find`. */
    refresh: stale.refresh,
  };
}

/** Limits the rows of one read. */
const mostAtOnce = 4000;

/**
 * Refs of devices whose rows have changed since they were read. `apply` reads the current rows of refs and applies them.
 * It is never called while it runs.
 */
function createStaleRefs(apply: (refs: readonly number[]) => Promise<void>) {
  let stale = new Set<number>();
  let reading = new Set<number>();

  const refresh = shareNextRun(async () => {
    reading = stale;
    stale = new Set();
    try {
      const refs = [...reading];
      for (let from = 0; from < refs.length; from += mostAtOnce) await apply(refs.slice(from, from + mostAtOnce));
    } catch (error) {
      for (const ref of reading) stale.add(ref);
      throw error;
    } finally {
      reading = new Set();
    }
  });

  return {
    add(refs: Iterable<number>) {
      for (const ref of refs) stale.add(ref);
    },
    /** True also while its row is read: that row may be older than the change. */
    has: (ref: number) => stale.has(ref) || reading.has(ref),
    get size(): number {
      return stale.size + reading.size;
    },
    /** Passes every ref that was added before this call to `apply`. Refs of a failed call stay stale. */
    refresh,
  };
}

/**
 * Runs `work` once at a time. Calls while it runs share the next run, so that every call gets the result of a run that
 * began after it.
 */
export function shareNextRun(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  async function runAfter(before: Promise<void>) {
    await before.catch(() => {});
    next = undefined;
    await work();
  }
  return () => {
    if (!next) {
      next = runAfter(last);
      last = next;
    }
    return next;
  };
}
