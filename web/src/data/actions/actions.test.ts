import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Action } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { problem, serveActions } from './actions.fixture.ts';
import { createActions } from './actions.ts';
import type { ActionNotice, ActionOutbox } from './action-store.ts';
import { errorSentence, OfflineError } from '../problem.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { loadChanges } from '../stream/lazy-changes.ts';
import { isPostponed, shownActionsOf } from './shown-actions.ts';

const items = (...ids: string[]) => ids.map((id) => ({ id, name: `Sensor ${id}` }));
const deletion = (...ids: string[]) => ({ kind: 'delete', about: {}, items: items(...ids) }) as const;
const read = (tab: ReturnType<typeof createActions>) => tab.read(new AbortController().signal);
const states = (tab: ReturnType<typeof createActions>) => tab.list().map(({ state }) => state);

function withoutNetwork(): never {
  throw new TypeError('no network');
}

/** A tab, with what it announces. */
function openTab() {
  const client = new QueryClient();
  const tab = createActions({ client });
  const news: ActionNotice[] = [];
  tab.onNotice((each) => news.push(each));
  return { client, tab, news, types: () => news.map(({ type }) => type) };
}

const outboxOf = (parts: Partial<ActionOutbox>): ActionOutbox => ({
  keepUntil: () => undefined,
  add: async () => true,
  remove: async () => undefined,
  ...parts,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('marks its records at once, in the tab that starts it and in others', async () => {
  serveActions();
  const { tab } = openTab();
  const started = tab.start(deletion('a', 'b'));
  expect(tab.pendingOf('resource:b')).toMatchObject({ index: 1, isUndoing: false, action: { state: 'pending' } });
  const { id } = (await started)!;
  const other = openTab().tab;
  await read(other);
  expect(other.pendingOf('resource:a')?.action.id).toBe(id);
  expect(other.pendingOf('resource:c')).toBeUndefined();
});

test('ignores an action of a kind that only a newer server knows', async () => {
  const server = serveActions();
  const { id } = (await openTab().tab.start(deletion('a')))!;
  server.change(id, { kind: 'archive' as 'delete' });
  const { tab, news } = openTab();
  await read(tab);
  tab.onEvent(server.change(id, { state: 'ended', done: 1 }));
  expect(tab.list()).toEqual([]);
  expect(news).toEqual([]);
});

test('marks the loaded rows of an action on all that match, and sends none of them', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const filter = { list: 'devices', query: '' } as const;
  const { id } = (await tab.start({ ...deletion('a', 'b'), filter, expected: 600 }))!;
  expect(server.requests[0]?.body).toMatchObject({ filter, expected: 600, wait: 10 });
  expect(server.requests[0]?.body.items).toBeUndefined();
  tab.onEvent(server.change(id, { done: 100 }));
  expect(tab.pendingOf('resource:b')?.action).toMatchObject({ total: 600, done: 100 });
  expect(tab.pendingOf('resource:c')).toBeUndefined();
});

test('a record of an action that runs stays the same while others are done', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const { id } = (await tab.start(deletion('a', 'b')))!;
  const pending = tab.pendingOf('resource:b');
  tab.onEvent(server.change(id, { state: 'running' }));
  const running = tab.pendingOf('resource:b');
  expect(running).not.toBe(pending);
  tab.onEvent(server.change(id, { done: 1, changed: 1 }));
  expect(tab.pendingOf('resource:b')).toBe(running);
  expect(tab.list()).toMatchObject([{ done: 1 }]);
  tab.onEvent(server.change(id, { is_waiting: true }));
  expect(tab.pendingOf('resource:b')?.action.is_waiting).toBe(true);
  tab.onEvent(server.change(id, { state: 'paused' }));
  expect(tab.pendingOf('resource:b')?.action.state).toBe('paused');
});

test('waits for the time to undo of the user only if it cannot be taken back', async () => {
  const { requests } = serveActions();
  const { client, tab } = openTab();
  shownActionsOf({ client }).setUndoSeconds(30);
  await tab.start(deletion('a'));
  await tab.start({ kind: 'update', about: { machine_type: 'pc' }, items: items('b') });
  expect(requests.map(({ body }) => body.wait)).toEqual([30, 0]);
  expect(tab.secondsLeft(tab.list()[0]!)).toBe(30);
});

test('undoes one item, then all, each after the request before it', async () => {
  const server = serveActions();
  const { tab, types } = openTab();
  const started = tab.start(deletion('a', 'b', 'c'));
  const [{ id } = { id: '' }] = tab.list();
  const one = tab.undo(id, ['b']);
  expect(tab.pendingOf('resource:b')?.isUndoing).toBe(true);
  expect(tab.pendingOf('resource:a')?.isUndoing).toBe(false);
  await Promise.all([started, one]);
  expect(tab.pendingOf('resource:b')).toBeUndefined();
  expect(tab.pendingOf('resource:c')?.index).toBe(1);
  await tab.undo(id);
  expect([tab.list().length, server.actions.size]).toEqual([0, 0]);
  expect(server.sent()).toEqual(['POST /api/actions', 'POST /api/actions/id/undo', 'POST /api/actions/id/undo']);
  expect(types()).toEqual(['added', 'undone', 'undone']);
});

test('says that it was too late to undo, and shows the action as it is', async () => {
  const server = serveActions();
  const { tab, types } = openTab();
  const { id } = (await tab.start(deletion('a')))!;
  tab.onEvent(server.change(id, { state: 'running' }));
  await tab.undo(id);
  expect(types()).toEqual(['added', 'not_changed']);
  expect(tab.pendingOf('resource:a')).toMatchObject({ isUndoing: false, action: { state: 'running' } });
});

test('says that it was too late to undo what has ended before the undo could be sent', async () => {
  const server = serveActions();
  const { fetch } = globalThis;
  const slow = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const response = await fetch(path, init);
    if (path === '/api/actions' && init.method === 'POST') await slow.promise;
    return response;
  });
  const { tab, types } = openTab();
  void tab.start(deletion('a'), 'x');
  await vi.advanceTimersByTimeAsync(0);
  const undone = tab.undo('x');
  tab.onEvent(server.change('x', { state: 'ended', done: 1, ended_at: new Date().toISOString() }));
  expect(tab.list()).toEqual([]);
  slow.resolve();
  await undone;
  expect([types(), tab.isUndone('x')]).toEqual([['added', 'ended', 'not_changed'], false]);
});

test.each([undefined, ['a', 'b']])(
  'an undo whose answer was lost, and that a browser sends again, has succeeded (items: %j)',
  async (undone) => {
    const server = serveActions({
      answer({ path }) {
        if (!path.endsWith('/undo')) return undefined;
        // Done by the first request, which had no answer.
        server.actions.delete(id);
        return problem('action.not_found', 404);
      },
    });
    const { tab, news, types } = openTab();
    const { id } = (await tab.start(deletion('a', 'b')))!;
    await tab.undo(id, undone);
    expect(types()).toEqual(['added', 'undone']);
    expect(news.at(-1)?.action.total).toBe(2);
    expect([tab.list(), tab.isUndone(id)]).toEqual([[], true]);
  },
);

test.each(['before', 'after'] as const)(
  'an undo whose answer was lost has succeeded, if its event comes (%s that is known)',
  async (order) => {
    const page = Promise.withResolvers<void>();
    const server = serveActions();
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      const response = await fetch(path, init);
      if (!path.endsWith('/undo')) return response;
      await page.promise;
      throw new TypeError('the answer was lost');
    });
    const { tab, types } = openTab();
    const { id } = (await tab.start(deletion('a')))!;
    const undone = tab.undo(id);
    await vi.advanceTimersByTimeAsync(0);
    expect(server.actions.size).toBe(0);
    if (order === 'before') tab.onEvent({ id });
    page.resolve();
    await undone;
    if (order === 'after') tab.onEvent({ id });
    expect(types()).toEqual(order === 'before' ? ['added', 'undone'] : ['added', 'not_changed', 'undone']);
    expect([tab.list(), tab.isUndone(id)]).toEqual([[], true]);
  },
);

test('an undo of an action that has begun and that the server no longer has is not said to have succeeded', async () => {
  const server = serveActions({
    answer: ({ path }) => (path.endsWith('/undo') ? problem('action.not_found', 404) : undefined),
  });
  const { tab, types } = openTab();
  const { id } = (await tab.start(deletion('a')))!;
  tab.onEvent(server.change(id, { state: 'running' }));
  await tab.undo(id);
  expect(types()).toEqual(['added', 'not_changed']);
});

test('a retry without an answer, and one that is pressed twice, is the same action', async () => {
  let isAway = false;
  const server = serveActions({
    answer: ({ path }) => (isAway && path.endsWith('/retry') ? problem('storage.away', 503) : undefined),
  });
  const { tab, types } = openTab();
  const start = async () => {
    const { id } = (await tab.start(deletion('a')))!;
    tab.onEvent(server.change(id, { state: 'ended', done: 1, failed: 1 }));
    return server.actions.get(id)!;
  };
  const ids = () => server.requests.filter(({ path }) => path.endsWith('/retry')).map(({ body }) => body.id);
  const first = await start();
  isAway = true;
  await tab.retry(first.id);
  expect(types().at(-1)).toBe('not_changed');
  isAway = false;
  await Promise.all([tab.retry(first.id, first), tab.retry(first.id, first)]);
  expect(ids()).toHaveLength(3);
  expect(new Set(ids()).size).toBe(1);
  const second = await start();
  await tab.retry(second.id);
  expect(ids().at(-1)).not.toBe(ids()[0]);
});

test('ends by its event in every tab, and is announced as that of this tab in one', async () => {
  const server = serveActions();
  const [one, other] = [openTab(), openTab()];
  const { id } = (await one.tab.start(deletion('a')))!;
  await read(other.tab);
  const ended = server.change(id, { state: 'ended', done: 1 });
  for (const { tab } of [one, other]) tab.onEvent(ended);
  expect([one.tab.list(), other.tab.list()]).toEqual([[], []]);
  expect([one.news.at(-1), other.news.at(-1)]).toMatchObject([
    { type: 'ended', isOwn: true },
    { type: 'ended', isOwn: false },
  ]);
});

test('an event that arrives before the response, and a list from before, do not bring back what has ended', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const started = tab.start(deletion('a'));
  const list = read(tab);
  await vi.waitFor(() => expect(server.actions.size).toBe(1));
  const { id } = tab.list()[0]!;
  tab.onEvent({ ...server.actions.get(id)!, state: 'ended', done: 1, is_dismissed: false });
  await Promise.all([started, list]);
  expect(tab.list()).toEqual([]);
});

test('an action that was executed before its first response failed ends when it is sent again', async () => {
  let isAway = true;
  const server = serveActions({
    answer: ({ method }) => (isAway && method === 'POST' ? problem('service.unreachable', 504) : undefined),
  });
  const { tab } = openTab();
  tab.postponeWith(outboxOf({}), new Map());
  const started = tab.start(deletion('a'), 'x');
  const ended = { ...tab.list()[0]!, state: 'ended', done: 1 } as const;
  tab.onEvent({ ...ended, is_dismissed: false });
  await started;
  isAway = false;
  const { id } = (await tab.start(deletion('a'), 'x'))!;
  tab.onEvent(server.change(id, { state: 'ended', done: 1 }));
  expect(tab.list()).toEqual([]);
});

test('an answer that does not reach the server before the outbox has loaded waits for it, and is stored', async () => {
  serveActions({ answer: withoutNetwork });
  const { tab, types } = openTab();
  const started = tab.start(deletion('a'), 'x');
  await vi.advanceTimersByTimeAsync(1000);
  expect(tab.pendingOf('resource:a')).toBeDefined();
  const add = vi.fn<() => Promise<boolean>>(async () => true);
  tab.postponeWith(outboxOf({ add }), new Map());
  await started;
  expect(add).toHaveBeenCalledOnce();
  expect([types(), tab.list().map(isPostponed)]).toEqual([['added'], [true]]);
});

test('an answer that does not reach the server says so if the outbox cannot be loaded', async () => {
  serveActions({ answer: withoutNetwork });
  const { tab, types } = openTab();
  const started = tab.start(deletion('a'), 'x');
  await vi.advanceTimersByTimeAsync(11_000);
  await started;
  expect([types(), tab.list()]).toEqual([['added', 'not_started'], []]);
});

test('an answer that is given while the lost network is not noticed yet waits, and is not taken back', async () => {
  const lost = Promise.withResolvers<void>();
  serveActions({ answer: withoutNetwork, until: lost.promise });
  const { tab, types } = openTab();
  const add = vi.fn<() => Promise<boolean>>(async () => true);
  tab.postponeWith(outboxOf({ add }), new Map());
  const started = tab.start(deletion('a'), 'x');
  await vi.advanceTimersByTimeAsync(2000);
  expect(tab.pendingOf('resource:a')).toBeDefined();
  lost.resolve();
  await started;
  expect(add).toHaveBeenCalledOnce();
  expect([types(), tab.list().map(isPostponed)]).toEqual([['added'], [true]]);
});

test('an undo that is pressed while the lost network is not noticed yet takes back what would wait', async () => {
  const lost = Promise.withResolvers<void>();
  const server = serveActions({ answer: withoutNetwork, until: lost.promise });
  const { tab, types } = openTab();
  const remove = vi.fn<(id: string) => Promise<void>>(async () => undefined);
  tab.postponeWith(outboxOf({ remove }), new Map());
  const started = tab.start(deletion('a'), 'x');
  const undone = tab.undo('x');
  await vi.advanceTimersByTimeAsync(2000);
  lost.resolve();
  await Promise.all([started, undone]);
  expect(remove).toHaveBeenCalledWith('x');
  expect([types(), tab.list(), server.sent()]).toEqual([['added', 'undone'], [], ['POST /api/actions']]);
});

test('an undo of what could not be started is not under way any more when that is tried again', async () => {
  const first = Promise.withResolvers<void>();
  let isRefused = true;
  serveActions({ answer: () => (isRefused ? problem('action.too_many', 409) : undefined), until: first.promise });
  const { tab, news } = openTab();
  const started = tab.start(deletion('a'), 'x');
  const undone = tab.undo('x');
  first.resolve();
  await Promise.all([started, undone]);
  isRefused = false;
  for (const notice of news) if (notice.type === 'not_started') notice.retry();
  expect(tab.pendingOf('resource:a')).toMatchObject({ isUndoing: false });
});

test('what cannot wait because the browser has no more room says so', async () => {
  serveActions({ answer: withoutNetwork });
  const { tab, news } = openTab();
  const add = async () => Promise.reject(new OfflineError('', { code: 'outbox.no_room' }));
  tab.postponeWith(outboxOf({ add }), new Map());
  await tab.start(deletion('a'), 'x');
  const { error } = news.find(({ type }) => type === 'not_started') as Extract<ActionNotice, { type: 'not_started' }>;
  expect(errorSentence(error)).toMatch(/this browser has no more room/);
});

test('a list from before a pause does not bring back the action as running', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const server = serveActions();
  const { tab } = openTab();
  const row = { line: 2, name: 'a', create: { name: 'a', machine_type: 'pc' } } as const;
  const { id } = (await tab.start({ kind: 'import', about: { file: 'a.csv', hash: '' }, items: [row] }))!;
  tab.onEvent(server.change(id, { state: 'running' }));
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const response = await fetch(path, init);
    if (init.method === undefined || init.method === 'GET') await answered;
    return response;
  });
  const list = read(tab);
  await vi.waitFor(() => expect(server.requests.at(-1)).toMatchObject({ method: 'GET' }));
  server.change(id, { state: 'paused' });
  await tab.pause(id);
  expect(states(tab)).toEqual(['paused']);
  answer();
  await list;
  expect(states(tab)).toEqual(['paused']);
  await read(tab);
  expect(states(tab)).toEqual(['paused']);
});

test('a stream that continues reads the actions again, because their events may be missing', async () => {
  const server = serveActions();
  const { tab, client } = openTab();
  const row = { line: 2, name: 'a', create: { name: 'a', machine_type: 'pc' } } as const;
  const file = (await tab.start({ kind: 'import', about: { file: 'a.csv', hash: '' }, items: [row] }))!;
  new QueryObserver(client, { queryKey: queryKeys.actions.open, queryFn: () => read(tab) }).subscribe(() => undefined);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  server.change(file.id, { state: 'ended', done: 1 });
  tab.onEvent({ resumed: true });
  await vi.waitFor(() => expect(states(tab)).toEqual(['ended']));
});

test('an action that has ended here is shown again if a restored backup has it paused', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const { id } = (await tab.start(deletion('a')))!;
  tab.onEvent(server.change(id, { state: 'ended', done: 1 }));
  expect(states(tab)).toEqual([]);
  server.change(id, { state: 'paused', done: 0, is_restored: true });
  await read(tab);
  expect(states(tab)).toEqual(['paused']);
});

test('what is dismissed in one tab is gone in the others', async () => {
  const server = serveActions();
  const { tab, types } = openTab();
  const { id } = (await tab.start(deletion('a', 'b')))!;
  const ended = server.change(id, { state: 'ended', done: 2, failed: 1 });
  tab.onEvent(ended);
  expect(states(tab)).toEqual(['ended']);
  tab.onEvent({ ...ended, is_dismissed: true });
  expect(tab.list()).toEqual([]);
  expect(types()).toEqual(['added', 'ended']);
});

test('without events, its end is found in the list', async () => {
  const server = serveActions();
  const { tab, types } = openTab();
  const { id } = (await tab.start(deletion('a')))!;
  await tab.start(deletion('b'));
  server.ended.push({ ...server.actions.get(id)!, state: 'ended', done: 1 });
  // Another tab has undone the other one.
  server.actions.clear();
  await read(tab);
  expect([tab.list(), types()]).toEqual([[], ['added', 'added', 'ended', 'undone']]);
});

test('with failures it stays until the user dismisses it, and an import until then in any case', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const { id } = (await tab.start(deletion('a', 'b')))!;
  tab.onEvent(server.change(id, { state: 'ended', done: 2, failed: 1 }));
  const rows = [{ line: 2, name: 'a', create: { name: 'a', machine_type: 'pc' as const } }];
  const file = (await tab.start({ kind: 'import', about: { file: 'a.csv', hash: '' }, items: rows }))!;
  tab.onEvent(server.change(file.id, { state: 'ended', done: 1 }));
  expect(states(tab)).toEqual(['ended', 'ended']);
  await tab.dismiss(id);
  expect(tab.list().map(({ kind }) => kind)).toEqual(['import']);
});

test('a record has the reason of its last failure, until that is dismissed', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const { id } = (await tab.start(deletion('a', 'b')))!;
  const reason = { code: 'resource.forbidden' };
  server.change(id, { state: 'ended', done: 2, failed: 1, results: [null, reason] });
  await read(tab);
  expect(tab.failureOf('resource:a')).toBeUndefined();
  expect(tab.failureOf('resource:b')).toMatchObject({ action: { id }, problem: reason });
  await tab.dismiss(id);
  expect(tab.failureOf('resource:b')).toBeUndefined();
});

test('what it changes is fetched again when it has ended', async () => {
  await loadChanges();
  const server = serveActions();
  const { tab, client } = openTab();
  client.setQueryData(queryKeys.devices.counts, 1);
  const { id } = (await tab.start({ kind: 'update', about: { machine_type: 'pc' }, items: items('b') }))!;
  expect(client.getQueryState(queryKeys.devices.counts)?.isInvalidated).toBe(false);
  tab.onEvent(server.change(id, { state: 'ended', done: 1 }));
  expect(client.getQueryState(queryKeys.devices.counts)?.isInvalidated).toBe(true);
});

test('more items than a part are uploaded in parts, which are sent again while the server cannot be reached', async () => {
  let failures = 2;
  const server = serveActions({
    answer: ({ path }) =>
      path.endsWith('parts/1') && failures-- > 0 ? problem('service.unreachable', 503) : undefined,
  });
  const { tab } = openTab();
  const ids = Array.from({ length: 1201 }, (_, index) => `id-${index}`);
  const started = tab.start(deletion(...ids));
  await vi.waitFor(() => expect(tab.list()[0]?.done).toBe(500), { interval: 1 });
  expect([states(tab), tab.list()[0]?.done, tab.hasUnsaved()]).toEqual([['uploading'], 500, true]);
  // The server has executed none of them.
  tab.onEvent({ ...[...server.actions.values()][0]!, is_dismissed: false });
  expect(tab.list()[0]?.done).toBe(500);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await started)?.state).toBe('running');
  const parts = server.requests.filter(({ method }) => method === 'PUT');
  expect(parts.map(({ body }) => body.items?.length)).toEqual([500, 500, 500, 500, 201]);
  expect(tab.pendingOf('resource:id-1200')?.index).toBe(1200);
});

test('until the server has answered, an import is an upload, and leaving the page would lose what has no answer', async () => {
  const answered = Promise.withResolvers<void>();
  serveActions({ until: answered.promise });
  const { tab } = openTab();
  const create = { name: 'Lamp', machine_type: 'pc' } as const;
  const one = tab.start({
    kind: 'import',
    about: { file: 'lamps.csv', hash: '' },
    items: [{ line: 1, name: 'Lamp', create }],
  });
  expect([states(tab), tab.hasUnsaved()]).toEqual([['uploading'], true]);
  const few = openTab().tab;
  const some = few.start(deletion('a'));
  const many = openTab().tab;
  const all = many.start(deletion(...Array.from({ length: 101 }, (_, index) => `id-${index}`)));
  const long = openTab().tab;
  const texts = long.start({ kind: 'delete', about: {}, items: [{ id: 'a', name: 'ж'.repeat(limits.bodyBytes) }] });
  expect([few, many, long].map((each) => each.hasUnsaved())).toEqual([true, true, true]);
  answered.resolve();
  await Promise.all([one, some, all, texts]);
  expect([few, many, long].map((each) => each.hasUnsaved())).toEqual([false, false, false]);
  expect([states(tab), tab.hasUnsaved()]).toEqual([['pending'], false]);
});

test('what the server has not answered is stored in this browser, also if the outbox loads later', async () => {
  const answered = Promise.withResolvers<void>();
  serveActions({ until: answered.promise });
  const { tab } = openTab();
  const keepUntil = vi.fn<ActionOutbox['keepUntil']>();
  const started = tab.start(deletion('a'), 'x');
  tab.postponeWith(outboxOf({ keepUntil }), new Map());
  await vi.advanceTimersByTimeAsync(0);
  const [[answer, unsent, onStored] = []] = keepUntil.mock.calls;
  expect([unsent, tab.hasUnsaved()]).toEqual([{ id: 'x', options: deletion('a') }, true]);
  onStored!();
  expect(tab.hasUnsaved()).toBe(false);
  answered.resolve();
  expect(await answer).toBe(await started);
  expect(keepUntil).toHaveBeenCalledOnce();
});

test('an undo of what the server has not answered deletes what is stored of it, and leaving the page would lose the undo', async () => {
  const answered = Promise.withResolvers<void>();
  serveActions({ until: answered.promise });
  const { tab } = openTab();
  const remove = vi.fn<(id: string) => Promise<void>>(async () => undefined);
  tab.postponeWith(outboxOf({ keepUntil: (_answer, _unsent, onStored) => onStored(), remove }), new Map());
  void tab.start(deletion('a'), 'x');
  expect(tab.hasUnsaved()).toBe(false);
  const undone = tab.undo('x');
  expect([remove.mock.calls, tab.hasUnsaved()]).toEqual([[['x']], true]);
  answered.resolve();
  await undone;
  expect(tab.hasUnsaved()).toBe(false);
});

test('what is undone before the outbox has loaded is not stored', async () => {
  serveActions({ until: new Promise(() => {}) });
  const { tab } = openTab();
  const keepUntil = vi.fn<ActionOutbox['keepUntil']>();
  void tab.start(deletion('a'), 'x');
  void tab.undo('x');
  tab.postponeWith(outboxOf({ keepUntil }), new Map());
  await vi.advanceTimersByTimeAsync(0);
  expect(keepUntil).not.toHaveBeenCalled();
});

test('items whose texts are too long for one request are uploaded', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const create = { name: 'Lamp', machine_type: 'pc', description: 'é'.repeat(2000) } as const;
  const items = Array.from({ length: 20 }, (_, line) => ({ line: line + 1, name: 'Lamp', create }));
  await tab.start({ kind: 'import', about: { file: 'lamps.csv', hash: '' }, items });
  expect(server.requests.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, 'id')}`)).toEqual([
    'POST /api/actions',
    'PUT /api/actions/id/parts/0',
    'POST /api/actions/id/start',
  ]);
});

test('a start that fails is taken back, and can be tried again as the same action', async () => {
  let isAway = true;
  const server = serveActions({ answer: () => (isAway ? problem('storage.full', 507) : undefined) });
  const { tab, news } = openTab();
  await tab.start(deletion('a'));
  expect(tab.list()).toEqual([]);
  const failed = news.at(-1);
  expect(failed?.type).toBe('not_started');
  isAway = false;
  if (failed?.type === 'not_started') failed.retry?.();
  await vi.waitFor(() => expect(server.actions.size).toBe(1));
  expect(new Set(server.requests.map(({ body }) => body.id)).size).toBe(1);
});

test('what was typed for an action is kept until the server has it, also after another try', async () => {
  let isAway = true;
  serveActions({ answer: () => (isAway ? problem('storage.full', 507) : undefined) });
  const { tab, news } = openTab();
  const onStored = vi.fn<() => void>();
  await tab.start(deletion('a'), crypto.randomUUID(), onStored);
  expect(onStored).not.toHaveBeenCalled();
  isAway = false;
  const failed = news.at(-1);
  if (failed?.type === 'not_started') failed.retry?.();
  await vi.waitFor(() => expect(onStored).toHaveBeenCalledOnce());
});

test('what was typed for an action is not kept if the server had it, although its response was lost', async () => {
  serveActions({ answer: () => problem('storage.full', 507) });
  const { tab } = openTab();
  const onStored = vi.fn<() => void>();
  await tab.start(deletion('a'), 'x', onStored);
  expect(onStored).not.toHaveBeenCalled();
  const other = serveActions();
  await openTab().tab.start(deletion('a'), 'x');
  tab.onEvent(other.change('x', { state: 'running' }));
  expect(onStored).toHaveBeenCalledOnce();
});

test('an action whose event has come is started, although its response did not come', async () => {
  serveActions({
    answer({ method, body }) {
      if (method !== 'POST') return undefined;
      tab.onEvent({ ...tab.list()[0]!, id: body.id!, state: 'ended', done: 1, changed: 1 });
      return withoutNetwork();
    },
  });
  const { tab, types } = openTab();
  expect(await tab.start(deletion('a'))).toBeDefined();
  expect([types(), tab.list()]).toEqual([['added', 'ended'], []]);
});

test('if another number of devices matches now, the next try is for that number', async () => {
  let isFirst = true;
  const server = serveActions({
    answer() {
      const response = isFirst ? problem('action.count_changed', 409) : undefined;
      isFirst = false;
      return response;
    },
  });
  const { tab, news } = openTab();
  const filter = { list: 'devices', query: 'q=north' } as const;
  await tab.start({ kind: 'update', about: { machine_type: 'pc' }, items: [], filter, expected: 600 });
  const failed = news.at(-1);
  if (failed?.type === 'not_started') failed.retry?.(612);
  await vi.waitFor(() => expect(server.requests.length).toBe(2));
  expect(server.requests.map(({ body }) => body)).toMatchObject([{ expected: 600 }, { expected: 612, filter }]);
});

test('while Undo has the focus, the action is postponed again and again, and the seconds stay', async () => {
  const server = serveActions();
  const { tab } = openTab();
  const { id } = (await tab.start(deletion('a')))!;
  await vi.advanceTimersByTimeAsync(3000);
  const release = tab.hold(id);
  await vi.advanceTimersByTimeAsync(20_000);
  const left = () => tab.secondsLeft(tab.list()[0]!);
  expect(left()).toBe(7);
  expect(Date.parse(server.actions.get(id)!.runs_at!) - Date.now()).toBeGreaterThan(7000);
  release();
  await vi.advanceTimersByTimeAsync(2000);
  expect(left()).toBe(5);
  expect(Date.parse(server.actions.get(id)!.runs_at!) - Date.now()).toBe(5000);
});

test('while Undo has the focus and the server cannot be reached, the seconds run out, and then it cannot be undone', async () => {
  let isAway = false;
  serveActions({ answer: () => (isAway ? withoutNetwork() : undefined) });
  const { tab, types } = openTab();
  const { id } = (await tab.start(deletion('a')))!;
  const now = () => ({ left: tab.secondsLeft(tab.list()[0]!), canUndo: tab.canUndo(tab.list()[0]) });
  await vi.advanceTimersByTimeAsync(2000);
  isAway = true;
  const release = tab.hold(id);
  await tab.undo(id);
  expect(types()).toEqual(['added', 'not_changed']);
  expect(tab.pendingOf('resource:a')?.isUndoing).toBe(false);
  await vi.advanceTimersByTimeAsync(3000);
  expect(now()).toEqual({ left: 5, canUndo: true });
  await vi.advanceTimersByTimeAsync(5000);
  expect(now()).toEqual({ left: 0, canUndo: false });
  isAway = false;
  release();
  await vi.advanceTimersByTimeAsync(1000);
  expect(now()).toEqual({ left: 0, canUndo: false });
});

test('a start that is not answered can be undone for as long as that takes, and its seconds begin with the answer', async () => {
  const answer = Promise.withResolvers<void>();
  serveActions({ until: answer.promise });
  const { tab } = openTab();
  void tab.start(deletion('a'));
  await vi.advanceTimersByTimeAsync(11_000);
  const now = () => ({ left: tab.secondsLeft(tab.list()[0]!), canUndo: tab.canUndo(tab.list()[0]) });
  // The server gives them once it has it.
  expect(now()).toEqual({ left: 10, canUndo: true });
  answer.resolve();
  await vi.advanceTimersByTimeAsync(4000);
  expect(now()).toEqual({ left: 6, canUndo: true });
});

test('what a stream has missed is read after the first read, if that is on its way', async () => {
  const server = serveActions();
  const first = Promise.withResolvers<Response>();
  const { fetch } = globalThis;
  let reads = 0;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
    path === '/api/actions' && init?.method === 'GET' && (reads += 1) === 1 ? first.promise : fetch(path, init),
  );
  const { client, tab } = openTab();
  const queryFn = ({ signal }: { signal: AbortSignal }) => tab.read(signal);
  const stop = new QueryObserver(client, { queryKey: queryKeys.actions.open, queryFn }).subscribe(() => undefined);
  const { id } = (await tab.start({ kind: 'update', about: { machine_type: 'pc' }, items: items('a') }))!;
  server.ended.push({ ...server.actions.get(id)!, state: 'ended', done: 1 });
  server.actions.delete(id);
  tab.onEvent({ resumed: true });
  first.resolve(Response.json({ actions: [] }));
  await vi.waitFor(() => expect(states(tab)).toEqual([]), { interval: 1 });
  stop();
  client.clear();
});

test('an undo and a retry that end before they are answered are this tab’s own', async () => {
  const { tab, news } = openTab();
  const about = { machine_type: 'pc' } as const;
  const server = serveActions({
    answer({ path, body }) {
      const [, , , of = '', verb] = path.split('/');
      if (verb !== 'undo' && verb !== 'retry') return undefined;
      const [kind, started] = verb === 'undo' ? ['undo', { action: of, kind: 'update', of: about }] : ['update', about];
      const answer = { ...server.actions.get(of)!, id: body.id ?? 'other', kind, about: started, failed: 0 } as Action;
      tab.onEvent({ ...answer, state: 'ended', is_dismissed: true });
      return Response.json({ ...answer, state: 'running' }, { status: 201 });
    },
  });
  const { id } = (await tab.start({ kind: 'update', about, items: items('a', 'b') }))!;
  tab.onEvent(server.change(id, { state: 'ended', done: 2, failed: 1 }));
  await tab.undo(id);
  expect(news.at(-1)).toMatchObject({ type: 'ended', action: { kind: 'undo' }, isOwn: true });
  await tab.retry(id);
  expect(news.at(-1)).toMatchObject({ type: 'ended', action: { kind: 'update', failed: 0 }, isOwn: true });
});
