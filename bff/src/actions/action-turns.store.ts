import type { ActionResult } from '../contract.ts';
import { actionLimits } from '../limits/field-rules.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { firstRow, type Statement } from '../store/statement.ts';
import {
  byteLength,
  chunkSize,
  columns,
  latestSeconds,
  mostChunksOfTurn,
  readChunks,
  type ActionChunk,
  type ActionRow,
} from './actions.store.ts';

export type ActionTurns = ReturnType<typeof createActionTurns>;

/** Of actions that run or wait, in this order in the index `actions_open`. */
const isOpen = `(state = 'pending' OR state = 'running')`;
const usersOfTurn = 1000;

/** The condition that an action's time has come and no other process has it, with the names of the parameters. */
const isDue = ({ now, process, latest }: Record<'now' | 'process' | 'latest', string>) =>
  `(state = 'running' OR runs_at <= ${now} OR runs_at > ${latest})
     AND (taken_by = ${process} OR taken_until <= ${now} OR taken_until > ${latest})`;

/** What the runner reads and stores: whose turn it is, which process has an action, and the results. */
export function createActionTurns(options: {
  db: Database;
  now: () => Date;
  /** The entry of the activity about an import that has ended at this time. */
  importActivity: (ended: { at: string; action: string }) => Statement;
  /** Of a user's open actions, with what their items replace. */
  mostBytes?: number;
}) {
  const { db, now, importActivity, mostBytes = actionLimits.bytesWithUndo } = options;
  const at = (seconds = 0) => new Date(now().getTime() + seconds * 1000).toISOString();

  /**
   * Ends the last turn of an action that was stopped during it, if the process ended before it stored the results. It is not
   * known which items were executed. They count as failed, and can be undone: that changes nothing of one that was not executed.
   */
  async function endLostTurn({ id, done, taken_until }: ActionRow): Promise<void> {
    const lastTurn = await readChunks(db, { action: id, part: done / chunkSize, count: mostChunksOfTurn });
    const hasBefore = lastTurn.some(({ before }) => before);
    // What a turn replaces is stored before it.
    const begun = lastTurn.filter(({ before }) => before || !hasBefore);
    const undoable = begun.reduce((sum, { before = [] }) => sum + before.filter(Boolean).length, 0);
    await db.write([
      {
        sql: `UPDATE actions SET done = done + $3, failed = failed + $3, undoable = undoable + $4, is_dismissed = 0,
                taken_until = '' WHERE id = $1 AND state = 'ended' AND taken_until = $2`,
        params: [id, taken_until, begun.reduce((sum, { items }) => sum + items.length, 0), undoable],
      },
    ]);
  }

  async function endLostTurns(until = at()): Promise<void> {
    const sql = `SELECT ${columns} FROM actions WHERE state = 'ended' AND taken_until <> ''
                   AND (taken_until <= $1 OR taken_until > $2)`;
    const lost = await db.read<ActionRow>({ sql, params: [until, at(latestSeconds)], isLong: true });
    for (const action of lost) await endLostTurn(action);
  }

  return {
    /**
     * The actions whose turn it is: the first of each user. Those with few items go first, so that a click does not wait
     * for a long action. While another process executes an action of a user, their other actions wait: they may concern
     * the same records.
     */
    async due(process: string): Promise<ActionRow[]> {
      const [time, latest] = [at(), at(latestSeconds)];
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
              ORDER BY ${isLong}, runs_at LIMIT ${usersOfTurn}`,
        params: [time, process, latest],
      });
      const users = new Set<string>();
      return rows.filter(({ user_id }) => users.size < users.add(user_id).size);
    },
    /** When the next action is due; undefined if none is. Those that wait for another process are due when it may end. */
    async nextDue(process: string): Promise<number | undefined> {
      const isElsewhere = `state = 'running' AND taken_by <> $2 AND taken_until > $1 AND taken_until <= $3`;
      const waits = `user_id IN (SELECT user_id FROM actions WHERE ${isElsewhere})`;
      const sql = `SELECT min(due) AS due FROM (SELECT min(runs_at) AS due FROM actions WHERE state = 'pending' AND NOT ${waits}
        UNION ALL SELECT min(greatest(runs_at, taken_until)) FROM actions
          WHERE state = 'running' AND ((${isElsewhere}) OR NOT ${waits})) AS each`;
      const [next] = await db.read<{ due: string | null }>({ sql, params: [at(), process, at(latestSeconds)] });
      return next!.due === null ? undefined : Date.parse(next!.due);
    },
    /** Takes an action for a process. Undefined if it has changed, or another process has it. */
    async take(action: string, process: string, seconds: number): Promise<ActionRow | undefined> {
      const written = await db.write([
        {
          sql: `UPDATE actions SET state = 'running', taken_by = $2, taken_until = $4 WHERE id = $1
                  AND state IN ('pending', 'running') AND ${isDue({ now: '$3', process: '$2', latest: '$5' })}
                RETURNING ${columns}`,
          params: [action, process, at(), at(seconds), at(latestSeconds)],
          orFail: 'changed',
          isResult: true,
        },
      ]);
      return written.ok ? firstRow<ActionRow>(written.rows) : undefined;
    },
    /** Lets this process take the actions of a process that has ended, if there is only one. */
    async releaseAll(): Promise<void> {
      await endLostTurns('~');
      await db.write([{ sql: `UPDATE actions SET taken_until = '' WHERE taken_until <> ''` }]);
    },
    /** Lets other processes take the actions of this one. `begun`: those with a chunk that is to be repeated. */
    async release(process: string, begun: readonly string[]): Promise<void> {
      const sql = `UPDATE actions SET taken_until = '',
                     taken_by = CASE WHEN id IN (SELECT value FROM elements($2)) THEN taken_by ELSE '' END
                   WHERE taken_until <> '' AND taken_by = $1`;
      await db.write([{ sql, params: [process, JSON.stringify(begun)] }]);
    },
    /** Releases these actions of this process, if they are paused or stopped. Their next chunk has not begun. */
    async releaseIdle(process: string, ids: readonly string[]): Promise<void> {
      const sql = `UPDATE actions SET taken_until = '', taken_by = ''
                   WHERE id IN (SELECT value FROM elements($2)) AND taken_by = $1 AND state IN ('paused', 'ended')`;
      await db.write([{ sql, params: [process, JSON.stringify(ids)] }]);
    },
    /** No other process uses the database. */
    inOneProcess: db.url.startsWith('file:'),
    endLostTurn,
    endLostTurns,

    /**
     * Returns false if another process has taken the action, or it is not executed any more.
     * @throws `action.undo_too_large` if the user's open actions would have too many bytes
     */
    async saveBefore(action: string, process: string, chunks: ActionChunk[]): Promise<boolean> {
      const texts = chunks.map(({ before }) => JSON.stringify(before));
      const written = await db.write([
        {
          sql: `UPDATE actions SET bytes = bytes + $3
                  - (SELECT coalesce(sum(octet_length(before)), 0) FROM action_parts
                     WHERE action_id = $1 AND part IN (SELECT CAST(value AS bigint) FROM elements($4)))
                WHERE id = $1 AND taken_by = $2 AND state = 'running'`,
          params: [
            action,
            process,
            texts.reduce((sum, text) => sum + byteLength(text), 0),
            JSON.stringify(chunks.map(({ part }) => part)),
          ],
          orFail: 'taken',
        },
        {
          // An undo has what the ended action stored.
          sql: `SELECT 1 WHERE (SELECT sum(bytes) FROM actions WHERE user_id = (SELECT user_id FROM actions WHERE id = $1)
                  AND ended_at IS NULL AND kind <> 'undo') <= $2`,
          params: [action, mostBytes],
          orFail: 'too large',
        },
        ...chunks.map(({ part }, index) => ({
          sql: 'UPDATE action_parts SET before = $3 WHERE action_id = $1 AND part = $2',
          params: [action, part, texts[index]!],
        })),
      ]);
      if (!written.ok && written.failed === 'too large') throw new Problem('action.undo_too_large');
      return written.ok;
    },
    /**
     * Stores the results of chunks with the counters, and ends the action after its last chunk. Releases it if it has ended, or
     * was paused since `runsAt` was read, even if it was resumed. Undefined if another process has taken the action, or it is gone.
     */
    async saveResults(options: {
      action: string;
      process: string;
      runsAt: string | null;
      seconds: number;
      executed: { part: number; results: ActionResult[]; undoable: number }[];
      keepsResult: boolean;
    }): Promise<ActionRow | undefined> {
      const { action, process, runsAt, seconds, executed, keepsResult } = options;
      const results = executed.flatMap((chunk) => chunk.results);
      const failed = results.filter((result) => result).length;
      const undoable = executed.reduce((sum, chunk) => sum + chunk.undoable, 0);
      const ends = `done + $3 >= total AND state <> 'ended'`;
      const time = at();
      const wasPaused = `state = 'paused' OR runs_at <> $9`;
      const written = await db.write([
        {
          sql: `UPDATE actions SET done = done + $3, failed = failed + $4, undoable = undoable + $5,
                  state = CASE WHEN ${ends} THEN 'ended' ELSE state END,
                  ended_at = CASE WHEN ${ends} THEN $7 ELSE ended_at END,
                  is_dismissed = CASE WHEN $4 > 0 THEN 0 WHEN ${ends} AND failed = 0 THEN $8 ELSE is_dismissed END,
                  taken_by = CASE WHEN ${wasPaused} THEN '' ELSE taken_by END,
                  taken_until = CASE WHEN ${wasPaused} OR state = 'ended' OR ${ends} THEN '' ELSE $6 END
                WHERE id = $1 AND taken_by = $2 RETURNING ${columns}`,
          params: [action, process, results.length, failed, undoable, at(seconds), time, keepsResult ? 0 : 1, runsAt],
          orFail: 'taken',
          isResult: true,
        },
        ...executed.map(({ part, results }): Statement<'has results'> => {
          const problems = Object.fromEntries(results.flatMap((result, index) => (result ? [[index, result]] : [])));
          return {
            sql: 'UPDATE action_parts SET results = $3 WHERE action_id = $1 AND part = $2 AND results IS NULL',
            params: [action, part, JSON.stringify(problems)],
            orFail: 'has results',
          };
        }),
        importActivity({ at: time, action }),
      ]);
      return written.ok ? firstRow<ActionRow>(written.rows) : undefined;
    },

    /** Ends an action of this process: what is left of it fails. */
    async fail(action: string, process: string): Promise<void> {
      const sql = `UPDATE actions SET state = 'ended', ended_at = $3, failed = failed + total - done, done = total,
                     is_dismissed = 0, taken_until = ''
                   WHERE id = $1 AND state IN ('pending', 'running', 'paused') AND (taken_by = $2 OR taken_until <= $3)`;
      await db.write([{ sql, params: [action, process, at()] }]);
    },
  };
}
