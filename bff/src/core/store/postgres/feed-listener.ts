/** The connection of a process that is notified of what others have written, and how such connections are found. */
import { Client, type Pool } from 'pg';
import { newestMigration } from '../schema/migrations.ts';
import { announcementChannel } from './announcements.ts';
import { prepared } from './connection.ts';
import { storageError } from './fault.ts';

export const channel = 'swarmdeck_feed';
/** What a notification says after a migration; others say nothing. */
const migrated = 'migrated';
export const announceMigration = `NOTIFY ${channel}, '${migrated}'`;
/** By which a process that listens is known, with the version of its tables. */
const listenerName = (migration: string) => `swarmdeck ${migration}`;
const reconnectMs = 500;

/** The statements by which a connection that listens is found: it has no other last one. */
const lastStatements = `'LISTEN ${channel}', 'NOTIFY ${channel}'`;

/** Listens, and connects again when the connection is lost. `url`: not of PgBouncer, because LISTEN belongs to a connection. */
export function createFeedListener({
  url,
  onAnnounced,
  onNotified,
  onMayBeMigrated,
  report,
}: {
  url: string;
  onAnnounced: (notification: string) => void;
  /** Another process has published changes. */
  onNotified: () => void;
  /** A migration was announced, or may have been while nothing listened. */
  onMayBeMigrated: () => void;
  report: (error: unknown) => void;
}) {
  let listener: Client | undefined;
  /** While it listens: by which the server names the sender of a notification. */
  let listenerId: number | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let isClosed = false;

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
      if (payload === migrated) onMayBeMigrated();
      if (processId !== listenerId) onNotified();
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
      onMayBeMigrated();
    } catch (error) {
      report(error);
      await client.end().catch(() => {});
      lose();
    }
  }

  return {
    begin: listen,
    /** The connection, while it listens. It ignores its own notifications. */
    connection: (): Client | undefined => (listenerId === undefined ? undefined : listener),
    async close() {
      isClosed = true;
      clearTimeout(reconnecting);
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
