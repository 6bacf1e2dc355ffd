import type { Pool } from 'pg';
import { unknownMigration } from '../schema/migrations.ts';
import { prepared } from './connection.ts';
import { storageError } from './fault.ts';
import { channel, createFeedListener } from './feed-listener.ts';

/** The least milliseconds between notifications, which cost the database more than a poll if each write sends one. */
const notifyEveryMs = 20;
/**
 * The poll finds commits of a process that ended before its notification, and those made while the listening connection
 * was lost.
 */
const pollEveryMs = 1000;

/**
 * Calls subscribers after each commit of this process, before its `write` resolves, and soon after those of others.
 *
 * Triggers append what changed to `feed_pending`. `publish_feed()` (schema/postgres-functions.ts) moves what is committed to `feed` and
 * numbers it there, one transaction after the other. Numbers that the writing transactions took themselves would become
 * visible in another order, and a reader would miss the late ones.
 *
 * `url`: of the connection that listens (feed-listener.ts). `onNewerTables` is called once, with the name of the migration, if a newer
 * version has changed the tables.
 */
export async function createChangeNotifier(options: {
  pool: Pool;
  url: string;
  onAnnounced: (notification: string) => void;
  report: (error: unknown) => void;
  onNewerTables: (migration: string) => void;
}) {
  const { pool, url, onAnnounced, report, onNewerTables } = options;
  const subscribers = new Set<() => Promise<void>>();
  let running: Promise<{ fault?: unknown }> = Promise.resolve({});
  let next: typeof running | undefined;
  let nextPublishes = false;
  let notifying: NodeJS.Timeout | undefined;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  /** A migration was announced, or may have been while nothing listened. */
  let isMigrationDue = false;
  let isOutdated = false;

  async function run(publishes: boolean): Promise<{ fault?: unknown }> {
    if (isClosed || isOutdated) return {};
    let fault: unknown;
    try {
      if (isMigrationDue) await lookForMigration();
      if (publishes && (await publishChanges(pool)) > 0) notifyOthers();
      await Promise.all([...subscribers].map((subscriber) => subscriber()));
    } catch (error) {
      // The next poll does it.
      report(error);
      fault = error;
    }
    return { fault };
  }

  async function lookForMigration() {
    const { rows } = await pool.query<[string]>(prepared(pool, 'SELECT name FROM swarmdeck_migrations'));
    isMigrationDue = false;
    const newer = unknownMigration(rows.map(([name]) => name));
    if (newer === undefined) return;
    isOutdated = true;
    onNewerTables(newer);
  }

  /** The first at once, the next ones together. */
  function notifyOthers() {
    notifying ??= setTimeout(() => void notify(), Math.max(0, notifiedAt + notifyEveryMs - performance.now()));
  }

  async function notify() {
    notifying = undefined;
    notifiedAt = performance.now();
    // By the connection that listens, because it then ignores it.
    const connection = listener.connection() ?? pool;
    await connection.query(`NOTIFY ${channel}`).catch(report);
  }

  /** One run at a time; a run that starts after the commit includes it. */
  function nextRun({ publishes = true } = {}): typeof running {
    nextPublishes ||= publishes;
    next ??= running.then(() => {
      running = run(nextPublishes);
      next = undefined;
      nextPublishes = false;
      return running;
    });
    return next;
  }

  const listener = createFeedListener({
    url,
    onAnnounced,
    onNotified: () => void nextRun(),
    onMayBeMigrated: () => void (isMigrationDue = true),
    report,
  });
  await listener.begin();
  const polling = setInterval(() => void nextRun(), pollEveryMs);

  return {
    /**
     * Publishes what is committed, unless the commit did that, and calls the subscribers. Never rejects: the write is on
     * disk.
     */
    async changed(isPublished: boolean) {
      if (isPublished) notifyOthers();
      await nextRun({ publishes: !isPublished });
    },
    /** Reads what has changed. Rejects if it failed. */
    async catchUp() {
      const { fault } = await nextRun();
      if (fault !== undefined) throw storageError(fault);
    },
    notifyOthers,
    subscribe(subscriber: () => Promise<void>) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    async close() {
      isClosed = true;
      clearInterval(polling);
      clearTimeout(notifying);
      await next;
      await running;
      await listener.close();
    },
  };
}

/** Moves what is committed to `feed`. Returns the number of entries. */
async function publishChanges(pool: Pool): Promise<number> {
  const { rows } = await pool.query<[number]>(prepared(pool, 'SELECT publish_feed()'));
  return rows[0]![0];
}
