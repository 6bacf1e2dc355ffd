/** Queries of the indexes of the viewed audiences: maps, and counts. */
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import type { DeviceFilters } from '../contract.ts';
import { createFeedCursor } from '../feed/feed.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { AsyncReader } from '../store/database.ts';
import type { FeedRow } from '../store/row-types.ts';
import { createAudienceIndex, shareNextRun } from './audience-index.ts';
import type { AudienceIndex, AudiencePointIndex, Change, Selection } from './audience-index.ts';
import { readAudience, readMatching, readNames } from './audience-rows.store.ts';
import { countDevices, wallCountsOf } from './device-counts.ts';
import type { DeviceCounts, WallCounts } from './device-counts.ts';
import { audienceKey } from './query-types.ts';
import type { Bbox, MapQuery } from './query-types.ts';
import { mapResponseOf } from './map-response.ts';
import { densityOf } from './points/density.ts';
import type { Picture } from './points/density.ts';
import { selectPoints } from './points/filtered-points.ts';

/** A query waits until its index and its search are ready, but at most `timeoutMs`. */
export type IndexQuery = { user: string; timeoutMs: number } & (
  | { type: 'map'; filters: MapQuery['filters']; bbox: Bbox; zoom: number; gzip: boolean }
  | { type: 'density'; filters: MapQuery['filters']; picture: Picture; gzip: boolean }
  | { type: 'counts'; filters: DeviceFilters }
  /** `since` in ms: within the last minute. */
  | { type: 'wall-counts'; filters: DeviceFilters; since: number }
);

export interface IndexResults {
  /** A MapView as JSON, compressed with gzip on request. */
  map: string | Uint8Array;
  /** One byte per pixel, compressed with gzip on request. */
  density: Uint8Array;
  counts: DeviceCounts;
  'wall-counts': WallCounts;
}
export type IndexAnswer =
  | { answer: IndexResults[keyof IndexResults] }
  /** Not ready yet: the progress of the index, from 0 to 1. */
  | { building: number };

/** In all indexes together, with about 60 bytes each. */
const mostDevices = 4_000_000;
const cachedIdleMs = 5 * 60_000;
/** All devices are read, and a search is still running. */
const almostAll = 0.99;

export type IndexQueries = Awaited<ReturnType<typeof createIndexQueries>>;

/** `name` is unique among the processes: it is a part of the versions of the maps. */
export async function createIndexQueries(options: { reader: Omit<AsyncReader, 'close'>; name: string }) {
  const { reader, name } = options;
  /** All work except applying commits is queued fairly between users. The main thread limits the queries of each user. */
  const queue = createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY });
  const indexes = createIndexCache<AudienceIndex>({
    most: mostDevices,
    idleMs: cachedIdleMs,
    clock: () => performance.now(),
  });
  const feed = await createFeedCursor(reader.read);
  let names = 0;

  function audienceOf({ user, audience }: { user: string; audience: string }): AudienceIndex {
    return indexes.take(audienceKey({ user, audience }), () =>
      createAudienceIndex({
        audience,
        user,
        readAll: () => readAudience({ reader, user, audience }),
        readMatching: (search) => readMatching({ reader, audience, ...search }),
        queue,
        newName: () => `${name}-${names++}`,
      }),
    );
  }

  /** Marks what has changed in all indexes, up to the newest commit before the call. */
  const readFeed = shareNextRun(async () => {
    await reader.publishChanges();
    const entries = await feed.take();
    const changes: readonly Change[] = entries ? entries.flatMap(changesOf) : [{ everything: true }];
    if (changes.length > 0) for (const index of indexes.all()) index.changed(changes);
  });

  /**
   * Contains every write that was acknowledged before the call.
   * @throws StorageError; `request.aborted` if the signal is aborted
   */
  async function answer(query: IndexQuery, signal: AbortSignal): Promise<IndexAnswer> {
    const { user, filters, timeoutMs } = query;
    const requester = { user, signal };
    const patience = Promise.withResolvers<'over'>();
    const timer = setTimeout(patience.resolve, timeoutMs, 'over');
    try {
      for (;;) {
        // Before the index and the searches are looked up: those that the changes drop must not be used.
        await readFeed();
        const audience = audienceOf({ user, audience: filters.audience });
        const points = audience.all();
        if ((await Promise.race([points.ready, patience.promise])) === 'over')
          return { building: points.building ?? 0 };
        // It was dropped during its build.
        if (points.building !== undefined) continue;
        const { swarm: _swarm, ...anySwarm } = filters;
        const finding = Promise.all([
          audience.select({ requester, filters }),
          // The counts by swarm ignore the selected swarm.
          query.type === 'counts' ? audience.select({ requester, filters: anySwarm }) : undefined,
        ]);
        const selections = await Promise.race([finding, patience.promise]);
        if (selections === 'over') {
          finding.catch(() => {});
          return { building: almostAll };
        }
        const compute = async () => {
          await Promise.all([points, ...selections].map(async (changed) => changed?.refresh()));
          return audience.all() === points
            ? { answer: await resultOf({ query, audience, points, selections }) }
            : undefined;
        };
        const continues = selections.some((selection) => selection !== undefined);
        const result = await queue.run(requester, compute, { continues });
        if (result) return result;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reads indexes and selections before it waits for anything, because they change while it waits. */
  async function resultOf({
    query,
    audience: { kinds },
    points,
    selections: [matching, searched],
  }: {
    query: IndexQuery;
    audience: AudienceIndex;
    points: AudiencePointIndex;
    selections: [matching: Selection | undefined, searched: Selection | undefined];
  }): Promise<IndexResults[keyof IndexResults]> {
    const { user, filters } = query;
    const index = matching ? selectPoints(points.index, matching) : points.index;
    switch (query.type) {
      case 'map': {
        const version = matching ? `${points.version}.${matching.version}` : points.version;
        const view = mapResponseOf({ ...query, index, kinds, version });
        const names = await readNames({ reader, user, audience: filters.audience, refs: view.refs });
        const json = JSON.stringify(view.withNames(names));
        return query.gzip ? gzipSync(json, { level: 3 }) : json;
      }
      case 'density': {
        const includesKind = kinds.filter(filters);
        const layers = index.layers.map((layer, kind) =>
          includesKind(kind) && filters.placed !== 'no' ? layer : undefined,
        );
        const pixels = densityOf({ layers, ...query.picture });
        return query.gzip ? gzipSync(pixels, { level: 1 }) : pixels;
      }
      case 'wall-counts':
        return wallCountsOf({ index: points.index, kinds, recent: points.recent, since: query.since });
      default: {
        const all = points.index;
        const anySwarm = searched === matching ? index : searched ? selectPoints(all, searched) : all;
        return countDevices({ all, matching: index, searched: anySwarm, kinds, filters: query.filters });
      }
    }
  }

  return {
    answer,
    /** Marks an audience as watched between queries, or not any more. */
    watch: (key: string, watched: boolean) => indexes.watch(key, watched),
    /** Evicts unused indexes and applies the newest changes to the others. */
    async maintain(): Promise<void> {
      indexes.tidy();
      await readFeed();
      await Promise.all([...indexes.all()].map((index) => index.refresh()));
    },
  };
}

function changesOf({ kind, ref, owner, swarm_id, users_before, is_bulk }: FeedRow): Change[] {
  switch (kind) {
    case 'resource.created':
    case 'resource.updated':
    case 'resource.moved':
    case 'resource.destroyed':
      return [{ resource: ref!, user: owner! }];
    case 'membership.changed':
      return [{ resource: ref!, swarm: swarm_id! }];
    case 'viewer.changed':
      return [{ user: owner!, swarm: swarm_id! }];
    case 'account.ended':
      return [{ allOfUser: owner! }];
    case 'swarm.destroyed': {
      const users = users_before?.split(',') ?? [];
      const ofUser = (user: string): Change => (is_bulk ? { allOfUser: user } : { user, swarm: swarm_id! });
      return [{ allOfSwarm: swarm_id! }, ...users.map(ofUser)];
    }
    default:
      return [];
  }
}

/** A cache of watched and recently used entries. `most`: the maximum total size. The last used entry stays at any size. */
export function createIndexCache<T extends { readonly size: number }>(options: {
  most: number;
  idleMs: number;
  /** A monotonic clock, in ms. */
  clock: () => number;
}) {
  const { most, idleMs, clock } = options;
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
      let size = [...entries.values()].reduce((sum, { value }) => sum + value.size, 0);
      const newest = [...entries.keys()].at(-1);
      for (const [key, { value, usedAt }] of entries) {
        const idle = !watchedKeys.has(key) && clock() - usedAt > idleMs;
        if (!idle && (size <= most || key === newest)) continue;
        size -= value.size;
        entries.delete(key);
      }
    },
  };
}
