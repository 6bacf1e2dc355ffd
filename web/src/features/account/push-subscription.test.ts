import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { language } from '../../text/language.ts';
import { choosePush, endPush } from './push-subscription.ts';

const settings = { key: 'k', subscription: null };
const stored = { endpoint: 'https://push/1', language, shows_names: false };
let permission: NotificationPermission;
/** What was done, in order. */
let done: string[];
let current: object | null;

beforeEach(() => {
  permission = 'granted';
  done = [];
  current = null;
  const subscription = (endpoint: string) => ({
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' }, expirationTime: null }),
    unsubscribe: async () => done.push(`unsubscribe ${endpoint}`),
  });
  const pushManager = {
    getSubscription: async () => current,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      done.push(`subscribe ${applicationServerKey}`);
      return subscription('https://push/2');
    },
  };
  current = subscription('https://push/1');
  const registration = {
    pushManager,
    getNotifications: async () => [{ close: () => done.push('close') }],
  };
  vi.stubGlobal('PushManager', {});
  vi.stubGlobal('Notification', { requestPermission: async () => permission });
  vi.stubGlobal('navigator', {
    serviceWorker: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
  });
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    done.push([method, path, ...(typeof body === 'string' ? [body] : [])].join(' '));
    return new Response(null, { status: 204 });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a browser is registered with the key of the server, in the language of the app', async () => {
  current = null;
  await choosePush({ shows_names: false }, settings);
  const body = { endpoint: 'https://push/2', keys: { p256dh: 'p', auth: 'a' }, language, shows_names: false };
  expect(done).toEqual(['subscribe k', `PUT /api/account/push ${JSON.stringify(body)}`]);
});

test('a registration that is not of this session is replaced, and one that is stays', async () => {
  await choosePush({ shows_names: false }, settings);
  expect(done.slice(0, 2)).toEqual(['unsubscribe https://push/1', 'subscribe k']);
  done = [];
  await choosePush({ shows_names: true }, { ...settings, subscription: stored });
  expect(done).toEqual([expect.stringMatching(/^PUT .+"https:\/\/push\/1".+"shows_names":true}$/)]);
});

test('without the permission nothing changes, and to switch it off needs none', async () => {
  permission = 'denied';
  await choosePush({ shows_names: false }, settings);
  expect(done).toEqual([]);
  await choosePush(null, { ...settings, subscription: stored });
  expect(done).toEqual(['DELETE /api/account/push', 'unsubscribe https://push/1']);
});

test('the end of the session ends the registration and closes what is shown', async () => {
  await endPush();
  await vi.waitFor(() => expect(done).toEqual(['unsubscribe https://push/1', 'close']));
});
