/** To which process a device has a connection (`presence.connected_to`). */
import { presenceRound } from '../../core/limits/part-limits.ts';
import type { Database } from '../../core/store/database.ts';

/** In ms: of a process that has connections. */
const processLeaseMs = 60_000;
const nameOfProcess = (holder: string) => `process ${holder}`;

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

/** `holder`: this process. */
export function createConnectionStore({ db, holder }: { db: Database; holder: string }) {
  const { rows: atOnce } = presenceRound;

  /** Ends the next ones, and with the last one the lease. Returns false if there are no more. */
  async function endConnectionsOf(process: string): Promise<boolean> {
    const next = `SELECT ref FROM presence WHERE connected_to = $1 ORDER BY ref LIMIT ${atOnce}`;
    const written = await db.write([
      { sql: `SELECT 1 FROM presence WHERE ref IN (${next}) ORDER BY ref FOR UPDATE`, params: [process] },
      {
        sql: `UPDATE presence SET connected_to = NULL WHERE ref IN (${next}) RETURNING ref`,
        params: [process],
        isResult: true,
      },
    ]);
    if (written.ok && written.rows.length === atOnce) return true;
    await db.write([{ sql: 'DELETE FROM leases WHERE name = $1', params: [nameOfProcess(process)] }]);
    return false;
  }

  return {
    /** Renews the lease of this process: without it, its connections count no more. */
    async renewProcess(now: number): Promise<void> {
      const sql = `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET until = excluded.until`;
      await db.write([{ sql, params: [nameOfProcess(holder), holder, now + processLeaseMs] }]);
    },

    /**
     * Whether these devices have a connection to this process, which may be newer than one to another. Those that were never heard have no
     * row, and none.
     */
    async connected(devices: readonly { id: string; isConnected: boolean }[]): Promise<void> {
      for (let from = 0; from < devices.length; from += atOnce) {
        const slice = devices.slice(from, from + atOnce);
        const idsOf = (isConnected: boolean) =>
          JSON.stringify(slice.filter((device) => device.isConnected === isConnected).map(({ id }) => id));
        const refs = 'SELECT r.ref FROM elements($2) given JOIN resources r ON r.id = given.value';
        await db.write([
          {
            sql: `SELECT 1 FROM presence WHERE ref IN (SELECT r.ref FROM elements($1) given JOIN resources r ON r.id = given.value)
                  ORDER BY ref FOR UPDATE`,
            params: [JSON.stringify(slice.map(({ id }) => id))],
          },
          {
            sql: `UPDATE presence SET connected_to = $1 WHERE connected_to IS DISTINCT FROM $1 AND ref IN (${refs})`,
            params: [holder, idsOf(true)],
          },
          {
            sql: `UPDATE presence SET connected_to = NULL WHERE connected_to = $1 AND ref IN (${refs})`,
            params: [holder, idsOf(false)],
          },
        ]);
      }
    },

    /** Ends some connections of a process that is gone. Returns false if there were none. */
    async endConnections(now: number): Promise<boolean> {
      const [gone] = await db.read<{ holder: string }>({
        sql: `SELECT holder FROM leases WHERE name LIKE '${nameOfProcess('%')}' AND (until < $1 OR until > $2) LIMIT 1`,
        params: [now, now + 2 * processLeaseMs],
      });
      if (!gone) return false;
      await endConnectionsOf(gone.holder);
      return true;
    },
  };
}
