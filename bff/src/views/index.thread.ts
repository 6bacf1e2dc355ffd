/**
 * The worker thread with the indexes of the viewed audiences. It reads the database in chunks, and the feed of changes,
 * so that building and querying cost the event loop only a message.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../store/open-reader.ts';
import { StorageError } from '../store/statement.ts';
import type { StorageFault } from '../store/statement.ts';
import { createIndexQueries } from './index-queries.ts';
import type { IndexAnswer, IndexQuery } from './index-queries.ts';

export type IndexRequest =
  | { id: number; query: IndexQuery }
  /** All clients have disconnected. */
  | { cancel: number }
  /** Whether an audience is watched between queries. */
  | { key: string; watched: boolean };
export type IndexReply = { id: number } & (IndexAnswer | { fault: StorageFault; message: string });

const maintainEveryMs = 2000;

const { url, name } = workerData as { url: string; name: string };
// Each page is read once: a small cache is enough.
const reader = await openReader({ url, cacheKiB: 4000 });
const queries = await createIndexQueries({ reader, name });
const running = new Map<number, AbortController>();

async function reply({ id, query }: { id: number; query: IndexQuery }): Promise<IndexReply> {
  const client = new AbortController();
  running.set(id, client);
  try {
    return { id, ...(await queries.answer(query, client.signal)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, fault: error instanceof StorageError ? error.kind : 'unexpected', message };
  } finally {
    running.delete(id);
  }
}

parentPort?.on('message', (request: IndexRequest) => {
  if ('key' in request) {
    queries.watch(request.key, request.watched);
  } else if ('cancel' in request) {
    running.get(request.cancel)?.abort();
  } else void reply(request).then((answer) => parentPort?.postMessage(answer));
});
// Queries read the same changes, and return its errors.
setInterval(() => void queries.maintain().catch(() => {}), maintainEveryMs);
