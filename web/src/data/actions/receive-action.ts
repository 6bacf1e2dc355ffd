/** What the server says of the actions: in answers, in lists and in events. */
import type { Action, GatewayEvent } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { patchQueries, refetchOutdated } from '../cache/query-cache.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { read } from '../client.ts';
import { applyChanges, loadChanges } from '../stream/lazy-changes.ts';
import { findPending } from './action-items.ts';
import { effectOf, isKnownKind } from './action-kinds.ts';
import { notify, type ActionStore } from './action-store.ts';

type ActionEvent = Extract<GatewayEvent, { type: 'action.changed' }>['data'];

/** Their page shows the result, until the user dismisses it. */
const shownKinds: ReadonlySet<Action['kind']> = new Set(['import', 'invite', 'join']);
const order = ['uploading', 'pending', 'running', 'paused', 'ended'];
const rankOf = ({ state }: Action) => (state === 'paused' ? order.indexOf('running') : order.indexOf(state));

/** Tells the app that an action has changed. */
export function showChanges(store: ActionStore): void {
  // The parts of an upload are in the tab that sends them.
  const isShown = ({ action: { id, state } }: { action: Action }) => state !== 'uploading' || store.own.has(id);
  store.shown = [...store.known.values()].filter(isShown).map(({ action }) => action);
  store.failures = new Map();
  store.shownActions.show(store.shown, (target) => findPending(store, target));
  const open = openActions(store);
  // Not how far they are: that changes all the time.
  const isSame = (before: readonly Action[]) =>
    JSON.stringify(before.map(stateOf)) === JSON.stringify(open.map(stateOf));
  patchQueries<readonly Action[]>(store.client, queryKeys.actions.open, (before) => (isSame(before) ? before : open));
}

const stateOf = ({ id, state, runs_at, total }: Action) => [id, state, runs_at, total];

/** Those that the server has and that have not ended. They are stored for a start without a network (app/stored-data.ts). */
const openActions = ({ known }: ActionStore): Action[] =>
  [...known.values()]
    .filter(({ action: { state }, since }) => since !== Infinity && state !== 'ended' && state !== 'uploading')
    .map(({ action }) => action);

/** Begins with the actions that an earlier page has stored. What became of them is read. */
export function restoreActions(store: ActionStore): void {
  const stored = store.client.getQueryData<readonly Action[]>(queryKeys.actions.open) ?? [];
  if (stored.length === 0) return;
  for (const action of stored) receive(store, action, { isNew: false });
  // A part of the page renders now.
  queueMicrotask(() => showChanges(store));
}

export const refetchOpen = ({ client }: ActionStore) =>
  void refetchOutdated(client, { refetch: [queryKeys.actions.open] });
export const refetchHistory = ({ client }: ActionStore) =>
  void refetchOutdated(client, { refetch: [queryKeys.actions.history] });

export function forget({ gone, known, holds }: ActionStore, id: string): void {
  gone.add(id);
  known.delete(id);
  clearInterval(holds.get(id)?.timer);
  holds.delete(id);
}

/** The server no longer has it. Nothing but an undo deletes an action that has not begun. */
function noteDeleted(store: ActionStore, id: string): void {
  const action = store.known.get(id)?.action;
  forget(store, id);
  if (action?.state !== 'pending') return;
  store.undone.add(id);
  // The undo of this tab says it itself.
  if (!store.undoing.has(id)) notify(store, { type: 'undone', action, isOwn: false });
}

/** The server has the action, or the browser, which sends it later. */
export function noteStored({ onStored }: ActionStore, id: string): void {
  onStored.get(id)?.();
  onStored.delete(id);
}

/** Stores what the server says of an action. `isNew`: it happens now, so that its end is announced. */
export function receive(store: ActionStore, next: Action, { isNew }: { isNew: boolean }): void {
  const { known, gone } = store;
  const { id } = next;
  // A restored backup knows no later state.
  if (next.is_restored) {
    gone.delete(id);
    if (known.get(id)?.action.state === 'ended') known.delete(id);
  }
  const before = known.get(id);
  const isConfirmed = before !== undefined && before.since !== Infinity;
  if (!isKnownKind(next) || gone.has(id) || (isConfirmed && rankOf(before.action) > rankOf(next))) return;
  // Only this tab knows how much it has uploaded.
  const uploaded = next.state === 'uploading' && before ? { done: before.action.done } : {};
  const { items, ...rest } = { ...before?.action, ...next, ...uploaded };
  // Another tab may have taken items out.
  const isSame = next.items !== undefined || before?.action.total === next.total;
  const action = { ...rest, ...(isSame && items && { items }) } as Action;
  store.clock += 1;
  known.set(id, { action, since: Math.min(before?.since ?? Infinity, store.clock), at: store.clock });
  if (action.state !== 'uploading') noteStored(store, id);
  const hasEnded = action.state === 'ended' && (before ? before.action.state !== 'ended' : isNew);
  if (hasEnded) end(store, action);
  else if (action.state !== 'ended') void loadChanges().catch(() => undefined);
  if (hasEnded && action.failed > 0) refetchOpen(store);
}

function end(store: ActionStore, action: Action) {
  notify(store, { type: 'ended', action, isOwn: store.own.has(action.id) });
  applyChanges(store.client, ...effectOf(action).changes(action));
  refetchHistory(store);
  if (action.failed === 0 && !shownKinds.has(action.kind)) forget(store, action.id);
}

/** Reads the actions that are open, and finds out what became of the others. */
export async function readActions(store: ActionStore, signal: AbortSignal): Promise<Action[]> {
  const { known } = store;
  const since = store.clock;
  const { actions } = await read('/api/actions', {}, { signal });
  const ids = new Set(actions.map(({ id }) => id));
  const missing = [...known.values()].filter(
    ({ action, since: confirmed }) => !ids.has(action.id) && confirmed <= since,
  );
  // Without a stream, this is how its end is found out. Otherwise it was undone.
  const open = missing.some(({ action }) => action.state !== 'ended');
  const ended = open ? (await read('/api/actions/history', {}, { signal })).actions : [];
  for (const { action } of missing) {
    const found = ended.find(({ id }) => id === action.id);
    if (found) receive(store, found, { isNew: true });
    noteDeleted(store, action.id);
  }
  // Oldest first, as they were started.
  for (const action of actions.toReversed()) {
    const { at = 0, action: newer } = known.get(action.id) ?? {};
    receive(store, { ...action, ...(at > since && newer) } as Action, { isNew: false });
  }
  showChanges(store);
  return openActions(store);
}

/** Applies an event of the live stream. */
export function receiveEvent(store: ActionStore, data: ActionEvent): void {
  if ('resumed' in data) return refetchOpen(store);
  if ('kind' in data) {
    const { is_dismissed: isDismissed, ...next } = data;
    const before = store.known.get(data.id)?.action;
    receive(store, next as Action, { isNew: true });
    if (isDismissed) forget(store, data.id);
    const action = store.known.get(data.id)?.action;
    // Only once: a list has no items with very long texts.
    const mayHaveItems = !before || before.state === 'uploading';
    if (action && !action.items && mayHaveItems && action.total <= actionLimits.itemsShown) refetchOpen(store);
  } else noteDeleted(store, data.id);
  return showChanges(store);
}
