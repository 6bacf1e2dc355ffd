import type { Database } from '../store/database.ts';
import type { FairQueue, Requester } from './fair-queue.ts';

/**
 * Returns a function that gives a requester the reads that grow with what a user has. They run in a thread, users in turn,
 * and are dropped when the client disconnects.
 */
export function createLongReads({ db, queue }: { db: Pick<Database, 'read'>; queue: FairQueue }) {
  return (requester: Requester): Pick<Database, 'read'> => ({
    read: (query) => queue.run(requester, () => db.read({ ...query, isLong: true })),
  });
}

export type LongReads = ReturnType<typeof createLongReads>;
