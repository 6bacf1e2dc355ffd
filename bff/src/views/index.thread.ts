/**
 * The thread that holds the indexes of what is being looked at. It reads the database by itself, in chunks, and is
 * told what commits change, so that neither building nor asking costs the event loop more than a message.
 */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { DeviceFilters, MapView } from '../contract.ts';
import type { Change } from '../storage/change-log.ts';
import { openConnection } from '../storage/connection.ts';
import { createAudienceIndex } from './audience-index.ts';
import type { AudienceIndex, DerivingFilters } from './audience-index.ts';
import { readAudience, readNames } from './audience-rows.store.ts';
import { createBuilds } from './builds.ts';
import { countDevices } from './device-counts.ts';
import type { DeviceCounts } from './device-counts.ts';
import { audienceKey } from './filters.ts';
import type { Bbox, MapQuery } from './filters.ts';
import type { HeldIndex } from './held-index.ts';
import { mapViewOf } from './map-view.ts';
import { densityOf } from './points/density.ts';
import type { Picture } from './points/density.ts';
import { createShelf } from './shelf.ts';
import { wallCountsOf } from './wall-counts.ts';
import type { WallCounts } from './wall-counts.ts';

/** `filters.q` is folded. A question waits for its index to be built, but not longer than `patienceMs`. */
export type IndexQuestion = { user: string; patienceMs: number } & (
  | { about: 'view'; filters: MapQuery['filters']; bbox: Bbox; zoom: number; gzip: boolean }
  | { about: 'density'; filters: MapQuery['filters']; picture: Picture; gzip: boolean }
  | { about: 'counts'; filters: DeviceFilters }
  /** `since` in milliseconds: within the last minute. */
  | { about: 'pulse'; filters: DeviceFilters; since: number }
);
export type IndexRequest =
  | { id: number; question: IndexQuestion }
  | { changes: readonly Change[] }
  /** Whether somebody looks at an audience between questions. */
  | { key: string; watched: boolean };

export interface IndexAnswers {
  /** A MapView as JSON; gzipped where that was asked for. */
  view: string | Uint8Array;
  /** A byte for each pixel. */
  density: Uint8Array;
  counts: DeviceCounts;
  pulse: WallCounts;
}
export type IndexReply = { id: number } & (
  | { answer: IndexAnswers[keyof IndexAnswers] }
  /** Nothing yet: so much of the index is read, from 0 to 1. */
  | { building: number }
  | { fault: string }
);

/** Over all that is held, some 60 bytes each. */
const mostDevices = 4_000_000;
const keptIdleMs = 5 * 60_000;
const lookedAtEveryMs = 2000;

const connection = openConnection({ path: (workerData as { path: string }).path, readOnly: true });
// each page is read once
connection.raw.exec('PRAGMA cache_size = -4000');
const { start } = createBuilds();
const process = (workerData as { process: string }).process;
let names = 0;

const shelf = createShelf<AudienceIndex>({ most: mostDevices, idleMs: keptIdleMs, clock: () => performance.now() });

function audienceOf({ user, audience }: { user: string; audience: string }): AudienceIndex {
  return shelf.take(audienceKey({ user, audience }), () =>
    createAudienceIndex({
      audience,
      user,
      rowsOf: (asked) => readAudience({ connection, audience, ...asked }),
      start,
      newName: () => `${process}-${names++}`,
    }),
  );
}

/** The indexes that a question needs, once all of them are built; else how far the slowest is. */
async function built(
  question: IndexQuestion,
  needed: (audience: AudienceIndex) => HeldIndex[],
): Promise<{ held: HeldIndex[]; audience: AudienceIndex } | { building: number }> {
  const deadline = performance.now() + question.patienceMs;
  for (;;) {
    const audience = audienceOf({ user: question.user, audience: question.filters.audience });
    const held = needed(audience);
    const waiting = held.filter(({ building }) => building !== undefined);
    if (waiting.length === 0) return { held, audience };
    const left = deadline - performance.now();
    if (left <= 0) return { building: Math.min(...waiting.map(({ building }) => building!)) };
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, left);
    await Promise.race([Promise.all(waiting.map(({ ready }) => ready)), patience.promise]);
    clearTimeout(timer);
  }
}

async function answer(
  question: IndexQuestion,
): Promise<{ answer: IndexAnswers[keyof IndexAnswers] } | { building: number }> {
  const { user, filters } = question;
  const searched: DerivingFilters = filters.q === undefined ? {} : { q: filters.q };
  const needed = question.about === 'counts' ? [{}, filters, searched] : [filters];
  const ready = await built(question, (audience) => needed.map((some) => audience.of({ user, filters: some })));
  if ('building' in ready) return ready;
  const { held, audience } = ready;
  const { index, version } = held[0]!;
  const { kinds } = audience;
  switch (question.about) {
    case 'view': {
      const namesOf = (refs: number[]) => readNames({ connection, user, audience: filters.audience, refs });
      const view: MapView = mapViewOf({ ...question, index, kinds, version, namesOf });
      const json = JSON.stringify(view);
      return { answer: question.gzip ? gzipSync(json, { level: 3 }) : json };
    }
    case 'density': {
      const meant = kinds.filter(filters);
      const layers = index.layers.map((layer, kind) => (meant(kind) && filters.placed !== 'no' ? layer : undefined));
      const pixels = densityOf({ layers, ...question.picture });
      return { answer: question.gzip ? gzipSync(pixels, { level: 1 }) : pixels };
    }
    case 'pulse':
      return { answer: wallCountsOf({ index, kinds, recent: held[0]!.recent, since: question.since }) };
    default: {
      const [, matching, found] = held.map((each) => each.index);
      return {
        answer: countDevices({ all: index, matching: matching!, searched: found!, kinds, filters: question.filters }),
      };
    }
  }
}

async function reply({ id, question }: { id: number; question: IndexQuestion }): Promise<IndexReply> {
  try {
    return { id, ...(await answer(question)) };
  } catch (error) {
    return { id, fault: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: IndexRequest) => {
  if ('changes' in request) {
    for (const index of shelf.all()) index.changed(request.changes);
  } else if ('key' in request) {
    shelf.watch(request.key, request.watched);
  } else void reply(request).then((answered) => parentPort?.postMessage(answered));
});
setInterval(shelf.tidy, lookedAtEveryMs);
