/**
 * Executes actions, chunk by chunk: the first action of each user in turn. A chunk that a crash interrupted is executed
 * again, so that a kind's `run` must be idempotent. Results are stored only by the process that has taken the action.
 */
import { randomUUID } from 'node:crypto';
import type { ActionResult } from '../contract.ts';
import { Problem } from '../problem.ts';
import { createAdaptiveSliceSize, type AdaptiveSliceSize } from '../store/adaptive-slice-size.ts';
import { StorageError } from '../store/statement.ts';
import {
  chunkSize,
  latestSeconds,
  mostChunksOfTurn,
  serverFailed,
  type ActionChunk,
  type ActionRow,
  type ActionStore,
} from './actions.store.ts';
import type { ActionTurns } from './action-turns.store.ts';
import { runItem, type ActionAbout, type Kinds } from './kinds.ts';

/** Seconds until other processes continue the actions of a process that has died. Each chunk begins them again. */
const takenFor = 10;
/** In ms: how often another process looks for actions to execute. */
const pollMs = 1000;
const longestSleepMs = 60_000;
/**
 * Items that are executed together: as many chunks as take about so many ms. Other users wait for two commits of so many
 * at most, and each commit waits for the disk.
 */
const turnSize = { targetMs: 30, least: chunkSize, first: chunkSize, most: mostChunksOfTurn * chunkSize };
/** The next chunk has not begun, and the action has to be taken again: the time is over. */
const notTaken = { until: 1, runsAt: null };
const retryMs = { first: 500, longest: 30_000 };

export function createRunner({
  store,
  turns,
  kinds,
  deleteSome,
  isCommand,
  now,
  report,
  onWaiting,
}: {
  store: Pick<ActionStore, 'findAll' | 'chunks'>;
  turns: ActionTurns;
  kinds: Partial<Kinds>;
  /** Deletes a batch of what is left of accounts and swarms. Returns false if nothing was left. */
  deleteSome: () => Promise<boolean>;
  /** Waits until it is woken. */
  isCommand: boolean;
  now: () => Date;
  report: (error: unknown) => void;
  /** The storage can no longer be used, or again; `actions` are those that wait for it. */
  onWaiting: (actions: readonly ActionRow[]) => void;
}) {
  const process = randomUUID();
  /**
   * The actions that this process has taken. `until`: in ms; zero from the start of a chunk until its results are stored,
   * because after a failure that chunk is repeated. `runsAt`: another one means that the action was paused and resumed.
   */
  const taken = new Map<string, { until: number; runsAt: string | null }>();
  const sizes = new Map<string, AdaptiveSliceSize>();
  /**
   * Requests to delete what is left, and those after which nothing was left. A server's start is one. `notBefore`: after an
   * unexpected error, in ms of the process.
   */
  const deletions = { requested: 1, done: 0, notBefore: 0, wait: retryMs.first };
  let isStopped = false;
  let isWaiting = false;
  let woken = Promise.withResolvers<void>();

  async function sleep(ms: number): Promise<void> {
    const timer = setTimeout(woken.resolve, ms);
    await woken.promise;
    clearTimeout(timer);
    woken = Promise.withResolvers();
  }

  async function deleteLeft(requested: number): Promise<void> {
    try {
      if (!(await deleteSome())) deletions.done = requested;
      deletions.wait = retryMs.first;
    } catch (error) {
      reported(error);
      deletions.notBefore = performance.now() + deletions.wait;
      deletions.wait = Math.min(retryMs.longest, deletions.wait * 2);
    }
  }

  async function loop() {
    let wait = retryMs.first;
    let isReleased = false;
    while (!isStopped) {
      let turn: ActionRow[] = [];
      try {
        if (!isReleased && turns.inOneProcess) await turns.releaseAll();
        isReleased = true;
        turn = await turns.due(process);
        await releaseIdle(turn);
        for (const action of turn)
          if (!isStopped) await runChunks(action, turn.length).catch((error) => fail(action, error));
        const { requested, done } = deletions;
        const deletesIn = () => (done < requested ? deletions.notBefore - performance.now() : longestSleepMs);
        if (deletesIn() <= 0 && !isStopped) await deleteLeft(requested);
        wait = retryMs.first;
        if (isWaiting) onWaiting(turn);
        isWaiting = false;
        if (turn.length === 0 && deletesIn() > 0) await sleep(Math.min(deletesIn(), await idleMs()));
      } catch (error) {
        if (isStopped) return;
        if (!isWaiting) {
          report(error);
          isWaiting = true;
          onWaiting(turn);
        }
        await sleep(wait);
        wait = Math.min(retryMs.longest, wait * 2);
      }
    }
  }

  async function idleMs(): Promise<number> {
    const due = await turns.nextDue(process);
    const most = turns.inOneProcess ? longestSleepMs : pollMs;
    const wait = due === undefined ? most : Math.max(0, due - now().getTime());
    // The clock may have been set back since `turns.due` looked.
    return Math.min(most, wait > latestSeconds * 1000 ? pollMs : wait);
  }

  /** `users`: how many have an action whose turn it is. They share the time of one. */
  async function runChunks(found: ActionRow, users: number): Promise<void> {
    const { id } = found;
    let action: ActionRow | undefined = found;
    const known = found.taken_by === process ? taken.get(id) : undefined;
    const isTaken = known !== undefined && known.until > now().getTime() + 1000 && known.runsAt === found.runs_at;
    const hasBegun = known ? known.until === 0 : !['', process].includes(found.taken_by);
    const isRepeated = !isTaken && found.state === 'running' && hasBegun;
    if (!isTaken) action = await turns.take(id, process, takenFor);
    taken.set(id, { until: 0, runsAt: found.runs_at });
    const size = sizeOf(found.kind);
    // All chunks of the largest turn may have begun.
    const count = isRepeated ? mostChunksOfTurn : Math.ceil(size.rows / chunkSize / users);
    const chunks = action && (await store.chunks(id, action.done / chunkSize, count));
    if (chunks?.length === 0) await turns.fail(id, process);
    // Stored before a pause or another action, since which the user may have changed the records.
    if (!isTaken && !isRepeated && found.kind !== 'undo') for (const chunk of chunks ?? []) chunk.before = undefined;
    const run = async () => action && chunks?.length && (await execute(action, chunks, isRepeated));
    const isFull = chunks && chunks.length * chunkSize >= size.rows;
    const saved = await (isFull ? size.timed(run) : run());
    if (saved && saved.state === 'running' && saved.taken_by === process)
      taken.set(id, { until: now().getTime() + takenFor * 1000, runsAt: saved.runs_at });
    else if (saved) taken.delete(id);
    // Paused before the chunk began: `releaseIdle` releases it.
    else taken.set(id, notTaken);
  }

  /**
   * Releases actions that were paused or stopped between two chunks. One that waits for a shorter action of its user is taken again
   * before its next chunk, because that action may change the same records.
   */
  async function releaseIdle(turn: readonly ActionRow[]): Promise<void> {
    const idle = [...taken].flatMap(([id, { until }]) => (until > 0 && !turn.some((due) => due.id === id) ? [id] : []));
    if (idle.length === 0) return;
    const rows = await store.findAll(idle);
    if (rows.some(({ state }) => state !== 'running')) await turns.releaseIdle(process, idle);
    const running = new Set(rows.filter(({ state }) => state === 'running').map(({ id }) => id));
    for (const id of idle) {
      if (running.has(id)) taken.set(id, notTaken);
      else taken.delete(id);
    }
  }

  function sizeOf(kind: string): AdaptiveSliceSize {
    const size = sizes.get(kind) ?? createAdaptiveSliceSize(turnSize);
    sizes.set(kind, size);
    return size;
  }

  /** Ends an action that cannot be executed, so that others are. */
  async function fail({ id }: ActionRow, error: unknown): Promise<void> {
    reported(error);
    taken.delete(id);
    await turns.fail(id, process);
  }

  function reportedUnlessProblem(error: unknown): undefined {
    return error instanceof Problem ? undefined : reported(error);
  }

  /** @throws StorageError if the storage cannot be used: everything waits for it */
  function reported(error: unknown): undefined {
    if (error instanceof StorageError && (error.kind === 'away' || error.kind === 'full')) throw error;
    report(error);
  }

  /** Undefined if the action was paused, stopped or deleted, or another process has it. */
  async function execute(
    action: ActionRow,
    chunks: ActionChunk[],
    isRepeated: boolean,
  ): Promise<ActionRow | undefined> {
    const { id, user_id: userId } = action;
    const about = JSON.parse(action.about) as ActionAbout;
    const kind = kinds[action.kind];
    /** Reads what these chunks will replace. Returns those for which it was not stored before. */
    async function readBefore(some: ActionChunk[]): Promise<ActionChunk[]> {
      const left = some.filter(({ before }) => !before);
      const before = await kind?.before?.({ userId, about, items: left.flatMap(({ items }) => items) });
      if (before) for (const chunk of left) chunk.before = before.splice(0, chunk.items.length);
      return before ? left : [];
    }
    const saveBefore = async (left: ActionChunk[]) => left.length === 0 || turns.saveBefore(id, process, left);
    let isCurrent = true;
    const fault = await resultOf(async () => void (isCurrent = await saveBefore(await readBefore(chunks))));
    if (!isCurrent) return undefined;
    async function run(chunk: ActionChunk, index: number): Promise<ActionResult> {
      if (fault) return fault;
      return resultOf(async () => {
        if (!kind) throw new Problem('action.kind_unknown');
        const [item, before] = [chunk.items[index]!, chunk.before?.[index] ?? null];
        return runItem(kind, { userId, about, item, before, isRepeated });
      });
    }
    const executed = await Promise.all(
      chunks.map(async (chunk) => {
        const results = await Promise.all(chunk.items.map((_, index) => run(chunk, index)));
        const undoable = results.filter((result, index) => !result && chunk.before?.[index]).length;
        return { ...chunk, results, undoable: action.kind === 'undo' ? 0 : undoable };
      }),
    );
    // Stored in the same commit as the results.
    const next = kind?.before ? await store.chunks(id, chunks.at(-1)!.part + 1, chunks.length) : [];
    const nextBefore = (await readBefore(next).catch(reported)) ?? [];
    const [saved] = await Promise.all([
      turns.saveResults({
        action: id,
        process,
        runsAt: action.runs_at,
        seconds: takenFor,
        executed,
        keepsResult: kind?.keepsResult === true,
      }),
      // If it is too much, the next turn says so.
      saveBefore(nextBefore).catch(reportedUnlessProblem),
    ]);
    return saved;
  }

  /** @throws StorageError if the storage cannot be used: then the item is executed again */
  async function resultOf(run: () => Promise<unknown>): Promise<ActionResult> {
    try {
      await run();
      return null;
    } catch (error) {
      if (error instanceof Problem) {
        const { code, message, errors } = error;
        const faults = errors?.map(({ pointer, code }) => ({ pointer, code }));
        return { code, detail: message, ...(faults && { errors: faults }) };
      }
      reported(error);
      return serverFailed;
    }
  }

  let running = isCommand ? undefined : loop();
  return {
    /** Looks for due actions now. */
    wake() {
      running ??= loop();
      woken.resolve();
    },
    deleteLeft() {
      deletions.requested += 1;
      woken.resolve();
    },
    get isWaiting() {
      return isWaiting;
    },
    /** After the current chunk. Other processes continue its actions at once. */
    async stop() {
      isStopped = true;
      woken.resolve();
      await running;
      const begun = [...taken].flatMap(([id, { until }]) => (until === 0 ? [id] : []));
      await turns.release(process, begun).catch(report);
    },
  };
}
