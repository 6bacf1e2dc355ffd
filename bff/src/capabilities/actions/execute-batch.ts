/** Executes one batch of an action: some of its chunks together. */
import type { ActionItem, ActionResult } from '../../contract.ts';
import { startInTicks } from '../../core/limits/loop-ticks.ts';
import { Problem } from '../../core/problem.ts';
import { StorageError, type Statement } from '../../core/store/statement.ts';
import { saveBefore, saveResults, type ExecutedChunk } from './action-results.store.ts';
import type { ActionRow } from './action-row.ts';
import { readChunks, serverFailed, type ActionChunk } from './chunks.store.ts';
import type { Executor } from './executor.ts';
import { runItem } from './kinds.ts';
import type { ActionAbout, Before, Kind, Kinds } from './kinds/kind.ts';

/** What a process needs to execute actions. */
export interface Execution {
  executor: Executor;
  kinds: Partial<Kinds>;
  /** The entry of the activity about an import that has ended at this time. */
  importActivity: (ended: { at: string; action: string }) => Statement;
  report: (error: unknown) => void;
}

/** An action that is due, with the chunks that are executed. */
interface Batch {
  action: ActionRow;
  chunks: readonly ActionChunk[];
  /** Another process, or this one, may have executed items of these chunks before. */
  isRepeated: boolean;
  /** How long this process keeps the action after the batch. */
  seconds: number;
}

/**
 * Executes the chunks and stores their results. Undefined if the action was paused, stopped or deleted, or another process
 * has it.
 * @throws StorageError if the storage cannot be used: then the chunks are executed again
 */
export async function executeBatch(execution: Execution, batch: Batch): Promise<ActionRow | undefined> {
  const { executor, kinds, importActivity, report } = execution;
  const { action, chunks, seconds } = batch;
  const kind = kinds[action.kind];
  const context: BatchContext = { kind, action, about: JSON.parse(action.about) as ActionAbout };
  let isCurrent = true;
  const fault = await resultOfRun(report, async () => {
    isCurrent = await saveBeforeOf(executor, action, await addBefore(context, chunks));
  });
  if (!isCurrent) return undefined;
  const { isRepeated } = batch;
  const executed = await executeChunks(context, chunks, { fault, isRepeated, report });
  // The values that the next batch will replace are stored in the same commit as the results of this one.
  const next = await readNext(executor, context, chunks);
  const added = (await addBefore(context, next).catch((error) => reportUnlessStorage(report, error))) ?? [];
  const [saved] = await Promise.all([
    saveResults(executor, {
      action: action.id,
      runsAt: action.runs_at,
      seconds,
      executed,
      keepsResult: kind?.keepsResult === true,
      importActivity,
    }),
    saveBeforeOf(executor, action, added).catch((error) => {
      // If the bytes are too many, the next batch fails with that problem.
      if (!(error instanceof Problem)) reportUnlessStorage(report, error);
    }),
  ]);
  return saved;
}

/** Executes the items of the chunks, in their order. With a `fault`, none is executed, and all have failed by it. */
async function executeChunks(
  context: BatchContext,
  chunks: readonly ActionChunk[],
  { fault, isRepeated, report }: Pick<Batch, 'isRepeated'> & Pick<Execution, 'report'> & { fault: ActionResult },
): Promise<ExecutedChunk[]> {
  const all = chunks.flatMap(({ items, before }) =>
    items.map((item, index) => ({ item, before: before?.[index] ?? null, isRepeated })),
  );
  // An item may read a few times: a hundred of them in one tick would take 35 ms of the main thread.
  const results = await startInTicks(all, async (given) => fault ?? resultOfRun(report, () => runOne(context, given)));
  return chunks.map(({ number, items, before }) => {
    const own = results.splice(0, items.length);
    const undoable = own.filter((result, index) => !result && before?.[index]).length;
    return { number, results: own, undoable: context.action.kind === 'undo' ? 0 : undoable };
  });
}

/** @throws StorageError if the storage cannot be used: everything waits for it */
export function reportUnlessStorage(report: (error: unknown) => void, error: unknown): undefined {
  if (error instanceof StorageError && (error.kind === 'away' || error.kind === 'full')) throw error;
  report(error);
}

interface BatchContext {
  kind: Kind | undefined;
  action: ActionRow;
  about: ActionAbout;
}

/** Adds to these chunks the values that they will replace. Returns the chunks that had none stored. */
async function addBefore(
  { kind, action, about }: BatchContext,
  chunks: readonly ActionChunk[],
): Promise<ActionChunk[]> {
  const left = chunks.filter(({ before }) => !before);
  const items = left.flatMap((chunk) => chunk.items);
  const before = await kind?.before?.({ userId: action.user_id, about, items });
  if (!before) return [];
  for (const chunk of left) chunk.before = before.splice(0, chunk.items.length);
  return left;
}

const saveBeforeOf = async (executor: Executor, { id }: ActionRow, chunks: readonly ActionChunk[]): Promise<boolean> =>
  chunks.length === 0 || saveBefore(executor, { action: id, chunks });

/** Reads the next chunks, as many as these, if the values that they replace are stored before they are executed. */
const readNext = async ({ db }: Executor, { kind, action }: BatchContext, chunks: readonly ActionChunk[]) =>
  kind?.before ? readChunks(db, { action: action.id, first: chunks.at(-1)!.number + 1, count: chunks.length }) : [];

async function runOne(
  { kind, action, about }: BatchContext,
  { item, before, isRepeated }: { item: ActionItem; before: Before; isRepeated: boolean },
): Promise<void> {
  if (!kind) throw new Problem('action.kind_unknown');
  await runItem(kind, { userId: action.user_id, about, item, before, isRepeated });
}

/** @throws StorageError if the storage cannot be used: then the item is executed again */
async function resultOfRun(report: (error: unknown) => void, run: () => Promise<void>): Promise<ActionResult> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof Problem) {
      const { code, message, errors } = error;
      const faults = errors?.map(({ pointer, code }) => ({ pointer, code }));
      return { code, detail: message, ...(faults && { errors: faults }) };
    }
    reportUnlessStorage(report, error);
    return serverFailed;
  }
}
