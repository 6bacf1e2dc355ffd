/**
 * The ordered list of what changed (migration 0008). Triggers append to it in the transaction of the change.
 * A module that caches data of the database subscribes, or reads on from a cursor of its own.
 */
import type { Database } from '../store/database.ts';
import type { Value } from '../store/statement.ts';
import type { FeedRow } from '../store/tables.ts';

export interface Feed {
  /** Cursors of a feed with another name are not valid here. */
  readonly name: string;
  /** `seq` of the newest entry that subscribers have received. */
  readonly newest: number;
  /** The entries after `after`; undefined if some are purged, or if there are more than `most`. */
  since(after: number, most: number): FeedRow[] | undefined;
  /**
   * Calls `subscriber` with the entries of each commit, before its write resolves. Errors of the subscriber are
   * reported. Returns a function that ends the subscription.
   */
  subscribe(subscriber: (entries: readonly FeedRow[]) => void): () => void;
  close(): void;
}

interface FeedCursor {
  /** `seq` of the last entry that was read. */
  readonly seq: number;
  /** The entries since the last call; undefined if some of them are purged. */
  take(): FeedRow[] | undefined;
}

/** Reads rows as arrays. */
type Read = (sql: string, params: Value[]) => readonly (readonly Value[])[];

const columns = `seq, at, kind, owner, recipient, ref, resource_id, swarm_id, record_id, swarms_before, users_before,
  is_bulk`;
const selectNewest = 'SELECT coalesce(max(seq), 0) AS seq FROM feed';
const selectAfter = `SELECT ${columns} FROM feed WHERE seq > $1 ORDER BY seq LIMIT $2`;

const newestOf = (read: Read) => Number(read(selectNewest, [])[0]![0]);
/** In the order of `columns`. */
const entryOf = ([
  seq,
  at,
  kind,
  owner,
  recipient,
  ref,
  resource_id,
  swarm_id,
  record_id,
  swarms_before,
  users_before,
  is_bulk,
]: readonly Value[]) =>
  ({
    seq,
    at,
    kind,
    owner,
    recipient,
    ref,
    resource_id,
    swarm_id,
    record_id,
    swarms_before,
    users_before,
    is_bulk,
  }) as FeedRow;
/** Whether every entry after this one exists: the oldest are purged first. */
const reaches = (read: Read, after: number, first: FeedRow) =>
  first.seq === after + 1 || read('SELECT 1 FROM feed WHERE seq <= $1 LIMIT 1', [after]).length > 0;

/** Reads the feed from its end on. `read` must see committed data. */
export function createFeedCursor(read: Read): FeedCursor {
  let seq = newestOf(read);
  return {
    get seq() {
      return seq;
    },
    take() {
      const entries = read(selectAfter, [seq, Number.MAX_SAFE_INTEGER]).map(entryOf);
      const first = entries[0];
      if (!first) return entries;
      const isWhole = reaches(read, seq, first);
      seq = entries.at(-1)!.seq;
      return isWhole ? entries : undefined;
    },
  };
}

export function createFeed({ db, report }: { db: Database; report: (error: unknown) => void }): Feed {
  const read: Read = (sql, params) => db.tuples(sql, ...params);
  const { name } = db.get<{ name: string }>('SELECT name FROM feed_name')!;
  const cursor = createFeedCursor(read);
  const subscribers = new Set<(entries: readonly FeedRow[]) => void>();

  // A commit purges fewer entries than there are, so this cursor cannot fall behind.
  const unsubscribe = db.onCommit(() => {
    const entries = cursor.take() ?? [];
    if (entries.length === 0) return;
    for (const subscriber of subscribers) {
      try {
        subscriber(entries);
      } catch (error) {
        report(error);
      }
    }
  });

  return {
    name,
    get newest() {
      return cursor.seq;
    },
    since(after, most) {
      if (after > cursor.seq || cursor.seq - after > most) return undefined;
      const entries = read(selectAfter, [after, most]).map(entryOf);
      return entries.length === 0 || reaches(read, after, entries[0]!) ? entries : undefined;
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    close: unsubscribe,
  };
}
