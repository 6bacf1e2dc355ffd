/**
 * The ordered list of what changed. Triggers (store/schema/triggers/) append to it in the transaction of the change.
 * A module that caches data of the database subscribes, or reads on from a cursor of its own.
 */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { Database } from '../store/database.ts';
import type { FeedRow } from '../store/row-types.ts';

/** The id of the event of an entry. */
export const eventId = (name: string, seq: number): string => `${name}-${seq}`;

export type ChangeFeed = Awaited<ReturnType<typeof createChangeFeed>>;

type Read = Database['read'];

const purgedAtOnce = 1000;
/** In entries, of one read: a commit may append 100,000. */
const mostOfPart = 1000;
const selectNewest = 'SELECT coalesce(max(seq), 0) AS seq FROM feed';
const selectAfter = `SELECT seq, at, kind, owner, recipient, ref, resource_id, swarm_id, record_id, swarms_before, users_before,
  is_bulk FROM feed WHERE seq > $1 ORDER BY seq LIMIT $2`;

async function readNewest(read: Read): Promise<number> {
  const [newest] = await read<{ seq: number }>({ sql: selectNewest });
  return newest!.seq;
}

/** The entries after `after`; undefined if some of them are purged. The oldest are purged first. */
async function readAfter(read: Read, after: number, most: number): Promise<FeedRow[] | undefined> {
  const entries = await read<FeedRow>({ sql: selectAfter, params: [after, most] });
  if (entries.length === 0 || entries[0]!.seq === after + 1) return entries;
  const older = await read({ sql: 'SELECT 1 FROM feed WHERE seq <= $1 LIMIT 1', params: [after] });
  return older.length > 0 ? entries : undefined;
}

/** Reads the feed after `seq`. `read` must see committed data. */
function cursorAfter(read: Read, seq: number) {
  /** One call takes after the other: two at once would both give the same entries. */
  let last: Promise<unknown> = Promise.resolve();

  async function take() {
    const entries = await readAfter(read, seq, mostOfPart);
    if (entries) seq = entries.at(-1)?.seq ?? seq;
    else seq = await readNewest(read);
    return entries;
  }
  return {
    /** `seq` of the last entry that was taken. */
    get position(): number {
      return seq;
    },
    /** The next entries since the last call; undefined if some of them are purged. */
    take() {
      const taken = last.then(take);
      last = taken.catch(() => {});
      return taken;
    },
  };
}

/** Gives `subscriber` what a cursor has not taken yet, in parts. Others run in between. */
async function takeAll(
  { take }: Pick<ReturnType<typeof cursorAfter>, 'take'>,
  subscriber: FeedSubscriber,
): Promise<void> {
  for (;;) {
    const entries = await take();
    if (entries?.length !== 0) subscriber(entries);
    if (!entries || entries.length < mostOfPart) return;
    await nextLoopTick();
  }
}

/** Reads the feed from its end on. */
export async function createFeedCursor(read: Read) {
  const cursor = cursorAfter(read, await readNewest(read));
  return { takeAll: (subscriber: FeedSubscriber) => takeAll(cursor, subscriber) };
}

/**
 * Gets the entries of one or more commits; undefined if entries were purged before this process read them: then anything
 * may have changed.
 */
export type FeedSubscriber = (entries: readonly FeedRow[] | undefined) => void;

export async function createChangeFeed(options: { db: Database; report: (error: unknown) => void }) {
  const { db, report } = options;
  const [feed] = await db.read<{ name: string }>({ sql: 'SELECT name FROM feed_name' });
  let newest = await readNewest(db.read);
  const cursor = cursorAfter(db.read, newest);
  const subscribers = new Set<FeedSubscriber>();

  async function readCommitted(): Promise<void> {
    // A commit of messages, for example, appends nothing.
    if ((db.newestEntry() ?? Infinity) <= newest) return;
    await takeAll(cursor, (entries) => {
      newest = entries?.at(-1)?.seq ?? cursor.position;
      for (const subscriber of subscribers) {
        try {
          subscriber(entries);
        } catch (error) {
          report(error);
        }
      }
    });
  }
  const unsubscribe = db.onCommit(readCommitted);

  const name = feed!.name;

  return {
    /** Cursors of a feed with another name are not valid here. */
    name,
    /** `seq` of the newest entry that subscribers have received. */
    get newest(): number {
      return newest;
    },
    /** Its id: clients that resume after it have missed nothing. */
    newestId: () => eventId(name, newest),
    /** An id before all entries, which says only the name of the feed. */
    oldestId: () => eventId(name, 0),
    /** The newest entry that this process has read, and how many there are after it. Throws StorageError. */
    async measure(): Promise<{ entry: number; lag: number }> {
      const stored = await readNewest(db.read);
      return { entry: newest, lag: Math.max(0, stored - newest) };
    },
    /** The first entries after `after`, at most `most`; undefined if some are purged, or if there is no such entry yet. */
    async since(after: number, most: number): Promise<FeedRow[] | undefined> {
      return after > newest ? undefined : readAfter(db.read, after, most);
    },
    /**
     * Calls `subscriber` after commits, before their writes resolve. Errors of the subscriber are reported. Returns a
     * function that ends the subscription.
     */
    subscribe(subscriber: FeedSubscriber): () => void {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    /**
     * Deletes the entries before a time, in chunks. The newest one stays, because cursors are compared with it. No statement looks at more
     * entries than it may delete: they are in the order of their times.
     */
    async purge({ before }: { before: string }): Promise<void> {
      const sql = `DELETE FROM feed WHERE seq IN (
        SELECT seq FROM (SELECT seq, at FROM feed ORDER BY seq LIMIT ${purgedAtOnce}) oldest
        WHERE at < $1 AND seq < (SELECT max(seq) FROM feed))`;
      while ((await db.write([{ sql, params: [before], orFail: 'nothing left' }])).ok);
    },
    /** Waits until the subscribers have received what any process had written before the call. */
    catchUp: db.catchUp,
    /** Waits until they have received what was published before the call, which is what other processes have acknowledged. */
    readCommitted,
    close: unsubscribe,
  };
}
