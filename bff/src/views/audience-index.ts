import { runInSlices } from '../limits/fair-queue.ts';
import type { Asker, FairQueue } from '../limits/fair-queue.ts';
import type { IndexRow, Rows } from './audience-rows.store.ts';
import { deviceKindsOf } from './device-kinds.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { swarmOf } from './filters.ts';
import type { MapQuery } from './filters.ts';
import { createHeldIndex } from './audience-point-index.ts';
import type { HeldIndex } from './audience-point-index.ts';
import { createSelection } from './selection.ts';
import type { Selection } from './selection.ts';

/** What may be different: a resource, by its `ref`; what a user may see; or so much that it is read again. */
export type Change =
  | { resource: number; user: string }
  | { resource: number; swarm: string }
  /** The user may see the swarm's members from now on, or no longer. */
  | { user: string; swarm: string }
  /** Many resources in what this user may see, or in this swarm. */
  | { allOfUser: string }
  | { allOfSwarm: string }
  | { everything: true };

/** The filters that kinds (device-kinds.ts) and places do not answer. */
export type SelectingFilters = Pick<MapQuery['filters'], 'q' | 'swarm'>;

/** The devices of one audience, and the searches in it. */
export interface AudienceIndex {
  readonly kinds: DeviceKinds;
  /** All devices of the audience. Starts to read them if necessary. */
  all(): HeldIndex;
  /**
   * What a search or a swarm selects; undefined: everything. The caller keeps the selection until its answer is made,
   * so other searches cannot take it away.
   * @throws `request.aborted` if nobody waits for it any more.
   */
  select(asked: { asker: Asker; filters: SelectingFilters }): Promise<Selection | undefined>;
  /** What a commit changed. It need not concern this audience. */
  changed(changes: readonly Change[]): void;
  /** How many devices and refs are in memory. */
  readonly size: number;
}

interface Search {
  user: string;
  selection: Selection;
  found: Promise<void>;
  isFound: boolean;
  /** How many requests want it and have not been aborted. */
  wanted: number;
  stop: AbortController;
}

/** Searches of one user that are kept for the next request, if another picture of the same search is asked for. */
const mostKept = 8;
/** A search that nobody asks for again is dropped after so many changes. */
const mostUnchecked = 5000;

export function createAudienceIndex(options: {
  audience: string;
  /** Who pays for reading the audience; also the owner of `own` and `visible`. */
  user: string;
  readAll: () => Rows<IndexRow>;
  readMatching: (asked: { user: string; filters: SelectingFilters }) => Rows<readonly [ref: number]>;
  queue: FairQueue;
  newName: () => string;
}): AudienceIndex {
  const { audience, user: owner, readAll, readMatching, queue, newName } = options;
  const kinds = deviceKindsOf(audience);
  const swarm = swarmOf(audience);
  /** The least recently used first. */
  const searches = new Map<string, Search>();
  let base: { held: HeldIndex; stop: AbortController } | undefined;

  function startBase() {
    const held = createHeldIndex({ rows: readAll(), kinds, name: newName() });
    const stop = new AbortController();
    const started = { held, stop };
    held.ready.catch(() => {
      if (base === started) base = undefined;
    });
    runInSlices(queue, { user: owner, signal: stop.signal }, held.build()).catch(held.abandon);
    return started;
  }

  function dropBase() {
    base?.stop.abort();
    base = undefined;
    searches.clear();
  }

  function startSearch(key: string, { user, filters }: { user: string; filters: SelectingFilters }): Search {
    const selection = createSelection({ readRows: () => readMatching({ user, filters }), name: newName() });
    const stop = new AbortController();
    const found = runInSlices(queue, { user, signal: stop.signal }, selection.find());
    const search: Search = { user, selection, found, isFound: false, wanted: 0, stop };
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

  /** Drops finished searches, the least recently used first: too many of one user, or too many refs in all. */
  function trim() {
    const most = 2 * (base?.held.index.size ?? 0);
    const counts = new Map<string, number>();
    let refs = 0;
    for (const [key, search] of [...searches].reverse()) {
      if (!search.isFound) continue;
      const count = (counts.get(search.user) ?? 0) + 1;
      counts.set(search.user, count);
      refs += search.selection.size;
      if (count > mostKept || refs > most) searches.delete(key);
    }
  }

  function searchFor({ user, signal }: Asker, filters: SelectingFilters): Search {
    // which swarms of other users' devices are known differs between users
    const key = JSON.stringify([filters.q, filters.swarm, filters.swarm && user]);
    const search = searches.get(key) ?? startSearch(key, { user, filters });
    searches.delete(key);
    searches.set(key, search);
    search.wanted += 1;
    signal?.addEventListener('abort', () => {
      search.wanted -= 1;
      if (search.wanted > 0 || search.isFound) return;
      search.stop.abort();
      forget(key, search);
    });
    return search;
  }

  function mayConcern(change: Extract<Change, { resource: number }>): boolean {
    const { held } = base!;
    if (held.building !== undefined || held.index.has(change.resource)) return true;
    if ('user' in change) return swarm === undefined && change.user === owner;
    return audience === 'visible' || change.swarm === swarm;
  }

  /** A user who sees more or fewer swarms than before sees other devices, and other swarms of them. */
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
    all: () => (base ??= startBase()).held,
    async select({ asker, filters: { q, swarm: inSwarm } }) {
      // `none` is a kind
      const filters = { ...(q !== undefined && { q }), ...(inSwarm && inSwarm !== 'none' && { swarm: inSwarm }) };
      if (Object.keys(filters).length === 0) return undefined;
      const search = searchFor(asker, filters);
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
      base.held.changed(refs);
      for (const [key, { selection, isFound }] of searches) {
        if (selection.changed(refs) > mostUnchecked && isFound) searches.delete(key);
      }
    },
    get size() {
      let size = base?.held.index.size ?? 0;
      for (const { selection } of searches.values()) size += selection.size;
      return size;
    },
  };
}
