/** The actions that this process has taken, and their batches. */
import { createAdaptiveSliceSize, type AdaptiveSliceSize } from '../store/adaptive-slice-size.ts';
import { failAction } from './action-results.store.ts';
import type { ActionRow } from './action-row.ts';
import { releaseActions, releaseIdleActions, takeAction } from './due-actions.store.ts';
import { findActions } from './actions.store.ts';
import { chunkSize, mostChunksOfBatch, readChunks } from './chunks.store.ts';
import { executeBatch, reportUnlessStorage, type Execution } from './execute-batch.ts';

/** Seconds until other processes continue the actions of a process that has died. Each chunk begins them again. */
const takenFor = 10;
/**
 * Items that are executed together: as many chunks as take about so many ms. Other users wait for two commits of so many
 * at most, and each commit waits for the disk.
 */
const batchSize = { targetMs: 30, least: chunkSize, first: chunkSize, most: mostChunksOfBatch * chunkSize };

/**
 * `until`: in ms; zero from the start of a chunk until its results are stored, because after a failure that chunk is
 * repeated. `runsAt`: another one means that the action was paused and resumed.
 */
interface Taken {
  until: number;
  runsAt: string | null;
}
/** The next chunk has not begun. The action has to be taken again, as if its time were over. */
const notTaken: Taken = { until: 1, runsAt: null };

export function createTakenActions({ now, ...execution }: Execution & { now: () => Date }) {
  const { executor, report } = execution;
  const taken = new Map<string, Taken>();
  const sizes = new Map<string, AdaptiveSliceSize>();

  function sizeOf(kind: string): AdaptiveSliceSize {
    const size = sizes.get(kind) ?? createAdaptiveSliceSize(batchSize);
    sizes.set(kind, size);
    return size;
  }

  /** Whether this process has the action, and whether some of its next chunks may have been executed before. */
  function stateOf({ id, state, runs_at, taken_by }: ActionRow) {
    const known = taken_by === executor.process ? taken.get(id) : undefined;
    const isTaken = known !== undefined && known.until > now().getTime() + 1000 && known.runsAt === runs_at;
    const hasBegun = known ? known.until === 0 : !['', executor.process].includes(taken_by);
    return { isTaken, isRepeated: !isTaken && state === 'running' && hasBegun };
  }

  return {
    /** Executes some chunks of an action. `users`: how many have an action that is due. They share the time of one. */
    async runBatch(found: ActionRow, users: number): Promise<void> {
      const { id, kind } = found;
      const { isTaken, isRepeated } = stateOf(found);
      const action = isTaken ? found : await takeAction(executor, { id, seconds: takenFor });
      taken.set(id, { until: 0, runsAt: found.runs_at });
      const size = sizeOf(kind);
      // All chunks of the largest batch may have begun.
      const count = isRepeated ? mostChunksOfBatch : Math.ceil(size.rows / chunkSize / users);
      const chunks = action ? await readChunks(executor.db, { action: id, first: action.done / chunkSize, count }) : [];
      if (action && chunks.length === 0) await failAction(executor, id);
      // It was stored before a pause or another action. The user may have changed the records since then.
      if (!isTaken && !isRepeated && kind !== 'undo') for (const chunk of chunks) chunk.before = undefined;
      const run = async () =>
        action && chunks.length > 0
          ? executeBatch(execution, { action, chunks, isRepeated, seconds: takenFor })
          : undefined;
      const isFull = chunks.length * chunkSize >= size.rows;
      const saved = await (isFull ? size.timed(run) : run());
      if (saved && saved.state === 'running' && saved.taken_by === executor.process)
        taken.set(id, { until: now().getTime() + takenFor * 1000, runsAt: saved.runs_at });
      else if (saved) taken.delete(id);
      // The action was paused before the chunk began: `releaseIdle` releases it.
      else taken.set(id, notTaken);
    },

    /** Ends an action that cannot be executed, so that the others can be. */
    async fail({ id }: ActionRow, error: unknown): Promise<void> {
      reportUnlessStorage(report, error);
      taken.delete(id);
      await failAction(executor, id);
    },

    /**
     * Releases actions that were paused or stopped between two chunks. One that waits for a shorter action of its user is taken again
     * before its next chunk, because that action may change the same records.
     */
    async releaseIdle(dueActions: readonly ActionRow[]): Promise<void> {
      const idle = [...taken].flatMap(([id, { until }]) =>
        until > 0 && !dueActions.some((due) => due.id === id) ? [id] : [],
      );
      if (idle.length === 0) return;
      const rows = await findActions(executor.db, idle);
      if (rows.some(({ state }) => state !== 'running')) await releaseIdleActions(executor, idle);
      const running = new Set(rows.filter(({ state }) => state === 'running').map(({ id }) => id));
      for (const id of idle) {
        if (running.has(id)) taken.set(id, notTaken);
        else taken.delete(id);
      }
    },

    /** Other processes continue the actions of this one at once. */
    async releaseAll(): Promise<void> {
      const begun = [...taken].flatMap(([id, { until }]) => (until === 0 ? [id] : []));
      await releaseActions(executor, begun).catch(report);
    },
  };
}
