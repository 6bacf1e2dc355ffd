/** Starts actions that are made of the items of an action that has ended: its undo, and another attempt. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionItem, ActionResult } from '../../contract.ts';
import type { Database } from '../../core/store/database.ts';
import { Problem } from '../../core/problem.ts';
import { stateProblem, type ActionRow } from './action-row.ts';
import { endLostBatch } from './action-results.store.ts';
import { findAction, latestSeconds, requireAction } from './actions.store.ts';
import { chunkSize, readChunks, resultOf, serverFailed, type Reads, type StoredItem } from './chunks.store.ts';
import type { StartFilled } from './filled-actions.ts';
import type { UndoneItem } from './kinds.ts';

const settledEveryMs = 20;

/**
 * The items of an ended action with their results: all of them, or those of the chunks from `first` up to `end`. `reads`: long ones. Others would
 * read all chunks in one tick of the main thread on SQLite.
 */
export async function* resultsOf(
  reads: Reads,
  { id, total, done }: Pick<ActionRow, 'id' | 'total' | 'done'>,
  { first = 0, end = Infinity }: { first?: number; end?: number } = {},
) {
  for (let number = first; number < end && number * chunkSize < total; number++) {
    const [chunk] = await readChunks(reads, { action: id, first: number, count: 1 });
    if (!chunk) return;
    const isDone = number * chunkSize < done;
    yield chunk.items.map((item, index) => ({
      item,
      before: chunk.before?.[index] ?? null,
      result: isDone ? resultOf(chunk, index) : undefined,
    }));
  }
}

/** The action as it is now. If it was stopped during a batch, waits until the results of the batch are stored. */
export async function settled(
  db: Database,
  { row, at }: { row: ActionRow; at: (seconds: number) => string },
): Promise<ActionRow> {
  const { id, user_id: user, state, taken_until } = row;
  if (state !== 'ended' || taken_until === '') return row;
  if (taken_until <= at(0) || taken_until > at(latestSeconds)) await endLostBatch({ db }, row);
  else await sleep(settledEveryMs);
  return settled(db, { row: await requireAction(db, { id, user }), at });
}

/** Starts the inverse of an action that has ended. */
export function undoEnded(
  { reads, startFilled }: { reads: Reads; startFilled: StartFilled },
  { row, id }: { row: ActionRow; id: string },
): Promise<ActionRow> {
  const { kind, user_id, undoable } = row;
  async function* undone(): AsyncGenerator<StoredItem[]> {
    for await (const results of resultsOf(reads, row)) {
      const done = results.filter(({ result, before }) => before && (result === null || result === serverFailed));
      yield done.map(({ item, before, result }) => ({
        item: namedItem(item),
        before: { item, before: before!, ...unknownIf(result) } satisfies UndoneItem,
      }));
    }
  }
  const about = { action: row.id, kind, of: JSON.parse(row.about) as object };
  const follows = { id: row.id, by: 'undoing' } as const;
  return startFilled({ id, user_id, kind: 'undo', about, wait: 0, total: undoable, follows }, undone());
}

/** Whether these are the ids of all items of the action. */
export async function areAll(
  ids: readonly string[],
  { reads, row }: { reads: Reads; row: ActionRow },
): Promise<boolean> {
  if (ids.length < row.total) return false;
  const [chunk] = await readChunks(reads, { action: row.id, first: 0, count: 1 });
  return chunk?.items.every((item) => ids.includes((item as { id?: string }).id!)) === true;
}

/**
 * Starts an action with the failed items of one that has ended, which is then dismissed. If they were tried again before, returns the action
 * that has done it. @throws `action.state`, also if that one was deleted
 */
export async function retryFailed(
  { db, reads, startFilled }: { db: Database; reads: Reads; startFilled: StartFilled },
  { row, id }: { row: ActionRow; id: string },
): Promise<ActionRow> {
  if (row.retried_by !== null) return retryOf(db, row.retried_by);
  if (row.state !== 'ended' || row.failed === 0) throw stateProblem(row);
  const { kind, user_id, failed } = row;
  async function* again(): AsyncGenerator<StoredItem[]> {
    for await (const results of resultsOf(reads, row)) {
      yield results
        .filter(({ result }) => result)
        .map(({ item, before, result }) =>
          kind === 'undo' ? { item, before: { ...before, ...unknownIf(result) } } : { item },
        );
    }
  }
  const about = JSON.parse(row.about) as object;
  const follows = { id: row.id, by: 'retrying' } as const;
  try {
    return await startFilled({ id, user_id, kind, about, wait: 0, total: failed, follows }, again());
  } catch (error) {
    // Another request, with another id, may have been first.
    const { retried_by: retriedBy } = await requireAction(db, { id: row.id, user: user_id });
    if (retriedBy === null) throw error;
    return retryOf(db, retriedBy);
  }
}

async function retryOf(db: Database, id: string): Promise<ActionRow> {
  const retry = await findAction(db, id);
  if (!retry) throw new Problem('action.state', { detail: 'The failed items were tried again before' });
  return retry;
}

/** Whether it was executed is not known if its chunk has no results. */
const unknownIf = (result: ActionResult | undefined) => (result === serverFailed ? { isUnknown: true as const } : {});

/** What the list of an inverse action shows of an item. */
function namedItem(item: ActionItem) {
  const { id = '', name = '' } = item as { id?: string; name?: string };
  return { id, name };
}
