import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PushedNotice } from '@swarmdeck/bff/contract';
import { noticeTagOf } from './data/outbox/outbox-database.ts';
import type { OutboxEntry } from './data/outbox/outbox-entry.ts';
import { foreignResponse } from './data/responses.fixture.ts';
import { showNotices } from './service-worker-push.ts';

const stored = vi.hoisted(() => new Map<string, OutboxEntry>());
vi.mock('./data/outbox/outbox-database.ts', async (original) => ({
  ...(await original<object>()),
  storeEntry: async (entry: OutboxEntry) => void stored.set(entry.id, entry),
}));

interface Shown {
  title: string;
  tag: string;
  body?: string;
  renotify: boolean;
  badge: string;
  actions: { action: string }[];
  data: object;
}

let shown: Shown[];
/** Of all notifications: whether each made a sound. */
let sounds: boolean[];
let opened: string[];
const invitation: PushedNotice = {
  kind: 'invitation.sent',
  amount: 1,
  language: 'en',
  user_id: 'ann',
  resource_id: 'd',
  swarm_id: 's',
  invitation_id: 'i',
};
const named = { ...invitation, resource_name: 'Buoy 7', swarm_name: 'Harbour' };

/** As the browser runs the worker: it may send the next event before the last one is done. */
function dispatch(type: string, event: object): Promise<unknown> {
  let done: Promise<unknown> = Promise.resolve();
  dispatchEvent(
    Object.assign(new Event(type), { ...event, waitUntil: (promise: Promise<unknown>) => (done = promise) }),
  );
  return done;
}
const push = (notice: PushedNotice) => dispatch('push', { data: { json: () => notice } });
const press = (action: string) => {
  const [notification] = shown;
  return dispatch('notificationclick', { action, notification: { ...notification, close: () => (shown = []) } });
};

showNotices();

beforeEach(() => {
  stored.clear();
  [shown, sounds, opened] = [[], [], []];
  vi.stubGlobal('registration', {
    getNotifications: async ({ tag }: { tag: string }) => shown.filter((one) => one.tag === tag),
    async showNotification(title: string, options: Shown) {
      const isReplaced = shown.some(({ tag }) => tag === options.tag);
      sounds.push(!isReplaced || options.renotify);
      shown = [...shown.filter(({ tag }) => tag !== options.tag), { ...options, title }];
    },
  });
  vi.stubGlobal('clients', { matchAll: async () => [], openWindow: async (path: string) => opened.push(path) });
});

afterEach(() => vi.restoreAllMocks());

test('without names, an invitation has no buttons, and a click opens it', async () => {
  await push(invitation);
  expect(shown).toMatchObject([{ title: 'New invitation', actions: [], badge: '/badge-96.png' }]);
  await press('');
  expect(opened).toEqual(['/invitations?sel=i']);
});

test('with names, Accept opens what accepting means, and sends nothing', async () => {
  const request = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', request);
  await push(named);
  expect(shown[0]!.actions.map(({ action }) => action)).toEqual(['accept', 'reject']);
  expect(shown[0]!.body).toBe('\u2068Buoy 7\u2069 · \u2068Harbour\u2069');
  await press('accept');
  expect(opened).toEqual(['/invitations?sel=i']);
  expect(request).not.toHaveBeenCalled();
});

test.each([
  ['without a network', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['while the server restarts', async () => Response.json({}, { status: 503 })],
  ['after too many requests', async () => Response.json({}, { status: 429 })],
  ['in a network that asks to sign in', async () => foreignResponse('<h1>Welcome</h1>')],
  [
    'in a network that loses everything',
    (_path: string, { signal }: RequestInit) => new Promise((_, reject) => signal!.addEventListener('abort', reject)),
  ],
])('%s, Reject waits for the next page, and the notification says so', async (_, answer) => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  setTimeout(() => limit.abort());
  vi.stubGlobal('fetch', answer);
  let shownBefore = '';
  vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(() => (shownBefore = shown[0]!.title));
  await push(named);
  await press('reject');
  const [entry] = [...stored.values()];
  expect(entry).toMatchObject({
    user_id: 'ann',
    task: {
      type: 'action',
      action: {
        kind: 'answer',
        about: { answer: 'reject' },
        items: [{ id: 'i', name: 'Buoy 7', swarm: 'Harbour' }],
      },
    },
  });
  expect(shown[0]!.title).toMatch(/is sent when you open Swarmdeck/);
  // A page closes it when it was sent, also one that is open now.
  expect(shown[0]!.tag).toBe(noticeTagOf(entry!.id));
  expect(shownBefore).toBe(shown[0]!.title);
  // It is not rejected twice, and the next notice does not replace what is said.
  expect(shown[0]!.actions).toEqual([]);
  await push(named);
  expect(shown.map(({ title }) => title)).toEqual([expect.stringMatching(/is sent/), 'New invitation']);
});

test('Reject is sent', async () => {
  const request = vi.fn<typeof fetch>(async () => Response.json({}));
  vi.stubGlobal('fetch', request);
  await push(named);
  await press('reject');
  expect(request.mock.calls).toMatchObject([
    ['/api/resources/d/invitations/i', { method: 'PUT', body: '{"status":"reject"}' }],
  ]);
  expect([shown, stored.size]).toEqual([[], 0]);
});

test('an answer of the server that it failed is shown, and nothing waits', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 404 }));
  await push(named);
  await press('reject');
  expect(stored.size).toBe(0);
  expect(shown[0]!.title).toMatch(/could not be saved/);
});

test('twenty that follow each other are one notification with one sound, and a later one makes a sound again', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  await Promise.all(Array.from({ length: 20 }, () => push(named)));
  expect(shown.map(({ title }) => title)).toEqual(['20 new invitations']);
  expect(sounds.filter(Boolean)).toHaveLength(1);
  vi.setSystemTime(3_600_000);
  await push(named);
  expect(shown.map(({ title }) => title)).toEqual(['21 new invitations']);
  expect(sounds.at(-1)).toBe(true);
});
