/**
 * What the user did while the server could not be reached: answers, new devices, and edits of devices. It is stored in this
 * browser, also for the next visit, and app/outbox.tsx sends it in order. Each entry belongs to one user, and no other one sees
 * it.
 */
import { del, delMany, entries as readRows, set } from 'idb-keyval';
import { useEffect, useSyncExternalStore } from 'react';
import type { ResourceCreate } from '@swarmdeck/bff/contract';
import type { StartOptions } from '../actions/action-store.ts';
import { deviceMerge, type DeviceField, type DeviceValues } from '../forms/device-fields.ts';
import { createListeners } from '../listeners.ts';
import type { ValuesChange } from '../forms/merged-form.ts';
import { OfflineError } from '../problem.ts';
import { onNewPage } from '../new-page.ts';
import { outboxChannel, outboxDatabase as database } from './outbox-database.ts';
import { unlessItHangs } from '../unless-it-hangs.ts';

type DeviceChange = ValuesChange<DeviceValues>;

export interface EditTask {
  type: 'edit';
  device: { id: string; name: string };
  change: DeviceChange;
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
  /** Why it was not executed. It is not sent again until the user asks for it (`isFinal`: never). */
  failure?: { code: string; detail?: string } | 'conflict' | undefined;
}

/** What fails in the same way whenever it is sent: the device is gone or another user's, or the values are not valid. */
const finalCodes: readonly string[] = ['resource.not_found', 'resource.forbidden', 'body.invalid', 'body.too_large'];

/** Whether sending it again is useless. */
export const isFinal = ({ failure }: OutboxEntry): boolean =>
  failure !== undefined && failure !== 'conflict' && finalCodes.includes(failure.code);

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

/** How many changes of this user wait, on a page without a user: it reads nothing else of them. */
export async function countWaiting(user_id: string): Promise<number> {
  const rows = await readRows<string, OutboxEntry>(database);
  return rows.filter(([, row]) => row.user_id === user_id && !row.failure).length;
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

async function put(entry: OutboxEntry) {
  await store(entry);
  const others = entries.filter((each) => each.id !== entry.id);
  change([...others, entry].toSorted((one, other) => one.at - other.at));
}

async function putNew(entry: OutboxEntry) {
  if (!outbox.has(entry.id) && entries.length >= mostEntries)
    throw new OfflineError('Too many changes wait', { code: 'outbox.full' });
  await put(entry);
}

export type EditEntry = OutboxEntry & { task: EditTask };

const isEditOf =
  (device: string) =>
  (entry: OutboxEntry): entry is EditEntry =>
    entry.task.type === 'edit' && entry.task.device.id === device;

/** The edits of a device that change one of these fields. */
const editsOf = (device: string, fields: readonly DeviceField[] = deviceMerge.fields) =>
  entries
    .filter(isEditOf(device))
    .filter(({ task }) => deviceMerge.changed(task.change).some((field) => fields.includes(field)));

/** The one that other edits join: it is not being sent, and has not failed. */
const waitingEdit = (device: string) => editsOf(device).find(({ isSending, failure }) => !isSending && !failure);

/** The fields of a later edit whose form showed the value of an earlier one. */
const shownOf = (earlier: DeviceChange, later: DeviceChange) =>
  deviceMerge.changed(later).filter((field) => deviceMerge.isEqual(field, later.base, earlier.mine));

/** The base of a later edit: where its form showed the value of an earlier one, the server's before both. */
const baseAfter = (earlier: DeviceChange, later: DeviceChange): DeviceValues =>
  deviceMerge.take(later.base, earlier.base, shownOf(earlier, later));

/** A change of a form that showed earlier edits, as a change of what the server had. An ETag that is too old is safe. */
function after(edits: readonly EditEntry[], change: DeviceChange): DeviceChange {
  let { base, etag } = change;
  for (const { change: earlier } of edits.map(({ task }) => task)) {
    const later = { ...change, base };
    if (shownOf(earlier, later).length === 0) continue;
    base = baseAfter(earlier, later);
    etag = earlier.etag;
  }
  return { ...change, base, etag };
}

/** All edits of a device that wait are one. Another tab may not have read the earlier edit. */
function joined(earlier: DeviceChange, later: DeviceChange) {
  const fields = deviceMerge.changed(later);
  return {
    base: deviceMerge.take(earlier.base, baseAfter(earlier, later), fields),
    mine: deviceMerge.take(earlier.mine, later.mine, fields),
  };
}

/** Takes fields from edits, because a newer one has them. */
async function takeFields(edits: readonly EditEntry[], taken: readonly DeviceField[]) {
  for (const { task, ...entry } of edits) {
    const { base, mine, etag } = task.change;
    const left = { base, mine: deviceMerge.take(mine, base, taken), etag };
    if (deviceMerge.changed(left).length === 0) await remove(entry.id);
    else await put({ ...entry, task: { ...task, change: left } });
  }
}

/** An edit joins the one that waits, and takes its fields from those that have failed: the user is asked about each once. */
async function addEdit(task: EditTask, entry: Omit<OutboxEntry, 'task'>) {
  const { id } = task.device;
  const fields = deviceMerge.changed(task.change);
  const failed = editsOf(id, fields).filter(({ failure }) => failure);
  const added = after(failed, task.change);
  const waiting = waitingEdit(id);
  // The server refuses an ETag that is too old, and the values are merged.
  const { etag } = failed.length === 0 && waiting ? waiting.task.change : added;
  const change = waiting ? { ...joined(waiting.task.change, added), etag } : added;
  if (deviceMerge.changed(change).length > 0) await putNew({ ...entry, ...waiting, task: { ...task, change } });
  else if (waiting) await remove(waiting.id);
  await takeFields(failed, fields);
}

export const outbox = {
  open,
  read,
  /**
   * Stores a task, also if the page is closed right after it. `id`: of an action.
   * @throws OfflineError if the browser has no room for it, or if too many wait
   */
  async add({ user_id, task, id }: { user_id: string; task: OutboxTask; id?: string }): Promise<void> {
    await open(user_id);
    const at = Math.max(Date.now(), (entries.at(-1)?.at ?? 0) + 1);
    const entry = { id: id ?? crypto.randomUUID(), user_id, at };
    if (task.type === 'edit') return addEdit(task, entry);
    await putNew({ ...entry, ...entries.find((each) => each.id === id), task });
  },
  /** A change of a form that may show edits which have not reached the server, as a change of what the server has. */
  afterEdits(device: string, change: DeviceChange): DeviceChange {
    const edits = editsOf(device, deviceMerge.changed(change));
    return after(
      edits.filter(({ isSending }) => !isSending),
      change,
    );
  },
  /** The server has newer values of these fields from this user. That is no failure if this browser cannot store it. */
  replaced: (device: string, fields: readonly DeviceField[]) =>
    takeFields(editsOf(device, fields), fields).catch(() => undefined),
  has: (id: string) => entries.some((entry) => entry.id === id),
  list: () => entries,
  /** The next one to send. */
  next: () => entries.find(({ failure }) => !failure),
  remove,
  /** Stores a state of an entry: that it is being sent, why it failed, or that it is to be sent again, maybe with another task. */
  async update({ id }: OutboxEntry, state: Partial<Pick<OutboxEntry, 'failure' | 'isSending' | 'task'>>) {
    const known = entries.find((each) => each.id === id);
    // The user may have discarded it while its request was sent.
    if (!known) return;
    // Meanwhile, a newer edit may have taken fields from it.
    const updated = { ...known, isSending: false, failure: undefined, ...state };
    const replace = () => change(entries.map((each) => (each.id === id ? updated : each)));
    // Before it is stored: an edit of the same moment must not join one that is being sent.
    replace();
    await store(updated);
    replace();
    const { task, user_id } = updated;
    const later = state.failure && task.type === 'edit' && waitingEdit(task.device.id);
    if (later) await outbox.add({ user_id, task: later.task });
  },
  /** Deletes what waits of this user, who has signed out. Resolves also if the database cannot be used. */
  async clear(user_id: string) {
    change([]);
    await unlessItHangs(deleteRows((row) => row.user_id === user_id).catch(() => undefined));
  },
};

/** The edits of a device that wait or have failed, oldest first. */
export const useDeviceEdits = (user_id: string, device: string): EditEntry[] =>
  useOutbox(user_id).filter(isEditOf(device));

/** What waits or has failed, oldest first. `user_id` is undefined until the account has been read. */
export function useOutbox(user_id: string | undefined): readonly OutboxEntry[] {
  useEffect(() => {
    if (user_id !== undefined) void open(user_id);
  }, [user_id]);
  return useSyncExternalStore(subscribe, outbox.list);
}
