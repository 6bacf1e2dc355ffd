/** The actions that this process has taken, and their batches. */
import { createAdaptiveSliceSize, type AdaptiveSliceSize } from '../../core/store/adaptive-slice-size.ts';
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
 * How far this process is with an action. `begun`: its next chunk has begun, and is repeated after a failure. `held`: it is between two chunks, and
 * nobody else takes it before `until`, in ms; with another `runsAt`, it was paused and resumed. `expired`: it is between two chunks, and has to be
 * taken again.
 */
type Taken = { state: 'begun' } | { state: 'held'; until: number; runsAt: string | null } | { state: 'expired' };

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
    const isTaken = known?.state === 'held' && known.until > now().getTime() + 1000 && known.runsAt === runs_at;
    const hasBegun = known ? known.state === 'begun' : !['', executor.process].includes(taken_by);
    return { isTaken, isRepeated: !isTaken && state === 'running' && hasBegun };
  }

  /** After a batch. `saved`: undefined if the action was paused before the chunk began; then `releaseIdle` releases it. */
  function note(id: string, saved: ActionRow | undefined): void {
    if (!saved) taken.set(id, { state: 'expired' });
    else if (saved.state === 'running' && saved.taken_by === executor.process)
      taken.set(id, { state: 'held', until: now().getTime() + takenFor * 1000, runsAt: saved.runs_at });
    else taken.delete(id);
  }

  return {
    /** Executes some chunks of an action. `users`: how many have an action that is due. They share the time of one. */
    async runBatch(found: ActionRow, users: number): Promise<void> {
      const { id, kind } = found;
      const { isTaken, isRepeated } = stateOf(found);
      const action = isTaken ? found : await takeAction(executor, { id, seconds: takenFor });
      if (!action) return note(id, undefined);
      taken.set(id, { state: 'begun' });
      const size = sizeOf(kind);
      // All chunks of the largest batch may have begun.
      const count = isRepeated ? mostChunksOfBatch : Math.ceil(size.rows / chunkSize / users);
      const chunks = await readChunks(executor.db, { action: id, first: action.done / chunkSize, count });
      if (chunks.length === 0) {
        await failAction(executor, id);
        return note(id, undefined);
      }
      // It was stored before a pause or another action. The user may have changed the records since then.
      if (!isTaken && !isRepeated && kind !== 'undo') for (const chunk of chunks) chunk.before = undefined;
      const run = () => executeBatch(execution, { action, chunks, isRepeated, seconds: takenFor });
      note(id, await size.timed(run, chunks.length * chunkSize));
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
      const idle = [...taken].flatMap(([id, { state }]) =>
        state !== 'begun' && !dueActions.some((due) => due.id === id) ? [id] : [],
      );
      if (idle.length === 0) return;
      const rows = await findActions(executor.db, idle);
      if (rows.some(({ state }) => state !== 'running')) await releaseIdleActions(executor, idle);
      const running = new Set(rows.filter(({ state }) => state === 'running').map(({ id }) => id));
      for (const id of idle) {
        if (running.has(id)) taken.set(id, { state: 'expired' });
        else taken.delete(id);
      }
    },

    /** Other processes continue the actions of this one at once. */
    async releaseAll(): Promise<void> {
      const begun = [...taken].flatMap(([id, { state }]) => (state === 'begun' ? [id] : []));
      await releaseActions(executor, begun).catch(report);
    },
  };
}
