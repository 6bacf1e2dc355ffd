import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { InvitationItem, Resource } from '@swarmdeck/bff/contract';
import { hourMs } from '@swarmdeck/bff/durations';
import { problem, serveActions } from '../data/actions/actions.fixture.ts';
import { actionsOf } from '../data/actions/actions.ts';
import { deviceQuery } from '../data/cache/device-query.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { itemOf } from '../data/cache/invitation.fixture.ts';
import { valuesOf } from '../data/forms/device-fields.ts';
import { forgetPage } from '../data/new-page.ts';
import { deviceOutbox } from '../data/outbox/device-outbox.ts';
import { createLocks } from '../data/outbox/locks.fixture.ts';
import { outbox } from '../data/outbox/outbox.ts';
import { sentDevicesOf } from '../data/outbox/waiting-devices.ts';
import { foreignResponse } from '../data/responses.fixture.ts';
import { observeServerTime } from '../data/server-clock.ts';
import { placeDevice } from '../features/devices/device-writes.api.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { loadTexts } from '../text/text.ts';
import { KeysProvider } from '../ui/keys/keys-provider.tsx';
import { NowProvider } from '../ui/texts/time.tsx';
import { ToastProvider } from '../ui/toasts/toast.tsx';
import { Outbox } from './outbox.tsx';
import { openOutbox, UnreachableNotice } from './unreachable-notice.tsx';

// Test files share their modules, and another file may have loaded these with the real database.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());
const rows = new Map<string, object>();
vi.mock('idb-keyval', () => ({
  createStore: () => 'outbox',
  entries: async () => [...rows],
  del: async (key: string) => rows.delete(key),
  delMany: async () => undefined,
  clear: async () => rows.clear(),
  async set(key: string, row: object) {
    if (!hasRoom) throw new DOMException('no room', 'QuotaExceededError');
    rows.set(key, row);
  },
}));

const gate: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Gate',
  machine_type: 'pc',
  description: 'before',
  created_at: '2026-01-02T03:00:00.000Z',
};
const answer = {
  kind: 'answer',
  about: { answer: 'accept' },
  items: [{ id: 'i', name: 'Gate', swarm: 'Harbour' }],
} as const;
const leave = {
  kind: 'remove_member',
  about: { swarm: { id: 's', name: 'Harbour' } },
  items: [{ id: 'a', name: 'Gate' }],
} as const;
const edit = {
  type: 'edit',
  device: { id: 'a', name: 'Gate' },
  change: { base: valuesOf(gate), mine: { ...valuesOf(gate), description: 'mine' }, etag: '"1"' },
} as const;

/** Undefined: the server cannot be reached. */
let user: string | null | undefined;
/** The server rejects every action. */
let rejects: boolean;
let server: ReturnType<typeof serveActions>;
/** The device as another page has changed it; undefined if it is gone. */
let theirs: Resource | undefined;
let hasRoom: boolean;
/** The open invitations, as the server has them now. */
let invitations: Map<string, InvitationItem>;
/** The server takes requests, and answers none of them before. */
let thaw: Promise<void>;
let client: QueryClient;
let root: ReturnType<typeof createRoot>;
const page = document.createElement('div');

beforeEach(async () => {
  await loadTexts('en');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('navigator', {
    onLine: true,
    language: 'en',
    locks: createLocks(),
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  user = 'ann';
  rejects = false;
  hasRoom = true;
  invitations = new Map();
  thaw = Promise.resolve();
  theirs = { ...gate, description: 'theirs', modified_at: '2026-01-02T03:01:00.000Z' };
  server = serveActions({
    answer({ method, path, body }) {
      if (user === undefined) throw new TypeError('no network');
      if (user === null) return problem('session.missing', 401);
      if (path === '/api/account') return Response.json({ user_id: user });
      const [, , box, invitation = ''] = path.split('/');
      if (box === 'inbox') {
        const item = invitations.get(invitation);
        return item ? Response.json(item) : problem('invitation.not_found', 404);
      }
      if (rejects && method === 'POST') return problem('invitation.gone', 409);
      if (!path.startsWith('/api/resources')) return undefined;
      if (!theirs) return problem('resource.not_found', 404);
      const isOutdated =
        method === 'PUT' && !('position' in body) && !('description' in body && theirs.description === 'mine');
      return isOutdated ? problem('precondition.failed', 412) : Response.json(theirs, { headers: { etag: '"2"' } });
    },
  });
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    await thaw;
    return fetch(path, init);
  });
  client = newClient();
  document.body.append(page);
  root = createRoot(page);
  await show(<Outbox />);
});
function newClient() {
  const made = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  made.setQueryData(accountQuery.queryKey, { user_id: 'ann' } as never);
  return made;
}
const show = (part: ReactNode) =>
  act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <NowProvider>
          <KeysProvider>
            <ToastProvider>{part}</ToastProvider>
          </KeysProvider>
        </NowProvider>
      </QueryClientProvider>,
    ),
  );
afterEach(async () => {
  await act(async () => root.unmount());
  client.clear();
  rows.clear();
  forgetPage();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const settled = () => act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
const refetch = async () => {
  await act(async () => client.refetchQueries({ queryKey: accountQuery.queryKey }));
  await settled();
};
const press = async (name: string) => {
  const buttons = [...document.querySelectorAll('button')];
  await act(async () => buttons.find(({ textContent }) => textContent.startsWith(name))?.click());
  await settled();
};
/** The server executes the answer. */
const end = (next: { failed: number }) =>
  act(async () => {
    const change = { ...next, state: 'ended', done: 1, ended_at: new Date().toISOString() } as const;
    const data = server.change('11111111-1111-4111-8111-111111111111', change);
    actionsOf({ client }).onEvent(data);
  });
const count = () => page.querySelector('.outbox-count')?.textContent;
const posts = () => server.sent().filter((each) => each.startsWith('POST'));

test('a new device waits, and is added once, also if its first response is lost', async () => {
  user = undefined;
  await refetch();
  const device = { name: 'Buoy', machine_type: 'bug' } as const;
  const key = '22222222-2222-4222-8222-222222222222';
  await act(async () => outbox.add({ user_id: 'ann', id: key, task: { type: 'create', device } }));
  await settled();
  expect(count()).toBe('1 waiting');
  await press('1 waiting');
  expect(document.body.textContent).toContain('Add Buoy');
  const keys: unknown[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const response = await fetch(path, init);
    if (path !== '/api/resources') return response;
    keys.push((init.headers as Record<string, string>)['idempotency-key']);
    if (keys.length === 1) throw new TypeError('the response is lost');
    return response;
  });
  for (const now of ['ann', undefined, 'ann']) {
    user = now;
    await refetch();
  }
  expect([keys, rows.size]).toEqual([[key, key], 0]);
});

test('the first view of a page that gets no answer shows what waits', async () => {
  user = undefined;
  await refetch();
  await outbox.add({ user_id: 'ann', id: 'x', task: { type: 'action', action: answer } });
  await act(async () => root.unmount());
  forgetPage();
  client = newClient();
  root = createRoot(page);
  thaw = new Promise(() => undefined);
  const sizes = { observe() {}, disconnect() {} };
  vi.stubGlobal('ResizeObserver', function ResizeObserver() {
    return sizes;
  });
  await openOutbox('ann');
  void client.prefetchQuery({ queryKey: ['hangs'], queryFn: () => thaw });
  await show(<UnreachableNotice />);
  expect(count()).toBe('1 waiting');
  expect(
    actionsOf({ client })
      .list()
      .map(({ id }) => id),
  ).toEqual(['x']);
});

test('a new device has its card as soon as it was sent, and is read again', async () => {
  user = undefined;
  await refetch();
  const device = { name: 'Buoy', machine_type: 'bug' } as const;
  await act(async () => outbox.add({ user_id: 'ann', id: 'waited', task: { type: 'create', device } }));
  await settled();
  user = 'ann';
  await refetch();
  expect(sentDevicesOf({ client }).get('waited')).toBe('a');
  const { queryKey } = deviceQuery('a');
  expect(client.getQueryData(queryKey)).toMatchObject({ ...theirs, swarms: [], presence: { state: 'never' } });
  expect(client.getQueryState(queryKey)!.dataUpdatedAt).toBe(0);
});

test('an answer waits while the server cannot be reached, and is sent once with its id when it can', async () => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(answer, '11111111-1111-4111-8111-111111111111'));
  await settled();
  expect([count(), rows.size]).toEqual(['1 waiting', 1]);
  expect(actionsOf({ client }).pendingOf('invitation:i')?.action.runs_at).toBeNull();
  server.requests.length = 0;
  user = 'ann';
  await refetch();
  expect([count(), rows.size, posts()]).toEqual([undefined, 0, ['POST /api/actions']]);
  expect(server.requests.find(({ method }) => method === 'POST')?.body).toMatchObject({
    id: '11111111-1111-4111-8111-111111111111',
  });
  await end({ failed: 0 });
  expect(page.textContent).toContain('1 waiting change sent');
});

test('an answer of which only the first request has met a network that asks for a sign-in can still be undone for its seconds', async () => {
  const { fetch } = globalThis;
  let isPortal = true;
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path !== '/api/actions' || !isPortal) return fetch(path, init);
    isPortal = false;
    return foreignResponse('<title>Sign in</title>', { headers: { 'content-type': 'text/html' } });
  });
  await act(async () => actionsOf({ client }).start(answer, id));
  await settled();
  const { wait } = server.requests.find(({ method }) => method === 'POST')!.body;
  expect([count(), rows.size, wait]).toEqual([undefined, 0, 10]);
  const action = actionsOf({ client }).pendingOf('invitation:i')!.action;
  expect([action.state, actionsOf({ client }).canUndo(action)]).toEqual(['pending', true]);
  await act(async () => actionsOf({ client }).undo(id));
  expect([server.actions.size, actionsOf({ client }).list()]).toEqual([0, []]);
});

test.each([
  { waited: 3, wait: 7 },
  { waited: 60, wait: 0 },
  // The clock was wrong then.
  { waited: -300, wait: 10 },
])(
  'of an answer that has waited $waited s, $wait s to undo are left, also on the next page',
  async ({ waited, wait }) => {
    rows.set(id, { id, user_id: 'ann', at: Date.now() - waited * 1000, task: { type: 'action', action: answer } });
    await act(async () => outbox.read('ann'));
    await settled();
    expect(server.requests.find(({ method }) => method === 'POST')?.body).toMatchObject({ id, wait });
  },
);

test('an answer that fails after it was sent is not announced as sent', async () => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(answer, '11111111-1111-4111-8111-111111111111'));
  await settled();
  user = 'ann';
  await refetch();
  expect(page.textContent).not.toContain('sent');
  await end({ failed: 1 });
  expect([count(), page.textContent]).toEqual([undefined, '']);
});

test.each([
  { when: 'the session has ended', now: null },
  { when: 'another user has signed in', now: 'ben' },
])('nothing is sent if $when, and nothing is lost', async ({ now }) => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(answer));
  server.requests.length = 0;
  user = now;
  await refetch();
  expect([posts(), rows.size]).toEqual([[], 1]);
});

test('undo takes back what waits, without a request', async () => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(answer, 'x'));
  server.requests.length = 0;
  await act(async () => actionsOf({ client }).undo('x'));
  await settled();
  expect([count(), rows.size, posts()]).toEqual([undefined, 0, []]);
});

const id = '11111111-1111-4111-8111-111111111111';
/** What a page has stored while it sent it. */
const storeSent = (action: object, at = Date.now()) =>
  rows.set(id, { id, user_id: 'ann', at, task: { type: 'action', action }, isSentByPage: true });

test('an action is stored until the server has answered it, and sent once', async () => {
  const frozen = Promise.withResolvers<void>();
  thaw = frozen.promise;
  await act(async () => void actionsOf({ client }).start(leave, id));
  await settled();
  expect([count(), [...rows.values()]]).toMatchObject([undefined, [{ id, user_id: 'ann', task: { action: leave } }]]);
  await act(async () => outbox.read('ann'));
  frozen.resolve();
  await settled();
  expect([count(), rows.size, posts()]).toEqual([undefined, 0, ['POST /api/actions']]);
});

test('an action that is undone before its answer is not stored any more', async () => {
  thaw = new Promise(() => {});
  await act(async () => void actionsOf({ client }).start(leave, id));
  await settled();
  await act(async () => void actionsOf({ client }).undo(id));
  await settled();
  expect([count(), rows.size]).toEqual([undefined, 0]);
});

test('an action that has lost its page before the answer is sent with its id', async () => {
  storeSent(leave);
  await act(async () => outbox.read('ann'));
  await settled();
  expect([count(), rows.size, posts()]).toEqual([undefined, 0, ['POST /api/actions']]);
  expect(server.requests.find(({ method }) => method === 'POST')?.body).toMatchObject({ id, kind: 'remove_member' });
});

test('an action of another user that has lost its page is not sent', async () => {
  storeSent(leave);
  rows.set(id, { ...rows.get(id), user_id: 'ben' });
  await act(async () => outbox.read('ann'));
  await settled();
  expect([count(), rows.size, posts()]).toEqual([undefined, 1, []]);
});

test('a small action that does not reach the server waits, and others do not', async () => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(leave, id));
  await act(async () =>
    actionsOf({ client }).start({ kind: 'delete_view', about: {}, items: [{ id: 'v', name: 'V' }] }),
  );
  await settled();
  expect([count(), rows.size]).toEqual(['1 waiting', 1]);
});

test.each([
  { action: leave, isSent: true },
  { action: { kind: 'delete', about: {}, items: [{ id: 'a', name: 'Gate' }] }, isSent: false },
])('a $action.kind that has waited for 25 hours is sent: $isSent', async ({ action, isSent }) => {
  storeSent(action, Date.now() - 25 * 3_600_000);
  await act(async () => outbox.read('ann'));
  await settled();
  expect([count(), posts().length]).toEqual(isSent ? [undefined, 1] : ['1 not sent', 0]);
});

test('a position that has waited is of the time when it was saved, by the server’s clock', async () => {
  const saved = Date.parse('2026-01-02T03:00:00.000Z');
  vi.useFakeTimers({ toFake: ['Date'], now: saved });
  user = undefined;
  await refetch();
  client.setQueryData(queryKeys.device.record('a'), { resource: gate, etag: '"1"', at: gate.created_at });
  const position = { longitude: 10, latitude: 54 };
  await act(async () => placeDevice({ client, id: 'a', placed: { position } }));
  await settled();
  expect(count()).toBe('1 waiting');
  vi.setSystemTime(saved + 2 * hourMs);
  // The clock of this machine is an hour late.
  observeServerTime({ date: new Date(saved + 3 * hourMs).toUTCString(), now: saved + 2 * hourMs });
  server.requests.length = 0;
  user = 'ann';
  await refetch();
  expect(count()).toBeUndefined();
  expect(server.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { position, positioned_at: '2026-01-02T04:00:00.000Z' },
  ]);
});

test('an edit that waits is shown on the page that is loaded later', async () => {
  user = undefined;
  await refetch();
  const key = ['device', 'a', 'record'];
  client.setQueryData(key, { resource: { ...gate, name: 'Gate 2' }, etag: '"1"', at: '2026-01-02T03:00:00.000Z' });
  rows.set('e', { id: 'e', user_id: 'ann', at: 1, task: edit });
  await act(async () => outbox.read('ann'));
  expect(client.getQueryData<{ resource: Resource }>(key)?.resource).toMatchObject({
    name: 'Gate 2',
    description: 'mine',
  });
});

test('an edit of a field that was also changed elsewhere is not sent, and says so', async () => {
  await act(async () => deviceOutbox.add({ user_id: 'ann', ...edit }));
  await settled();
  expect(count()).toBe('1 not sent');
  expect(outbox.list()[0]?.failure).toBe('conflict');
  expect(client.getQueryData<{ resource: Resource }>(['device', 'a', 'record'])?.resource.description).toBe('theirs');
});

test('comparing sends the edit once, not twice', async () => {
  await act(async () => deviceOutbox.add({ user_id: 'ann', ...edit }));
  await settled();
  server.requests.length = 0;
  await press('1 not sent');
  await press('Compare');
  expect(server.sent().filter((each) => each.startsWith('PUT'))).toHaveLength(1);
  expect(outbox.list()[0]?.failure).toBe('conflict');
});

test('a conflict that is compared without a network stays one', async () => {
  await act(async () => deviceOutbox.add({ user_id: 'ann', ...edit }));
  await settled();
  await press('1 not sent');
  user = undefined;
  await press('Compare');
  expect(outbox.list()[0]?.failure).toBe('conflict');
});

test('what waits is sent also if the browser has no room to store that it is being sent', async () => {
  user = undefined;
  await refetch();
  const device = { name: 'Buoy', machine_type: 'bug' } as const;
  await act(async () => outbox.add({ user_id: 'ann', task: { type: 'create', device } }));
  hasRoom = false;
  user = 'ann';
  await refetch();
  expect([count(), rows.size, posts()]).toEqual([undefined, 0, ['POST /api/resources']]);
});

test('what cannot be stored as failed is not sent again, and what waits behind it is sent', async () => {
  user = undefined;
  await refetch();
  await act(async () => deviceOutbox.add({ user_id: 'ann', ...edit }));
  const device = { name: 'Buoy', machine_type: 'bug' } as const;
  await act(async () => outbox.add({ user_id: 'ann', task: { type: 'create', device } }));
  hasRoom = false;
  user = 'ann';
  await refetch();
  expect([count(), posts()]).toEqual(['1 not sent', ['POST /api/resources']]);
  server.requests.length = 0;
  await act(async () => outbox.read('ann'));
  await refetch();
  expect([count(), server.sent().filter((each) => each.startsWith('PUT'))]).toEqual(['1 not sent', []]);
});

test.each([
  { failure: 'conflict', button: 'Compare' },
  { failure: { code: 'storage.full' }, button: 'Retry' },
] as const)('what another tab has just sent is not sent again by $button', async ({ failure, button }) => {
  await act(async () => deviceOutbox.add({ user_id: 'ann', ...edit }));
  await settled();
  await act(async () => outbox.markFailed(outbox.list()[0]!, failure));
  server.requests.length = 0;
  await press('1 not sent');
  // The message of the other tab has not arrived yet.
  rows.clear();
  await press(button);
  expect(server.sent().filter((each) => each.startsWith('PUT'))).toEqual([]);
  expect(outbox.list()).toEqual([]);
});

test('an edit of a device that is gone is not sent again: its text can be copied, or discarded', async () => {
  theirs = undefined;
  await act(async () => deviceOutbox.add({ user_id: 'ann', ...edit }));
  await settled();
  await press('1 not sent');
  const dialog = document.querySelector('dialog')!;
  expect(dialog.textContent).toContain('This device was deleted, or it now belongs to another user.');
  expect(dialog.querySelector('dl')?.textContent).toBe('Descriptionmine');
  const names = [...dialog.querySelectorAll('.outbox-list button')].map(({ textContent }) => textContent);
  expect(names).toEqual(['Copy text', expect.stringMatching(/^Discard/)]);
  await press('Discard');
  expect([outbox.list().length, rows.size]).toEqual([1, 1]);
  const [, ask] = document.querySelectorAll('dialog');
  expect(ask?.textContent).toContain('Edit Gate: description');
  await act(async () => ask!.querySelector<HTMLElement>('.button-danger-primary')!.click());
  await settled();
  expect([outbox.list(), rows.size]).toEqual([[], 0]);
});

test('the question whether to discard an edit ends when the edit has been sent', async () => {
  user = undefined;
  await refetch();
  await act(async () => deviceOutbox.add({ user_id: 'ann', ...edit }));
  await settled();
  await press('1 waiting');
  await press('Discard');
  expect(document.querySelectorAll('dialog')).toHaveLength(2);
  await act(async () => outbox.remove(outbox.list()[0]!.id));
  expect(document.querySelectorAll('dialog')).toHaveLength(1);
});

test('an answer that waits is discarded at once, because a tap gives it again', async () => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(answer, 'x'));
  await settled();
  await press('1 waiting');
  await press('Discard');
  expect([outbox.list(), rows.size, document.querySelector('[role="alertdialog"]')]).toEqual([[], 0, null]);
});

test.each([
  { what: 'an Accept', about: { answer: 'accept' }, hours: 25, isSent: false },
  { what: 'an Accept', about: { answer: 'accept' }, hours: 23, isSent: true },
  { what: 'a Reject', about: { answer: 'reject' }, hours: 25, isSent: true },
] as const)('$what that has waited for $hours hours is sent: $isSent', async ({ about, hours, isSent }) => {
  user = undefined;
  await refetch();
  const action = { ...answer, about };
  await act(async () => actionsOf({ client }).start(action, 'x'));
  await settled();
  const at = Date.now() - hours * 3_600_000;
  rows.set('x', { ...rows.get('x'), at });
  const before = posts().length;
  user = 'ann';
  await refetch();
  expect(posts().length - before).toBe(isSent ? 1 : 0);
  if (isSent) return;
  // The invitation can be answered again.
  expect(actionsOf({ client }).list()).toEqual([]);
  await press('1 not sent');
  expect(document.querySelector('dialog')!.textContent).toContain('Accept it again under Invitations.');
  await press('Discard');
  expect([outbox.list(), rows.size]).toEqual([[], 0]);
});

describe('an Accept that waits', () => {
  const shown = itemOf('i', 1);
  const { swarm } = shown;
  const accept = { ...answer, shown: [shown] };
  const acceptOffline = async (...started: Parameters<ReturnType<typeof actionsOf>['start']>[]) => {
    user = undefined;
    await refetch();
    for (const [options, of] of started) await act(async () => actionsOf({ client }).start(options, of));
    await settled();
    server.requests.length = 0;
    user = 'ann';
  };
  const changes: [what: string, change: Partial<InvitationItem>][] = [
    ['has another name', { swarm: { ...swarm, name: 'Everybody' } }],
    ['has another owner', { swarm: { ...swarm, user_id: 'eve' } }],
    ['is public', { swarm: { ...swarm, public: true } }],
    ['has more members', { swarm: { ...swarm, member_count: 15 } }],
    ['offers both roles', { resource_type: 'both' }],
    ['offers an end', { ends_at: '2099-01-01T00:00:00.000Z' }],
  ];

  test.each(changes)('is not sent if the swarm %s now: it needs an answer again', async (_what, change) => {
    await acceptOffline([accept, 'x']);
    invitations.set('i', { ...shown, ...change });
    await refetch();
    expect([count(), posts(), actionsOf({ client }).list()]).toEqual(['1 not sent', [], []]);
    await press('1 not sent');
    expect(document.querySelector('dialog')!.textContent).toContain('has changed since');
  });

  test.each<[what: string, now: InvitationItem | undefined]>([
    ['the invitation is as it was', shown],
    ['fewer see the device', { ...shown, swarm: { ...swarm, member_count: 13 } }],
    ['the invitation was withdrawn, which the server says', undefined],
    ['it was answered elsewhere', { ...shown, status: 'rejected', swarm: { ...swarm, name: 'Everybody' } }],
  ])('is sent if %s', async (_what, now) => {
    await acceptOffline([accept, 'x']);
    if (now) invitations.set('i', now);
    await refetch();
    expect([count(), posts()]).toEqual([undefined, ['POST /api/actions']]);
    expect(server.requests.find(({ method }) => method === 'POST')!.body).not.toHaveProperty('shown');
  });

  test('is not sent by a later page either', async () => {
    invitations.set('i', { ...shown, swarm: { ...swarm, public: true } });
    storeSent(accept);
    await act(async () => outbox.read('ann'));
    await settled();
    expect([count(), posts()]).toEqual(['1 not sent', []]);
  });

  test('is compared also after others of the same answer were taken back', async () => {
    const other = itemOf('j', 1);
    const items = [...answer.items, { id: 'j', name: 'Pump', swarm: 'Harbour' }];
    await acceptOffline([{ ...answer, items, shown: [shown, other] }, 'x']);
    await act(async () => actionsOf({ client }).undo('x', ['j']));
    invitations.set('i', { ...shown, swarm: { ...swarm, public: true } });
    await refetch();
    expect([count(), posts()]).toEqual(['1 not sent', []]);
  });

  test('does not hold back the next one to the same swarm, whose members it makes one more', async () => {
    const other = { ...itemOf('j', 1), swarm };
    const [mine, next] = [shown, other].map((item) => ({
      ...answer,
      items: [{ id: item.id, name: 'Gate', swarm: 'Harbour' }],
      shown: [item],
    }));
    await acceptOffline([mine!, 'x'], [next!, 'y']);
    for (const item of [shown, other]) invitations.set(item.id, item);
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      if (init.method === 'POST') invitations.set('j', { ...other, swarm: { ...swarm, member_count: 15 } });
      return fetch(path, init);
    });
    await refetch();
    expect([count(), posts().length]).toEqual([undefined, 2]);
  });
});

test('an Accept that the server has executed is not said to be too old, although its response was lost', async () => {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const response = await fetch(path, init);
    if (user === undefined || init.method !== 'POST') return response;
    user = undefined;
    throw new TypeError('the response is lost');
  });
  await act(async () => actionsOf({ client }).start(answer, 'x'));
  await settled();
  expect(count()).toBe('1 waiting');
  rows.set('x', { ...rows.get('x'), at: Date.now() - 25 * 3_600_000 });
  vi.stubGlobal('fetch', fetch);
  user = 'ann';
  await refetch();
  expect([count(), rows.size]).toEqual([undefined, 0]);
});

test('an old Accept of which the server cannot say what became of it does not stop what waits behind it', async () => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(answer, 'x'));
  const device = { name: 'Buoy', machine_type: 'bug' } as const;
  await act(async () => outbox.add({ user_id: 'ann', task: { type: 'create', device } }));
  await settled();
  rows.set('x', { ...rows.get('x'), at: Date.now() - 25 * 3_600_000 });
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) =>
    path.endsWith('/results') ? problem('internal', 500) : fetch(path, init),
  );
  user = 'ann';
  await refetch();
  expect([count(), [...rows.keys()], posts().at(-1)]).toEqual(['1 not sent', ['x'], 'POST /api/resources']);
});

test('an answer that the server rejects is not announced as sent', async () => {
  user = undefined;
  await refetch();
  await act(async () => actionsOf({ client }).start(answer, 'x'));
  await settled();
  rejects = true;
  user = 'ann';
  await refetch();
  expect([count(), rows.size, posts()]).toEqual([undefined, 0, ['POST /api/actions', 'POST /api/actions']]);
  expect(page.textContent).not.toContain('sent');
});

test('what was sent has the time of its answer, not that of the tap', async () => {
  user = undefined;
  await refetch();
  const device = { name: 'Buoy', machine_type: 'bug' } as const;
  await act(async () => outbox.add({ user_id: 'ann', task: { type: 'create', device } }));
  await settled();
  await press('1 waiting');
  const answered = Date.now() + 3 * 3_600_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(answered);
  user = 'ann';
  await refetch();
  const sent = document.querySelector('[data-state="check"]');
  expect(sent?.textContent).toContain('Sent');
  expect(sent?.querySelector('time')?.dateTime).toBe(new Date(answered).toISOString());
  clock.mockRestore();
});
