/**
 * What the user does to one or to many records: an action, which the server executes. This module starts actions, follows
 * them in every tab, and can undo, pause and stop them. shown-actions.ts has what pages show of them.
 */
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type {
  Action,
  ActionFilter,
  ActionHistory,
  ActionItem,
  ActionKind,
  ActionKinds,
  ActionList,
  ActionResult,
  ActionResults,
  GatewayEvent,
} from '@swarmdeck/bff/contract';
import { actionLimits, limits } from '@swarmdeck/bff/field-rules';
import { effectOf, isKnownKind } from './action-kinds.ts';
import { send } from '../client.ts';
import { isLive } from '../stream/connection-status.ts';
import { applyChanges, loadChanges } from '../stream/lazy-changes.ts';
import { isUnreachable } from '../problem.ts';
import { oncePerClient } from '../of-client.ts';
import { refetchOutdated } from '../cache/query-cache.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { serverNow } from '../server-clock.ts';
import { shownActionsOf, type PendingItem } from './shown-actions.ts';

/**
 * An action to start, with any number of items. With `filter`, its items are those that match it, `expected` many, and
 * `items` are those that this tab has loaded.
 */
export type StartOptions = {
  [Kind in ActionKind]: {
    kind: Kind;
    about: ActionKinds[Kind]['about'];
    items: readonly ActionItem<Kind>[];
    filter?: ActionFilter;
    expected?: number;
  };
}[ActionKind];

type ActionEvent = Extract<GatewayEvent, { type: 'action.changed' }>['data'];

/** Stores actions that did not reach the server, until they are sent again (app/outbox.tsx). */
export interface Postponing {
  /** Returns false if it cannot wait. @throws OfflineError if the browser cannot store it */
  add(postponed: { id: string; options: StartOptions; error: unknown }): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** Whether an action waits in this browser until the server can be reached. */
export const isPostponed = ({ state, runs_at }: Action) => state === 'pending' && runs_at === null;

/** Why an item of an ended action was not executed. */
export interface Failure {
  action: Action;
  problem: NonNullable<ActionResult>;
}

/** What has happened, for notices and announcements. */
export type ActionNews =
  | { type: 'added' | 'undone' | 'ended'; action: Action; isOwn: boolean }
  | { type: 'not_started' | 'not_changed'; action: Action; error: unknown; retry?: (expected?: number) => void };

/** What cannot be taken back waits, so that the user can undo it. */
const waitingKinds: ReadonlySet<ActionKind> = new Set([
  ...(['answer', 'withdraw', 'invite_again', 'narrow_role', 'remove_member', 'ask_to_join'] as const),
  ...(['delete', 'delete_swarm', 'delete_view'] as const),
]);
/** Their page shows the result, until the user dismisses it. */
const shownKinds: ReadonlySet<ActionKind> = new Set(['import', 'invite', 'join']);
const order = ['uploading', 'pending', 'running', 'paused', 'ended'];
const rankOf = ({ state }: Action) => (state === 'paused' ? order.indexOf('running') : order.indexOf(state));
/** Bodies with so few items may outlive the document. */
const mostKeptAlive = 100;
/** The bytes of a request besides what the items share, and the items. */
const overhead = 1000;
/** In seconds. While Undo has the focus, the action is postponed this often. */
const holdEvery = 5;

/** Items with long texts are uploaded, even a few. */
function fitsOneRequest({ about, items }: Pick<StartOptions, 'about' | 'items'>): boolean {
  if (items.length > actionLimits.part) return false;
  return new Blob([JSON.stringify({ about, items })]).size <= limits.bodyBytes - overhead;
}

export const actionsOf = oncePerClient(createActions);

/** @internal */
export function createActions({ client }: { client: QueryClient }) {
  const shownActions = shownActionsOf({ client });
  /**
   * `since`: when the server confirmed it, as a number of `clock`; a list that was requested before may lack it. `at`: when
   * it last told about it; a list that was requested before may have an older state.
   */
  const known = new Map<string, { action: Action; since: number; at: number }>();
  let clock = 0;
  /** Undone, dismissed, or done: an older answer must not bring them back. */
  const gone = new Set<string>();
  /** Started in this tab. */
  const own = new Set<string>();
  const uploads = new Map<string, AbortController>();
  /** The ids of items, or null for the whole action. */
  const undoing = new Map<string, ReadonlySet<string> | null>();
  /** The ids of the actions that retry others, by these. */
  const retries = new Map<string, string>();
  const holds = new Map<string, { left: number; holders: number; timer: ReturnType<typeof setInterval> }>();
  /** The requests of an action are sent one after the other. */
  const queues = new Map<string, Promise<unknown>>();
  const newsListeners = new Set<(news: ActionNews) => void>();
  const unheard: ActionNews[] = [];
  /** The kinds that an open page shows. */
  const shownHere = new Set<ActionKind | 'ended'>();
  /** Loads after the first view of the page: what does not reach the server before that waits for it. */
  const postponing = Promise.withResolvers<Postponing>();
  let store: Postponing | undefined;
  let shown: readonly Action[] = [];
  let failures = new Map<string, Failure | undefined>();
  const indexes = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();

  function changed() {
    // The parts of an upload are in the tab that sends them.
    const isShown = ({ action: { id, state } }: { action: Action }) => state !== 'uploading' || own.has(id);
    shown = [...known.values()].filter(isShown).map(({ action }) => action);
    failures = new Map();
    shownActions.show(shown, findPending);
  }

  function tell(news: ActionNews) {
    if (newsListeners.size === 0) unheard.push(news);
    for (const listener of newsListeners) listener(news);
  }

  const refetch = () => void refetchOutdated(client, { refetch: [queryKeys.actions.open] });
  const refetchHistory = () => void refetchOutdated(client, { refetch: [queryKeys.actions.history] });

  function forget(id: string) {
    gone.add(id);
    known.delete(id);
    clearInterval(holds.get(id)?.timer);
    holds.delete(id);
  }

  /** Stores what the server says of an action. `isNew`: it happens now, so that its end is announced. */
  function receive(next: Action, { isNew }: { isNew: boolean }) {
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
    clock += 1;
    known.set(id, { action, since: Math.min(before?.since ?? Infinity, clock), at: clock });
    const hasEnded = action.state === 'ended' && (before ? before.action.state !== 'ended' : isNew);
    if (hasEnded) end(action);
    else if (action.state !== 'ended') void loadChanges().catch(() => undefined);
    if (hasEnded && action.failed > 0) refetch();
  }

  function end(action: Action) {
    tell({ type: 'ended', action, isOwn: own.has(action.id) });
    applyChanges(client, ...effectOf(action).changes(action));
    refetchHistory();
    if (action.failed === 0 && !shownKinds.has(action.kind)) forget(action.id);
  }

  async function read(signal: AbortSignal) {
    const since = clock;
    const { actions } = (await send<ActionList>({ path: '/api/actions', signal })).data;
    const ids = new Set(actions.map(({ id }) => id));
    const missing = [...known.values()].filter(
      ({ action, since: confirmed }) => !ids.has(action.id) && confirmed <= since,
    );
    // Without a stream, this is how its end is found out. Otherwise it was undone.
    const open = missing.some(({ action }) => action.state !== 'ended');
    const ended = open ? (await send<ActionHistory>({ path: '/api/actions/history', signal })).data.actions : [];
    for (const { action } of missing) {
      const found = ended.find(({ id }) => id === action.id);
      if (found) receive(found, { isNew: true });
      forget(action.id);
    }
    // Oldest first, as they were started.
    for (const action of actions.toReversed()) {
      const { at = 0, action: newer } = known.get(action.id) ?? {};
      receive({ ...action, ...(at > since && newer) } as Action, { isNew: false });
    }
    changed();
    return actions;
  }

  async function inTurn<Result>(id: string, run: () => Promise<Result>): Promise<Result> {
    const turn = (queues.get(id) ?? Promise.resolve()).catch(() => undefined).then(run);
    queues.set(id, turn);
    return turn.finally(() => queues.get(id) === turn && queues.delete(id));
  }

  const post = async (id: string, verb: string, body?: object) =>
    (await send<Action | undefined>({ method: 'POST', path: `/api/actions/${id}/${verb}`, body, keepalive: true }))
      .data;

  /** As the page shows it until the server has it. `wait` is in seconds, and null for a postponed action. */
  function provisional({ id, options, wait }: { id: string; options: StartOptions; wait: number | null }) {
    const { kind, about, items, expected: total = items.length } = options;
    const now = serverNow();
    const action = {
      id,
      kind,
      about,
      total,
      items,
      state: wait === 0 ? 'running' : 'pending',
      runs_at: wait === null ? null : new Date(now + wait * 1000).toISOString(),
      created_at: new Date(now).toISOString(),
      done: 0,
      failed: 0,
      changed: 0,
      ended_at: null,
      is_waiting: false,
      can_undo: false,
      undone_by: null,
    } as Action;
    known.set(id, { action, since: Infinity, at: 0 });
    return action;
  }

  /** Resolves when the server has it, with undefined if that failed. */
  function start(options: StartOptions, id: string = crypto.randomUUID()): Promise<Action | undefined> {
    const { kind, about, items, filter, expected: total = items.length } = options;
    if (total === 0) return Promise.resolve(undefined);
    const isLarge = !filter && !fitsOneRequest({ about, items });
    // A postponed one could be undone until now.
    const isNew = !known.has(id);
    const wait = isNew && waitingKinds.has(kind) ? shownActions.undoSeconds() : 0;
    // The server may have executed it although its response did not arrive: only the next response says so.
    gone.delete(id);
    const action = provisional({ id, options, wait });
    if (isLarge) action.state = 'uploading';
    own.add(id);
    if (isNew) tell({ type: 'added', action, isOwn: true });
    changed();

    return inTurn(id, async () => {
      try {
        const what = filter ? { filter, expected: total } : isLarge ? { total } : { items };
        const body = { id, kind, about, wait, ...what };
        const keepalive = filter !== undefined || items.length <= mostKeptAlive;
        let started = (await send<Action>({ method: 'POST', path: '/api/actions', body, keepalive })).data;
        if (isLarge) started = await upload(id, items);
        receive(started, { isNew: true });
        changed();
        return started;
      } catch (thrown) {
        const error = isLarge || filter ? thrown : await postpone({ id, options, error: thrown });
        if (error === undefined) {
          showPostponed(id, options);
          return undefined;
        }
        known.delete(id);
        if (isLarge) void post(id, 'undo').catch(() => undefined);
        if (!uploads.get(id)?.signal.aborted) {
          const retry = (expected = total) => void start({ ...options, expected }, id);
          tell({ type: 'not_started', action, error, retry });
        }
        changed();
        return undefined;
      } finally {
        uploads.delete(id);
      }
    });
  }

  /** Returns why it cannot wait, or undefined if it waits. */
  async function postpone(postponed: { id: string; options: StartOptions; error: unknown }): Promise<unknown> {
    store ??= isUnreachable(postponed.error) ? await postponing.promise : undefined;
    try {
      return (await store?.add(postponed)) ? undefined : postponed.error;
    } catch (error) {
      return error;
    }
  }

  function showPostponed(id: string, options: StartOptions) {
    provisional({ id, options, wait: null });
    changed();
  }

  async function undoPostponed(action: Action, ids: ReadonlySet<string> | undefined) {
    const { id } = action;
    const { left, taken } = without(action, ids);
    if (ids && left.total > 0) {
      const options = left as StartOptions;
      await store?.add({ id, options, error: undefined });
      showPostponed(id, options);
    } else {
      await store?.remove(id);
      known.delete(id);
      changed();
    }
    tell({ type: 'undone', action: taken, isOwn: true });
    return undefined;
  }

  async function upload(id: string, items: readonly ActionItem[]): Promise<Action> {
    const stop = new AbortController();
    uploads.set(id, stop);
    // Few actions need it.
    const { uploadParts } = await import('./upload-parts.ts');
    const onProgress = (done: number) => {
      const entry = known.get(id);
      if (entry) entry.action = { ...entry.action, done };
      changed();
    };
    return uploadParts({ id, items, signal: stop.signal, onProgress });
  }

  /**
   * Sends a request that changes an action. If it fails, a toast says so and the action is read again. `ended`: an action
   * from the history, which is not in `known`.
   */
  async function change(
    id: string,
    run: (action: Action) => Promise<Action | undefined>,
    ended?: Action,
  ): Promise<Action | undefined> {
    return inTurn(id, async () => {
      const action = known.get(id)?.action ?? ended;
      if (!action) return undefined;
      try {
        const next = await run(action);
        if (next) receive(next, { isNew: true });
        return next;
      } catch (error) {
        tell({ type: 'not_changed', action, error });
        refetch();
        return undefined;
      } finally {
        changed();
      }
    });
  }

  /** Of a pending action: all of it, or the items with these ids. Of an ended one: starts its inverse. */
  function undo(id: string, items?: readonly string[], ended?: Action): Promise<Action | undefined> {
    const ids = items && new Set(items);
    const postponed = known.get(id)?.action;
    if (postponed && isPostponed(postponed)) return undoPostponed(postponed, ids);
    undoing.set(id, ids ? new Set([...ids, ...(undoing.get(id) ?? [])]) : null);
    changed();
    const run = async (action: Action) => {
      const { left, taken } = without(action, ids);
      // Of the inverse action, which may have ended before the answer.
      const inverse = crypto.randomUUID();
      own.add(inverse);
      try {
        const next = await post(id, 'undo', { id: inverse, ...(ids && { items }) });
        if (!next || next.id === id) tell({ type: 'undone', action: taken, isOwn: true });
        else {
          const entry = known.get(id);
          if (entry) entry.action = { ...entry.action, can_undo: false, undone_by: next.id };
          refetchHistory();
        }
        if (!next) forget(id);
        return next?.id === id ? ({ ...left, ...next } as Action) : next;
      } finally {
        undoing.delete(id);
      }
    };
    return change(id, run, ended);
  }

  /** Starts the countdown again with this number of seconds. */
  function wait(id: string, seconds: number) {
    const request = () => post(id, 'wait', { seconds: Math.min(seconds, actionLimits.wait) });
    // It may have started meanwhile, which its row shows.
    return change(id, async ({ state }) => {
      if (state === 'pending') return request().catch(() => undefined);
      return undefined;
    });
  }

  /** Stops the countdown until the returned function is called. If the tab is closed before, the action is executed. */
  function hold(id: string): () => void {
    const action = known.get(id)?.action;
    if (action?.state !== 'pending' || isPostponed(action)) return () => undefined;
    const existing = holds.get(id);
    const postpone = () => void wait(id, (holds.get(id)?.left ?? 0) + holdEvery);
    const hold = existing ?? { left: secondsLeft(action), holders: 0, timer: setInterval(postpone, holdEvery * 1000) };
    hold.holders += 1;
    holds.set(id, hold);
    if (!existing) postpone();
    changed();
    return () => {
      hold.holders -= 1;
      if (hold.holders > 0 || holds.get(id) !== hold) return;
      clearInterval(hold.timer);
      holds.delete(id);
      void wait(id, hold.left);
    };
  }

  /** Whole seconds until it runs. */
  function secondsLeft({ id, runs_at }: Action): number {
    const left = holds.get(id)?.left ?? Math.ceil((Date.parse(runs_at ?? '') - serverNow()) / 1000);
    return Math.max(0, left || 0);
  }

  function stop(id: string) {
    const upload = uploads.get(id);
    if (upload) return Promise.resolve(upload.abort());
    return change(id, () => post(id, 'stop'));
  }

  async function dismiss(id: string) {
    await change(id, () => {
      forget(id);
      changed();
      return post(id, 'dismiss').then(() => undefined);
    });
  }

  /** Starts an action with the failed items. Until the server has answered, it is the same one each time. */
  async function retry(id: string, ended?: Action) {
    const body = { id: retries.get(id) ?? crypto.randomUUID() };
    retries.set(id, body.id);
    own.add(body.id);
    const run = async () => {
      const started = await post(id, 'retry', body);
      retries.delete(id);
      return started;
    };
    const next = await change(id, run, ended);
    if (next) await dismiss(id);
    return next;
  }

  /** The index of the item of an action that concerns a record. */
  function indexOf(action: Action, target: string): number | undefined {
    const { items, about } = action;
    const { targets } = effectOf(action);
    if (!items || !targets) return undefined;
    const index =
      indexes.get(items) ??
      new Map((items as ActionItem[]).flatMap((item, at) => targets(item, about).map((one) => [one, at] as const)));
    indexes.set(items, index);
    return index.get(target);
  }

  function findPending(target: string): PendingItem | undefined {
    for (const action of shown) {
      const index = action.state === 'ended' ? undefined : indexOf(action, target);
      if (index === undefined) continue;
      const ids = undoing.get(action.id);
      const isUndoing = ids === null || (ids?.has(idOf(action.items![index]!)) ?? false);
      return { action, index, isUndoing };
    }
    return undefined;
  }

  function findFailure(target: string): Failure | undefined {
    for (const action of shown.toReversed()) {
      const index = action.state === 'ended' ? indexOf(action, target) : undefined;
      if (index === undefined) continue;
      const problem = action.results?.[index];
      return problem ? { action, problem } : undefined;
    }
    return undefined;
  }

  return {
    subscribe: shownActions.subscribe,
    list: shownActions.list,
    read,
    start,
    undo,
    wait,
    pause: (id: string) => change(id, () => post(id, 'pause')),
    resume: (id: string) => change(id, () => post(id, 'resume')),
    stop,
    dismiss,
    retry,
    hold,
    secondsLeft,
    pendingOf: shownActions.pendingOf,
    failureOf(target: string) {
      if (!failures.has(target)) failures.set(target, findFailure(target));
      return failures.get(target);
    },
    /** Applies an event of the live stream. */
    onEvent(data: ActionEvent) {
      if ('resumed' in data) return refetch();
      if ('kind' in data) {
        const { is_dismissed: isDismissed, ...next } = data;
        const before = known.get(data.id)?.action;
        receive(next as Action, { isNew: true });
        if (isDismissed) forget(data.id);
        const action = known.get(data.id)?.action;
        // Only once: a list has no items with very long texts.
        const mayHaveItems = !before || before.state === 'uploading';
        if (action && !action.items && mayHaveItems && action.total <= actionLimits.itemsShown) refetch();
      } else forget(data.id);
      return changed();
    },
    /** Calls it for what has happened and what happens. */
    onNews(listener: (news: ActionNews) => void) {
      newsListeners.add(listener);
      for (const news of unheard.splice(0)) listener(news);
      return () => void newsListeners.delete(listener);
    },
    /** A page that is open shows it. */
    isShown: ({ kind, state }: Action) => shownHere.has(kind) || (state === 'ended' && shownHere.has('ended')),
    showHere(kind: ActionKind | 'ended') {
      shownHere.add(kind);
      changed();
      return () => {
        shownHere.delete(kind);
        changed();
      };
    },
    isUploading: () => uploads.size > 0,
    /** `stored` keeps the actions that do not reach the server, and has these from an earlier page. */
    postponeWith(stored: Postponing, actions: ReadonlyMap<string, StartOptions>) {
      store = stored;
      postponing.resolve(stored);
      for (const [id, { action }] of known) if (isPostponed(action) && !actions.has(id)) known.delete(id);
      for (const [id, options] of actions) if (!known.has(id)) provisional({ id, options, wait: null });
      changed();
    },
    /** For how many ms a large action has been running; 0 if none runs. */
    workingMs() {
      const large = shown.filter(({ state, total }) => state === 'running' && total > actionLimits.itemsShown);
      return Math.max(0, ...large.map(({ runs_at }) => serverNow() - Date.parse(runs_at!)));
    },
  };
}

const idOf = (item: ActionItem) => ('id' in item && item.id) || '';

/** An action in which only these items are left, and one with the others. */
function without(action: Action, ids: ReadonlySet<string> | undefined): Record<'left' | 'taken', Action> {
  const items = action.items as ActionItem[] | undefined;
  if (!items || !ids) return { left: action, taken: action };
  const select = (isTaken: boolean) => {
    const some = items.filter((item) => ids.has(idOf(item)) === isTaken);
    return { ...action, items: some, total: some.length } as Action;
  };
  return { left: select(false), taken: select(true) };
}

const useStore = () => actionsOf({ client: useQueryClient() });

/** Why the last action of a record has failed, until the user dismisses that action. */
export function useFailure(target: string): Failure | undefined {
  const { subscribe, failureOf } = useStore();
  return useSyncExternalStore(subscribe, () => failureOf(target));
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

/** The items that could not be executed, with the reasons. */
export const failedItems = (id: string) =>
  queryOptions({
    queryKey: queryKeys.actions.failed(id),
    queryFn: async ({ signal }) =>
      (await send<ActionResults>({ path: `/api/actions/${id}/results?failed=true`, signal })).data.results,
    staleTime: Infinity,
  });
