import type { DeviceFilters } from '../contract.ts';
import { runInSlices, type Requester, type FairQueue } from '../limits/fair-queue.ts';
import { searchWords } from '../store/search-text.ts';
import { createAudienceIndex, type AudienceIndex } from './audience-index.ts';
import type { ActionRefs, AudienceRows } from './audience-rows.store.ts';
import type { DeviceSearch } from './device-search.ts';
import { swarmOf } from './device-query.ts';

export type ViewedAudience = ReturnType<typeof createViewedAudience>;

/** What may have changed: a resource, by its `ref`; the access of a user; or so much that everything is read again. */
export type Change =
  | { resource: number; user: string }
  | { resource: number; swarm: string }
  /** The user has gained or lost access to the members of the swarm. */
  | { user: string; swarm: string }
  /** Many resources of this user have changed. */
  | { allOfUser: string }
  /** `isBulk`: its members have no changes of their own. */
  | { endedSwarm: string; isBulk: boolean }
  | { everything: true };

/** The filters whose result is cached (device-search.ts). */
type SearchFilters = Pick<DeviceFilters, 'q' | 'action'>;

interface Search {
  user: string;
  result: DeviceSearch;
  found: Promise<void>;
  isFound: boolean;
  /** The number of requests that use it. */
  readers: number;
  /** The number of requests that wait for it. */
  waiting: number;
  stop: AbortController;
}

/** The result of a search, until it is released. */
interface HeldSearch {
  result: DeviceSearch;
  release(): void;
}

/** The number of searches that are cached for one user, and for all. */
const mostCached = 8;
const mostCachedOfAll = 64;

/** The index of one audience, and the searches in it. */
export function createViewedAudience(options: {
  audience: string;
  /** The user whose queue reads the audience; also the owner of `own` and `visible`. */
  user: string;
  readAll: () => AudienceRows;
  readAction: (request: { user: string; action: string }) => ActionRefs;
  queue: FairQueue;
  newName: () => string;
}) {
  const { audience, user: owner, readAll, readAction, queue, newName } = options;
  const swarm = swarmOf(audience);
  /** Least recently used first. */
  const searches = new Map<string, Search>();
  let base: { index: AudienceIndex; stop: AbortController } | undefined;
  let accessChanges = 0;

  function startBase() {
    const index = createAudienceIndex({ rows: readAll(), audience, name: newName() });
    const stop = new AbortController();
    const started = { index, stop };
    index.ready.catch(() => {
      if (base === started) base = undefined;
    });
    runInSlices(queue, { user: owner, signal: stop.signal }, index.build()).catch(index.abandon);
    return started;
  }

  function dropBase() {
    base?.stop.abort();
    base = undefined;
    searches.clear();
  }

  function startSearch(key: string, { user, filters }: { user: string; filters: SearchFilters }): Search {
    const { index } = base!;
    const { q, action } = filters;
    const actionRefs = action === undefined ? undefined : readAction({ user, action });
    const result = index.newSearch({ q, actionRefs, name: newName() });
    const stop = new AbortController();
    const found = runInSlices(queue, { user, signal: stop.signal }, result.find());
    const search: Search = { user, result, found, isFound: false, readers: 0, waiting: 0, stop };
    found.then(
      () => {
        search.isFound = true;
        trim();
      },
      () => forget(key, search),
    );
    return search;
  }

  /** Requests that still hold it receive its changes. */
  function forget(key: string, search: Search) {
    if (searches.get(key) === search) searches.delete(key);
    endUnused(search);
  }

  function endUnused(search: Search) {
    if (search.readers === 0 && ![...searches.values()].includes(search)) base?.index.endSearch(search.result);
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
    if (base!.index.mayHave(change.resource)) return true;
    if ('user' in change) return swarm === undefined && change.user === owner;
    return audience === 'visible' || change.swarm === swarm;
  }

  /** A user with changed access to swarms sees other devices, and other swarms of them. */
  function viewerChanged(change: Exclude<Change, { resource: number }>) {
    accessChanges += 1;
    if ('everything' in change) dropBase();
    else if ('endedSwarm' in change) {
      if (change.endedSwarm === swarm || (change.isBulk && !base!.index.endSwarm(change.endedSwarm))) dropBase();
    } else if ('allOfUser' in change) {
      if (swarm === undefined && change.allOfUser === owner) dropBase();
    } else if (audience === 'visible' && change.user === owner) dropBase();
  }

  return {
    /** Starts to read the devices if necessary. */
    index: (): AudienceIndex => (base ??= startBase()).index,
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
      search.readers += 1;
      const release = () => {
        search.readers -= 1;
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
      base?.index.changed(resources);
    },
    /** Applies the changes to the devices and the searches. */
    refresh: async () => base?.index.refresh(),
    /** The bytes that it has in memory. */
    get bytes(): number {
      return base?.index.bytes ?? 0;
    },
  };
}

/** A cache of watched and recently used entries. The last used entry stays at any size. */
export function createAudienceCache<T extends { readonly bytes: number }>(options: {
  mostBytes: number;
  idleMs: number;
  /** A monotonic clock, in ms. */
  clock: () => number;
}) {
  const { mostBytes, idleMs, clock } = options;
  /** Least recently used first. */
  const entries = new Map<string, { value: T; usedAt: number }>();
  const watchedKeys = new Set<string>();

  return {
    /** Returns the entry of the key; creates it if there is none. */
    take(key: string, make: () => T): T {
      const value = entries.get(key)?.value ?? make();
      entries.delete(key);
      entries.set(key, { value, usedAt: clock() });
      return value;
    },
    *all(): Iterable<T> {
      for (const { value } of entries.values()) yield value;
    },
    /** Marks a key as watched, or not any more: a watched entry is not evicted. */
    watch(key: string, watched: boolean) {
      if (watched) watchedKeys.add(key);
      else watchedKeys.delete(key);
    },
    /** Evicts entries that were not requested for a while, then the least recently used ones above the limit. */
    tidy() {
      let bytes = [...entries.values()].reduce((sum, { value }) => sum + value.bytes, 0);
      const newest = [...entries.keys()].at(-1);
      for (const [key, { value, usedAt }] of entries) {
        const idle = !watchedKeys.has(key) && clock() - usedAt > idleMs;
        if (!idle && (bytes <= mostBytes || key === newest)) continue;
        bytes -= value.bytes;
        entries.delete(key);
      }
    },
  };
}
