import type { Database } from '../store/database.ts';
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
        if (query.shape) queue.charge(requester.user, bytesOf(results));
        return results;
      }),
  });
}

/** Of pages, lists and files. */
function bytesOf(results: readonly unknown[]): number {
  let sum = 0;
  for (const { bytes } of results as { bytes?: Uint8Array }[]) sum += bytes?.length ?? 0;
  return sum;
}

export type LongReads = ReturnType<typeof createLongReads>;
