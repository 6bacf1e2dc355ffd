/**
 * The worker thread with the indexes of the viewed audiences. It reads the database in chunks, and the feed of changes,
 * so that building and querying cost the event loop only a message.
 */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { DeviceFilters, MapView } from '../contract.ts';
import { createFeedCursor } from '../feed/feed.ts';
import { openConnection } from '../store/sqlite/connection.ts';
import { faultOf } from '../store/sqlite/fault.ts';
import type { Query, StorageFault } from '../store/statement.ts';
import type { FeedRow } from '../store/tables.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { createAudienceIndex } from './audience-index.ts';
import type { AudienceIndex, Change } from './audience-index.ts';
import { readAudience, readMatching, readNames } from './audience-rows.store.ts';
import { countDevices } from './device-counts.ts';
import type { DeviceCounts } from './device-counts.ts';
import { audienceKey } from './filters.ts';
import type { Bbox, MapQuery } from './filters.ts';
import type { AudiencePointIndex } from './audience-point-index.ts';
import { mapViewOf } from './map-view.ts';
import { densityOf } from './points/density.ts';
import type { Picture } from './points/density.ts';
import { selectPoints } from './points/selected-points.ts';
import type { Selection } from './selection.ts';
import { createIndexCache } from './index-cache.ts';
import { wallCountsOf } from './wall-counts.ts';
import type { WallCounts } from './wall-counts.ts';

/** A query waits until its index and its search are ready, but at most `patienceMs`. */
export type IndexQuestion = { user: string; patienceMs: number } & (
  | { about: 'view'; filters: MapQuery['filters']; bbox: Bbox; zoom: number; gzip: boolean }
  | { about: 'density'; filters: MapQuery['filters']; picture: Picture; gzip: boolean }
  | { about: 'counts'; filters: DeviceFilters }
  /** `since` in ms: within the last minute. */
  | { about: 'pulse'; filters: DeviceFilters; since: number }
);
export type IndexRequest =
  | { id: number; question: IndexQuestion }
  /** All clients have disconnected. */
  | { cancel: number }
  /** Whether an audience is watched between queries. */
  | { key: string; watched: boolean };

export interface IndexAnswers {
  /** A MapView as JSON, compressed with gzip on request. */
  view: string | Uint8Array;
  /** One byte per pixel. */
  density: Uint8Array;
  counts: DeviceCounts;
  pulse: WallCounts;
}
export type IndexReply = { id: number } & (
  | { answer: IndexAnswers[keyof IndexAnswers] }
  /** Not ready yet: the progress of the index, from 0 to 1. */
  | { building: number }
  | { fault: StorageFault; message: string }
);

/** In all indexes together, with about 60 bytes each. */
const mostDevices = 4_000_000;
const keptIdleMs = 5 * 60_000;
const lookedAtEveryMs = 2000;
/** All devices are read, and a search is still running. */
const almostAll = 0.99;

// Each page is read once: a small cache is enough.
const connection = openConnection({ path: (workerData as { path: string }).path, readOnly: true, cacheKiB: 4000 });
/** All work except applying commits is queued fairly between users. The main thread limits the queries of each user. */
const queue = createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY });
const open = new Map<number, AbortController>();
const process = (workerData as { process: string }).process;
let names = 0;

const indexes = createIndexCache<AudienceIndex>({
  most: mostDevices,
  idleMs: keptIdleMs,
  clock: () => performance.now(),
});

function audienceOf({ user, audience }: { user: string; audience: string }): AudienceIndex {
  return indexes.take(audienceKey({ user, audience }), () =>
    createAudienceIndex({
      audience,
      user,
      readAll: () => readAudience({ connection, user, audience }),
      readMatching: (asked) => readMatching({ connection, audience, ...asked }),
      queue,
      newName: () => `${process}-${names++}`,
    }),
  );
}

const feed = await createFeedCursor(async <R>({ sql, params = [] }: Query) => connection.all(sql, params) as R[]);

/** Applies the feed up to the newest commit. */
async function readFeed() {
  const entries = await feed.take();
  const changes: readonly Change[] = entries ? entries.flatMap(changesOf) : [{ everything: true }];
  if (changes.length > 0) for (const index of indexes.all()) index.changed(changes);
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

type Answered = { answer: IndexAnswers[keyof IndexAnswers] } | { building: number };

async function answer(question: IndexQuestion, signal: AbortSignal): Promise<Answered> {
  const { user, filters, patienceMs } = question;
  const asker = { user, signal };
  const patience = Promise.withResolvers<'over'>();
  const timer = setTimeout(patience.resolve, patienceMs, 'over');
  try {
    for (;;) {
      await readFeed();
      const audience = audienceOf({ user, audience: filters.audience });
      const held = audience.all();
      if ((await Promise.race([held.ready, patience.promise])) === 'over') return { building: held.building ?? 0 };
      // It was dropped during its build.
      if (held.building !== undefined) continue;
      const finding = Promise.all([
        audience.select({ asker, filters }),
        // The counts by swarm ignore the selected swarm.
        question.about === 'counts'
          ? audience.select({ asker, filters: filters.q === undefined ? {} : { q: filters.q } })
          : undefined,
      ]);
      const found = await Promise.race([finding, patience.promise]);
      if (found === 'over') {
        finding.catch(() => {});
        return { building: almostAll };
      }
      const makeAnswer = async () => {
        // The result must contain every write that was acknowledged before the query.
        await readFeed();
        return audience.all() === held ? { answer: answerFrom({ question, audience, held, found }) } : undefined;
      };
      const made = await queue.run(asker, makeAnswer, {
        continues: found.some((selection) => selection !== undefined),
      });
      if (made) return made;
    }
  } finally {
    clearTimeout(timer);
  }
}

function answerFrom({
  question,
  audience: { kinds },
  held,
  found: [matching, searched],
}: {
  question: IndexQuestion;
  audience: AudienceIndex;
  held: AudiencePointIndex;
  found: [matching: Selection | undefined, searched: Selection | undefined];
}): IndexAnswers[keyof IndexAnswers] {
  const { user, filters } = question;
  matching?.refresh();
  const index = matching ? selectPoints(held.index, matching) : held.index;
  switch (question.about) {
    case 'view': {
      const version = matching ? `${held.version}.${matching.version}` : held.version;
      const namesOf = (refs: number[]) => readNames({ connection, user, audience: filters.audience, refs });
      const view: MapView = mapViewOf({ ...question, index, kinds, version, namesOf });
      const json = JSON.stringify(view);
      return question.gzip ? gzipSync(json, { level: 3 }) : json;
    }
    case 'density': {
      const meant = kinds.filter(filters);
      const layers = index.layers.map((layer, kind) => (meant(kind) && filters.placed !== 'no' ? layer : undefined));
      const pixels = densityOf({ layers, ...question.picture });
      return question.gzip ? gzipSync(pixels, { level: 1 }) : pixels;
    }
    case 'pulse':
      return wallCountsOf({ index: held.index, kinds, recent: held.recent, since: question.since });
    default: {
      searched?.refresh();
      const all = held.index;
      const anySwarm = searched === matching ? index : searched ? selectPoints(all, searched) : all;
      return countDevices({ all, matching: index, searched: anySwarm, kinds, filters: question.filters });
    }
  }
}

async function reply({ id, question }: { id: number; question: IndexQuestion }): Promise<IndexReply> {
  const client = new AbortController();
  open.set(id, client);
  try {
    return { id, ...(await answer(question, client.signal)) };
  } catch (error) {
    const { kind, message } = faultOf(error);
    return { id, fault: kind, message };
  } finally {
    open.delete(id);
  }
}

parentPort?.on('message', (request: IndexRequest) => {
  if ('key' in request) {
    indexes.watch(request.key, request.watched);
  } else if ('cancel' in request) {
    open.get(request.cancel)?.abort();
  } else void reply(request).then((answered) => parentPort?.postMessage(answered));
});
setInterval(() => {
  indexes.tidy();
  void readFeed();
}, lookedAtEveryMs);
