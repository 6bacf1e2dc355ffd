/**
 * What the user did while the server could not be reached: answers, new devices, and edits of devices. It is stored in this
 * browser, also for the next visit, and app/outbox.tsx sends it in order. Each entry belongs to one user, and no other one sees
 * it. What a page sends itself is stored until the answer, in case the page ends before.
 */
import { delMany, entries as readRows } from 'idb-keyval';
import { useEffect, useSyncExternalStore } from 'react';
import { dayMs } from '@swarmdeck/bff/durations';
import { createListeners } from '../listeners.ts';
import { onNewPage } from '../new-page.ts';
import { OfflineError } from '../problem.ts';
import { unlessItHangs } from '../unless-it-hangs.ts';
import { withEdit } from './device-edits.ts';
import { deleteEntry, noticeTagOf, outboxChannel, readEntries, storeEntry } from './outbox-database.ts';
import type { EditEntry, EditTask, OutboxChanges, OutboxEntry, OutboxTask } from './outbox-entry.ts';

/** A user has at most so many. */
const mostEntries = 200;
/** In ms. */
const longestForOthers = 30 * dayMs;
/** In ms. */
const readAgainAfter = 3000;

const { subscribe, notify } = createListeners();
const none: readonly OutboxEntry[] = [];
/** Those of the user of `loaded`. */
let entries = none;
let loaded: { user_id: string; read: Promise<unknown> } | undefined;
let nextRead: ReturnType<typeof setTimeout> | undefined;
/** Tells the other tabs that the entries have changed. */
let channel: BroadcastChannel | undefined;
/** Counts the changes of this page. */
let version = 0;
/** The states of entries that this page knows, and the browser has not stored: not yet, or it had no room. */
const unstored = new Map<string, OutboxEntry>();
/** Entries of other pages that wait here once their pages have ended. */
const adopted = new Set<string>();
onNewPage(forget);

function forget() {
  entries = none;
  adopted.clear();
  loaded = undefined;
  clearTimeout(nextRead);
  unstored.clear();
  channel?.close();
  channel = undefined;
}

/** Reads what is stored of this user: another tab may have changed it. */
async function read(user_id: string): Promise<void> {
  const before = version;
  const rows = await readEntries();
  // Another user may have signed in meanwhile.
  if (loaded && loaded.user_id !== user_id) return undefined;
  // What was added meanwhile may not be among them.
  if (version !== before) return read(user_id);
  const own = rows
    .map((row) => unstored.get(row.id) ?? (row.isSentByPage ? (listed(row.id) ?? row) : row))
    .filter((row) => row.user_id === user_id)
    .toSorted((one, other) => one.at - other.at);
  entries = own.filter(({ isSentByPage }) => !isSentByPage);
  notify();
  for (const { id, isSentByPage } of own) {
    if (!isSentByPage || adopted.has(id)) continue;
    void adopt(id).catch(() => {
      adopted.delete(id);
      readLater(user_id);
    });
  }
  return undefined;
}

/** The page that sends an entry itself holds its lock. A browser ends it with the page. */
const lockOf = (id: string) => `outbox:${id}`;

/** Once the page that sends an entry has ended without an answer, the entry waits. */
async function adopt(id: string) {
  adopted.add(id);
  await navigator.locks.request(lockOf(id), async () => {
    const row = (await readEntries()).find((each) => each.id === id);
    // Its page has an answer, or another tab has it.
    if (!row?.isSentByPage || row.user_id !== loaded?.user_id) return;
    const { isSentByPage: _, ...entry } = { ...row, isSending: true };
    await (isEdit(entry) ? outbox.apply(withEdit(entries, entry)) : put(entry));
    await deleteUnlisted(id);
  });
}

const listed = (id: string) => entries.find((each) => each.id === id);

const isEdit = (entry: OutboxEntry): entry is EditEntry => entry.task.type === 'edit';

/** Deletes an entry that a page has sent itself, unless it waits: then it is stored as such, also if both were stored at one moment. */
async function deleteUnlisted(id: string) {
  const waiting = listed(id);
  await (waiting ? store(waiting) : deleteEntry(id));
}

/** How many changes of this user wait, or of all users, on a page without a user: it reads nothing else of them. */
export async function countWaiting(user_id?: string): Promise<number> {
  const rows = await readEntries();
  return rows.filter((row) => (user_id === undefined || row.user_id === user_id) && !row.failure).length;
}

async function deleteRows(isMeant: (row: OutboxEntry) => boolean): Promise<void> {
  const rows = await readEntries();
  await Promise.all(rows.filter(isMeant).map(({ id }) => deleteEntry(id)));
}

/**
 * What waits stays for its user if others use this browser: it may be all that is left of what the user did. A user who
 * does not come back leaves nothing for longer than Undo lasts.
 */
const deleteOldOfOthers = (user_id: string) =>
  deleteRows((row) => row.user_id !== user_id && row.at < Date.now() - longestForOthers);

/** Reads what is stored of this user, and follows the other tabs. Resolves once it is read, or one attempt has failed. */
function open(user_id: string): Promise<unknown> {
  if (loaded?.user_id === user_id) return loaded.read;
  forget();
  channel = new BroadcastChannel(outboxChannel);
  channel.addEventListener('message', () => void readUntilRead(user_id));
  const reading = readUntilRead(user_id);
  loaded = { user_id, read: reading };
  void deleteOldOfOthers(user_id).catch(() => undefined);
  return reading;
}

/** What is not read is neither shown nor sent: each attempt that fails is followed by another one. */
const readUntilRead = (user_id: string) => read(user_id).catch(() => readLater(user_id));

function readLater(user_id: string) {
  // Another user may have signed in meanwhile.
  if (loaded?.user_id !== user_id) return;
  clearTimeout(nextRead);
  nextRead = setTimeout(() => void readUntilRead(user_id), readAgainAfter);
}

function change(next: readonly OutboxEntry[]) {
  entries = next;
  version += 1;
  notify();
  channel?.postMessage('changed');
}

/**
 * Before it is stored: what the user adds or the sender takes at the same moment must be seen by the other one. Otherwise an edit
 * joins one that is being sent already.
 */
function know(entry: OutboxEntry) {
  unstored.set(entry.id, entry);
  show(entry);
}

function show(entry: OutboxEntry) {
  const others = entries.filter(({ id }) => id !== entry.id);
  change([...others, entry].toSorted((one, other) => one.at - other.at));
}

const hide = (id: string) => change(entries.filter((entry) => entry.id !== id));

async function store(entry: OutboxEntry) {
  const write = () => storeEntry(entry);
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
  // A newer state may be known by now.
  if (unstored.get(entry.id) === entry) unstored.delete(entry.id);
}

/** What was rejected on a notification (service-worker-push.ts) is said there while it waits. */
async function closeNotice(id: string) {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications({ tag: noticeTagOf(id) })) ?? []) shown.close();
}

async function remove(id: string) {
  hide(id);
  await deleteEntry(id);
  unstored.delete(id);
  void closeNotice(id).catch(() => undefined);
  // It may have been read meanwhile.
  hide(id);
}

async function put(entry: OutboxEntry) {
  const known = entries.find(({ id }) => id === entry.id);
  if (!known && entries.length >= mostEntries) throw new OfflineError('Too many changes wait', { code: 'outbox.full' });
  know(entry);
  try {
    await store(entry);
  } catch (error) {
    if (unstored.get(entry.id) === entry) {
      unstored.delete(entry.id);
      if (known) know(known);
      else hide(entry.id);
    }
    throw error;
  }
  // It may have been read meanwhile, before it was stored.
  show(entries.find(({ id }) => id === entry.id) ?? entry);
}

/**
 * Stores the state of an entry: that it is being sent, why it failed, or neither. If the browser has no room for it, this page
 * knows it nevertheless: what waits behind this entry must not wait for room.
 */
async function setState({ id }: OutboxEntry, state: Partial<Pick<OutboxEntry, 'failure' | 'isSending' | 'task'>>) {
  const known = entries.find((each) => each.id === id);
  // The user may have discarded it while its request was sent.
  if (!known) return;
  // Meanwhile, a newer edit may have taken fields from it.
  const updated = { ...known, isSending: false, failure: undefined, ...state };
  know(updated);
  // The list of what waits says why.
  if (updated.failure) void closeNotice(id).catch(() => undefined);
  await store(updated).catch(() => undefined);
  change(entries);
}

export const outbox = {
  open,
  read,
  /** An entry of now, which is not stored yet. `id`: of an action. */
  newEntry<Task extends OutboxTask>(options: { user_id: string; task: Task; id?: string | undefined }) {
    const { user_id, task, id = crypto.randomUUID() } = options;
    return { id, user_id, at: Math.max(Date.now(), (entries.at(-1)?.at ?? 0) + 1), task };
  },
  /**
   * Stores a task, also if the page is closed right after it. Edits of devices become one (device-outbox.ts). `id`: of an action.
   * @throws OfflineError if the browser has no room for it, or if too many wait
   */
  async add({ user_id, ...options }: { user_id: string; task: Exclude<OutboxTask, EditTask>; id?: string }) {
    await open(user_id);
    const known = entries.find(({ id }) => id === options.id);
    await put({ ...outbox.newEntry({ user_id, ...options }), ...known, task: options.task });
  },
  /**
   * Stores an entry that this page sends itself, until the answer. If the page ends before, the entry waits. If `answer` adds it to
   * the outbox, it stays. Rejects if the browser cannot store it.
   */
  async keepUntil(entry: OutboxEntry, answer: Promise<unknown>, onStored?: () => void): Promise<void> {
    let isAnswered = false;
    const noteAnswered = () => void (isAnswered = true);
    const answered = answer.then(noteAnswered, noteAnswered);
    await navigator.locks.request(lockOf(entry.id), async () => {
      if (isAnswered) return;
      await store({ ...entry, isSentByPage: true });
      if (!isAnswered) onStored?.();
      await answered;
      await deleteUnlisted(entry.id);
    });
  },
  /** @throws OfflineError like `add`, after the first entry that cannot be stored */
  async apply(changes: OutboxChanges) {
    for (const entry of changes.put) await put(entry);
    for (const id of changes.remove) await remove(id);
  },
  has: (id: string) => entries.some((entry) => entry.id === id),
  list: () => entries,
  /** The next one to send. */
  next: () => entries.find(({ failure }) => !failure),
  remove,
  /** Its request may be sent from now on. */
  markSending: (entry: OutboxEntry) => setState(entry, { isSending: true }),
  markFailed: (entry: OutboxEntry, failure: OutboxEntry['failure']) => setState(entry, { failure }),
  /** One that has failed is sent again, with this task. */
  markWaiting: (entry: OutboxEntry) => setState(entry, { task: entry.task }),
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
  return useSyncExternalStore(subscribe, () => (user_id === undefined || loaded?.user_id === user_id ? entries : none));
}
