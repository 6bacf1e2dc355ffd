import { runInSlices } from '../limits/fair-queue.ts';
import type { Requester, FairQueue } from '../limits/fair-queue.ts';
import { searchWords } from '../store/search-text.ts';
import type { IndexRow, Rows } from './audience-rows.store.ts';
import { deviceKindsOf } from './device-kinds.ts';
import { createDeviceSearch } from './device-search.ts';
import type { DeviceSearch } from './device-search.ts';
import { createDeviceTable } from './device-table.ts';
import { swarmOf } from './query-types.ts';
import type { SearchFilters } from './query-types.ts';
import { createCoarseCells } from './map/coarse-cells.ts';
import { createTextColumn } from './text-column.ts';
import { createTextOrder } from './text-order.ts';

export type AudienceIndex = ReturnType<typeof createAudienceIndex>;
export type AudiencePointIndex = ReturnType<typeof createAudiencePointIndex>;

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
  result: DeviceSearch;
  found: Promise<void>;
  isFound: boolean;
  /** The number of requests that use it. */
  held: number;
  /** The number of requests that wait for it. */
  waiting: number;
  stop: AbortController;
}

/** The result of a search, until it is released. */
export interface HeldSearch {
  result: DeviceSearch;
  release(): void;
}

/** The number of searches that are cached for one user, and for all. */
const mostCached = 8;
const mostCachedOfAll = 64;

/** The devices of one audience, and the searches in them. */
export function createAudienceIndex(options: {
  audience: string;
  /** The user whose queue reads the audience; also the owner of `own` and `visible`. */
  user: string;
  readAll: () => Rows<IndexRow>;
  readMatching: (search: { user: string; filters: SearchFilters }) => Rows<readonly [ref: number]>;
  queue: FairQueue;
  newName: () => string;
}) {
  const { audience, user: owner, readAll, readMatching, queue, newName } = options;
  const swarm = swarmOf(audience);
  /** Least recently used first. */
  const searches = new Map<string, Search>();
  let base: { points: AudiencePointIndex; stop: AbortController } | undefined;
  let accessChanges = 0;

  function startBase() {
    const points = createAudiencePointIndex({ rows: readAll(), audience, name: newName() });
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

  function startSearch(key: string, { user, filters }: { user: string; filters: SearchFilters }): Search {
    const { points } = base!;
    const result = points.newSearch({ filters, rows: readMatching({ user, filters }), name: newName() });
    const stop = new AbortController();
    const found = runInSlices(queue, { user, signal: stop.signal }, result.find());
    const search: Search = { user, result, found, isFound: false, held: 0, waiting: 0, stop };
    found.then(
      () => {
        search.isFound = true;
        trim();
      },
      () => forget(key, search),
    );
    return search;
  }

  /** Requests that hold it still get its changes. */
  function forget(key: string, search: Search) {
    if (searches.get(key) === search) searches.delete(key);
    endUnused(search);
  }

  function endUnused(search: Search) {
    if (search.held === 0 && ![...searches.values()].includes(search)) base?.points.endSearch(search.result);
  }

  /** Evicts finished searches, the least recently used first, if a user has too many or if there are too many in total. */
  function trim() {
    const counts = new Map<string, number>();
    let ofAll = 0;
    for (const [key, search] of [...searches].reverse()) {
      if (!search.isFound) continue;
      const count = (counts.get(search.user) ?? 0) + 1;
      if (count > mostCached || ofAll >= mostCachedOfAll) {
        forget(key, search);
        continue;
      }
      counts.set(search.user, count);
      ofAll += 1;
    }
  }

  function searchFor({ user, signal }: Requester, filters: SearchFilters): Search {
    // Users can see only their own actions.
    const key = JSON.stringify([filters.q, filters.action, filters.action && user]);
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
    accessChanges += 1;
    if ('everything' in change) dropBase();
    else if ('allOfSwarm' in change) {
      if (change.allOfSwarm === swarm) dropBase();
      else base?.points.table.removeSwarm(change.allOfSwarm);
    } else if ('allOfUser' in change) {
      if (swarm === undefined && change.allOfUser === owner) dropBase();
    } else if (audience === 'visible' && change.user === owner) dropBase();
  }

  return {
    /** All devices of the audience. Starts to read them if necessary. */
    all: (): AudiencePointIndex => (base ??= startBase()).points,
    /** The number of changes of access: which swarms of a device its viewers may know of. */
    get accessChanges(): number {
      return accessChanges;
    },
    /**
     * The devices that the filters `q` and `action` select; undefined for all. The index must be ready.
     * @throws `request.aborted` if all clients have disconnected
     */
    async search(request: { requester: Requester; filters: SearchFilters }): Promise<HeldSearch | undefined> {
      const { q, action } = request.filters;
      const hasWords = q !== undefined && searchWords(q).length > 0;
      if (!hasWords && action === undefined) return undefined;
      const search = searchFor(request.requester, { ...(hasWords && { q }), ...(action !== undefined && { action }) });
      search.held += 1;
      const release = () => {
        search.held -= 1;
        endUnused(search);
      };
      try {
        await search.found;
      } catch (error) {
        release();
        throw error;
      }
      return { result: search.result, release };
    },
    /**
     * Marks the devices that a commit has changed, and drops what cannot be updated. The changes need not concern this
     * audience.
     */
    changed(changes: readonly Change[]): void {
      const resources = new Set<number>();
      for (const change of changes) {
        if (!base) return;
        if (!('resource' in change)) viewerChanged(change);
        else if (mayConcern(change)) resources.add(change.resource);
      }
      base?.points.changed(resources);
    },
    /** Applies the changes to the devices and the searches. */
    refresh: async () => base?.points.refresh(),
    /** In memory. */
    get bytes(): number {
      return base?.points.bytes ?? 0;
    },
  };
}

const rowsAtOnce = 500;
/** Of one audience. Above it, the database searches. */
const mostTextBytes = 64_000_000;

/** The devices of an audience in memory: read in slices, and updated with every commit. */
export function createAudiencePointIndex(options: { rows: Rows<IndexRow>; audience: string; name: string }) {
  const { rows, audience, name } = options;
  const kinds = deviceKindsOf(audience);
  const table = createDeviceTable({
    entered: (slot) => coarseCells.enter(slot),
    leaving: (slot) => coarseCells.leave(slot),
  });
  const coarseCells = createCoarseCells(table);
  const texts = createTextColumn({ mostBytes: mostTextBytes });
  const orders = { names: createTextOrder(table), owners: createTextOrder(table) };
  const searches = new Set<DeviceSearch>();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let building: number | undefined = 0;
  let changes = 0;

  /** `matching`: the refs that match a search now, if the texts of a device do not tell it. */
  function put(row: IndexRow, matching?: ReadonlyMap<DeviceSearch, ReadonlySet<number> | undefined>) {
    const [ref, machine_type, longitude, latitude, changed_at, created_at, swarms, id, user_id, ...texted] = row;
    const [name_key, name, description, resource_type = null, member_since] = texted;
    const before = shownOf(table.slotOf(ref));
    const slot = table.put({
      ref,
      machine_type,
      resource_type,
      swarms: swarms ?? '',
      longitude,
      latitude,
      changedAt: timeOf(changed_at),
      createdAt: timeOf(created_at),
      memberSince: timeOf(member_since),
    });
    if (!before || shownOf(slot)!.some((value, place) => !Object.is(value, before[place]))) changes += 1;
    orders.names.put(slot, name_key);
    if (swarmOf(audience) !== undefined) orders.owners.put(slot, user_id);
    const searched = { id, name, description, owner: audience === 'own' ? null : user_id };
    texts.put(slot, searched);
    for (const search of searches) {
      search.put(slot, searched, matching?.get(search));
      // It began while the row was read.
      if (!matching?.has(search)) stale.add([ref]);
    }
  }

  /** What maps show of a device, except its name. */
  function shownOf(slot: number | undefined) {
    if (slot === undefined) return undefined;
    const { profile, longitude, latitude, changedAt } = table.columns;
    const { [profile[slot]!]: combination } = table.profiles;
    return [combination, longitude[slot], latitude[slot], combination!.isPlaced && changedAt[slot]];
  }

  function remove(ref: number) {
    const slot = table.remove(ref);
    if (slot === undefined) return;
    changes += 1;
    for (const part of [orders.names, orders.owners, texts, ...searches]) part.remove(slot);
  }

  const stale = createStaleRefs(async (refs) => {
    const reading = [...searches].map(async (search) => [search, await search.read(refs)] as const);
    const [current, read] = await Promise.all([rows.these(refs), Promise.all(reading)]);
    const matching = new Map(read);
    const missing = new Set(refs);
    for (const row of current) {
      missing.delete(row[0]);
      put(row, matching);
    }
    for (const ref of missing) remove(ref);
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
    kinds,
    table,
    coarseCells,
    orders,
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
    get bytes(): number {
      const parts = [table, coarseCells, texts, orders.names, orders.owners, ...searches];
      return parts.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    /** Builds the index. Yields every few milliseconds. Applies the changes during the build at its end. */
    async *build(): AsyncGenerator<void, void> {
      try {
        yield* readAll();
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
    mayHave: (ref: number): boolean => building !== undefined || table.slotOf(ref) !== undefined || stale.has(ref),
    /** Marks devices as changed. */
    changed: stale.add,
    /**
     * Reads the devices again that were marked before this call, and updates the index. During the build it does nothing,
     * because a chunk that is being read may have older rows.
     */
    refresh: async () => {
      if (building === undefined) await stale.refresh();
    },
    /** A search that is updated with the index until it ends. */
    newSearch(of: { filters: SearchFilters; rows: Rows<readonly [ref: number]>; name: string }): DeviceSearch {
      const search = createDeviceSearch({ table, texts, ...of });
      searches.add(search);
      return search;
    },
    endSearch: (search: DeviceSearch) => void searches.delete(search),
  };
}

/** In ms; 0 for no time. */
const timeOf = (text = '') => Date.parse(text) || 0;

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
