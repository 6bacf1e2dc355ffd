/**
 * Pending actions: requests that cannot be reverted are sent ten seconds after the click, or later if the user prefers
 * that. Until then the user can undo them, also on another page.
 *
 * - Each action has its own countdown, which an element on the screen can pause.
 * - When the document is hidden or closed, everything is sent immediately with keepalive. Browsers limit the size of
 * such requests; above the limit, the browser asks before it closes the document.
 * - If the browser crashes before that, nothing has been sent.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { createListeners } from './listeners.ts';
import { oncePerClient } from './query-cache.ts';

export interface PendingAction {
  /** There is one action at a time for each key. Another one with the same key is ignored. */
  key: string;
  /** The label of the toast: "Deleting Sensor 3". */
  label: ReactNode;
  /** Announced when it has succeeded: "Sensor 3 deleted". Without it, the caller shows a notice. */
  doneLabel?: ReactNode;
  /** Size of the request bodies. */
  bytes?: number;
  /** Number of requests; 1 by default. */
  requests?: number;
  /** Rejects if the action failed. */
  send(options: { keepalive: boolean }): Promise<void>;
  onError(error: unknown): void;
  onUndo?(): void;
  /** Shown beside the label while it is sent, if that takes long: how far it is, and how to stop it. */
  progress?: ReactNode;
}

export interface PendingItem {
  key: string;
  label: ReactNode;
  phase: 'pending' | 'sending';
  /** Whole seconds until it is sent. */
  seconds: number;
  progress?: ReactNode;
}

/** What has happened last, for a live region. */
export type PendingNews = { kind: 'added' | 'undone' | 'done'; label: ReactNode; seconds: number };

/** Browsers let 64 KiB of bodies outlive a document, and some hundred requests. */
export const keepaliveLimit = { bytes: 65_536, requests: 200 } as const;

interface Entry {
  action: PendingAction;
  phase: 'pending' | 'sending';
  left: number;
  clock: ReturnType<typeof setInterval> | undefined;
  /** One token for each element that pauses the countdown. */
  pauses: Set<symbol>;
}

export type PendingActions = ReturnType<typeof createPendingActions>;

export function createPendingActions() {
  const entries = new Map<string, Entry>();
  const { subscribe, notify } = createListeners();
  let items: readonly PendingItem[] = [];
  let undoSeconds = 10;
  let news: PendingNews | null = null;
  const announce = (kind: PendingNews['kind'], label: ReactNode) => {
    news = { kind, label, seconds: undoSeconds };
  };

  function changed() {
    items = [...entries.values()].map(({ action: { key, label, progress }, phase, left }) => ({
      ...{ key, label, phase, seconds: left, progress },
    }));
    notify();
  }

  function start(entry: Entry) {
    if (entry.phase !== 'pending' || entry.pauses.size > 0) return;
    entry.clock ??= setInterval(() => {
      entry.left -= 1;
      if (entry.left <= 0) void dispatch(entry, false);
      changed();
    }, 1000);
  }

  function stop(entry: Entry) {
    clearInterval(entry.clock);
    entry.clock = undefined;
  }

  async function dispatch(entry: Entry, keepalive: boolean) {
    stop(entry);
    entry.phase = 'sending';
    try {
      await entry.action.send({ keepalive });
      if (entry.action.doneLabel) announce('done', entry.action.doneLabel);
      remove(entry);
    } catch (error) {
      remove(entry);
      entry.action.onError(error);
    }
  }

  function remove(entry: Entry) {
    entries.delete(entry.action.key);
    changed();
  }

  const pending = () => [...entries.values()].filter((entry) => entry.phase === 'pending');

  /** Sends everything immediately. Resolves when each action has succeeded or failed. */
  async function flush({ keepalive }: { keepalive: boolean }) {
    const actions: PendingAction[] = [];
    const sent = pending().map((entry) => {
      actions.push(entry.action);
      return dispatch(entry, keepalive && !isTooMuch(actions));
    });
    changed();
    await Promise.all(sent);
  }

  /** Whether the requests exceed what browsers allow with keepalive. */
  function isTooMuch(actions: readonly PendingAction[]): boolean {
    const sum = (of: (action: PendingAction) => number) => actions.reduce((total, action) => total + of(action), 0);
    const { bytes, requests } = keepaliveLimit;
    return sum((action) => action.bytes ?? 0) > bytes || sum((action) => action.requests ?? 1) > requests;
  }

  function enter(action: PendingAction): Entry | undefined {
    if (entries.has(action.key)) return undefined;
    const entry: Entry = { action, phase: 'pending', left: undoSeconds, clock: undefined, pauses: new Set() };
    entries.set(action.key, entry);
    return entry;
  }

  return {
    /** Adds an action and starts its countdown. */
    add(action: PendingAction) {
      const entry = enter(action);
      if (entry) {
        announce('added', action.label);
        start(entry);
      }
      changed();
    },
    /** Sends an action immediately, and lists it until it has ended. */
    run(action: PendingAction) {
      const entry = enter(action);
      if (entry) void dispatch(entry, false);
      changed();
    },
    undo(key: string) {
      const entry = entries.get(key);
      if (entry?.phase !== 'pending') return;
      stop(entry);
      announce('undone', entry.action.label);
      remove(entry);
      entry.action.onUndo?.();
    },
    /**
     * Pauses the countdown of this action until the returned function is called. Call that when the pausing element is
     * removed: only visible elements may pause an action.
     */
    pause(key: string) {
      const entry = entries.get(key);
      if (!entry) return () => undefined;
      const token = Symbol(key);
      entry.pauses.add(token);
      stop(entry);
      return () => {
        entry.pauses.delete(token);
        if (entries.get(key) === entry) start(entry);
      };
    },
    flush,
    /** Of the next actions. */
    setUndoSeconds(seconds: number) {
      undoSeconds = seconds;
    },
    /** The same object until something else happens. */
    news: () => news,
    /** The same array until something in it changes. */
    items: () => items,
    subscribe,
    /** Listens to the document being hidden or left. Returns a function that stops it. */
    watch() {
      const stop = new AbortController();
      const { signal } = stop;
      const sendAll = () => void flush({ keepalive: true });
      const onHide = () => document.visibilityState === 'hidden' && sendAll();
      const onBeforeUnload = (event: Event) => {
        if (isTooMuch(pending().map(({ action }) => action))) event.preventDefault();
      };
      document.addEventListener('visibilitychange', onHide, { signal });
      addEventListener('pagehide', sendAll, { signal });
      addEventListener('beforeunload', onBeforeUnload, { signal });
      return () => stop.abort();
    },
  };
}

export { oncePerClient };

export const pendingActionsOf = oncePerClient((_options: { client: QueryClient }) => createPendingActions());

export function usePendingActions(): PendingActions {
  return pendingActionsOf({ client: useQueryClient() });
}

/** The phase of the pending action with this key, if there is one. */
export function usePendingPhase(key: string): PendingItem['phase'] | undefined {
  const { subscribe, items } = usePendingActions();
  return useSyncExternalStore(subscribe, () => items().find((item) => item.key === key)?.phase);
}

/**
 * A mutation of TanStack Query with a pending phase: it is sent after ten seconds, in which the user can undo it, also
 * after they have left the page. Undo toasts show it on every page.
 */
export function useUndoableMutation<Variables = void>({
  key,
  label,
  doneLabel,
  mutationFn,
  onError,
}: {
  /** A mutation is ignored while another one with the same key is pending. */
  key: string | ((variables: Variables) => string);
  label: ReactNode | ((variables: Variables) => ReactNode);
  /** Announced when it has succeeded. */
  doneLabel: ReactNode | ((variables: Variables) => ReactNode);
  mutationFn(variables: Variables, options: { keepalive: boolean }): Promise<void>;
  onError(error: unknown, variables: Variables): void;
}) {
  const client = useQueryClient();
  const pending = usePendingActions();
  const textOf = (text: typeof label, variables: Variables) => (typeof text === 'function' ? text(variables) : text);
  const keyOf = (variables: Variables) => (typeof key === 'function' ? key(variables) : key);
  return {
    mutate(variables: Variables) {
      pending.add({
        key: keyOf(variables),
        label: textOf(label, variables),
        doneLabel: textOf(doneLabel, variables),
        async send({ keepalive }) {
          const options = { mutationFn: () => mutationFn(variables, { keepalive }) };
          await client.getMutationCache().build(client, options).execute(undefined);
        },
        onError: (error) => onError(error, variables),
      });
    },
    undo: (variables: Variables) => pending.undo(keyOf(variables)),
  };
}
