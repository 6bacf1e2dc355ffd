/**
 * Tells the owners, managers and watchers of swarms of members that have fallen silent: one notice for all of a swarm, at most
 * every ten minutes. The owner of a device gets another notice (`tellDue` in presence.store.ts).
 */
import { noticeMs, presenceRound } from '../../core/limits/part-limits.ts';
import type { Report } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import type { SilentMembers } from '../../core/store/presence-row.ts';
import type { Statement } from '../../core/store/statement.ts';
import { isOpen, silenceRecipients } from '../../core/store/visibility.ts';

export type SwarmSilenceActivity = (entry: {
  at: string;
  swarmId: string;
  silences: readonly SilentMembers[];
}) => Statement;

interface Telling {
  db: Database;
  holdsLease: Statement<'lost'>;
  swarmSilenceActivity: SwarmSilenceActivity;
  /** Devices of one notice. */
  mostTold: number;
  report: Report;
}

interface Due {
  swarm_id: string;
  since: number;
  tell_at: number;
}

const mostNames = 10;

/** The owners of swarms take turns. What is left waits for the next round. */
export async function tellSwarms({ db, report, ...how }: Telling, now: number): Promise<void> {
  const due = await db.read<Due>({
    sql: `SELECT swarm_id, since, tell_at FROM (
            SELECT q.swarm_id, q.since, q.tell_at,
              row_number() OVER (PARTITION BY s.user_id ORDER BY q.tell_at, q.swarm_id) AS turn
            FROM swarm_silences q JOIN swarms s ON s.id = q.swarm_id WHERE q.tell_at <= $1) waiting
          ORDER BY turn, tell_at, swarm_id LIMIT ${presenceRound.swarms}`,
    params: [now],
    isLong: true,
  });
  for (const swarm of due) {
    try {
      const { ok } = await tell({ db, ...how }, swarm, now);
      if (!ok) return;
    } catch (error) {
      // If the database is away, this fails too. The others are told without this swarm.
      const sql = 'UPDATE swarm_silences SET tell_at = $2 WHERE swarm_id = $1 AND tell_at = $3';
      await db.write([{ sql, params: [swarm.swarm_id, now + noticeMs.retry, swarm.tell_at] }]);
      report(error);
    }
  }
}

/** The members are read before the write, because others would wait while it looks through them. */
async function tell(
  { db, holdsLease, swarmSilenceActivity, mostTold }: Omit<Telling, 'report'>,
  { swarm_id: swarmId, since, tell_at }: Due,
  now: number,
) {
  /** A recipient is not told of own devices, so these have a limit of their own. */
  const silentIn = (isIn: 'IN' | 'NOT IN') => `SELECT r.id, r.name, r.name_key, r.ref, r.user_id
    FROM memberships m JOIN resources r ON r.id = m.resource_id JOIN presence p ON p.ref = r.ref
    WHERE m.swarm_id = $1 AND ${isOpen('m')} AND p.state = 'silent' AND p.changed_at >= $2
      AND r.user_id ${isIn} (SELECT user_id FROM told) LIMIT ${mostTold}`;
  const silences = await db.read<SilentMembers>({
    sql: `WITH told AS MATERIALIZED (${silenceRecipients('$1')}),
          silent AS MATERIALIZED (
            SELECT * FROM (${silentIn('NOT IN')}) of_others UNION ALL SELECT * FROM (${silentIn('IN')}) of_told),
          member AS (
            SELECT told.user_id AS told_user, silent.id, silent.name, silent.user_id,
              row_number() OVER (PARTITION BY told.user_id ORDER BY silent.name_key, silent.ref) AS place
            FROM told JOIN silent ON silent.user_id <> told.user_id)
          SELECT told_user AS user_id, count(*) AS devices,
            CASE WHEN count(*) > 1 THEN string_agg(CASE WHEN place <= ${mostNames} THEN name ELSE '…' END, ', ' ORDER BY place)
              FILTER (WHERE place <= ${mostNames + 1}) END AS names,
            CASE WHEN count(*) = 1 THEN min(id) END AS resource_id,
            CASE WHEN count(*) = 1 THEN min(name) END AS resource_name,
            CASE WHEN count(*) = 1 THEN min(user_id) END AS resource_owner
          FROM member GROUP BY told_user`,
    params: [swarmId, since],
    isLong: true,
  });
  return db.write([
    holdsLease,
    swarmSilenceActivity({ at: new Date(now).toISOString(), swarmId, silences }),
    {
      sql: 'UPDATE swarm_silences SET tell_at = NULL, told_at = coalesce($2, told_at) WHERE swarm_id = $1 AND tell_at = $3',
      params: [swarmId, silences.length > 0 ? now : null, tell_at],
    },
  ]);
}
