import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { deviceMerge, type DeviceValues } from '../forms/device-fields.ts';
import { forgetPage } from '../new-page.ts';
import { deviceOutbox } from './device-outbox.ts';
import { createLocks } from './locks.fixture.ts';
import { countWaiting, outbox } from './outbox.ts';
import { noticeTagOf } from './outbox-database.ts';
import { isFinal, type EditTask, type OutboxEntry, type OutboxTask } from './outbox-entry.ts';

// Test files share their modules, and another file may have loaded these with the real database.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());
interface Row {
  kind?: string;
}
/** By database: the outbox, and the stored pages. */
const stores = { outbox: new Map<string, Row>(), pages: new Map<string, Row>() };
let hasRoom: () => boolean;
let beforeStored: () => Promise<void> | undefined;
let beforeRead: () => Promise<void> | undefined;
vi.mock('idb-keyval', () => {
  const of = (store?: 'outbox') => stores[store ?? 'pages'];
  return {
    createStore: () => 'outbox',
    async entries(store?: 'outbox') {
      await (store && beforeRead());
      return [...of(store)];
    },
    del: async (key: string, store?: 'outbox') => of(store).delete(key),
    delMany: async (keys: string[]) => keys.forEach((key) => of().delete(key)),
    async set(key: string, row: Row, store?: 'outbox') {
      const others = beforeStored();
      if (others) await others;
      if (!hasRoom()) throw new DOMException('no room', 'QuotaExceededError');
      of(store).set(key, row);
    },
  };
});

beforeEach(() => {
  hasRoom = () => true;
  beforeStored = () => undefined;
  beforeRead = () => undefined;
  vi.stubGlobal('navigator', { locks: createLocks() });
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const store of Object.values(stores)) store.clear();
  forgetPage();
});

const values: DeviceValues = {
  name: 'Buoy 7',
  machine_type: 'bug',
  description: '',
  position: undefined,
  expected_every: undefined,
  keep_track: undefined,
  keep_values: undefined,
};
const answer: Exclude<OutboxTask, EditTask> = {
  type: 'action',
  action: { kind: 'answer', about: { answer: 'accept' }, items: [{ id: 'i', name: 'Buoy 7', swarm: 'Harbour' }] },
};
const add = (task: typeof answer, id?: string) => outbox.add({ user_id: 'ann', task, ...(id !== undefined && { id }) });
/** The form showed `from`, and the user has saved `to`. */
const edit = (from: Partial<DeviceValues>, to: Partial<DeviceValues>) =>
  deviceOutbox.add({
    user_id: 'ann',
    device: { id: 'a', name: 'Buoy 7' },
    change: { base: { ...values, ...from }, mine: { ...values, ...to }, etag: '"1"' },
  });
const kinds = () => outbox.list().map(({ task }) => task.type);

test('the entries of another user are not those of the first one', async () => {
  await add(answer);
  await outbox.open('ben');
  expect(kinds()).toEqual([]);
  await outbox.open('ann');
  expect(kinds()).toEqual(['action']);
});

test('the next page has what waits in its order, another user sees nothing of it, and it stays for its user', async () => {
  await edit({}, { name: 'North' });
  await add(answer, 'x');
  forgetPage();
  await outbox.open('ann');
  expect(kinds()).toEqual(['edit', 'action']);
  expect(outbox.has('x')).toBe(true);
  forgetPage();
  await outbox.open('ben');
  expect([kinds(), stores.outbox.size]).toEqual([[], 2]);
  await outbox.add({ user_id: 'ben', task: answer });
  await outbox.clear('ben');
  forgetPage();
  await outbox.open('ann');
  expect(kinds()).toEqual(['edit', 'action']);
});

test.each([
  ['was sent', () => outbox.remove('x')],
  ['has failed', () => outbox.markFailed(outbox.list()[0]!, { code: 'invitation.gone' })],
])('the notification that says that an answer waits is closed when it %s', async (_, end) => {
  const closed: string[] = [];
  const getNotifications = async ({ tag }: { tag: string }) => [{ close: () => closed.push(tag) }];
  const serviceWorker = { getRegistration: async () => ({ getNotifications }) };
  vi.stubGlobal('navigator', { serviceWorker });
  await add(answer, 'x');
  await outbox.markSending(outbox.list()[0]!);
  expect(closed).toEqual([]);
  await end();
  await vi.waitFor(() => expect(closed).toEqual([noticeTagOf('x')]));
});

test.each([
  ['fails', () => Promise.reject(new Error('The connection was closed'))],
  ['hangs', () => new Promise<void>(() => undefined)],
])('what waits is read again if its reading %s, and what is added meanwhile is stored', async (_, attempt) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await edit({}, { name: 'North' });
  forgetPage();
  beforeRead = attempt;
  const added = outbox.add({ user_id: 'ann', task: answer });
  await vi.advanceTimersByTimeAsync(10_000);
  await added;
  expect([kinds(), stores.outbox.size]).toEqual([['action'], 2]);
  beforeRead = () => undefined;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(kinds()).toEqual(['edit', 'action']);
});

test('after a session has ended, its user is told how many changes wait, and not how many have failed', async () => {
  await edit({}, { name: 'North' });
  await add(answer, 'x');
  expect([await countWaiting('ann'), await countWaiting('ben'), await countWaiting()]).toEqual([2, 0, 2]);
  await outbox.markFailed(outbox.list()[0]!, 'conflict');
  expect(await countWaiting('ann')).toBe(1);
});

test('what waits for a user who does not come back is deleted after 30 days', async () => {
  await add(answer, 'x');
  const day = 24 * 60 * 60_000;
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * day);
  for (const [user_id, count] of [
    ['ann', 1],
    ['ben', 0],
  ] as const) {
    forgetPage();
    await outbox.open(user_id);
    expect(stores.outbox.size, user_id).toBe(count);
  }
  now.mockRestore();
});

test('an edit does not join one that is being sent or has failed', async () => {
  await edit({}, { name: 'North' });
  const sending = outbox.markSending(outbox.list()[0]!);
  await edit({ name: 'North' }, { name: 'South' });
  await sending;
  expect(kinds()).toEqual(['edit', 'edit']);
  await outbox.markFailed(outbox.list()[0]!, 'conflict');
  expect(outbox.next()?.task).toMatchObject({ change: { mine: { name: 'South' } } });
});

const edits = () =>
  outbox.list().flatMap(({ task, failure }) => {
    if (task.type !== 'edit') return [];
    const { base, mine, etag } = task.change;
    return [{ before: base.description, mine: deviceMerge.mineOf({ base, mine }), etag, failure }];
  });

test('an edit of the moment in which the sender takes the one that waits is not lost', async () => {
  await edit({}, { name: 'Buoy 8' });
  const both = [edit({ name: 'Buoy 8' }, { name: 'Buoy 9' })];
  await Promise.resolve();
  const sent = outbox.next()!;
  await Promise.all([...both, outbox.markSending(sent)]);
  const [first, ...later] = outbox.list();
  const nameOf = (entry: OutboxEntry) => (entry.task as EditTask).change.mine.name;
  expect([nameOf(sent), nameOf(first!)]).toEqual(['Buoy 9', 'Buoy 9']);
  expect([...stores.outbox.values()]).toEqual([{ ...first, isSending: true }]);
  expect(later).toEqual([]);
});

test('an edit that takes back the one that waits takes it from the sender at once', async () => {
  await edit({}, { name: 'Buoy 8' });
  const back = edit({ name: 'Buoy 8' }, {});
  await Promise.resolve();
  expect(outbox.next()).toBe(undefined);
  await back;
  expect([outbox.list(), stores.outbox.size]).toEqual([[], 0]);
});

test('an edit that is read before it is stored still waits', async () => {
  await outbox.open('ann');
  const stored = Promise.withResolvers<void>();
  beforeStored = () => stored.promise;
  const added = edit({}, { name: 'Buoy 8' });
  await Promise.resolve();
  await outbox.read('ann');
  expect(outbox.list()).toEqual([]);
  stored.resolve();
  await added;
  expect(kinds()).toEqual(['edit']);
});

test('what was saved meanwhile replaces what waits of the same fields, also while it is sent', async () => {
  await edit({}, { name: 'North', description: 'half' });
  const [first] = outbox.list();
  await outbox.markSending(first!);
  await deviceOutbox.replaced('a', ['description']);
  await outbox.markFailed(first!, 'conflict');
  expect(edits()).toEqual([{ before: '', mine: { name: 'North' }, etag: '"1"', failure: 'conflict' }]);
  await deviceOutbox.replaced('b', ['name']);
  expect(edits()).toHaveLength(1);
  await deviceOutbox.replaced('a', ['name']);
  expect([edits(), stores.outbox.size]).toEqual([[], 0]);
});

test('what fails in the same way each time is not sent again', async () => {
  await edit({}, { name: 'North' });
  const [entry] = outbox.list();
  const final = ['resource.not_found', 'resource.forbidden', 'body.invalid'].map((code) => ({ code }));
  for (const failure of [...final, 'conflict', { code: 'storage.full' }] as const)
    expect(isFinal({ ...entry!, failure })).toBe(final.includes(failure as never));
  expect(isFinal(entry!)).toBe(false);
});

test('an edit that finds no room takes nothing from one that has failed', async () => {
  await edit({}, { description: 'half' });
  await outbox.markFailed(outbox.list()[0]!, 'conflict');
  hasRoom = () => false;
  await expect(edit({ description: 'half' }, { description: 'half and more' })).rejects.toMatchObject({
    code: 'outbox.no_room',
  });
  expect(edits()).toEqual([{ before: '', mine: { description: 'half' }, etag: '"1"', failure: 'conflict' }]);
});

test('what is discarded while it is sent does not come back', async () => {
  await edit({}, { name: 'North' });
  const [entry] = outbox.list();
  const sending = outbox.markSending(entry!);
  await outbox.remove(entry!.id);
  await sending;
  await outbox.markFailed(entry!, 'conflict');
  expect([outbox.list(), stores.outbox.size]).toEqual([[], 0]);
});

test('if the browser has no more room, stored pages make room, and what waits never goes', async () => {
  stores.pages.set('account', { kind: 'account' }).set('list', { kind: 'devices pages' });
  hasRoom = () => stores.pages.size < 2;
  await add(answer, 'x');
  expect([[...stores.pages.keys()], outbox.has('x')]).toEqual([['account'], true]);
  hasRoom = () => false;
  await expect(add(answer, 'y')).rejects.toMatchObject({ code: 'outbox.no_room' });
  expect(stores.outbox.size).toBe(1);
});

test('a user has at most 200 waiting changes', async () => {
  for (let count = 0; count < 200; count += 1) await add(answer, String(count));
  await expect(add(answer, 'more')).rejects.toMatchObject({ code: 'outbox.full' });
  await add(answer, '1');
  expect(outbox.list()).toHaveLength(200);
});

/** What a page has stored while it sends an edit itself. */
function storeSent(id: string, from: Partial<DeviceValues>, to: Partial<DeviceValues>) {
  const change = { base: { ...values, ...from }, mine: { ...values, ...to }, etag: '"1"' };
  const entry = { id, user_id: 'ann', at: 1, task: { type: 'edit', device: { id: 'a', name: 'Buoy 7' }, change } };
  stores.outbox.set(id, { ...entry, isSentByPage: true } as Row);
}
const stored = () => [...stores.outbox.values()] as OutboxEntry[];

test.each(['resolve', 'reject'] as const)(
  'what a page sends itself is stored until the server has answered, and no list has it (%s)',
  async (end) => {
    await outbox.open('ann');
    const answered = Promise.withResolvers<void>();
    const entry = outbox.newEntry({ user_id: 'ann', task: answer });
    const onStored = vi.fn<() => void>();
    const kept = outbox.keepUntil(entry, answered.promise, onStored);
    await vi.waitFor(() => expect(onStored).toHaveBeenCalled());
    expect(stored()).toMatchObject([{ id: entry.id }]);
    await outbox.read('ann');
    expect(outbox.list()).toEqual([]);
    answered[end]();
    await kept;
    await outbox.read('ann');
    expect([outbox.list(), stored()]).toEqual([[], []]);
  },
);

test('what a page has sent itself stays if it did not reach the server', async () => {
  await outbox.open('ann');
  const postponed = outbox.newEntry({ user_id: 'ann', task: answer, id: 'x' });
  await outbox.keepUntil(postponed, add(answer, 'x'));
  expect([outbox.list(), stored()]).toMatchObject([[{ id: 'x' }], [{ id: 'x' }]]);
  expect(stored()[0]?.isSentByPage).toBe(undefined);
});

test('what another page sends itself waits once that page has ended', async () => {
  const ended = Promise.withResolvers<void>();
  const held = navigator.locks.request('outbox:x', () => ended.promise);
  storeSent('x', {}, { name: 'North' });
  await outbox.open('ann');
  await outbox.read('ann');
  expect([outbox.list(), await countWaiting('ann')]).toEqual([[], 1]);
  ended.resolve();
  await held;
  await vi.waitFor(() => expect(outbox.list()).toMatchObject([{ id: 'x', isSending: true }]));
  expect(outbox.list()).toEqual(stored());
});

test('an edit of a page that has ended joins the one that waits', async () => {
  await edit({}, { name: 'North' });
  storeSent('x', { name: 'North' }, { name: 'North', description: 'new' });
  forgetPage();
  await outbox.open('ann');
  await vi.waitFor(() => expect(edits()).toMatchObject([{ mine: { name: 'North', description: 'new' } }]));
  await vi.waitFor(() => expect(stored()).toHaveLength(1));
});

test('nothing is left after signing out', async () => {
  await add(answer, 'x');
  await outbox.clear('ann');
  expect([outbox.list(), stores.outbox.size]).toEqual([[], 0]);
});
