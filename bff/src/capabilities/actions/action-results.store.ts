/** Stores what a batch of an action is about to replace, and its results. */
import type { ActionResult } from '../../contract.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import { firstRow, type Statement } from '../../core/store/statement.ts';
import { columns, type ActionRow } from './action-row.ts';
import { latestSeconds } from './actions.store.ts';
import { byteLength, chunkSize, mostChunksOfBatch, readChunks, type ActionChunk } from './chunks.store.ts';
import type { Executor } from './executor.ts';

/**
 * Returns false if another process has taken the action, or it is not executed any more.
 * @throws `action.undo_too_large` if the user's open actions would have too many bytes
 */
export async function saveBefore(
  { db, process }: Executor,
  { action, chunks }: { action: string; chunks: readonly ActionChunk[] },
): Promise<boolean> {
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
        JSON.stringify(chunks.map(({ number }) => number)),
      ],
      orFail: 'taken',
    },
    {
      // An undo does not count: an ended action has stored the same bytes.
      sql: `SELECT 1 WHERE (SELECT sum(bytes) FROM actions WHERE user_id = (SELECT user_id FROM actions WHERE id = $1)
                  AND ended_at IS NULL AND kind <> 'undo') <= $2`,
      params: [action, actionLimits.bytesWithUndo],
      orFail: 'too large',
    },
    ...chunks.map(({ number }, index) => ({
      sql: 'UPDATE action_parts SET before = $3 WHERE action_id = $1 AND part = $2',
      params: [action, number, texts[index]!],
    })),
  ]);
  if (!written.ok && written.failed === 'too large') throw new Problem('action.undo_too_large');
  return written.ok;
}

/** Of an undo: the item was left as it is, wholly or in part. */
const keptCodes: readonly string[] = ['action.changed_since', 'action.partly_undone'];

export interface ExecutedChunk {
  number: number;
  results: ActionResult[];
  /** How many of its items can be undone. */
  undoable: number;
}

/**
 * Stores the results of chunks with the counters, and ends the action after its last chunk. Releases it if it has ended, or
 * was paused since `runsAt` was read, even if it was resumed. Undefined if another process has taken the action, or it is gone.
 */
export async function saveResults(
  { db, process, at }: Executor,
  options: {
    action: string;
    runsAt: string | null;
    /** How long this process keeps the action. */
    seconds: number;
    executed: readonly ExecutedChunk[];
    keepsResult: boolean;
    /** The entry of the activity about an import that has ended at this time. */
    importActivity: (ended: { at: string; action: string }) => Statement;
  },
): Promise<ActionRow | undefined> {
  const { action, runsAt, seconds, executed, keepsResult, importActivity } = options;
  const results = executed.flatMap((chunk) => chunk.results);
  const failed = results.filter((result) => result).length;
  const kept = results.filter((result) => result && keptCodes.includes(result.code)).length;
  const undoable = executed.reduce((sum, chunk) => sum + chunk.undoable, 0);
  const ends = `done + $3 >= total AND state <> 'ended'`;
  const time = at(0);
  const wasPaused = `state = 'paused' OR runs_at <> $9`;
  const written = await db.write([
    {
      sql: `UPDATE actions SET done = done + $3, failed = failed + $4, kept = kept + $10, undoable = undoable + $5,
                  state = CASE WHEN ${ends} THEN 'ended' ELSE state END,
                  ended_at = CASE WHEN ${ends} THEN $7 ELSE ended_at END,
                  is_dismissed = CASE WHEN $4 > 0 THEN 0 WHEN ${ends} AND failed = 0 THEN $8 ELSE is_dismissed END,
                  taken_by = CASE WHEN ${wasPaused} THEN '' ELSE taken_by END,
                  taken_until = CASE WHEN ${wasPaused} OR state = 'ended' OR ${ends} THEN '' ELSE $6 END
                WHERE id = $1 AND taken_by = $2 RETURNING ${columns}`,
      params: [action, process, results.length, failed, undoable, at(seconds), time, keepsResult ? 0 : 1, runsAt, kept],
      orFail: 'taken',
      isResult: true,
    },
    ...executed.map((chunk) => saveProblems(action, chunk)),
    importActivity({ at: time, action }),
  ]);
  return written.ok ? firstRow<ActionRow>(written.rows) : undefined;
}

function saveProblems(action: string, { number, results }: ExecutedChunk): Statement<'has results'> {
  const problems = Object.fromEntries(results.flatMap((result, index) => (result ? [[index, result]] : [])));
  return {
    sql: 'UPDATE action_parts SET results = $3 WHERE action_id = $1 AND part = $2 AND results IS NULL',
    params: [action, number, JSON.stringify(problems)],
    orFail: 'has results',
  };
}

/** Ends an action of this process. Its items that were not executed fail. */
export async function failAction({ db, process, at }: Executor, action: string): Promise<void> {
  const sql = `UPDATE actions SET state = 'ended', ended_at = $3, failed = failed + total - done, done = total,
                     is_dismissed = 0, taken_until = ''
                   WHERE id = $1 AND state IN ('pending', 'running', 'paused') AND (taken_by = $2 OR taken_until <= $3)`;
  await db.write([{ sql, params: [action, process, at(0)] }]);
}

/**
 * Ends the last batch of an action that was stopped during it, if the process ended before it stored the results. It is not
 * known which items were executed. They count as failed, and can be undone, which
 * changes nothing of one that was not executed, and counts as done for it.
 */
export async function endLostBatch(
  { db }: Pick<Executor, 'db'>,
  { id, done, taken_until }: Pick<ActionRow, 'id' | 'done' | 'taken_until'>,
): Promise<void> {
  const lastBatch = await readChunks(db, { action: id, first: done / chunkSize, count: mostChunksOfBatch });
  const hasBefore = lastBatch.some(({ before }) => before);
  // The values that a batch replaces are stored before it begins.
  const begun = lastBatch.filter(({ before }) => before || !hasBefore);
  const undoable = begun.reduce((sum, { before = [] }) => sum + before.filter(Boolean).length, 0);
  await db.write([
    {
      sql: `UPDATE actions SET done = done + $3, failed = failed + $3, undoable = undoable + $4, is_dismissed = 0,
                taken_until = '' WHERE id = $1 AND state = 'ended' AND taken_until = $2`,
      params: [id, taken_until, begun.reduce((sum, { items }) => sum + items.length, 0), undoable],
    },
  ]);
}

/** Ends all batches that a process has not ended until this time. */
export async function endLostBatches(
  { db, at }: Pick<Executor, 'db' | 'at'>,
  { until = at(0) }: { until?: string } = {},
): Promise<void> {
  const sql = `SELECT ${columns} FROM actions WHERE state = 'ended' AND taken_until <> ''
                   AND (taken_until <= $1 OR taken_until > $2)`;
  const lost = await db.read<ActionRow>({ sql, params: [until, at(latestSeconds)], isLong: true });
  for (const action of lost) await endLostBatch({ db }, action);
}
