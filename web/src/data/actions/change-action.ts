/** Changes actions that were started: undo, wait, pause, stop, retry, dismiss. */
import type { Action } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { errorParts } from '../problem.ts';
import { serverNow } from '../server-clock.ts';
import { without } from './action-items.ts';
import { inTurn, post, notify, type ActionStore, type StartOptions } from './action-store.ts';
import { forget, receive, refetchHistory, refetchOpen, showChanges } from './receive-action.ts';
import { isPostponed } from './shown-actions.ts';
import { showPostponed } from './start-action.ts';

/** In seconds. While Undo has the focus, the action is postponed this often. */
const holdEvery = 5;

interface ChangeOptions {
  /** An action from the history, which is not in `known`. */
  ended?: Action | undefined;
  isUndo?: boolean;
}

/** Sends a request that changes an action. If it fails, a toast says so and the action is read again. */
export async function change(
  store: ActionStore,
  id: string,
  run: (action: Action) => Promise<Action | undefined>,
  { ended, isUndo = false }: ChangeOptions = {},
): Promise<Action | undefined> {
  const before = store.known.get(id)?.action;
  return inTurn(store, id, async () => {
    // On a slow network it may have ended meanwhile, and is known no more. The server says whether it can still be undone.
    const endedSince = isUndo && before && store.gone.has(id) ? ({ ...before, state: 'ended' } as Action) : undefined;
    const action = store.known.get(id)?.action ?? ended ?? endedSince;
    if (!action) return undefined;
    try {
      const next = await run(action);
      if (next) receive(store, next, { isNew: true });
      return next;
    } catch (error) {
      notify(store, { type: 'not_changed', action, error, isUndo });
      refetchOpen(store);
      return undefined;
    } finally {
      showChanges(store);
    }
  });
}

/** Undoes a pending action, or the items of it with these ids. For an ended action, starts its inverse. */
export function undo(
  store: ActionStore,
  id: string,
  items?: readonly string[],
  ended?: Action,
): Promise<Action | undefined> {
  const { known, undoing, own } = store;
  const ids = items && new Set(items);
  const postponed = known.get(id)?.action;
  if (postponed && isPostponed(postponed)) return undoPostponed(store, postponed, ids);
  // All of it is being undone already.
  if (undoing.get(id) === null) return Promise.resolve(undefined);
  undoing.set(id, ids ? new Set([...ids, ...(undoing.get(id) ?? [])]) : null);
  // What is stored until the server has answered must not be sent again.
  if (known.get(id)?.since === Infinity) void store.outbox?.remove(id).catch(() => undefined);
  showChanges(store);
  const run = async (action: Action) => {
    // It has not reached the server, which the user could not know yet.
    if (isPostponed(action)) {
      undoing.delete(id);
      return undoPostponed(store, action, ids);
    }
    const { left, taken } = without(action, ids);
    // The id of the inverse action, which may have ended before the answer.
    const inverse = crypto.randomUUID();
    own.add(inverse);
    try {
      const next = await post(id, 'undo', { id: inverse, ...(ids && { items }) }).catch((error: unknown) => {
        if (!isUndone(store, action, error)) throw error;
        return undefined;
      });
      if (!next || next.id === id) notify(store, { type: 'undone', action: taken, isOwn: true });
      else {
        const entry = known.get(id);
        if (entry) entry.action = { ...entry.action, can_undo: false, undone_by: next.id };
        refetchHistory(store);
      }
      if (!next) {
        forget(store, id);
        store.undone.add(id);
      }
      return next?.id === id ? ({ ...left, ...next } as Action) : next;
    } finally {
      undoing.delete(id);
    }
  };
  // It does not run if the action could not be started.
  return change(store, id, run, { ended, isUndo: true }).finally(() => undoing.delete(id));
}

/**
 * Whether an undo failed although the action is undone: its answer was lost, and its event arrived, or it was refused because nothing
 * else deletes an action that has not begun. A browser sends a request without an answer again by itself, or another tab was first.
 */
const isUndone = ({ undone }: ActionStore, { id, state }: Action, error: unknown) =>
  undone.has(id) || (state === 'pending' && errorParts(error).code === 'action.not_found');

async function undoPostponed(store: ActionStore, action: Action, ids: ReadonlySet<string> | undefined) {
  const { id } = action;
  const { left, taken } = without(action, ids);
  if (ids && left.total > 0) {
    const options = left as StartOptions;
    await store.outbox?.add({ id, options, error: undefined });
    showPostponed(store, id, options);
  } else {
    await store.outbox?.remove(id);
    store.known.delete(id);
    showChanges(store);
  }
  notify(store, { type: 'undone', action: taken, isOwn: true });
  return undefined;
}

/** Starts the countdown again with this number of seconds. */
export function wait(store: ActionStore, id: string, seconds: number): Promise<Action | undefined> {
  const request = () => post(id, 'wait', { seconds: Math.min(seconds, actionLimits.undoSeconds) });
  // It may have started meanwhile, which its row shows.
  return change(store, id, async (action) => {
    if (action.state === 'pending' && !isPostponed(action)) return request().catch(() => undefined);
    return undefined;
  });
}

/** Stops the countdown until the returned function is called. If the tab is closed before, the action is executed. */
export function hold(store: ActionStore, id: string): () => void {
  const { holds } = store;
  const action = store.known.get(id)?.action;
  if (action?.state !== 'pending' || isPostponed(action)) return () => undefined;
  const existing = holds.get(id);
  const waitMore = () => void wait(store, id, (holds.get(id)?.left ?? 0) + holdEvery);
  const held = existing ?? {
    left: secondsLeft(store, action),
    holders: 0,
    timer: setInterval(waitMore, holdEvery * 1000),
  };
  held.holders += 1;
  holds.set(id, held);
  if (!existing) waitMore();
  showChanges(store);
  return () => {
    held.holders -= 1;
    if (held.holders > 0 || holds.get(id) !== held) return;
    clearInterval(held.timer);
    holds.delete(id);
    // Its time may have run out, because the server could not be reached.
    if (canUndo(store, store.known.get(id)?.action)) void wait(store, id, held.left);
  };
}

/**
 * Whole seconds until it runs. A hold that did not reach the server does not stop them. They begin once the server has it, which may
 * take long.
 */
export function secondsLeft({ known, holds }: ActionStore, { id, runs_at, created_at }: Action): number {
  const now = known.get(id)?.since === Infinity ? Date.parse(created_at) : serverNow();
  const left = Math.ceil((Date.parse(runs_at ?? '') - now) / 1000) || 0;
  return Math.max(0, Math.min(left, holds.get(id)?.left ?? Infinity));
}

/**
 * Whether a pending action may still be undone before it runs. What the server has not answered yet, or what waits in this
 * browser, can be for as long as that takes.
 */
export function canUndo(store: ActionStore, action: Action | undefined): boolean {
  if (action?.state !== 'pending') return false;
  return isPostponed(action) || store.known.get(action.id)?.since === Infinity || secondsLeft(store, action) > 0;
}

export function stop(store: ActionStore, id: string): Promise<unknown> {
  const upload = store.uploads.get(id);
  if (upload) return Promise.resolve(upload.abort());
  return change(store, id, () => post(id, 'stop'));
}

export async function dismiss(store: ActionStore, id: string): Promise<void> {
  await change(store, id, () => {
    forget(store, id);
    showChanges(store);
    return post(id, 'dismiss').then(() => undefined);
  });
}

/** Starts an action with the failed items. Until the server has answered, it is the same one each time. */
export async function retry(store: ActionStore, id: string, ended?: Action): Promise<Action | undefined> {
  const { retries, own } = store;
  const body = { id: retries.get(id) ?? crypto.randomUUID() };
  retries.set(id, body.id);
  own.add(body.id);
  const run = async () => {
    const started = await post(id, 'retry', body);
    retries.delete(id);
    return started;
  };
  const next = await change(store, id, run, { ended });
  if (next) await dismiss(store, id);
  return next;
}
