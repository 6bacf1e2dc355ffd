import { Client, type Pool } from 'pg';
import { announcementChannel } from './announcements.ts';
import { newestMigration, unknownMigration } from '../schema/migrations.ts';
import { prepared } from './connection.ts';
import { storageError } from './fault.ts';

const channel = 'swarmdeck_feed';
/** What a notification says after a migration; others say nothing. */
const migrated = 'migrated';
export const announceMigration = `NOTIFY ${channel}, '${migrated}'`;
/** By which a process that listens is known, with the version of its tables. */
const listenerName = (migration: string) => `swarmdeck ${migration}`;
/** The least milliseconds between notifications, which cost the database more than a poll if each write sends one. */
const notifyEveryMs = 20;
/**
 * The poll finds commits of a process that ended before its notification, and those made while the listening connection
 * was lost.
 */
const pollEveryMs = 1000;
const reconnectMs = 500;

/** The statements by which a connection that listens is found: it has no other last one. */
const lastStatements = `'LISTEN ${channel}', 'NOTIFY ${channel}'`;

/**
 * Calls subscribers after each commit of this process, before its `write` resolves, and soon after those of others.
 *
 * Triggers append what changed to `feed_pending`. `publish_feed()` (schema/postgres-functions.ts) moves what is committed to `feed` and
 * numbers it there, one transaction after the other. Numbers that the writing transactions took themselves would become
 * visible in another order, and a reader would miss the late ones.
 *
 * `url`: not of PgBouncer, because LISTEN belongs to a connection. `onNewerTables` is called once, with the name of the
 * migration, if a newer version has changed the tables.
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
  let listener: Client | undefined;
  /** While it listens: by which the server names the sender of a notification. */
  let listenerId: number | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
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
    const connection = listenerId === undefined ? pool : listener!;
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

  async function listen() {
    // `pipeline`: a notification may still be under way when the next one is sent.
    const client = new Client({
      connectionString: url,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    listener = client;
    const lose = () => {
      if (listener !== client) return;
      listener = undefined;
      listenerId = undefined;
      if (!isClosed) reconnecting = setTimeout(() => void listen(), reconnectMs);
    };
    client.on('error', report);
    client.on('end', lose);
    client.on('notification', ({ channel: from, processId, payload }) => {
      if (from === announcementChannel) return onAnnounced(payload ?? '');
      if (payload === migrated) isMigrationDue = true;
      if (processId !== listenerId) void nextRun();
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ id: number }>(
        `SELECT pg_backend_pid() AS id, set_config('application_name', $1, false)`,
        [listenerName(newestMigration)],
      );
      await client.query(`LISTEN ${announcementChannel}`);
      // From here on, this connection has no other last query than this one and NOTIFY: by them it is found.
      await client.query(`LISTEN ${channel}`);
      listenerId = rows[0]?.id;
      isMigrationDue = true;
    } catch (error) {
      report(error);
      await client.end().catch(() => {});
      lose();
    }
  }

  await listen();
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
      clearTimeout(reconnecting);
      await next;
      await running;
      const client = listener;
      listener = undefined;
      listenerId = undefined;
      await client?.end().catch(() => {});
    },
  };
}

/** Whether a server uses the database. */
export async function isInUse({ url }: { url: string }): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND query IN (${lastStatements})`,
    );
    return rows.length > 0;
  } catch (error) {
    throw storageError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Where the processes of older versions are that use the database: released ones have no name, and are not told of a migration. */
export async function readOlderProcesses(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<[string]>(
    prepared(
      pool,
      `SELECT coalesce(host(client_addr) || ':' || client_port, 'this machine') FROM pg_stat_activity
        WHERE datname = current_database() AND query IN (${lastStatements})
          AND (application_name NOT LIKE '${listenerName('%')}' OR application_name < $1) ORDER BY 1`,
      [listenerName(newestMigration)],
    ),
  );
  return rows.map(([address]) => address);
}

/** Moves what is committed to `feed`. Returns the number of entries. */
async function publishChanges(pool: Pool): Promise<number> {
  const { rows } = await pool.query<[number]>(prepared(pool, 'SELECT publish_feed()'));
  return rows[0]![0];
}
