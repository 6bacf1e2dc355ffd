import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Problem } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/statement.ts';
import type { Requester } from '../limits/fair-queue.ts';
import { audienceKey } from './filters.ts';
import type { IndexQuery, IndexResults } from './index-queries.ts';
import type { IndexReply, IndexRequest } from './index.thread.ts';

type QueryType = IndexQuery['type'];
type Query<T extends QueryType> = Omit<Extract<IndexQuery, { type: T }>, 'type' | 'user'>;

/** The maximum number of concurrent queries of one user. */
const mostOpen = 1000;

/** Limits the young generation: with the default, the thread would keep 150 MB after reading a million rows. */
const maxYoungGenerationSizeMb = 24;

export type IndexClient = ReturnType<typeof createIndexClient>;

/** The indexes of the viewed audiences, in a worker thread. */
export function createIndexClient({ db }: { db: Database }) {
  const waiting = new Map<number, { resolve: (reply: IndexReply) => void; reject: (error: Error) => void }>();
  /** The number of running queries per user. */
  const openOf = new Map<string, number>();
  /** The number of watchers per audience. */
  const watched = new Map<string, number>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const name = randomBytes(4).toString('hex');
    const started = new Worker(new URL('./index.thread.ts', import.meta.url), {
      workerData: { url: db.url, name },
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    started.on('message', (reply: IndexReply) => {
      waiting.get(reply.id)?.resolve(reply);
      waiting.delete(reply.id);
    });
    const lose = (message: string) => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(new StorageError('away', message));
      waiting.clear();
    };
    started.on('error', (error) => lose(error instanceof Error ? error.message : String(error)));
    started.on('exit', () => lose('the thread of the indexes has ended'));
    for (const key of watched.keys()) started.postMessage({ key, watched: true } satisfies IndexRequest);
    return started;
  }

  function watch(key: string, more: 1 | -1) {
    const before = watched.get(key) ?? 0;
    const now = before + more;
    if (now === 0) watched.delete(key);
    else watched.set(key, now);
    if (before === 0 || now === 0) worker?.postMessage({ key, watched: now > 0 } satisfies IndexRequest);
  }

  return {
    /** Starts the thread in advance. */
    warm(): void {
      worker ??= start();
    },
    /**
     * Queries the index. The result contains every acknowledged write. The caller has checked access to the audience. If
     * the index is not built within the query's patience, returns the progress from 0 to 1.
     * @throws `request.aborted` if the requester's signal is aborted, `rate.exceeded` if the user has too many queries
     */
    async query<T extends QueryType>(
      type: T,
      { user, signal }: Requester,
      rest: Query<T>,
    ): Promise<{ answer: IndexResults[T] } | { building: number }> {
      if (signal?.aborted) throw new Problem('request.aborted');
      const open = openOf.get(user) ?? 0;
      if (open >= mostOpen) throw new Problem('rate.exceeded', { headers: { 'retry-after': '1' } });
      const thread = (worker ??= start());
      const id = lastId++;
      const query = { type, user, ...rest } as unknown as IndexQuery;
      const { promise, resolve, reject } = Promise.withResolvers<IndexReply>();
      const cancel = () => {
        waiting.delete(id);
        thread.postMessage({ cancel: id } satisfies IndexRequest);
        reject(new Problem('request.aborted'));
      };
      openOf.set(user, open + 1);
      waiting.set(id, { resolve, reject });
      signal?.addEventListener('abort', cancel);
      try {
        thread.postMessage({ id, query } satisfies IndexRequest);
        const reply = await promise;
        if ('fault' in reply) throw new StorageError(reply.fault, reply.message);
        return 'building' in reply ? { building: reply.building } : { answer: reply.answer as IndexResults[T] };
      } finally {
        signal?.removeEventListener('abort', cancel);
        const left = openOf.get(user)! - 1;
        if (left > 0) openOf.set(user, left);
        else openOf.delete(user);
      }
    },
    /** Keeps the index of an audience until the returned function is called. */
    watching({ user, audience }: { user: string; audience: string }): () => void {
      const key = audienceKey({ user, audience });
      watch(key, 1);
      return () => watch(key, -1);
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}
