/** Says which actions are due, and which process has an action. action-results.store.ts stores what a batch has done. */
import { firstRow } from '../../core/store/statement.ts';
import { endLostBatches } from './action-results.store.ts';
import { columns, type ActionRow } from './action-row.ts';
import { latestSeconds } from './actions.store.ts';
import { chunkSize } from './chunks.store.ts';
import type { Executor } from './executor.ts';

/** The condition that an action runs or waits. The index `actions_open` has the states in this order. */
const isOpen = `(state = 'pending' OR state = 'running')`;
const usersOfRound = 1000;

/** The condition that an action's time has come and no other process has it, with the names of the parameters. */
const isDue = ({ now, process, latest }: Record<'now' | 'process' | 'latest', string>) =>
  `(state = 'running' OR runs_at <= ${now} OR runs_at > ${latest})
     AND (taken_by = ${process} OR taken_until <= ${now} OR taken_until > ${latest})`;

/**
 * The actions that are due: the first of each user. Those with few items go first, so that a click does not wait
 * for a long action. While another process executes an action of a user, their other actions wait: they may concern
 * the same records.
 */
export async function readDueActions({ db, process, at }: Executor): Promise<ActionRow[]> {
  const next = (user: string) =>
    `(SELECT user_id FROM actions WHERE user_id > ${user || "''"} AND ${isOpen} ORDER BY user_id LIMIT 1)`;
  const isLong = `(CASE WHEN total > ${chunkSize} THEN 1 ELSE 0 END)`;
  const first = (long: 0 | 1) => `(SELECT id FROM actions WHERE user_id = users.user_id
        AND ${isLong} = ${long} AND ${isOpen} ORDER BY state DESC, runs_at, id LIMIT 1)`;
  const rows = await db.read<ActionRow>({
    sql: `WITH RECURSIVE users (user_id) AS (SELECT ${next('')}
                UNION ALL SELECT ${next('users.user_id')} FROM users WHERE users.user_id IS NOT NULL)
              SELECT ${columns} FROM actions WHERE id IN (SELECT ${first(0)} FROM users UNION ALL SELECT ${first(1)} FROM users)
                AND (state = 'running' OR runs_at <= $1 OR runs_at > $3)
                AND user_id NOT IN (SELECT user_id FROM actions WHERE state = 'running' AND taken_by <> $2
                  AND taken_until > $1 AND taken_until <= $3)
              ORDER BY ${isLong}, runs_at LIMIT ${usersOfRound}`,
    params: [at(0), process, at(latestSeconds)],
  });
  const users = new Set<string>();
  return rows.filter(({ user_id }) => users.size < users.add(user_id).size);
}

/** When the next action is due; undefined if none is. Those that wait for another process are due when it may end. */
export async function readNextDue({ db, process, at }: Executor): Promise<number | undefined> {
  const isElsewhere = `state = 'running' AND taken_by <> $2 AND taken_until > $1 AND taken_until <= $3`;
  const waits = `user_id IN (SELECT user_id FROM actions WHERE ${isElsewhere})`;
  const sql = `SELECT min(due) AS due FROM (SELECT min(runs_at) AS due FROM actions WHERE state = 'pending' AND NOT ${waits}
        UNION ALL SELECT min(greatest(runs_at, taken_until)) FROM actions
          WHERE state = 'running' AND ((${isElsewhere}) OR NOT ${waits})) AS each`;
  const [next] = await db.read<{ due: string | null }>({ sql, params: [at(0), process, at(latestSeconds)] });
  return next!.due === null ? undefined : Date.parse(next!.due);
}

/** Takes an action for this process. Undefined if it has changed, or another process has it. */
export async function takeAction(
  { db, process, at }: Executor,
  { id, seconds }: { id: string; seconds: number },
): Promise<ActionRow | undefined> {
  const written = await db.write([
    {
      sql: `UPDATE actions SET state = 'running', taken_by = $2, taken_until = $4 WHERE id = $1
                  AND state IN ('pending', 'running') AND ${isDue({ now: '$3', process: '$2', latest: '$5' })}
                RETURNING ${columns}`,
      params: [id, process, at(0), at(seconds), at(latestSeconds)],
      orFail: 'changed',
      isResult: true,
    },
  ]);
  return written.ok ? firstRow<ActionRow>(written.rows) : undefined;
}

/** Lets this process take the actions of a process that has ended, if there is only one. */
export async function releaseAllActions(executor: Executor): Promise<void> {
  await endLostBatches(executor, { until: '~' });
  await executor.db.write([{ sql: `UPDATE actions SET taken_until = '' WHERE taken_until <> ''` }]);
}

/** Lets other processes take the actions of this one. `begun`: those with a chunk that is to be repeated. */
export async function releaseActions({ db, process }: Executor, begun: readonly string[]): Promise<void> {
  const sql = `UPDATE actions SET taken_until = '',
                     taken_by = CASE WHEN id IN (SELECT value FROM elements($2)) THEN taken_by ELSE '' END
                   WHERE taken_until <> '' AND taken_by = $1`;
  await db.write([{ sql, params: [process, JSON.stringify(begun)] }]);
}

/** Releases these actions of this process, if they are paused or stopped. Their next chunk has not begun. */
export async function releaseIdleActions({ db, process }: Executor, ids: readonly string[]): Promise<void> {
  const sql = `UPDATE actions SET taken_until = '', taken_by = ''
                   WHERE id IN (SELECT value FROM elements($2)) AND taken_by = $1 AND state IN ('paused', 'ended')`;
  await db.write([{ sql, params: [process, JSON.stringify(ids)] }]);
}
