/** What devices were refused, in columns of `presence`. */
import { presenceRound } from '../../core/limits/part-limits.ts';
import type { Database } from '../../core/store/database.ts';
import type { Statement } from '../../core/store/statement.ts';

/** A request with this operation was accepted. */
export interface EndedRefusal {
  id: string;
  operation: string;
}

interface Counted {
  id: string;
  /** Since the last write. */
  times: number;
  at: number;
}

export type RefusalStore = ReturnType<typeof createRefusalStore>;

const given = (name: string) => `json_extract(given.value, '$.${name}')`;
const number = (name: string) => `CAST(${given(name)} AS bigint)`;
const devices = `elements($1) given JOIN resources r ON r.id = ${given('id')}`;

/** Other processes may write the same rows, so all lock them in one order. */
const lockRows = (list: string): Statement => ({
  sql: `SELECT 1 FROM presence WHERE ref IN (SELECT r.ref FROM ${devices}) ORDER BY ref FOR UPDATE`,
  params: [list],
});

export function createRefusalStore({ db }: { db: Database }) {
  const { rows: atOnce } = presenceRound;

  /** `set`: of the rows of `presence` of these devices. */
  async function update(changes: readonly { id: string }[], set: string) {
    for (let from = 0; from < changes.length; from += atOnce) {
      const list = JSON.stringify(changes.slice(from, from + atOnce));
      await db.write([lockRows(list), { sql: `UPDATE presence SET ${set}`, params: [list] }]);
    }
  }

  return {
    /** The devices that have refusals, and by which operation the last one was: all, or of these, at most so many. */
    async refused(ids: readonly string[] | undefined, most: number): Promise<EndedRefusal[]> {
      const select = `SELECT r.id, p.refused_by AS operation FROM presence p JOIN resources r ON r.ref = p.ref
        WHERE p.refused_at IS NOT NULL`;
      if (ids === undefined) return db.read({ sql: `${select} LIMIT ${most}`, isLong: true });
      return db.read({ sql: `${select} AND r.id IN (SELECT value FROM elements($1))`, params: [JSON.stringify(ids)] });
    },

    /** An accepted request ends the refusals of its operation, and those without an operation. */
    end: (ended: readonly EndedRefusal[]) =>
      update(
        ended,
        `refused_at = NULL, refused = 0, refused_as = NULL, refused_by = NULL, refused_detail = NULL
         FROM ${devices} WHERE presence.ref = r.ref AND presence.refused_by IN ('', ${given('operation')})`,
      ),

    /** They were heard, so that their rows are there. The counts of all processes add up. */
    refuse: (refusals: readonly (Counted & { code: string; detail: string; operation: string })[]) =>
      update(
        refusals,
        `refused = presence.refused + ${number('times')}, refused_at = ${number('at')}, refused_as = ${given('code')},
         refused_by = ${given('operation')}, refused_detail = ${given('detail')} FROM ${devices} WHERE presence.ref = r.ref`,
      ),

    /** The row of a device that was never heard has no time. An id that no device has is ignored. */
    async addWrongKeys(counts: readonly Counted[]): Promise<void> {
      for (let from = 0; from < counts.length; from += atOnce) {
        const list = JSON.stringify(counts.slice(from, from + atOnce));
        const sql = `INSERT INTO presence (ref, heard_at, state, changed_at, due_at, wrong_keys, wrong_key_at)
          SELECT r.ref, 0, 'offline', 0, NULL, ${number('times')}, ${number('at')} FROM ${devices} WHERE true ORDER BY r.ref
          ON CONFLICT (ref) DO UPDATE SET wrong_keys = presence.wrong_keys + excluded.wrong_keys,
            wrong_key_at = excluded.wrong_key_at`;
        await db.write([{ sql, params: [list] }]);
      }
    },

    /** Forgets the refusals and wrong keys from before this time, in chunks. */
    async purge(before: number): Promise<void> {
      for (const [column, values] of [
        ['refused_at', 'refused_at = NULL, refused = 0, refused_as = NULL, refused_by = NULL, refused_detail = NULL'],
        ['wrong_key_at', 'wrong_key_at = NULL, wrong_keys = 0'],
      ]) {
        const next = `SELECT ref FROM presence WHERE ${column} < $1 ORDER BY ref LIMIT ${atOnce}`;
        const sql = `UPDATE presence SET ${values} WHERE ref IN (${next})`;
        while ((await db.write([{ sql, params: [before], orFail: 'none left' }])).ok);
      }
    },
  };
}
