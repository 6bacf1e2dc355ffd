import { runInSlices } from '../limits/fair-queue.ts';
import type { Requester, FairQueue } from '../limits/fair-queue.ts';
import type { IndexRow, Rows } from './audience-rows.store.ts';
import { deviceKindsOf } from './device-kinds.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { swarmOf } from './filters.ts';
import type { MapQuery } from './filters.ts';
import { createAudiencePointIndex } from './audience-point-index.ts';
import type { AudiencePointIndex } from './audience-point-index.ts';
import { createSelection } from './selection.ts';
import type { Selection } from './selection.ts';

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

/** The filters that device kinds (device-kinds.ts) and positions do not cover. */
export type SelectingFilters = Pick<MapQuery['filters'], 'q' | 'swarm'>;

/** The devices of one audience, and the searches in them. */
export interface AudienceIndex {
  readonly kinds: DeviceKinds;
  /** All devices of the audience. Starts to read them if necessary. */
  all(): AudiencePointIndex;
  /**
   * The devices that a search or a swarm selects; undefined for all. The caller holds the selection until its response
   * is complete, so that other searches cannot evict it.
   * @throws `request.aborted` if all clients have disconnected
   */
  select(request: { requester: Requester; filters: SelectingFilters }): Promise<Selection | undefined>;
  /**
   * Marks the devices that a commit has changed, and drops what cannot be updated. The changes need not concern this
   * audience.
   */
  changed(changes: readonly Change[]): void;
  /** Applies the changes to the devices. Searches are refreshed when they are used. */
  refresh(): Promise<void>;
  /** The number of devices and refs in memory. */
  readonly size: number;
}

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

export function createAudienceIndex(options: {
  audience: string;
  /** The user whose queue reads the audience; also the owner of `own` and `visible`. */
  user: string;
  readAll: () => Rows<IndexRow>;
  readMatching: (search: { user: string; filters: SelectingFilters }) => Rows<readonly [ref: number]>;
  queue: FairQueue;
  newName: () => string;
}): AudienceIndex {
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
    // Users can see different swarms of other users' devices.
    const key = JSON.stringify([filters.q, filters.swarm, filters.swarm && user]);
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
    all: () => (base ??= startBase()).points,
    async select({ requester, filters: { q, swarm: inSwarm } }) {
      // `none` is covered by the kinds.
      const filters = { ...(q !== undefined && { q }), ...(inSwarm && inSwarm !== 'none' && { swarm: inSwarm }) };
      if (Object.keys(filters).length === 0) return undefined;
      const search = searchFor(requester, filters);
      await search.found;
      return search.selection;
    },
    changed(changes) {
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
    refresh: async () => base?.points.refresh(),
    get size() {
      let size = base?.points.index.size ?? 0;
      for (const { selection } of searches.values()) size += selection.size;
      return size;
    },
  };
}
