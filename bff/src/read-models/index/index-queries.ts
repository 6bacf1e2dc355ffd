/** Queries of the tables and indexes of the viewed audiences: lists, maps and walls. */
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import type { DeviceFilters } from '../../contract.ts';
import { createFeedCursor } from '../../core/feed/change-feed.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import { viewedIndexes } from '../../core/limits/operation-limits.ts';
import { memoryTable } from '../../core/limits/part-limits.ts';
import { createFairQueue, runInSlices, type QueueMeasurements, type Requester } from '../../core/limits/fair-queue.ts';
import { threadTicks } from '../../core/limits/loop-ticks.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { AsyncReader } from '../../core/store/database.ts';
import type { FeedRow } from '../../core/store/row-types.ts';
import { createAudienceCache } from './audience-cache.ts';
import { createEndedConsents } from './ended-consents.store.ts';
import { createViewedAudience, type ViewedAudience, type Change } from './viewed-audience.ts';
import type { AudienceIndex } from './audience-index.ts';
import type { ValueColumn } from './value-column.ts';
import { readAction, readAudience, readKnownSwarms, readNames, readRef } from './audience-rows.store.ts';
import type { DeviceSearch } from './device-search.ts';
import { readReadableSwarms } from '../last-values/last-values.store.ts';
import { oldestFirst, pageOf, textIndexOf, type PageRefs } from './device-page.ts';
import { audienceKey, swarmOf, type ListQuery, type MapQuery } from '../devices/device-query.ts';
import { devicesOfSlots, mapViewOf, type MapDevices } from '../map/map-view.ts';
import {
  facetsOf,
  filterDevices,
  wallCountsOf,
  type Facets,
  type KnownSwarms,
  type NumberAt,
  type WallCounts,
} from './device-filter.ts';

/** A query waits until its index and its search are ready, but at most `timeoutMs`. */
export type IndexQuery = { user: string; timeoutMs: number } & (
  | ({ type: 'map'; gzip: boolean } & MapQuery)
  | ({ type: 'list' } & Omit<ListQuery, 'counts'>)
  | { type: 'refs'; filters: DeviceFilters }
  /** `now` and `since` in ms: within the last minute. */
  | { type: 'wall-counts'; filters: DeviceFilters; now: number; since: number }
);

export interface IndexResults {
  /** A MapView as JSON, compressed with gzip on request. */
  map: string | Uint8Array;
  /** The page by refs, and the counts of all matches. */
  list: PageRefs & Facets;
  /** The refs of all matches, oldest first. */
  refs: Uint32Array;
  'wall-counts': WallCounts;
}
export type IndexAnswer =
  | { answer: IndexResults[keyof IndexResults] }
  /** Not ready yet: the progress of the index, from 0 to 1. */
  | { building: number };

export interface IndexMeasurements {
  /** The memory of all indexes. */
  bytes: number;
  audiences: number;
  queue: QueueMeasurements;
}

const cachedIdleMs = 5 * minuteMs;
/** All devices are read, and a search is still running. */
const almostAll = 0.99;

/** What a result is made of. */
interface Ready {
  query: IndexQuery;
  audience: ViewedAudience;
  index: AudienceIndex;
  search: DeviceSearch | undefined;
  known: KnownSwarms;
  /** The key of `numberKeyOf`. The index may have dropped it since it was read. */
  column: ValueColumn | undefined;
  /** Its numbers, as far as the user may read them. */
  numberAt: NumberAt | undefined;
  /** The device in the middle of a page. */
  aroundRef: number | undefined;
}

const selectionOf = ({ query: { filters }, index: { table }, known, search, numberAt }: Ready) =>
  filterDevices({ table, filters, known, found: search, numberAt: filters.value === undefined ? undefined : numberAt });

/** The key whose numbers a query compares or draws. A map draws those that it filters, if it filters some. */
const numberKeyOf = (query: IndexQuery): string | undefined =>
  query.filters.value ?? (query.type === 'map' ? query.values?.[0] : undefined);

/** The devices of a map, and a version that changes with them. */
function mapDevicesOf(ready: Ready): { devices: MapDevices; version: string } {
  const { query, audience, index, search, column, numberAt } = ready;
  const key = numberKeyOf(query);
  const values = column ? `.v${column.version}` : '';
  const shown = query.type === 'map' && query.values?.[0] === key ? numberAt : undefined;
  const access = query.filters.swarm === undefined ? '' : `.${audience.accessChanges}`;
  return {
    devices: devicesOfSlots({ table: index.table, slots: selectionOf(ready).slots, numberAt: shown }),
    version: `${index.version}.${search?.version ?? ''}${access}${values}`,
  };
}

export type IndexQueries = Awaited<ReturnType<typeof createIndexQueries>>;

/** `name` is unique among the processes: it is a part of the versions of the maps. */
export async function createIndexQueries(options: { reader: Omit<AsyncReader, 'close'>; name: string }) {
  const { reader, name } = options;
  /** All work except applying commits is queued fairly between users. The main thread limits the queries of each user. */
  const queue = createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY, ticks: threadTicks });
  const audiences = createAudienceCache<ViewedAudience>({
    mostBytes: memoryTable.indexes.most,
    mostOfUser: viewedIndexes,
    idleMs: cachedIdleMs,
    clock: () => performance.now(),
  });
  const feed = await createFeedCursor(reader.read);
  const ended = createEndedConsents({ read: reader.read, clock: () => performance.now() });
  let names = 0;

  function audienceOf({ user, audience }: { user: string; audience: string }): ViewedAudience {
    return audiences.take(audienceKey({ user, audience }), user, () =>
      createViewedAudience({
        audience,
        user,
        readAll: () => readAudience({ reader, user, audience }),
        readAction: (request) => readAction({ reader, ...request }),
        queue,
        newName: () => `${name}-${names++}`,
        onBuilt: audiences.tidy,
      }),
    );
  }

  /** Marks what has changed in all indexes, up to the newest commit before the call. */
  const readFeed = shareNextRun(async () => {
    await reader.publishChanges();
    const apply = (changes: readonly Change[]) => {
      if (changes.length > 0) for (const audience of audiences.all()) audience.changed(changes);
    };
    await feed.takeAll((entries) => {
      if (!entries || entries.some(({ kind }) => kind === 'membership.changed' || kind === 'manager.changed'))
        ended.noteChange();
      apply(entries ? entries.flatMap(changesOf) : [{ everything: true }]);
    });
    await ended.takeAll(apply);
  });

  /**
   * Contains every write that was acknowledged before the call.
   * @throws StorageError; `request.aborted` if the signal is aborted
   */
  async function answer(query: IndexQuery, signal: AbortSignal): Promise<IndexAnswer> {
    const patience = Promise.withResolvers<'over'>();
    const timer = setTimeout(patience.resolve, query.timeoutMs, 'over');
    try {
      for (;;) {
        const answered = await attempt(query, { signal, patience: patience.promise });
        if (answered) return answered;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Undefined if the index that it began with was dropped meanwhile. `patience`: resolves when the query has waited long enough. */
  async function attempt(
    query: IndexQuery,
    { signal, patience }: { signal: AbortSignal; patience: Promise<'over'> },
  ): Promise<IndexAnswer | undefined> {
    const { user, filters } = query;
    const requester = { user, signal };
    // Before the index and the searches are looked up: those that the changes drop must not be used.
    await readFeed();
    const audience = audienceOf({ user, audience: filters.audience });
    const index = audience.index();
    if ((await Promise.race([index.ready, patience])) === 'over') return { building: index.building ?? 0 };
    const isDropped = index.building !== undefined || audience.index() !== index;
    if (isDropped) return undefined;
    const finding = audience.search({ requester, filters });
    const search = await Promise.race([finding, patience]);
    if (search === 'over') {
      finding.then((found) => found?.release()).catch(() => {});
      return { building: almostAll };
    }
    try {
      return await answerReady({ query, requester, audience, index, search: search?.result });
    } finally {
      search?.release();
    }
  }

  /** Undefined if the index was dropped meanwhile. */
  async function answerReady(options: {
    query: IndexQuery;
    requester: Requester;
    audience: ViewedAudience;
    index: AudienceIndex;
    search: DeviceSearch | undefined;
  }) {
    const { query, requester, audience, index, search } = options;
    const order = query.type === 'list' && query.limit > 0 ? textIndexOf(index.orders, query.sort) : undefined;
    // Without slices, sorting a million names would take half a second.
    if (order?.isFarBehind) {
      await order.sort((work) => runInSlices(queue, { user: requester.user }, work));
    }
    const key = numberKeyOf(query);
    const column = key === undefined ? undefined : index.valuesOf(key);
    await column?.refresh((work) => runInSlices(queue, { user: requester.user }, work));
    const compute = async () => {
      const around = query.type === 'list' ? query.around : undefined;
      const [since, known, aroundRef] = await Promise.all([
        column && readValuesSince({ reader, user: requester.user, filters: query.filters }),
        readKnownSwarms({ reader, user: requester.user }),
        around === undefined ? undefined : readRef({ reader, id: around }),
        index.refresh(),
      ]);
      if (query.type === 'list' && query.sort === '-heard') await index.readHeard();
      const numberAt = since === undefined ? undefined : column?.numbersSince(since);
      const isCurrent = audience.index() === index;
      return isCurrent
        ? { answer: await resultOf({ query, audience, index, search, known, column, numberAt, aroundRef }, reader) }
        : undefined;
    };
    return queue.run(requester, compute, { continues: search !== undefined });
  }

  return {
    answer,
    /** Marks an audience as watched between queries, or not any more. */
    watch: (key: string, watched: boolean) => audiences.watch(key, watched),
    measure(): IndexMeasurements {
      const sizes = [...audiences.all()].map(({ bytes }) => bytes);
      return { bytes: sizes.reduce((sum, size) => sum + size, 0), audiences: sizes.length, queue: queue.measure() };
    },
    /** Evicts unused indexes and applies the newest changes to the others. */
    async maintain(): Promise<void> {
      audiences.tidy();
      await readFeed();
      await Promise.all([...audiences.all()].map((audience) => audience.refresh()));
    },
  };
}

/** Reads the index and the search before it waits for anything, because they change while it waits. */
async function resultOf(ready: Ready, reader: Omit<AsyncReader, 'close'>): Promise<IndexResults[keyof IndexResults]> {
  const { query, index, known, aroundRef } = ready;
  const { user, filters } = query;
  const { table, orders } = index;
  switch (query.type) {
    case 'map': {
      const { bbox, zoom } = query;
      const hasRoles = swarmOf(filters.audience) !== undefined;
      const view = mapViewOf({ ...mapDevicesOf(ready), hasRoles, bbox, zoom });
      const names = await readNames({ reader, user, audience: filters.audience, refs: view.refs, keys: query.values });
      const json = JSON.stringify(view.withNames(names));
      return query.gzip ? gzipSync(json, { level: 3 }) : json;
    }
    case 'refs':
      return oldestFirst({ table, slots: selectionOf(ready).slots, audience: filters.audience });
    case 'wall-counts':
      return wallCountsOf({ table, filters, now: query.now, since: query.since });
    default: {
      const selection = selectionOf(ready);
      const start = { ...query, around: aroundRef };
      return {
        ...pageOf({ table, orders, selection, start, numberAt: ready.numberAt }),
        ...facetsOf({ table, filters: query.filters, known }, selection.counts),
      };
    }
  }
}

/** Since when (in ms) the user may read the numbers of an audience. Those of other audiences than a swarm are the user's, and were read so. */
async function readValuesSince(options: {
  reader: Pick<AsyncReader, 'read'>;
  user: string;
  filters: Pick<DeviceFilters, 'audience'>;
}): Promise<number> {
  const { reader, user, filters } = options;
  const { audience } = filters;
  const swarm = swarmOf(audience);
  if (swarm === undefined) return -Infinity;
  return (await readReadableSwarms({ reader, user, audience })).get(swarm) ?? Infinity;
}

function changesOf({ kind, ref, owner, swarm_id, is_bulk }: FeedRow): Change[] {
  switch (kind) {
    case 'resource.created':
    case 'resource.updated':
    case 'resource.moved':
    case 'resource.destroyed':
    case 'presence.changed':
    case 'refusals.changed':
      return [{ resource: ref!, user: owner! }];
    case 'membership.changed':
      return [{ resource: ref!, swarm: swarm_id! }];
    case 'viewer.changed':
      return [{ user: owner!, swarm: swarm_id! }];
    case 'account.ended':
      return [{ allOfUser: owner! }];
    case 'swarm.destroyed':
      return [{ endedSwarm: swarm_id!, isBulk: is_bulk === 1 }];
    default:
      return [];
  }
}
