import type { QueryClient } from '@tanstack/react-query';
import type {
  Action,
  ActionFilter,
  ActionItem,
  ActionKind,
  ActionKinds,
  ActionResult,
  InvitationItem,
} from '@swarmdeck/bff/contract';
import { send } from '../client.ts';
import { pathTo } from '../path-to.ts';
import { shownActionsOf } from './shown-actions.ts';

/**
 * An action to start, with any number of items. With `filter`, its items are those that match it, `expected` many, and
 * `items` are those that this tab has loaded. `shown`: the invitations that are accepted, as the user was shown them. The server does
 * not get them; an Accept that waits is compared with them before it is sent (app/changed-consent.ts).
 */
export type StartOptions = {
  [Kind in ActionKind]: {
    kind: Kind;
    about: ActionKinds[Kind]['about'];
    items: readonly ActionItem<Kind>[];
    filter?: ActionFilter;
    expected?: number;
    shown?: readonly InvitationItem[];
  };
}[ActionKind];

export interface UnsentAction {
  id: string;
  options: StartOptions;
}

/** One that an earlier page has stored. `begun`: when the user began it, in ms of the server's clock. */
export interface StoredAction {
  options: StartOptions;
  begun: number;
}

/** Stores actions that did not reach the server, until they are sent again (app/outbox.tsx). */
export interface ActionOutbox {
  /** Stores one that is being sent, until the answer, in case the page ends before. `onStored`: it would be sent again. */
  keepUntil(answer: Promise<unknown>, unsent: UnsentAction, onStored: () => void): void;
  /** Returns false if it cannot wait. @throws OfflineError if the browser cannot store it */
  add(unsent: UnsentAction & { error: unknown }): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** Why an item of an ended action was not executed. */
export interface Failure {
  action: Action;
  problem: NonNullable<ActionResult>;
}

/** What has happened, for notices and announcements. */
export type ActionNotice =
  | { type: 'added' | 'undone' | 'ended'; action: Action; isOwn: boolean }
  | { type: 'not_started'; action: Action; error: unknown; retry: (expected?: number) => void }
  | { type: 'not_changed'; action: Action; error: unknown; isUndo: boolean };

interface KnownAction {
  action: Action;
  /** When the server confirmed it, as a number of `clock`. A list that was requested before may lack it. */
  since: number;
  /** When the server last sent something about it. A list that was requested before may have an older state. */
  at: number;
  /** Until the server has it: when the user began it, in ms of the server's clock. It could be undone since. */
  begun?: number;
}

/** A countdown that has stopped, because Undo has the focus. */
interface Hold {
  /** In seconds. */
  left: number;
  holders: number;
  timer: ReturnType<typeof setInterval>;
}

/** What this tab knows of the actions of the user. The functions of this folder take it as their first parameter. */
export interface ActionStore {
  readonly client: QueryClient;
  readonly shownActions: ReturnType<typeof shownActionsOf>;
  readonly known: Map<string, KnownAction>;
  /** Increases with each answer of the server. */
  clock: number;
  /** Undone, dismissed, or done: an older answer must not bring them back. */
  readonly gone: Set<string>;
  /** Undone before they began. */
  readonly undone: Set<string>;
  /** Started in this tab. */
  readonly own: Set<string>;
  readonly uploads: Map<string, AbortController>;
  /** Neither the server nor this browser has stored them: they are lost if the page ends. */
  readonly unanswered: Set<string>;
  /** What runs once an action is stored, by its id. */
  readonly onStored: Map<string, () => void>;
  /** The ids of items, or null for the whole action. */
  readonly undoing: Map<string, ReadonlySet<string> | null>;
  /** The ids of the actions that retry others, by these. */
  readonly retries: Map<string, string>;
  readonly holds: Map<string, Hold>;
  /** The requests of an action are sent one after the other. */
  readonly queues: Map<string, Promise<unknown>>;
  readonly noticeListeners: Set<(news: ActionNotice) => void>;
  /** What happened before a part of the page listened. */
  readonly queuedNotices: ActionNotice[];
  /** The kinds that an open page shows. */
  readonly shownHere: Set<ActionKind | 'ended'>;
  /** Loads after the first view of the page: what does not reach the server before that waits for it. */
  readonly loadedOutbox: PromiseWithResolvers<ActionOutbox>;
  outbox: ActionOutbox | undefined;
  /** The actions that this tab shows. */
  shown: readonly Action[];
  /** By the record that they concern. */
  failures: Map<string, Failure | undefined>;
  /** The indexes of items by the records that they concern, by the list of items. */
  readonly indexes: WeakMap<readonly unknown[], ReadonlyMap<string, number>>;
}

export function createStore({ client }: { client: QueryClient }): ActionStore {
  return {
    client,
    shownActions: shownActionsOf({ client }),
    known: new Map(),
    clock: 0,
    gone: new Set(),
    undone: new Set(),
    own: new Set(),
    uploads: new Map(),
    unanswered: new Set(),
    onStored: new Map(),
    undoing: new Map(),
    retries: new Map(),
    holds: new Map(),
    queues: new Map(),
    noticeListeners: new Set(),
    queuedNotices: [],
    shownHere: new Set(),
    loadedOutbox: Promise.withResolvers<ActionOutbox>(),
    outbox: undefined,
    shown: [],
    failures: new Map(),
    indexes: new WeakMap(),
  };
}

export function notify({ noticeListeners, queuedNotices }: ActionStore, news: ActionNotice): void {
  if (noticeListeners.size === 0) queuedNotices.push(news);
  for (const listener of noticeListeners) listener(news);
}

/** Calls the listener for what has happened and what happens. Returns a function that ends that. */
export function onNotice(
  { noticeListeners, queuedNotices }: ActionStore,
  listener: (news: ActionNotice) => void,
): () => void {
  noticeListeners.add(listener);
  for (const news of queuedNotices.splice(0)) listener(news);
  return () => void noticeListeners.delete(listener);
}

/** Runs it after the requests of the action that were made before. */
export async function inTurn<Result>({ queues }: ActionStore, id: string, run: () => Promise<Result>): Promise<Result> {
  const turn = (queues.get(id) ?? Promise.resolve()).catch(() => undefined).then(run);
  queues.set(id, turn);
  return turn.finally(() => queues.get(id) === turn && queues.delete(id));
}

/** A request that changes an action. */
export const post = async (id: string, verb: string, body?: object): Promise<Action | undefined> =>
  (
    await send<Action | undefined>({
      method: 'POST',
      path: pathTo('/api/actions/:id/:verb', { id, verb }),
      body,
      keepalive: true,
    })
  ).data;
