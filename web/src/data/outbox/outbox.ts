/**
 * What the user did while the server could not be reached: answers, new devices, and edits of devices. It is stored in this
 * browser, also for the next visit, and app/outbox.tsx sends it in order. Each entry belongs to one user, and no other one sees
 * it.
 */
import { del, delMany, entries as readRows, set } from 'idb-keyval';
import { useEffect, useSyncExternalStore } from 'react';
import type { ResourceCreate } from '@swarmdeck/bff/contract';
import type { StartOptions } from '../actions/action-store.ts';
import { deviceMerge, type DeviceValues } from '../forms/device-fields.ts';
import { createListeners } from '../listeners.ts';
import type { ValuesChange } from '../forms/merged-form.ts';
import { OfflineError } from '../problem.ts';
import { onNewPage } from '../new-page.ts';
import { outboxChannel, outboxDatabase as database } from './outbox-database.ts';
import { unlessItHangs } from '../unless-it-hangs.ts';

export interface EditTask {
  type: 'edit';
  device: { id: string; name: string };
  change: ValuesChange<DeviceValues>;
}

/** The id of the entry is its `Idempotency-Key`. */
interface CreateTask {
  type: 'create';
  device: ResourceCreate;
}

export type OutboxTask = EditTask | CreateTask | { type: 'action'; action: StartOptions };

export interface OutboxEntry {
  /** It is also the id of its action or its `Idempotency-Key`, so that sending it twice has no effect. */
  id: string;
  user_id: string;
  /** When the user did it, in ms of the local clock. */
  at: number;
  task: OutboxTask;
  /** Its request may have been sent. */
  isSending?: boolean;
  /** Why it was not executed. It is not sent again until the user asks for it. */
  failure?: { code: string; detail?: string } | 'conflict' | undefined;
}

/** A user has at most so many. */
const mostEntries = 200;
/** In ms: 30 days. */
const longestForOthers = 30 * 24 * 60 * 60_000;

const { subscribe, notify } = createListeners();
let entries: readonly OutboxEntry[] = [];
let loaded: Promise<unknown> | undefined;
/** Tells the other tabs that the entries have changed. */
let channel: BroadcastChannel | undefined;
/** Counts the changes of this page. */
let version = 0;
onNewPage(() => {
  entries = [];
  loaded = undefined;
  channel?.close();
  channel = undefined;
});

/** Reads what is stored of this user: another tab may have changed it. */
async function read(user_id: string): Promise<void> {
  const before = version;
  const rows = await readRows<string, OutboxEntry>(database);
  // What was added meanwhile may not be among them.
  if (version !== before) return read(user_id);
  entries = rows
    .map(([, row]) => row)
    .filter((row) => row.user_id === user_id)
    .toSorted((one, other) => one.at - other.at);
  notify();
}

async function deleteRows(isMeant: (row: OutboxEntry) => boolean): Promise<void> {
  const rows = await readRows<string, OutboxEntry>(database);
  await Promise.all(rows.filter(([, row]) => isMeant(row)).map(([id]) => del(id, database)));
}

/**
 * What waits stays for its user if others use this browser: it may be all that is left of what the user did. A user who
 * does not come back leaves nothing for longer than Undo lasts.
 */
const deleteOldOfOthers = (user_id: string) =>
  deleteRows((row) => row.user_id !== user_id && row.at < Date.now() - longestForOthers);

/** Reads what is stored of this user, once for the page, and follows the other tabs. */
function open(user_id: string): Promise<unknown> {
  if (loaded) return loaded;
  channel = new BroadcastChannel(outboxChannel);
  channel.addEventListener('message', () => void read(user_id).catch(() => undefined));
  // Without a database, nothing can be stored.
  return (loaded = deleteOldOfOthers(user_id)
    .then(() => read(user_id))
    .catch(() => undefined));
}

function change(next: readonly OutboxEntry[]) {
  entries = next;
  version += 1;
  notify();
  channel?.postMessage('changed');
}

async function store(entry: OutboxEntry) {
  const write = () => set(entry.id, entry, database);
  // The browser has no more room: the stored pages (app/stored-data.ts) can be read again, this cannot.
  await write()
    .catch(async () => {
      const stored = await readRows<string, { kind: string }>();
      await delMany(stored.filter(([, { kind }]) => kind !== 'account').map(([key]) => key));
      await write();
    })
    .catch((error: unknown) => {
      throw new OfflineError(String(error), { code: 'outbox.no_room' });
    });
}

async function remove(id: string) {
  await del(id, database);
  change(entries.filter((entry) => entry.id !== id));
}

/** All edits of a device that wait are one, unless one is being sent or has failed. */
function withEarlierEdit(task: OutboxTask): { entry?: OutboxEntry; task: OutboxTask } {
  if (task.type !== 'edit') return { task };
  const entry = entries.find(
    ({ task: { type, ...other }, isSending, failure }) =>
      type === 'edit' && (other as EditTask).device.id === task.device.id && !isSending && !failure,
  );
  if (!entry) return { task };
  const { base, mine: before, etag } = (entry.task as EditTask).change;
  // Another tab may not have read the earlier edit.
  const mine = deviceMerge.take(before, task.change.mine, deviceMerge.changed(task.change));
  return { entry, task: { ...task, change: { base, mine, etag } } };
}

export const outbox = {
  open,
  read,
  /**
   * Stores a task, also if the page is closed right after it. `id`: of an action.
   * @throws OfflineError if the browser has no room for it, or if too many wait
   */
  async add({ user_id, task: added, id }: { user_id: string; task: OutboxTask; id?: string }): Promise<void> {
    await open(user_id);
    const { entry, task } = withEarlierEdit(added);
    if (task.type === 'edit' && deviceMerge.changed(task.change).length === 0) return entry && remove(entry.id);
    const known = entry ?? entries.find((each) => each.id === id);
    if (!known && entries.length >= mostEntries)
      throw new OfflineError('Too many changes wait', { code: 'outbox.full' });
    const at = Math.max(Date.now(), (entries.at(-1)?.at ?? 0) + 1);
    const next = { id: id ?? crypto.randomUUID(), user_id, at, ...known, task };
    await store(next);
    const others = entries.filter((each) => each.id !== next.id);
    change([...others, next].toSorted((one, other) => one.at - other.at));
  },
  has: (id: string) => entries.some((entry) => entry.id === id),
  list: () => entries,
  /** The next one to send. */
  next: () => entries.find(({ failure }) => !failure),
  remove,
  /** Stores a state of an entry: that it is being sent, why it failed, or that it is to be sent again. */
  async update(entry: OutboxEntry, state: Pick<OutboxEntry, 'failure' | 'isSending'>) {
    // The user may have discarded it while its request was sent.
    if (!outbox.has(entry.id)) return;
    const updated = { ...entry, isSending: false, failure: undefined, ...state };
    const replace = () => change(entries.map((each) => (each.id === entry.id ? updated : each)));
    // Before it is stored: an edit of the same moment must not join one that is being sent.
    replace();
    await store(updated);
    replace();
  },
  /** Deletes what waits of this user, who has signed out. Resolves also if the database cannot be used. */
  async clear(user_id: string) {
    change([]);
    await unlessItHangs(deleteRows((row) => row.user_id === user_id).catch(() => undefined));
  },
};

/** What waits or has failed, oldest first. `user_id` is undefined until the account has been read. */
export function useOutbox(user_id: string | undefined): readonly OutboxEntry[] {
  useEffect(() => {
    if (user_id !== undefined) void open(user_id);
  }, [user_id]);
  return useSyncExternalStore(subscribe, outbox.list);
}
