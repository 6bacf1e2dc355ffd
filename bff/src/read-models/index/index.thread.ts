/**
 * The worker thread with the indexes of the viewed audiences. It reads the database in chunks, and the feed of changes,
 * so that building and querying cost the event loop only a message.
 */
import { workerData } from 'node:worker_threads';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import { openReader } from '../../core/store/open.ts';
import { serveThread } from '../../core/store/thread.ts';
import { createIndexQueries, type IndexAnswer, type IndexMeasurements, type IndexQuery } from './index-queries.ts';

export type IndexRequest =
  | { query: IndexQuery }
  | { measure: true }
  /** Whether an audience is watched between queries. */
  | { key: string; watched: boolean };

/** The results of `query`, of `measure` and of the others. */
export type IndexReply = IndexAnswer | IndexMeasurements | undefined;

const maintainEveryMs = 2000;

const { url, name } = workerData as { url: string; name: string };
// Each page is read once: a small cache is enough.
const reader = await openReader({ url, cacheKiB: 4000 });
const queries = await createIndexQueries({ reader, name });

serveThread<IndexRequest, IndexReply>((request, signalOf) => {
  if ('query' in request) return queries.answer(request.query, signalOf());
  if ('measure' in request) return queries.measure();
  queries.watch(request.key, request.watched);
  return undefined;
});
// Queries read the same changes, and return its errors.
const maintain = shareNextRun(() => queries.maintain().catch(() => {}));
setInterval(() => void maintain(), maintainEveryMs);
