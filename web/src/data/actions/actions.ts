/**
 * What the user does to one or to many records: an action, which the server executes. This module is what the app calls;
 * the other files of this folder start actions, receive what the server says of them in every tab, and change them.
 * shown-actions.ts has what pages show of them.
 */
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Action, ActionKind } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { queryKeys } from '../cache/query-keys.ts';
import { read, send } from '../client.ts';
import { pathTo } from '../path-to.ts';
import { oncePerClient } from '../of-client.ts';
import { isGone } from '../problem.ts';
import { serverNow } from '../server-clock.ts';
import { isLive } from '../stream/connection-status.ts';
import { findFailure } from './action-items.ts';
import { createStore, onNotice, post, type ActionStore, type Failure } from './action-store.ts';
import { canUndo, change, dismiss, hold, retry, secondsLeft, stop, undo, wait } from './change-action.ts';
import { readActions, receiveEvent, restoreActions, showChanges } from './receive-action.ts';
import { postponeWith, start } from './start-action.ts';

export const actionsOf = oncePerClient(createActions);

/** @internal */
export function createActions({ client }: { client: QueryClient }) {
  const store = createStore({ client });
  const { subscribe, list, pendingOf } = store.shownActions;
  restoreActions(store);
  return {
    subscribe,
    list,
    pendingOf,
    read: bound(store, readActions),
    onEvent: bound(store, receiveEvent),
    onNotice: bound(store, onNotice),
    start: bound(store, start),
    postponeWith: bound(store, postponeWith),
    undo: bound(store, undo),
    wait: bound(store, wait),
    hold: bound(store, hold),
    secondsLeft: bound(store, secondsLeft),
    canUndo: bound(store, canUndo),
    isUndoing: (id: string) => store.undoing.has(id),
    pause: (id: string) => change(store, id, () => post(id, 'pause')),
    resume: (id: string) => change(store, id, () => post(id, 'resume')),
    stop: bound(store, stop),
    dismiss: bound(store, dismiss),
    retry: bound(store, retry),
    failureOf: bound(store, failureOf),
    isUndone: (id: string) => store.undone.has(id),
    isShown: bound(store, isShown),
    showHere: bound(store, showHere),
    /** Whether something is lost if the page ends now. An undo is only in this page until it is answered. */
    hasUnsaved: () => store.unanswered.size + store.undoing.size > 0,
    workingMs: bound(store, workingMs),
  };
}

/** The function without its first parameter. */
const bound =
  <Rest extends unknown[], Result>(store: ActionStore, run: (store: ActionStore, ...rest: Rest) => Result) =>
  (...rest: Rest): Result =>
    run(store, ...rest);

function failureOf(store: ActionStore, target: string): Failure | undefined {
  if (!store.failures.has(target)) store.failures.set(target, findFailure(store, target));
  return store.failures.get(target);
}

/** Whether a page that is open shows it. */
const isShown = ({ shownHere }: ActionStore, { kind, state }: Action) =>
  shownHere.has(kind) || (state === 'ended' && shownHere.has('ended'));

function showHere(store: ActionStore, kind: ActionKind | 'ended'): () => void {
  store.shownHere.add(kind);
  showChanges(store);
  return () => {
    store.shownHere.delete(kind);
    showChanges(store);
  };
}

/** For how many ms a large action has been running; 0 if none runs. */
function workingMs({ shown }: ActionStore): number {
  const large = shown.filter(({ state, total }) => state === 'running' && total > actionLimits.itemsShown);
  return Math.max(0, ...large.map(({ runs_at }) => serverNow() - Date.parse(runs_at!)));
}

const useStore = () => actionsOf({ client: useQueryClient() });

/** Why the last action of a record has failed, until the user dismisses that action. */
export function useFailure(target: string): Failure | undefined {
  const { subscribe, failureOf } = useStore();
  return useSyncExternalStore(subscribe, () => failureOf(target));
}

/** Whether all of an action was undone before it began. */
export function useIsUndone(id: string | undefined): boolean {
  const { subscribe, isUndone } = useStore();
  return useSyncExternalStore(subscribe, () => id !== undefined && isUndone(id));
}

/** Starts and changes actions. Failures are shown by the undo toasts. */
export function useActionRequests() {
  return useStore();
}

/**
 * While the component is shown, it shows the actions of this kind itself, once they run, or all that have ended: they have
 * no toasts.
 */
export function useShowsActions(kind: ActionKind | 'ended'): void {
  const { showHere } = useStore();
  useEffect(() => showHere(kind), [showHere, kind]);
}

/** Reads the actions, once for the whole app, and polls while there is no stream. */
export function useFollowActions(): void {
  const { read, list } = useStore();
  const isBusy = () => list().some(({ state }) => state !== 'ended');
  useQuery({
    queryKey: queryKeys.actions.open,
    queryFn: ({ signal }) => read(signal),
    refetchInterval: () => !isLive() && (isBusy() ? 2000 : 20_000),
  });
}

/** Whether the server has the action. */
export async function hasStarted(id: string): Promise<boolean> {
  try {
    await send({ path: pathTo('/api/actions/:id/results', { id }) });
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** The items that could not be executed, with the reasons. */
export const failedItems = (id: string) =>
  queryOptions({
    queryKey: queryKeys.actions.failed(id),
    queryFn: async ({ signal }) =>
      (await read('/api/actions/:id/results', { id }, { query: 'failed=true', signal })).results,
    staleTime: Infinity,
  });
