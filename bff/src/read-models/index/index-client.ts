import { randomBytes } from 'node:crypto';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { createThread } from '../../core/store/thread.ts';
import type { Requester } from '../../core/limits/fair-queue.ts';
import { Counts } from '../../core/limits/bounded-map.ts';
import { audienceKey } from '../devices/device-query.ts';
import type { IndexMeasurements, IndexQuery, IndexResults } from './index-queries.ts';
import type { IndexReply, IndexRequest } from './index.thread.ts';
import { queueTable } from '../../core/limits/limit-tables.ts';
import { tooFast } from '../../core/limits/rate.ts';

type QueryType = IndexQuery['type'];
type Query<T extends QueryType> = Omit<Extract<IndexQuery, { type: T }>, 'type' | 'user'>;

/** Limits the young generation: with the default, the thread would keep 150 MB after reading a million rows. */
const maxYoungGenerationSizeMb = 24;

export type IndexClient = ReturnType<typeof createIndexClient>;

/** The indexes of the viewed audiences, in a worker thread. */
export function createIndexClient({ db, report }: { db: Database; report: (error: unknown) => void }) {
  /** The number of running queries per user. */
  const open = new Counts();
  /** The number of watchers per audience. */
  const watched = new Counts();
  const thread = createThread<IndexRequest, IndexReply>({
    file: new URL('./index.thread.ts', import.meta.url),
    workerData: { url: db.url, name: randomBytes(4).toString('hex') },
    resourceLimits: { maxYoungGenerationSizeMb },
    initial: () => [...watched.keys()].map((key) => ({ key, watched: true })),
    onLost: report,
  });

  function watch(key: string, more: 1 | -1) {
    const count = watched.change(key, more);
    // A new thread gets the watched audiences.
    if (thread.isStarted && (count === 0 || (count === 1 && more === 1)))
      thread.ask({ key, watched: count > 0 }).catch(() => {});
  }

  return {
    warm: thread.warm,
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
      if (open.of(user) >= queueTable.index.most) throw tooFast(1);
      open.change(user, 1);
      try {
        const query = { type, user, ...rest } as unknown as IndexQuery;
        return (await thread.ask({ query }, signal)) as { answer: IndexResults[T] } | { building: number };
      } catch (error) {
        throw signal?.aborted ? new Problem('request.aborted') : error;
      } finally {
        open.change(user, -1);
      }
    },
    /** Keeps the index of an audience until the returned function is called. */
    watching({ user, audience }: { user: string; audience: string }): () => void {
      const key = audienceKey({ user, audience });
      watch(key, 1);
      return () => watch(key, -1);
    },
    /** Undefined if the thread has not been started. Throws StorageError. */
    async measure(): Promise<IndexMeasurements | undefined> {
      return thread.isStarted ? ((await thread.ask({ measure: true })) as IndexMeasurements) : undefined;
    },
    /** How often the thread has ended by itself. */
    get restarts(): number {
      return thread.restarts;
    },
    close: thread.stop,
  };
}
