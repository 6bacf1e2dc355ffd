/** Starts actions: in one request, in parts, or later, when the server can be reached. */
import type { Action, ActionItem, ActionKind } from '@swarmdeck/bff/contract';
import { actionLimits, limits } from '@swarmdeck/bff/field-rules';
import { send } from '../client.ts';
import { isUnreachable } from '../problem.ts';
import { serverNow } from '../server-clock.ts';
import {
  inTurn,
  post,
  notify,
  type ActionStore,
  type ActionOutbox,
  type StartOptions,
  type StoredAction,
  type UnsentAction,
} from './action-store.ts';
import { noteStored, receive, showChanges } from './receive-action.ts';
import { isPostponed } from './shown-actions.ts';

/** What cannot be taken back waits, so that the user can undo it. */
const waitingKinds: ReadonlySet<ActionKind> = new Set([
  ...(['answer', 'withdraw', 'invite_again', 'narrow_role', 'remove_member', 'extend_member', 'ask_to_join'] as const),
  ...(['delete', 'delete_swarm', 'delete_view'] as const),
]);
/** Bodies with so few items may outlive the document. */
const mostKeptAlive = 100;
/** The bytes of a request besides what the items share, and the items. */
const overhead = 1000;

/** Items with long texts are uploaded, even a few. */
function fitsOneRequest({ about, items }: Pick<StartOptions, 'about' | 'items'>): boolean {
  if (items.length > actionLimits.part) return false;
  return new Blob([JSON.stringify({ about, items })]).size <= limits.bodyBytes - overhead;
}

interface Provisional {
  id: string;
  options: StartOptions;
  /** In seconds, and null for a postponed action. */
  wait: number | null;
  begun?: number;
}

/** An action as the page shows it until the server has it. */
function addProvisional({ known }: ActionStore, { id, options, wait, ...given }: Provisional): Action {
  const { kind, about, items, shown, expected: total = items.length } = options;
  const now = serverNow();
  const begun = given.begun ?? known.get(id)?.begun ?? now;
  const action = {
    id,
    kind,
    about,
    total,
    items,
    // For those that are left to be sent if others are taken back.
    ...(wait === null && shown && { shown }),
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
  known.set(id, { action, since: Infinity, at: 0, begun });
  return action;
}

/** A postponed one could be undone since the user began it. Only what is left of the seconds to undo follows. */
function secondsToUndo({ known, shownActions }: ActionStore, id: string): number {
  const now = serverNow();
  // The machine's clock may have been wrong, and corrected since.
  const waited = Math.max(0, (now - (known.get(id)?.begun ?? now)) / 1000);
  return Math.max(0, Math.ceil(shownActions.undoSeconds() - waited));
}

/**
 * Resolves when the server has it, with undefined if that failed. `onStored` runs once the server has it, or this browser,
 * which sends it later: also after another try. A form keeps what was typed until then.
 */
export function start(
  store: ActionStore,
  options: StartOptions,
  id: string = crypto.randomUUID(),
  onStored?: () => void,
): Promise<Action | undefined> {
  const { kind, about, items, filter, expected: total = items.length } = options;
  if (total === 0) return Promise.resolve(undefined);
  const isLarge = !filter && !fitsOneRequest({ about, items });
  const isNew = !store.known.has(id);
  const wait = waitingKinds.has(kind) ? secondsToUndo(store, id) : 0;
  // The server may have executed it although its response did not arrive: only the next response says so.
  store.gone.delete(id);
  const action = addProvisional(store, { id, options, wait });
  // The page says that the rows of an import are only in this tab.
  if (isLarge || kind === 'import') action.state = 'uploading';
  if (isLarge) store.uploads.set(id, new AbortController());
  const keepalive = filter !== undefined || items.length <= mostKeptAlive;
  store.unanswered.add(id);
  if (onStored) store.onStored.set(id, onStored);
  store.own.add(id);
  if (isNew) notify(store, { type: 'added', action, isOwn: true });
  showChanges(store);

  const answer = inTurn(store, id, async () => {
    try {
      const what = filter ? { filter, expected: total } : isLarge ? { total } : { items };
      const body = { id, kind, about, wait, ...what };
      let started = (await send<Action>({ method: 'POST', path: '/api/actions', body, keepalive })).data;
      if (isLarge) started = await upload(store, id, items);
      receive(store, started, { isNew: true });
      showChanges(store);
      return started;
    } catch (thrown) {
      const arrived = store.known.get(id);
      // Its event came, and the response did not. What has ended well is known no more.
      if (!isLarge && arrived?.since !== Infinity) return arrived?.action ?? action;
      const error = isLarge || filter ? thrown : await postpone(store, { id, options, error: thrown });
      if (error === undefined) {
        showPostponed(store, id, options);
        noteStored(store, id);
        return undefined;
      }
      store.known.delete(id);
      if (isLarge) void post(id, 'undo').catch(() => undefined);
      if (!store.uploads.get(id)?.signal.aborted) {
        const retry = (expected = total) => void start(store, { ...options, expected }, id, onStored);
        notify(store, { type: 'not_started', action, error, retry });
      }
      showChanges(store);
      return undefined;
    } finally {
      store.uploads.delete(id);
      store.unanswered.delete(id);
    }
  });
  if (!isLarge) void keepUntil(store, answer, { id, options });
  return answer;
}

/** Stores it in this browser until the answer: it is sent again if the page ends before. */
async function keepUntil(store: ActionStore, answer: Promise<unknown>, unsent: UnsentAction) {
  const { id } = unsent;
  if (!store.outbox) await store.loadedOutbox.promise;
  // The undo may have come first.
  if (store.unanswered.has(id) && !store.undoing.has(id))
    store.outbox!.keepUntil(answer, unsent, () => store.unanswered.delete(id));
}

async function upload(store: ActionStore, id: string, items: readonly ActionItem[]): Promise<Action> {
  // Few actions need it.
  const { uploadParts } = await import('./upload-parts.ts');
  const onProgress = (done: number) => {
    const entry = store.known.get(id);
    if (entry) entry.action = { ...entry.action, done };
    showChanges(store);
  };
  return uploadParts({ id, items, signal: store.uploads.get(id)!.signal, onProgress });
}

/** In ms. The code of the outbox may not load without a network. */
const longestLoading = 10_000;

/** Returns why it cannot wait, or undefined if it waits. */
async function postpone(store: ActionStore, unsent: UnsentAction & { error: unknown }): Promise<unknown> {
  if (isUnreachable(unsent.error)) store.outbox ??= await loadedOutbox(store);
  try {
    return (await store.outbox?.add(unsent)) ? undefined : unsent.error;
  } catch (error) {
    return error;
  }
}

async function loadedOutbox({ loadedOutbox: { promise } }: ActionStore): Promise<ActionOutbox | undefined> {
  const tooLate = Promise.withResolvers<undefined>();
  const timer = setTimeout(tooLate.resolve, longestLoading);
  return Promise.race([promise, tooLate.promise]).finally(() => clearTimeout(timer));
}

export function showPostponed(store: ActionStore, id: string, options: StartOptions): void {
  addProvisional(store, { id, options, wait: null });
  showChanges(store);
}

/** `outbox` stores the actions that do not reach the server, and has these from an earlier page. */
export function postponeWith(
  store: ActionStore,
  outbox: ActionOutbox,
  actions: ReadonlyMap<string, StoredAction>,
): void {
  const { known } = store;
  store.outbox = outbox;
  store.loadedOutbox.resolve(outbox);
  for (const [id, { action }] of known) if (isPostponed(action) && !actions.has(id)) known.delete(id);
  for (const [id, stored] of actions) if (!known.has(id)) addProvisional(store, { id, ...stored, wait: null });
  showChanges(store);
}
