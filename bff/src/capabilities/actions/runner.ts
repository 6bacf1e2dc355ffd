/**
 * Executes actions, chunk by chunk: the first action of each user in turn. A chunk that a crash interrupted is executed
 * again, so that a kind's `run` must be idempotent. Results are stored only by the process that has taken the action.
 */
import { createOutage } from '../../core/limits/outage.ts';
import type { ActionRow } from './action-row.ts';
import { readDueActions, readNextDue, releaseAllActions } from './due-actions.store.ts';
import { latestSeconds } from './actions.store.ts';
import { reportUnlessStorage, type Execution } from './execute-batch.ts';
import { isOnlyProcess } from './executor.ts';
import { createLeftDeletions } from './left-deletions.ts';
import { createTakenActions } from './taken-actions.ts';

/** In ms: how often another process looks for actions to execute. */
const pollMs = 1000;
const longestSleepMs = 60_000;
const retryMs = { first: 500, longest: 30_000 };

export function createRunner({
  deleteBatch,
  isCommand,
  onWaiting,
  ...options
}: Execution & {
  now: () => Date;
  /** Deletes a batch of what is left of accounts and swarms. Returns false if nothing was left. */
  deleteBatch: () => Promise<boolean>;
  /** A command of the operator: the runner waits until it is woken. */
  isCommand: boolean;
  /** The storage can no longer be used, or again; `actions` are those that wait for it. */
  onWaiting: (actions: readonly ActionRow[]) => void;
}) {
  const { executor, now, report } = options;
  const taken = createTakenActions(options);
  const deletions = createLeftDeletions({ deleteBatch, report: (error) => reportUnlessStorage(report, error) });
  let isStopped = false;
  const outage = createOutage(report);
  let woken = Promise.withResolvers<void>();

  async function sleep(ms: number): Promise<void> {
    const timer = setTimeout(woken.resolve, ms);
    await woken.promise;
    clearTimeout(timer);
    woken = Promise.withResolvers();
  }

  async function loop() {
    let backoffMs = retryMs.first;
    let isReleased = false;
    while (!isStopped) {
      let due: ActionRow[] = [];
      try {
        if (!isReleased && isOnlyProcess(executor)) await releaseAllActions(executor);
        isReleased = true;
        due = await readDueActions(executor);
        await runBatches(due);
        backoffMs = retryMs.first;
        if (outage.isOngoing) onWaiting(due);
        outage.succeeded();
        const deletesIn = deletions.dueIn() ?? longestSleepMs;
        if (due.length === 0 && deletesIn > 0) await sleep(Math.min(deletesIn, await idleMs()));
      } catch (error) {
        if (isStopped) return;
        if (outage.failed(error)) onWaiting(due);
        await sleep(backoffMs);
        backoffMs = Math.min(retryMs.longest, backoffMs * 2);
      }
    }
  }

  /** A batch of each of these actions, and one of what is left to delete. */
  async function runBatches(actions: readonly ActionRow[]): Promise<void> {
    await taken.releaseIdle(actions);
    for (const action of actions)
      if (!isStopped) await taken.runBatch(action, actions.length).catch((error) => taken.fail(action, error));
    const deletesIn = deletions.dueIn();
    if (deletesIn !== undefined && deletesIn <= 0 && !isStopped) await deletions.deleteBatch();
  }

  async function idleMs(): Promise<number> {
    const due = await readNextDue(executor);
    const most = isOnlyProcess(executor) ? longestSleepMs : pollMs;
    const untilDueMs = due === undefined ? most : Math.max(0, due - now().getTime());
    // The clock may have been set back since `readDueActions` looked.
    return Math.min(most, untilDueMs > latestSeconds * 1000 ? pollMs : untilDueMs);
  }

  let running = isCommand ? undefined : loop();
  return {
    /** Looks for due actions now. */
    wake() {
      running ??= loop();
      woken.resolve();
    },
    deleteLeft() {
      deletions.request();
      woken.resolve();
    },
    get isWaiting() {
      return outage.isOngoing;
    },
    /** Resolves after the current chunk. Other processes continue its actions at once. */
    async stop() {
      isStopped = true;
      woken.resolve();
      await running;
      await taken.releaseAll();
    },
  };
}
