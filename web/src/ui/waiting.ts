/**
 * Actions with Undo: a request that cannot be reverted is sent ten seconds after the click.
 *
 * - Each action has its own countdown. It stops while something on the screen holds a pause for it.
 * - When the page is hidden or left, everything is sent at once in requests that outlive the page.
 *   Browsers limit the size of such requests; above the limit, the browser asks before it leaves the page.
 * - If the browser dies before that, nothing has been sent.
 */
import type { ReactNode } from 'react';

export interface WaitingAct {
  /** One act at a time for each key; the same key again replaces nothing and is refused. */
  key: string;
  /** What is happening: "Destroying Sensor 3". */
  label: ReactNode;
  /** Size of the request's body, for what a browser sends after the page. */
  bytes?: number;
  /** How many requests it takes; one, where nothing is said. */
  requests?: number;
  /** Sends it; rejects when the server refuses. */
  send(options: { keepalive: boolean }): Promise<void>;
  /** The server said no, or nobody answered: the thing is back at its place. */
  onRefused(error: unknown): void;
  onUndo?(): void;
  /** What stands beside the label while it is sent, where that takes long: how far it is, and how to stop it. */
  progress?: ReactNode;
}

export interface WaitingItem {
  key: string;
  label: ReactNode;
  state: 'waiting' | 'sending';
  /** Whole seconds until it is sent. */
  seconds: number;
  progress?: ReactNode;
}

/** The page as far as this file knows it; `window` and `document` in a browser. */
interface Page {
  window: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  document: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & { visibilityState: string };
}

const waitingSeconds = 10;
/** Browsers let 64 KiB of bodies outlive a page, and some hundred requests. */
export const keepaliveLimit = { bytes: 65_536, requests: 200 } as const;

interface Entry {
  act: WaitingAct;
  state: 'waiting' | 'sending';
  left: number;
  clock: ReturnType<typeof setInterval> | undefined;
  /** One token for each element that pauses the countdown. */
  pauses: Set<symbol>;
}

export interface Waiting {
  add(act: WaitingAct): void;
  /** Sends it at once and shows it all the while: it goes on where it was interrupted. */
  goOn(act: WaitingAct): void;
  undo(key: string): void;
  /**
   * Stops the countdown of this action until the returned function is called. Call it when the element that pauses is
   * removed: only what is on the screen may pause an action.
   */
  pause(key: string): () => void;
  /** Sends everything now. Resolves when each action has succeeded or failed. */
  flush(options: { keepalive: boolean }): Promise<void>;
  /** The same array until something in it changes. */
  items(): readonly WaitingItem[];
  subscribe(listener: () => void): () => void;
  /** Starts to listen to the page; the answer stops it. */
  watch(page: Page): () => void;
}

export function createWaiting(): Waiting {
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  let shown: readonly WaitingItem[] = [];

  function changed() {
    shown = [...entries.values()].map(({ act, state, left }) => ({
      key: act.key,
      label: act.label,
      state,
      seconds: left,
      progress: act.progress,
    }));
    for (const listener of listeners) listener();
  }

  function start(entry: Entry) {
    if (entry.state !== 'waiting' || entry.pauses.size > 0) return;
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
    entry.state = 'sending';
    try {
      await entry.act.send({ keepalive });
      remove(entry);
    } catch (error) {
      remove(entry);
      entry.act.onRefused(error);
    }
  }

  function remove(entry: Entry) {
    entries.delete(entry.act.key);
    changed();
  }

  const waiting = () => [...entries.values()].filter((entry) => entry.state === 'waiting');

  async function flush({ keepalive }: { keepalive: boolean }) {
    const acts: WaitingAct[] = [];
    const sent = waiting().map((entry) => {
      acts.push(entry.act);
      return dispatch(entry, keepalive && !isTooMuch(acts));
    });
    changed();
    await Promise.all(sent);
  }

  /** More than can outlive the page. */
  function isTooMuch(acts: readonly WaitingAct[]): boolean {
    const sum = (of: (act: WaitingAct) => number) => acts.reduce((total, act) => total + of(act), 0);
    const { bytes, requests } = keepaliveLimit;
    return sum((act) => act.bytes ?? 0) > bytes || sum((act) => act.requests ?? 1) > requests;
  }

  function enter(act: WaitingAct): Entry | undefined {
    if (entries.has(act.key)) return undefined;
    const entry: Entry = { act, state: 'waiting', left: waitingSeconds, clock: undefined, pauses: new Set() };
    entries.set(act.key, entry);
    return entry;
  }

  return {
    add(act) {
      const entry = enter(act);
      if (entry) start(entry);
      changed();
    },
    goOn(act) {
      const entry = enter(act);
      if (entry) void dispatch(entry, false);
      changed();
    },
    undo(key) {
      const entry = entries.get(key);
      if (entry?.state !== 'waiting') return;
      stop(entry);
      remove(entry);
      entry.act.onUndo?.();
    },
    pause(key) {
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
    items: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch(page) {
      const hidden = () => {
        if (page.document.visibilityState === 'hidden') void flush({ keepalive: true });
      };
      const leave = () => void flush({ keepalive: true });
      const ask = (event: Event) => {
        if (isTooMuch(waiting().map(({ act }) => act))) event.preventDefault();
      };
      page.document.addEventListener('visibilitychange', hidden);
      page.window.addEventListener('pagehide', leave);
      page.window.addEventListener('beforeunload', ask);
      return () => {
        page.document.removeEventListener('visibilitychange', hidden);
        page.window.removeEventListener('pagehide', leave);
        page.window.removeEventListener('beforeunload', ask);
      };
    },
  };
}
