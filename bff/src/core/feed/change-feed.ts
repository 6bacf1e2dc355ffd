/**
 * The ordered list of what changed. Triggers (store/schema/triggers/) append to it in the transaction of the change.
 * A module that caches data of the database subscribes, or reads on from a cursor of its own.
 */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { Database } from '../store/database.ts';
import type { FeedRow } from '../store/row-types.ts';
import { SetsByKey } from '../limits/bounded-map.ts';

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
    /** Deletes the entries before a time, in chunks. The newest one stays, because cursors are compared with it. */
    async purge({ before }: { before: string }): Promise<void> {
      const sql = `DELETE FROM feed WHERE seq IN (SELECT seq FROM feed
        WHERE at < $1 AND seq < (SELECT max(seq) FROM feed) ORDER BY seq LIMIT ${purgedAtOnce})`;
      while ((await db.write([{ sql, params: [before], orFail: 'nothing left' }])).ok);
    },
    /** Waits until the subscribers have received what any process had written before the call. */
    catchUp: db.catchUp,
    /** Waits until they have received what was published before the call, which is what other processes have acknowledged. */
    readCommitted,
    close: unsubscribe,
  };
}

/** `isUsed`: since the cache last looked for a value to remove. */
interface Cached<T> {
  value: T;
  isUsed: boolean;
}

/**
 * A bounded cache of what was read from the database. A value is removed when the feed has an entry about it, and, when the
 * cache is full, if it was not used for a long time.
 */
export function createReadThroughCache<T>(options: {
  feed: Pick<ChangeFeed, 'newest' | 'subscribe'>;
  /** In values. */
  most: number;
  /**
   * The kind of the entries, whose `record_id` is compared with `idOf`. One without it is about all values whose owner, by
   * `ownerOf`, is its `owner`.
   */
  kind: FeedRow['kind'];
  idOf: (value: T) => string;
  ownerOf?: (value: T, key: string) => string;
}) {
  const { feed, most, kind, idOf, ownerOf } = options;
  const values = new Map<string, Cached<T>>();
  /** The keys of the values with an id: a change of one record must not search all values. */
  const keysOfId = new SetsByKey<string>();
  /** `seq` of the last change of this kind. */
  let changedAt = 0;

  function remove(key: string) {
    const cached = values.get(key);
    if (!cached) return;
    values.delete(key);
    keysOfId.remove(idOf(cached.value), key);
  }

  /**
   * Removes the first value that was not used; one that was used goes to the end. Almost "least recently used", but a hit
   * only sets a flag: to move the value in the map for each request would cost more than to find it.
   */
  function makeRoom() {
    for (const [key, cached] of values) {
      if (!cached.isUsed) return remove(key);
      cached.isUsed = false;
      values.delete(key);
      values.set(key, cached);
    }
  }

  function add(key: string, value: T) {
    remove(key);
    if (values.size >= most) makeRoom();
    values.set(key, { value, isUsed: false });
    keysOfId.add(idOf(value), key);
  }

  feed.subscribe((entries) => {
    if (!entries) {
      values.clear();
      keysOfId.clear();
      changedAt = feed.newest;
      return;
    }
    const owners = new Set<string | null>();
    for (const { kind: changed, seq, record_id, owner } of entries) {
      if (changed !== kind) continue;
      changedAt = seq;
      if (record_id === null) owners.add(owner);
      else for (const key of Array.from(keysOfId.of(record_id))) remove(key);
    }
    if (owners.size === 0 || !ownerOf) return;
    for (const [key, { value }] of values) if (owners.has(ownerOf(value, key))) remove(key);
  });

  /** Returns what `read` returns, and caches it unless something of the kind has changed while it was read. */
  async function readAll(read: () => Promise<Map<string, T>>): Promise<Map<string, T>> {
    const before = feed.newest;
    const found = await read();
    if (changedAt <= before) for (const [key, value] of found) add(key, value);
    return found;
  }

  return {
    get(key: string): T | undefined {
      const cached = values.get(key);
      if (!cached) return undefined;
      cached.isUsed = true;
      return cached.value;
    },
    readAll,
    /** Returns the value of one key, cached or read. */
    async read(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const found = await readAll(async () => {
        const value = await read();
        return new Map(value === undefined ? [] : [[key, value]]);
      });
      return found.get(key);
    },
  };
}
