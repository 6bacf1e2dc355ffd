/**
 * The PostgreSQL store: any number of processes on one database, with a pool of connections for each.
 */
import { createFairQueue } from '../../limits/fair-queue.ts';
import type { Database } from '../database.ts';
import { type Query, type Write, type WriteResult, StorageError } from '../statement.ts';
import { createReaderThread } from '../reader-thread.ts';
import { createAnnouncements } from './announcements.ts';
import { createChangeNotifier } from './change-notifier.ts';
import { readOlderProcesses } from './feed-listener.ts';
import { openPool, prepared, rowsOf } from './connection.ts';
import { storageError } from './fault.ts';
import { migrate, unfinishedMove } from './migrate.ts';
import { createWriter } from './writer.ts';

/** Of the ten connections of the pool, two stay for writes and for reads of the server itself. */
const readsOfUsers = 8;

/**
 * Opens the database and brings it up to date; of several processes one does, and the others wait.
 * `url`: `postgres://user:password@host/database`. `directUrl`: the same database without a pooler, where `url` is of
 * PgBouncer in transaction mode. `report`: gets the errors of subscribers and lost connections.
 * `onOutdated`: a newer version has changed the tables; nothing is read or written any more.
 * @throws StorageError with a sentence for the operator
 */
export async function openDatabase({
  url,
  directUrl,
  report = () => {},
  onOutdated = () => {},
}: {
  url: string;
  directUrl?: string | undefined;
  report?: (error: unknown) => void;
  onOutdated?: (error: StorageError) => void;
}): Promise<Database> {
  await migrate({ url: directUrl ?? url });
  const pool = openPool({ url, isPooled: directUrl !== undefined, onLost: report });
  if (await unfinishedMove(pool)) {
    await pool.end();
    throw new StorageError('away', 'a move into this database was interrupted: run `swarmdeck move` again');
  }
  let outdated: StorageError | undefined;
  const announcements = createAnnouncements({ pool, report });
  const feed = await createChangeNotifier({
    pool,
    url: directUrl ?? url,
    onAnnounced: announcements.received,
    report,
    onNewerTables(migration) {
      outdated = new StorageError(
        'away',
        `a newer version of Swarmdeck has updated the database (${migration}). Start that one`,
      );
      onOutdated(outdated);
    },
  });
  const writer = createWriter({ pool, onCommit: feed.changed, notifyOthers: feed.notifyOthers });
  const shapes = createReaderThread({ url: directUrl ?? url, onLost: report });
  const turns = createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY, atOnce: readsOfUsers });
  let isClosed = false;
  let closing: Promise<void> | undefined;

  async function read<R>(query: Query): Promise<R[]> {
    if (outdated) throw outdated;
    if (query.shape) return shapes.ask(query) as Promise<R[]>;
    const { user, isLong } = query;
    // Long ones have had their turns (`createLongReads`).
    return user === undefined || isLong ? readRows(query) : turns.run({ user }, () => readRows(query));
  }

  async function readRows<R>(query: Query): Promise<R[]> {
    try {
      return rowsOf(await pool.query(prepared(pool, query.sql, query.params))) as R[];
    } catch (error) {
      throw storageError(error);
    }
  }

  async function write(statements: Write): Promise<WriteResult> {
    if (isClosed) throw new StorageError('away', 'the database is closed');
    if (outdated) throw outdated;
    return writer.write(statements);
  }

  async function close() {
    isClosed = true;
    await writer.close();
    await announcements.close();
    await feed.close();
    await shapes.stop();
    await pool.end();
  }

  return {
    read,
    write: write as Database['write'],
    onCommit: feed.subscribe,
    newestEntry: () => undefined,
    catchUp: feed.catchUp,
    announce: announcements.announce,
    onAnnounced: announcements.subscribe,
    warm: shapes.warm,
    // There are ten connections: six stay for reads that do not take long.
    longReads: 4,
    // Each has a connection.
    readsTogether: 1,
    // For threads, which have connections of their own.
    url: directUrl ?? url,
    get alive() {
      return !isClosed && !outdated;
    },
    get isOutdated() {
      return outdated !== undefined;
    },
    readSpace: async () => undefined,
    giveSpaceBack: async () => false,
    olderProcesses: () => readOlderProcesses(pool),
    measure: () => ({ commits: writer.commits, threadRestarts: { reader: shapes.restarts } }),
    close: () => (closing ??= close()),
  };
}
