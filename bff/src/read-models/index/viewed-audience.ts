import { runInSlices, type Requester, type FairQueue } from '../../core/limits/fair-queue.ts';
import { searchWords } from '../../core/store/search-text.ts';
import { createAudienceIndex, type AudienceIndex } from './audience-index.ts';
import type { ActionRefs, AudienceRows } from './audience-rows.store.ts';
import { swarmOf } from '../devices/device-query.ts';
import { createSearchCache, type HeldSearch, type SearchFilters } from './search-cache.ts';

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

/** The index of one audience, and the searches in it. */
export function createViewedAudience(options: {
  audience: string;
  /** The user whose queue reads the audience; also the owner of `own` and `visible`. */
  user: string;
  readAll: () => AudienceRows;
  readAction: (request: { user: string; action: string }) => ActionRefs;
  queue: FairQueue;
  newName: () => string;
  /** Called when it has its size. */
  onBuilt?: () => void;
}) {
  const { audience, user: owner, readAll, readAction, queue, newName, onBuilt = () => {} } = options;
  const swarm = swarmOf(audience);
  let base: { index: AudienceIndex; stop: AbortController } | undefined;
  const searches = createSearchCache({
    queue,
    newSearch: ({ user, q, action }) =>
      base!.index.newSearch({
        q,
        actionRefs: action === undefined ? undefined : readAction({ user, action }),
        name: newName(),
      }),
    endSearch: (search) => base?.index.endSearch(search),
  });
  let accessChanges = 0;

  function startBase() {
    const index = createAudienceIndex({ rows: readAll(), audience, name: newName() });
    const stop = new AbortController();
    const started = { index, stop };
    index.ready.then(onBuilt, () => {
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
      return searches.hold(request.requester, { ...(hasWords && { q }), ...(action !== undefined && { action }) });
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
