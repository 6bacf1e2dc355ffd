import { consentLimits } from '../limits/part-limits.ts';
import type { Database } from '../store/database.ts';
import { createLease } from '../store/lease.ts';
import type { Statement } from '../store/statement.ts';

/** The entries about what ends: they come before the deletions of the same write. */
export interface EndActivity {
  endedMembers: (entry: { at: string; swarmId: string; ids: readonly string[] }) => Statement;
  watcher: (entry: {
    kind: 'swarm.watcher_ended' | 'swarm.watcher_withdrawn';
    actor: string;
    at: string;
    swarmId: string;
    userId: string;
  }) => Statement;
  /** About those that end after `after`, and not after `until`, and had begun by `begunBefore`. */
  ending: (entry: Record<'at' | 'after' | 'until' | 'begunBefore', string>) => Statement[];
}

/** `holder`: this process. */
export function createConsentEndsStore(options: { db: Database; holder: string; activity: EndActivity }) {
  const { db, holder, activity } = options;
  const lease = createLease({ db, name: 'consent_ends', holder });

  /** The first end after this time; null if there is none. */
  async function firstEnd(after: string): Promise<string | null> {
    const [row] = await db.read<{ ends_at: string | null }>({
      sql: `SELECT min(ends_at) AS ends_at FROM (
              SELECT (SELECT min(ends_at) FROM memberships WHERE ends_at > $1) AS ends_at
              UNION ALL SELECT (SELECT min(ends_at) FROM managers WHERE ends_at > $1)) ends`,
      params: [after],
    });
    return row!.ends_at;
  }

  /** Deletes these members of a swarm that have ended, as if its owner had removed them. Returns false if the lease is lost. */
  async function removeMembers(of: { swarmId: string; owner: string; ids: readonly string[]; at: string }) {
    const { swarmId, owner, ids, at } = of;
    const written = await db.write([
      { ...lease.holds, user: owner, rows: ids.length },
      { sql: 'UPDATE swarms SET version = version + 1 WHERE id = $1', params: [swarmId] },
      activity.endedMembers({ at, swarmId, ids }),
      {
        sql: `DELETE FROM memberships WHERE swarm_id = $1 AND resource_id IN (SELECT value FROM elements($2)) AND ends_at <= $3`,
        params: [swarmId, JSON.stringify(ids), at],
      },
    ]);
    return written.ok;
  }

  /** All that end until this time were told, or began later to have an end that is so near. */
  async function toldTo(): Promise<string> {
    const [row] = await db.read<{ told_to: string }>({ sql: 'SELECT told_to FROM end_notices' });
    return row?.told_to ?? '';
  }

  return {
    firstEnd,
    toldTo,
    takeLease: (now: number) => lease.take(now),

    /** Deletes some members that have ended. Returns how many were found; undefined if the lease is lost. */
    async removeSomeMembers(at: string): Promise<number | undefined> {
      const due = await db.read<{ swarm_id: string; resource_id: string; owner: string }>({
        // Those of a swarm that is being deleted are deleted with it.
        sql: `SELECT m.swarm_id, m.resource_id, s.user_id AS owner FROM memberships m JOIN swarms s ON s.id = m.swarm_id
              WHERE m.ends_at <= $1 AND s.user_id <> '' ORDER BY m.ends_at LIMIT ${consentLimits.ofRound}`,
        params: [at],
        isLong: true,
      });
      const parts = [...Map.groupBy(due, ({ swarm_id }) => swarm_id)].flatMap(([swarmId, rows]) => {
        const ids = rows.map(({ resource_id }) => resource_id);
        const starts = Array.from(
          { length: Math.ceil(ids.length / consentLimits.atOnce) },
          (_, n) => n * consentLimits.atOnce,
        );
        return starts.map((from) => ({
          swarmId,
          owner: rows[0]!.owner,
          ids: ids.slice(from, from + consentLimits.atOnce),
          at,
        }));
      });
      // Those of several swarms share a commit.
      const removed = await Promise.all(parts.map(removeMembers));
      return removed.every(Boolean) ? due.length : undefined;
    },

    /** Deletes the watchers that have ended, and the requests that nobody answered in time. */
    async removeWatchers(at: string): Promise<void> {
      const due = await db.read<{ swarm_id: string; user_id: string; owner: string; agreed_at: string | null }>({
        sql: `SELECT w.swarm_id, w.user_id, s.user_id AS owner, w.agreed_at FROM managers w JOIN swarms s ON s.id = w.swarm_id
              WHERE w.ends_at <= $1 AND s.user_id <> '' ORDER BY w.ends_at LIMIT ${consentLimits.ofRound}`,
        params: [at],
      });
      await Promise.all(
        due.map(({ swarm_id: swarmId, user_id: userId, owner, agreed_at }) => {
          const kind = agreed_at === null ? 'swarm.watcher_withdrawn' : 'swarm.watcher_ended';
          return db.write([
            { ...lease.holds, user: owner },
            { sql: 'SELECT 1 FROM swarms WHERE id = $1 FOR UPDATE', params: [swarmId] },
            {
              sql: `SELECT 1 FROM managers WHERE swarm_id = $1 AND user_id = $2 AND ends_at <= $3
                      AND agreed_at IS NOT DISTINCT FROM $4`,
              params: [swarmId, userId, at, agreed_at],
              orFail: 'changed',
            },
            activity.watcher({ kind, actor: owner, at, swarmId, userId }),
            { sql: 'DELETE FROM managers WHERE swarm_id = $1 AND user_id = $2', params: [swarmId, userId] },
          ]);
        }),
      );
    },

    /** Tells who may extend what ends until this time and was not told. What has just begun needs no notice. */
    async tell({ at, until }: { at: Date; until: string }): Promise<void> {
      const told = await toldTo();
      // The clock may have been set back.
      const after = [told, at.toISOString()].toSorted().at(-1)!;
      const begunBefore = new Date(at.getTime() - consentLimits.begunMs).toISOString();
      await db.write([
        lease.holds,
        ...(after >= until ? [] : activity.ending({ at: at.toISOString(), after, until, begunBefore })),
        {
          sql: `INSERT INTO end_notices (id, told_to) VALUES (1, $1)
                ON CONFLICT (id) DO UPDATE SET told_to = excluded.told_to WHERE end_notices.told_to = $2`,
          params: [until, told],
          orFail: 'told',
        },
      ]);
    },
  };
}
