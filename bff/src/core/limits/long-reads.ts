import type { Database } from '../store/database.ts';
import type { ShapeResult } from '../store/shape.ts';
import type { FairQueue, Requester } from './fair-queue.ts';

/**
 * Returns a function that gives a requester the reads that grow with what a user has. They run in a thread, users in turn,
 * and are dropped when the client disconnects. The bytes that a shape makes are charged to the user.
 */
export function createLongReads({ db, queue }: { db: Pick<Database, 'read'>; queue: FairQueue }) {
  return (requester: Requester): Pick<Database, 'read'> => ({
    read: <R>(query: Parameters<Database['read']>[0]) =>
      queue.run(requester, async () => {
        const results = await db.read<R>({ ...query, isLong: true });
        if (query.shape) queue.charge(requester.user, madeOf(results));
        return results;
      }),
  });
}

/** The bytes of pages, lists and files. */
const madeOf = (results: readonly unknown[]): number =>
  (results as ShapeResult[]).reduce((sum, { made, bytes }) => sum + (made ?? bytes?.length ?? 0), 0);

export type LongReads = ReturnType<typeof createLongReads>;
