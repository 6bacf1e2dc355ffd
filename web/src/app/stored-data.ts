/**
 * The last data of the pages, stored in the browser's database for a start without a network. It belongs to one user and
 * to one build of the app, and is deleted when the session ends. TanStack's own persister is not used: it would bring
 * another version of TanStack Query along, and writes everything at each change.
 */
import { hydrate, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, setMany, type UseStore } from 'idb-keyval';
import { dayMs } from '@swarmdeck/bff/durations';
import { onNewPage } from '../data/new-page.ts';
import { isDenied, isSignedOut } from '../data/problem.ts';
import { userOf } from '../data/of-client.ts';
import { beginsWith, idIn, swarmOfWallIn } from '../data/cache/key-parts.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { readEntries } from '../data/outbox/outbox-database.ts';
import { noteOutdated, readUntil } from '../data/cache/read-until.ts';
import { ownChanges } from '../data/stream/own-changes.ts';
import { unlessItHangs } from '../data/unless-it-hangs.ts';
import { isKept, isUser, onSessionEnd, remembered } from '../shared/account/session-tabs.ts';

interface StoredQuery {
  user_id: string;
  build: string;
  /** When the data was read, in ms. */
  at: number;
  kind: string;
  /** The query in the form of `hydrate`. */
  json: string;
}

/** The size of each kind, in bytes. Kinds are separate, so that many views of the map do not displace the list of devices. */
const mostBytes = 1_000_000;
/** In ms. */
const longest = 30 * dayMs;
/**
 * In ms. Changes are written together: at once what the user has done, soon what is not stored yet, and later what is, which
 * may change all the time, as on a wall.
 */
const writeAfter = { isOwn: 500, isNew: 3000, isStored: 60_000 };

const { devices, device, invitations, swarm, swarms, wall } = queryKeys;
/** What is stored: the pages with their first rows, but no keys, links or messages. */
const kinds: Record<string, QueryKey | ((id: string) => QueryKey)> = {
  'actions open': queryKeys.actions.open,
  account: queryKeys.account,
  'saved-views': queryKeys.savedViews,
  'activity unread': queryKeys.activity.unread,
  'devices pages': devices.lists,
  map: queryKeys.map.all,
  offers: queryKeys.offers,
  'swarms list': swarms.lists,
  'invitations pages': invitations.lists,
  'invitations count': invitations.count,
  'device record': device.record,
  'device swarms': device.swarms,
  'swarm overview': swarm.overview,
  'swarm members': swarm.members,
  'wall lists': wall.lists,
  'wall summary': wall.summaries,
};

/** Undefined: it is not stored. */
const kindOf = (key: QueryKey): string | undefined =>
  Object.entries(kinds).find(([, of]) =>
    typeof of === 'function' ? idIn(key, of) !== undefined : beginsWith(key, of),
  )?.[0];

/** Data of another build may have another form. The name of the first script changes with each build. */
const build = () => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';

const database = createStore('keyval-store', 'keyval');
/** Commits at once: a browser aborts what is not committed when the page ends, which is when it is written last. */
const committing: UseStore = (mode, write) =>
  database(mode, (objects) => {
    const done = write(objects);
    objects.transaction.commit();
    return done;
  });

/** What is in the database, by the hashes of the queries. Without `data`, it is written again or deleted. */
let stored = new Map<string, Omit<StoredQuery, 'json'> & { bytes: number; data: unknown }>();
/** When the server has said that the user does not see a swarm or a device, in ms, by its id. */
let gone = new Map<string, number>();
onNewPage(() => {
  stored = new Map();
  gone = new Map();
});

/** The user who is signed in, if something waits for the server (data/outbox/outbox.ts). */
export async function userWithWaiting(): Promise<string | undefined> {
  const entries = remembered.get() === 'yes' ? await readEntries() : [];
  return entries.find(({ user_id }) => isUser(user_id))?.user_id;
}

/**
 * Puts the stored data into the cache, as outdated data. Call it before the first page renders. Data that comes late is
 * used as far as the server has not answered.
 */
export async function restoreData(client: QueryClient): Promise<void> {
  onSessionEnd(deleteData);
  return remembered.get() === 'yes' ? unlessItHangs(readData(client)) : deleteData();
}

async function readData(client: QueryClient): Promise<void> {
  const rows = await entries<string, StoredQuery>();
  const isUsable = ({ user_id, build: from, at }: StoredQuery) =>
    isUser(user_id) && from === build() && at > Date.now() - longest;
  const usable = rows.filter(([, row]) => isUsable(row));
  if (usable.length < rows.length) await delMany(rows.filter((row) => !usable.includes(row)).map(([key]) => key));
  // While the page is open, it may be opened again without a network.
  const defaultOptions = { queries: { gcTime: Infinity } };
  hydrate(
    client,
    { mutations: [], queries: usable.map(([, { json }]) => JSON.parse(json) as never) },
    { defaultOptions },
  );
  for (const query of client.getQueryCache().getAll()) if (query.state.isInvalidated) noteOutdated(query);
  stored = new Map(
    usable.map(([key, { json, ...row }]) => [
      key,
      { ...row, bytes: 2 * json.length, data: client.getQueryCache().get(key)?.state.data },
    ]),
  );
}

/** Stores the data of the user from now on. Returns a function that stops it. */
export function storeData(client: QueryClient): () => void {
  onSessionEnd(deleteData);
  let timer: ReturnType<typeof setTimeout>;
  let dueAt = Infinity;
  const write = () => {
    clearTimeout(timer);
    dueAt = Infinity;
    void writeChanges(client).catch(() => undefined);
  };
  const writeIn = (wait: number) => {
    if (performance.now() + wait >= dueAt) return;
    clearTimeout(timer);
    dueAt = performance.now() + wait;
    timer = setTimeout(write, wait);
  };
  const unsubscribe = client.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' || kindOf(query.queryKey) === undefined) return;
    if (isSignedOut(query.state.error)) {
      // While this page is kept, the data is another user's.
      if (!isKept()) void deleteData();
      return;
    }
    if (noteGone(query)) return write();
    // The actions are the user's own, and change only with them.
    const isOwn = beginsWith(query.queryKey, queryKeys.actions.open) && isUnstored(query);
    writeIn(isOwn ? writeAfter.isOwn : stored.has(query.queryHash) ? writeAfter.isStored : writeAfter.isNew);
  });
  const unsubscribeOwn = ownChanges.subscribe(() => writeIn(writeAfter.isOwn));
  const onHidden = () => document.visibilityState === 'hidden' && write();
  document.addEventListener('visibilitychange', onHidden);
  for (const query of client.getQueryCache().getAll()) noteGone(query);
  write();
  return () => {
    unsubscribe();
    unsubscribeOwn();
    document.removeEventListener('visibilitychange', onHidden);
    clearTimeout(timer);
  };
}

/**
 * What the user does not see any more is not stored again, also if the next read fails for another reason, and what was read before is
 * stored without it. Returns whether that is new.
 */
function noteGone({ queryKey, state }: Query): boolean {
  const id = idIn(queryKey, swarm.overview) ?? idIn(queryKey, device.record) ?? swarmOfWallIn(queryKey);
  if (id === undefined || !isDenied(state.error) || gone.get(id) === state.errorUpdatedAt) return false;
  gone.set(id, state.errorUpdatedAt);
  for (const [key, row] of stored)
    if (row.kind === 'map' || `${key} ${JSON.stringify(row.data)}`.includes(id))
      stored.set(key, { ...row, data: undefined });
  return true;
}

/** The ids of what has gone since the data of a query was read. */
const goneSince = ({ dataUpdatedAt }: Query['state']) =>
  new Set([...gone].filter(([, at]) => at >= dataUpdatedAt).map(([id]) => id));

interface Item {
  id?: string;
  user_id?: string;
  swarms?: { id: string }[];
}

/** For `JSON.stringify`: lists without these ids, and without the devices of others that may have been visible only in these swarms. */
const without = (ids: ReadonlySet<string>, user_id: string) => (_key: string, value: unknown) => {
  if (ids.size === 0 || !Array.isArray(value)) return value;
  const isLost = (item: Item | null) =>
    ids.has(item?.id ?? '') || (item?.user_id !== user_id && item?.swarms?.some(({ id }) => ids.has(id)));
  return (value as (Item | null)[]).filter((item) => !isLost(item));
};

/** Resolves also if the database cannot be used: nothing is stored then. */
async function deleteData(): Promise<void> {
  stored.clear();
  await unlessItHangs(clear().catch(() => undefined));
}

const isUnstored = ({ queryHash, state }: Query) => stored.get(queryHash)?.data !== state.data;

async function writeChanges(client: QueryClient): Promise<void> {
  const user_id = userOf(client);
  // Another tab has signed out, or the session has ended.
  if (user_id === undefined || !isUser(user_id) || isSignedOut(client.getQueryState(queryKeys.account)?.error)) return;
  const changed: [string, StoredQuery][] = [];
  for (const query of client.getQueryCache().getAll()) {
    const { queryHash, queryKey, state } = query;
    const kind = kindOf(queryKey);
    if (kind === undefined || state.data === undefined || isDenied(state.error) || !isUnstored(query)) continue;
    const ids = goneSince(state);
    // A map has no ids of the swarms of its devices.
    if (ids.size > 0 && (kind === 'map' || ids.has(swarmOfWallIn(queryKey) ?? String(queryKey[1])))) continue;
    const row = { user_id, build: build(), at: readUntil(query), kind };
    const json = JSON.stringify(storableOf(query), kind === 'actions open' ? undefined : without(ids, user_id));
    changed.push([queryHash, { ...row, json }]);
    stored.set(queryHash, { ...row, bytes: 2 * json.length, data: state.data });
  }
  const outdated = [...stored].filter(([, { data }]) => data === undefined).map(([key]) => key);
  for (const key of outdated) stored.delete(key);
  const dropped = [...outdated, ...excessOf(mostBytes)];
  const kept = changed.filter(([key]) => stored.has(key));
  try {
    await Promise.all([setMany(kept, committing), delMany(dropped, committing)]);
  } catch {
    // The browser has no more room: the older half makes room for the next attempt.
    for (const [key] of kept) stored.delete(key);
    await delMany(excessOf(mostBytes / 2));
  }
}

/** An endless list is stored as its first page, on which all other pages depend. It is fetched again as soon as it is shown. */
function storableOf(query: Query) {
  const { queryHash, queryKey, state } = query;
  const { pages, pageParams } = (state.data ?? {}) as { pages?: unknown[]; pageParams?: unknown[] };
  const data = pages && pageParams ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) } : state.data;
  const unread = { dataUpdateCount: 0, isInvalidated: true, error: null, status: 'success', fetchStatus: 'idle' };
  return { queryHash, queryKey, state: { ...state, ...unread, data, dataUpdatedAt: readUntil(query) } };
}

/** Forgets the oldest data of each kind that has more than `most` bytes, and returns its keys. */
function excessOf(most: number): string[] {
  const used = new Map<string, number>();
  const newestFirst = [...stored].toSorted(([, one], [, other]) => other.at - one.at);
  const excess = newestFirst.filter(([, { kind, bytes }]) => {
    const sum = (used.get(kind) ?? 0) + bytes;
    used.set(kind, sum);
    return sum > most;
  });
  for (const [key] of excess) stored.delete(key);
  return excess.map(([key]) => key);
}
