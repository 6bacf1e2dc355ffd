import { hashKey, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { send } from '../data/client.ts';
import { forgetPage } from '../data/new-page.ts';
import { ProblemError } from '../data/problem.ts';
import { accountKeys } from '../data/cache/account-keys.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { readUntil } from '../data/cache/read-until.ts';
import { setLiveState } from '../data/stream/connection-status.ts';
import { announceSignIn, announceSignOut, followSession, remembered } from '../shared/account/session-tabs.ts';
import { problem, serveActions } from '../data/actions/actions.fixture.ts';
import { createActions } from '../data/actions/actions.ts';
import { refetchOwnChanges } from '../data/stream/changes.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { reported } from '../ui/fields/unsaved-input.ts';
import { restoreData, storeData } from './stored-data.ts';

// Test files share their modules, and another file may have loaded these with the real database.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());
const database = new Map<string, { json: string }>();
let room = Infinity;
let opened = Promise.resolve();
vi.mock('idb-keyval', () => ({
  createStore: () => undefined,
  async entries() {
    await opened;
    return [...database];
  },
  clear: async () => database.clear(),
  delMany: async (keys: string[]) => keys.forEach((key) => database.delete(key)),
  async setMany(rows: [string, { json: string }][]) {
    const bytes = [...database, ...rows].reduce((sum, [, { json }]) => sum + json.length, 0);
    if (bytes > room) throw new DOMException('no room', 'QuotaExceededError');
    for (const [key, row] of rows) database.set(key, row);
  },
}));

const clients: QueryClient[] = [];
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  for (const client of clients.splice(0)) client.clear();
  database.clear();
  localStorage.clear();
  room = Infinity;
  opened = Promise.resolve();
  document.documentElement.hidden = false;
  forgetPage();
});

function newClient() {
  const client = new QueryClient();
  clients.push(client);
  return client;
}

const listKey = queryKeys.devices.list('sort=name', null);
const list = (name: string) => ({ pages: [{ items: [{ name }] }, { items: [] }], pageParams: [null, 'next'] });

/** A page of a user that has read data and is hidden, which writes it. */
async function use(
  user_id: string,
  data: [readonly unknown[], unknown, updatedAt?: number][] = [[listKey, list('Buoy 7')]],
) {
  const client = newClient();
  announceSignIn(user_id);
  client.setQueryData(queryKeys.account, { user_id });
  for (const [key, value, updatedAt] of data) client.setQueryData(key, value, updatedAt ? { updatedAt } : {});
  stops.push(storeData(client));
  await hide();
  return client;
}

async function hide() {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await new Promise((resolve) => setTimeout(resolve));
}

async function restored() {
  const client = newClient();
  await restoreData(client);
  return client;
}

test('what the user does not see any more is not stored, nor anything else of its swarm', async () => {
  const [swarm, other] = ['s1', 's2'].map((id) => queryKeys.swarm.overview(id));
  const map = queryKeys.map.view({ audience: 'swarm:s1' }, null);
  const wallOfOther = queryKeys.wall.summary('swarm:s2');
  const client = await use('ann', [
    [swarm!, { name: 'Buoys' }],
    [queryKeys.swarm.members('s1'), list('Buoy 7')],
    [map, { devices: [] }],
    [queryKeys.wall.summary('swarm:s1'), { total: 1 }],
    [queryKeys.wall.list('audience=swarm%3As1'), list('Buoy 7')],
    [other!, { name: 'Gates' }],
    [wallOfOther, { total: 2 }],
  ]);
  const denied = new ProblemError({ problem: { status: 404, code: 'swarm.not_found', title: '' } as never });
  await client.fetchQuery({ queryKey: swarm!, queryFn: () => Promise.reject(denied), retry: false }).catch(() => {});
  await hide();
  expect(
    (await restored())
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey),
  ).toEqual([queryKeys.account, other, wallOfOther]);
});

test('the next page has the first rows of the last one, and reads them again', async () => {
  await use('ann', [
    [listKey, list('Buoy 7'), Date.now() - 3_600_000],
    [accountKeys.apiKeys, ['a key']],
    [queryKeys.swarm.links('1'), ['a link']],
  ]);
  const client = await restored();
  expect(client.getQueryData(listKey)).toEqual({ pages: [{ items: [{ name: 'Buoy 7' }] }], pageParams: [null] });
  const { isInvalidated, dataUpdatedAt } = client.getQueryState(listKey)!;
  expect([isInvalidated, Date.now() - dataUpdatedAt > 3_500_000]).toEqual([true, true]);
  expect(client.getQueryCache().getAll()).toHaveLength(2);
  // The stream tells nothing of it, also if it cannot be read.
  setLiveState('live');
  const queryFn = () => Promise.reject(new Error('away'));
  await client.fetchQuery({ queryKey: listKey, queryFn, retry: false }).catch(() => undefined);
  expect(readUntil(client.getQueryCache().find({ queryKey: listKey })!)).toBe(dataUpdatedAt);
  setLiveState(undefined);
});

test('a wall has its last counts and list without a network', async () => {
  const summary = queryKeys.wall.summary('swarm:1');
  const rows = queryKeys.wall.list('audience=swarm:1');
  await use('ann', [
    [summary, { total: 3 }],
    [rows, list('Buoy 7')],
    [queryKeys.wall.around('/api/devices?q=buoy'), { items: [] }],
  ]);
  const client = await restored();
  expect(client.getQueryData(summary)).toEqual({ total: 3 });
  expect(client.getQueryData(rows)).toMatchObject({ pages: [{ items: [{ name: 'Buoy 7' }] }] });
  // The wall, its list and the account.
  expect(client.getQueryCache().getAll()).toHaveLength(3);
});

test.each([
  { when: 'after sign-out', end: announceSignOut },
  { when: 'for another user', end: () => announceSignIn('ben') },
  { when: 'without a session', end: () => remembered.set('no') },
])('nothing is left $when', async ({ end }) => {
  vi.stubGlobal('location', { assign: () => undefined, href: 'http://localhost/', search: '' });
  const client = await use('ann');
  expect(database.size).toBe(2);
  end();
  client.setQueryData(listKey, list('Buoy 8'));
  await hide();
  expect((await restored()).getQueryCache().getAll()).toEqual([]);
  expect([...database.keys()]).toEqual([]);
});

test('a page that is kept while another user is signed in does not delete the data of that user', async () => {
  const client = await use('ann');
  const stop = followSession('ann', () => undefined);
  reported.set(Symbol(), 'typed');
  localStorage.setItem('session_user', 'ben');
  database.clear();
  database.set('of Ben', { json: '' });
  dispatchEvent(new StorageEvent('storage', { key: 'session_user' }));
  client.setQueryData(listKey, list('Buoy 8'));
  await hide();
  expect([...database.keys()]).toEqual(['of Ben']);
  vi.stubGlobal('fetch', async () => problem('session.missing', 401));
  await client.fetchQuery({ ...accountQuery, staleTime: 0 }).catch(() => undefined);
  await hide();
  expect([...database.keys()]).toEqual(['of Ben']);
  stop();
});

test('a database that hangs does not hold up the page, and is used when it answers', async () => {
  await use('ann');
  const opening = Promise.withResolvers<void>();
  opened = opening.promise;
  const client = await restored();
  expect(client.getQueryData(listKey)).toBeUndefined();
  opening.resolve();
  await expect.poll(() => client.getQueryData(listKey)).toBeDefined();
});

test('data of another build is deleted', async () => {
  const script = Object.assign(document.createElement('script'), { type: 'module', src: '/assets/index-1.js' });
  document.head.append(script);
  await use('ann');
  script.src = '/assets/index-2.js';
  expect((await restored()).getQueryCache().getAll()).toEqual([]);
  expect(database.size).toBe(0);
  script.remove();
});

test('each kind has its bounds, and the newest data stays', async () => {
  const views = [1, 2, 3].map(
    (at) => [['map', { at }, {}], 'x'.repeat(200_000), Date.now() + at] as [string[], string, number],
  );
  await use('ann', [[listKey, list('Buoy 7'), Date.now() - 1000], ...views]);
  const client = await restored();
  const found = client
    .getQueryCache()
    .findAll({ queryKey: queryKeys.map.all })
    .map(({ queryKey }) => queryKey[1]);
  expect(found).toEqual([{ at: 2 }, { at: 3 }]);
  expect(client.getQueryData(listKey)).toBeDefined();
});

test('data that changes all the time is written once a minute, and when the page is hidden', async () => {
  vi.useFakeTimers();
  const client = newClient();
  announceSignIn('ann');
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  stops.push(storeData(client));
  await vi.advanceTimersByTimeAsync(0);
  const stored = () => [...database.values()].map(({ json }) => /"name":"(\d+)"/.exec(json)?.[1]).find(Boolean);
  const seen: (string | undefined)[] = [];
  for (let second = 1; second <= 130; second++) {
    client.setQueryData(listKey, list(String(second)));
    await vi.advanceTimersByTimeAsync(1000);
    if (seen.at(-1) !== stored()) seen.push(stored());
  }
  expect(seen).toHaveLength(3);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(stored()).toBe('130');
  vi.useRealTimers();
});

test('what the user has changed is written at once, though other data changes all the time', async () => {
  const client = await use('ann');
  vi.useFakeTimers();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  client.setQueryData(listKey, list('Buoy 8'));
  await refetchOwnChanges(client, { type: 'saved_views.changed', data: {} });
  await vi.advanceTimersByTimeAsync(600);
  vi.useRealTimers();
  expect((await restored()).getQueryData(listKey)).toMatchObject({ pages: [{ items: [{ name: 'Buoy 8' }] }] });
});

test('what the server says is gone is stored in no list, and not again after another failure', async () => {
  const rows = [
    { id: 'mine', user_id: 'ann', swarms: [{ id: 's1' }, { id: 's2' }] },
    { id: 'theirs', user_id: 'ben', swarms: [{ id: 's1' }] },
    { id: 'others', user_id: 'ben', swarms: [{ id: 's2' }] },
  ];
  const members = queryKeys.swarm.memberList('s1', {});
  const swarmsKey = queryKeys.swarms.list('');
  const mapKey = ['map', { audience: 'visible' }, {}];
  const before = Date.now() - 60_000;
  const client = await use('ann', [
    [queryKeys.swarm.overview('s1'), { swarm: { id: 's1' } }, before],
    [queryKeys.swarm.overview('s2'), { swarm: { id: 's2' } }, before],
    [members, { pages: [{ items: [{ id: 'theirs' }] }], pageParams: [null] }, before],
    [listKey, { pages: [{ items: rows }], pageParams: [null] }, before],
    [swarmsKey, { pages: [{ items: [{ id: 's1' }, { id: 's2' }] }], pageParams: [null] }, before],
    [mapKey, { points: 'theirs' }, before],
  ]);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  // Nothing shows it any more.
  client.removeQueries({ queryKey: swarmsKey });
  const read = {
    queryKey: queryKeys.swarm.overview('s1'),
    queryFn: () => send({ path: '/api/swarms/s1' }),
    retry: false,
  };
  // The page of the swarm is open.
  stops.push(new QueryObserver(client, { ...read, staleTime: Infinity }).subscribe(() => undefined));
  vi.stubGlobal('fetch', async () => problem('swarm.not_found', 404));
  await client.fetchQuery(read).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
  expect([...database.keys()]).not.toContain(hashKey(read.queryKey));
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  await client.fetchQuery(read).catch(() => undefined);
  await hide();
  const next = await restored();
  const found = next.getQueryCache().getAll();
  expect(found.map(({ queryHash }) => queryHash).toSorted((one, other) => one.localeCompare(other))).toEqual([
    hashKey(queryKeys.account),
    hashKey(listKey),
    hashKey(queryKeys.swarm.overview('s2')),
  ]);
  expect(next.getQueryData(listKey)).toEqual({
    pages: [{ items: [{ id: 'mine', user_id: 'ann', swarms: [{ id: 's2' }] }, rows[2]] }],
    pageParams: [null],
  });
  // The user is in it again.
  client.setQueryData(queryKeys.swarm.overview('s1'), { swarm: { id: 's1' } });
  await hide();
  expect((await restored()).getQueryData(queryKeys.swarm.overview('s1'))).toEqual({ swarm: { id: 's1' } });
});

test('an answer that the server has is still pending on the next page, also without a network', async () => {
  serveActions();
  const client = await use('ann');
  const tab = createActions({ client });
  await client.fetchQuery({ queryKey: queryKeys.actions.open, queryFn: ({ signal }) => tab.read(signal) });
  await hide();
  vi.useFakeTimers();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  await tab.start({
    kind: 'answer',
    about: { answer: 'accept' },
    items: [{ id: '1', name: 'Buoy', swarm: 'Harbour' }],
  });
  await vi.advanceTimersByTimeAsync(600);
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')));
  const next = await restored();
  const page = createActions({ client: next });
  await Promise.resolve();
  const found = () => page.pendingOf('invitation:1')?.action;
  expect(found()).toMatchObject({ state: 'pending', about: { answer: 'accept' } });
  await page.read(new AbortController().signal).catch(() => undefined);
  expect([page.canUndo(found()), found()?.state]).toEqual([true, 'pending']);
  await vi.advanceTimersByTimeAsync(12_000);
  expect([page.canUndo(found()), found()?.state]).toEqual([false, 'pending']);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('if the browser has no more room, the oldest data goes', async () => {
  const views = [1, 2].map(
    (at) => [['map', { at }, {}], 'x'.repeat(200_000), Date.now() + at] as [string[], string, number],
  );
  await use('ann', views);
  stops.splice(0).forEach((stop) => stop());
  room = 500_000;
  const client = await use('ann', [...views, [['map', { at: 3 }, {}], 'x'.repeat(200_000), Date.now() + 3]]);
  client.setQueryData(listKey, list('Buoy 7'));
  await hide();
  expect((await restored()).getQueryData(listKey)).toBeDefined();
});
