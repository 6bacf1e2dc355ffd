// stores: SQLite, PostgreSQL in the long run
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PushedNotice, PushSettings } from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { audienceLimits, noticeMs, pushLimits } from '../../core/limits/part-limits.ts';
import { adoptCopy } from '../../core/store/adopt-copy.ts';
import { createServiceClient, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, password, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let user: TestUser;
let ann: ServiceClient;
let pushService: Server;
let received: { path: string; headers: NodeJS.Dict<string | string[]>; body: Buffer }[];
let answer: (path: string) => number;
/** Requests that wait for a response. */
async function sending() {
  const { gauges } = await server.app.measure();
  return gauges.find(({ name }) => name === 'webhooks_sending')?.value;
}

beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true, opened: { notices: 'private' } });
  user = await server.signUp('ann');
  ann = createServiceClient('ann', (asked) => server.request('direct', user, asked));
  received = [];
  answer = () => 201;
  pushService = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ path: request.url!, headers: request.headers, body });
      response.writeHead(answer(request.url!)).end();
    });
  }).listen(0, '127.0.0.1');
  await once(pushService, 'listening');
});
afterEach(async () => {
  pushService.closeAllConnections();
  pushService.close();
  await server[Symbol.asyncDispose]();
});

/** A browser as its push service knows it: it decrypts what it receives (RFC 8291). */
function createBrowser(path: string) {
  const key = createECDH('prime256v1');
  const publicKey = key.generateKeys();
  const auth = randomBytes(16);
  const { port } = pushService.address() as AddressInfo;
  return {
    subscription: {
      endpoint: `http://127.0.0.1:${port}/${path}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
      language: 'de',
      shows_names: false,
    },
    read(body: Buffer): PushedNotice {
      const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
      const secret = Buffer.from(hkdfSync('sha256', key.computeSecret(sender), auth, info, 32));
      const [content, nonce] = [
        ['aes128gcm', 16],
        ['nonce', 12],
      ].map(([name, bytes]) => hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, Number(bytes)));
      const cipher = createDecipheriv('aes-128-gcm', Buffer.from(content!), Buffer.from(nonce!));
      cipher.setAuthTag(body.subarray(-16));
      const record = Buffer.concat([cipher.update(body.subarray(86, -16)), cipher.final()]);
      expect(record.at(-1)).toBe(2);
      return JSON.parse(record.subarray(0, -1).toString()) as PushedNotice;
    },
  };
}

const manage = (method: string, body?: object, as = user) =>
  server.request('gateway', as, { method, path: '/account/push', ...(body && { body }) });
const settings = async () => (await (await manage('GET')).json()) as PushSettings;
const count = async (table: string) => (await server.db.read({ sql: `SELECT 1 FROM ${table}` })).length;
async function subscribe(path = 'phone', change: object = {}) {
  const browser = createBrowser(path);
  expect((await manage('PUT', { ...browser.subscription, ...change })).status).toBe(204);
  return browser;
}
/** To two browsers: one request of a user at a time. */
async function deliverAll() {
  for (let each = 0; each < 2; each++) await server.app.rounds['deliveries']!();
}
/** Another session of the same user. */
async function signInAgain(): Promise<TestUser> {
  const signedIn = await server.fetch('/auth/sign-in/username', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'ann', password }),
  });
  return { ...user, cookie: signedIn.headers.getSetCookie()[0]!.split(';')[0]! };
}
async function invite({ count: amount = 1, name = 'Buoy', swarm: swarmName = 'Harbour' } = {}) {
  const bob = await signUpClient(server, `bob-${randomBytes(4).toString('hex')}`);
  const swarm = await bob.swarm({ name: swarmName });
  for (let each = 0; each < amount; each++) await bob.invite(swarm, await ann.device({ name }));
  server.wait(noticeMs.gather);
  await server.app.rounds['deliveries']!();
}

test('a push service that refuses the server is shown to the user, until it takes a message', async () => {
  await subscribe();
  answer = () => 403;
  await invite();
  const refused = { status: 403, answer: '' };
  expect((await settings()).subscription).toMatchObject({ refused });
  for (let hour = 0; hour < 5; hour++) {
    server.wait(hourMs);
    await server.app.rounds['deliveries']!();
  }
  expect([received.length, await count('webhook_deliveries')]).toEqual([5, 1]);
  expect((await settings()).subscription).toMatchObject({ refused });
  answer = () => 201;
  await invite();
  expect((await settings()).subscription).not.toHaveProperty('refused');
  expect(await count('webhook_deliveries')).toBe(0);
});

test('a message whose last attempt ended with its process is gone', async () => {
  await subscribe();
  await invite();
  await server.db.write([
    {
      sql: `INSERT INTO webhook_deliveries (user_id, session_id, at, kind, attempts, next_at)
            SELECT user_id, session_id, '', 'resource.silent', 5, 1 FROM push_subscriptions`,
    },
  ]);
  expect(await count('webhook_deliveries')).toBe(1);
  await server.app.rounds['deliveries']!();
  expect([await count('webhook_deliveries'), received.length]).toEqual([0, 1]);
});

test('a browser gets each notice once, encrypted and signed, without names, and can answer it', async () => {
  const browser = await subscribe();
  const { key, subscription } = await settings();
  expect(subscription).toEqual({ endpoint: browser.subscription.endpoint, language: 'de', shows_names: false });
  const second = await server.startAnother(server.db);
  await invite();
  await second.rounds['deliveries']!();
  await second.close();
  expect(received).toHaveLength(1);
  const [{ headers, body }] = received as [(typeof received)[number]];
  const { invitation_id, resource_id, ...notice } = browser.read(body);
  const swarm_id = expect.any(String) as string;
  expect(notice).toEqual({ kind: 'invitation.sent', amount: 1, language: 'de', user_id: 'ann', swarm_id });
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });

  const [, signed, signature, publicKey] = /^vapid t=(.+)\.(.+), k=(.+)$/.exec(String(headers.authorization))!;
  expect(publicKey).toBe(key);
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const how = { key: jwk, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(signed!), how, Buffer.from(signature!, 'base64url'))).toBe(true);
  const claims = JSON.parse(Buffer.from(signed!.split('.')[1]!, 'base64url').toString()) as object;
  const exp = Math.floor(server.now().getTime() / 1000) + 43_200;
  expect(claims).toEqual({ aud: new URL(browser.subscription.endpoint).origin, exp, sub: origin });

  const path = `/resources/${resource_id}/invitations/${invitation_id}`;
  const answered = await server.request('gateway', user, { method: 'PUT', path, body: { status: 'accept' } });
  expect(answered.status).toBe(200);
  expect(await count('webhook_deliveries')).toBe(0);
});

test('names are sent if the user wants it, many invitations are one message, and so are requests and offers', async () => {
  const browser = await subscribe('phone', { shows_names: true });
  const longest = { name: '𝔻'.repeat(limits.nameLength), swarm: '𝕊'.repeat(limits.nameLength) };
  await invite(longest);
  expect(received[0]!.body.length).toBeLessThanOrEqual(4096);
  expect(browser.read(received[0]!.body)).toMatchObject({ resource_name: longest.name, swarm_name: longest.swarm });
  await invite({ count: 3 });
  const many = browser.read(received[1]!.body);
  expect(many).toMatchObject({ kind: 'invitation.sent', amount: 3, swarm_name: 'Harbour' });
  for (const name of ['invitation_id', 'resource_name']) expect(many).not.toHaveProperty(name);
  const owner = await signUpClient(server, 'owner');
  await owner.nameManager(await owner.swarm({ name: 'Pier' }), 'ann');
  server.wait(noticeMs.gather);
  await server.app.rounds['deliveries']!();
  expect(browser.read(received[2]!.body)).toMatchObject({ kind: 'swarm.manager_asked', swarm_name: 'Pier' });
  for (let each = 0; each < 3; each++) await owner.offerDevice(await owner.device(), 'ann');
  server.wait(noticeMs.gather);
  await server.app.rounds['deliveries']!();
  expect(received.slice(3).map(({ body }) => browser.read(body))).toMatchObject([
    { kind: 'resource.offered', amount: 3 },
  ]);
});

test('a later end that is offered is a message that leads to its invitation, and more users who see a device are one', async () => {
  const browser = await subscribe();
  const [owner, device] = [await signUpClient(server, 'owner'), await ann.device()];
  const swarm = await owner.swarm();
  const inHours = (hours: number) => new Date(server.now().getTime() + hours * hourMs).toISOString();
  await ann.accept(await owner.invite(swarm, device, 'producer', { ends_at: inHours(2) }));
  await server.db.write([{ sql: 'DELETE FROM webhook_deliveries' }]);
  const offer = await owner.invite(swarm, device, 'producer', { ends_at: inHours(3) });
  server.wait(noticeMs.gather);
  await server.app.rounds['deliveries']!();
  expect(received.map(({ body }) => browser.read(body))).toMatchObject([
    { kind: 'invitation.end_offered', amount: 1, resource_id: device.id, invitation_id: offer.id },
  ]);
  await owner.change(`/swarms/${swarm.id}`, { public: true, listed: true });
  await server.app.audience.round();
  server.wait(audienceLimits.togetherMs);
  await server.app.audience.round();
  server.wait(noticeMs.gather);
  await server.app.rounds['deliveries']!();
  expect(received.slice(1).map(({ body }) => browser.read(body))).toMatchObject([
    { kind: 'swarm.audience_grown', swarm_id: swarm.id },
  ]);
});

test('a browser is sent nothing after its session has ended, also what waited, and nothing of a user who is disabled', async () => {
  await subscribe();
  const other = await signInAgain();
  const phone = createBrowser('other');
  await manage('PUT', phone.subscription, other);
  expect(await count('push_subscriptions')).toBe(2);
  answer = () => 503;
  await invite();
  await deliverAll();
  expect(received).toHaveLength(2);
  await server.request('gateway', user, { method: 'DELETE', path: '/account/sessions' });
  expect(await count('push_subscriptions')).toBe(1);
  server.wait(60_000);
  await deliverAll();
  expect(received.slice(2).map(({ path }) => path)).toEqual(['/phone']);
  await server.db.write([{ sql: `UPDATE "user" SET disabled_at = '2026' WHERE username = 'ann'` }]);
  server.wait(240_000);
  await deliverAll();
  expect(received).toHaveLength(3);
  expect(await count('webhook_deliveries')).toBe(0);
});

test('a browser that is gone is forgotten, and a push service that is busy is tried again, five times at most', async () => {
  answer = () => 410;
  await subscribe();
  await invite();
  expect((await settings()).subscription).toBeNull();
  expect(await count('webhook_deliveries')).toBe(0);
  answer = () => 429;
  await subscribe();
  received = [];
  await invite();
  for (let minute = 0; minute < 61; minute++) {
    server.wait(60_000);
    await server.app.rounds['deliveries']!();
  }
  expect(received).toHaveLength(5);
  expect(await count('webhook_deliveries')).toBe(0);
  expect((await settings()).subscription).not.toBeNull();
});

test('a user has 20 browsers with 20 waiting notices each, and a browser has one user', async () => {
  for (let each = 0; each <= pushLimits.browsers; each++) {
    server.wait(1000);
    await manage('PUT', createBrowser(`${each}`).subscription, await signInAgain());
  }
  // Each sign-in from a new browser is a notice too.
  await server.db.write([{ sql: 'DELETE FROM webhook_deliveries' }]);
  const oldest = 'SELECT endpoint FROM push_subscriptions ORDER BY created_at';
  const endpoints = await server.db.read<{ endpoint: string }>({ sql: oldest });
  expect(endpoints).toHaveLength(pushLimits.browsers);
  expect(endpoints[0]!.endpoint).toMatch(/\/1$/);
  const sql = `INSERT INTO webhook_deliveries (user_id, session_id, at, kind, next_at)
    SELECT p.user_id, p.session_id, '', 'swarm.silent', 0 FROM push_subscriptions p, elements($1)`;
  await server.db.write([{ sql, params: [JSON.stringify(Array.from({ length: pushLimits.waiting + 5 }, String))] }]);
  expect(await count('webhook_deliveries')).toBe(pushLimits.browsers * pushLimits.waiting);
  // Those of other users have as many slots of their own.
  await server.db.write([
    {
      sql: sql.replace('swarm.silent', 'invitation.sent'),
      params: [JSON.stringify(Array.from({ length: pushLimits.waiting + 5 }, String))],
    },
  ]);
  expect(await count('webhook_deliveries')).toBe(2 * pushLimits.browsers * pushLimits.waiting);
  await manage('PUT', { ...createBrowser('1').subscription }, await server.signUp('carl'));
  const ofOne = `SELECT user_id FROM push_subscriptions WHERE endpoint LIKE '%/1'`;
  expect(await server.db.read({ sql: ofOne })).toEqual([{ user_id: 'carl' }]);
});

test('five users whose addresses hang, answer slowly, answer without end or cut the connection delay nobody else', async () => {
  const asked: Record<string, number> = {};
  const part = 'x'.repeat(64 * 1024);
  pushService.removeAllListeners('request').on('request', (request, response) => {
    const path = request.url!;
    asked[path] = (asked[path] ?? 0) + 1;
    if (path === '/phone') response.writeHead(201).end();
    else if (path === '/cut') request.socket.destroy();
    else if (path === '/headers') response.writeHead(201).flushHeaders();
    else if (path === '/slow') response.write('a');
    else if (path === '/endless') {
      const more = () => {
        while (response.write(part));
      };
      response.on('drain', more);
      more();
    }
  });
  const hostile = ['hang', 'headers', 'slow', 'endless', 'cut'];
  for (const name of hostile) await manage('PUT', createBrowser(name).subscription, await server.signUp(name));
  const sql = `INSERT INTO webhook_deliveries (user_id, session_id, at, kind, next_at)
    SELECT p.user_id, p.session_id, '', 'swarm.silent', 0 FROM push_subscriptions p, elements($1)`;
  await server.db.write([{ sql, params: [JSON.stringify(Array.from({ length: pushLimits.waiting }, String))] }]);
  await subscribe();
  const bob = await signUpClient(server, 'bob');
  await bob.invite(await bob.swarm({ name: 'Harbour' }), await ann.device({ name: 'Buoy' }));
  server.wait(noticeMs.gather);
  const delivering = server.app.rounds['deliveries']!();
  await expect.poll(() => asked['/phone']).toBe(1);
  const waiting = `SELECT DISTINCT user_id FROM webhook_deliveries WHERE next_at IS NOT NULL ORDER BY user_id`;
  // A success ends with its status.
  const successful = ['/headers', '/slow', '/endless'] as const;
  for (const path of successful) await expect.poll(() => asked[path]).toBe(pushLimits.waiting);
  await expect.poll(() => server.db.read({ sql: waiting })).toEqual(['cut', 'hang'].map((user_id) => ({ user_id })));
  expect(asked).toMatchObject({ '/hang': 1, '/cut': 1 });
  // A slot is free again soon after the result is stored.
  await expect.poll(() => sending()).toBe(1);
  await server.app.close();
  await delivering;
});

test('the keys of the server stay after a restart, are encrypted, and are made again if the secret of them is lost', async () => {
  const { key } = await settings();
  await using next = await server.restart();
  expect((await settings()).key).toBe(key);
  await server.db.write([{ sql: 'UPDATE push_keys SET sealed = $1', params: [randomBytes(60)] }]);
  await next[Symbol.asyncDispose]();
  await using last = await server.restart();
  const made = (await settings()).key;
  expect(made).not.toBe(key);
  await subscribe();
  await adoptCopy({ db: server.db });
  expect(await count('push_subscriptions')).toBe(0);
  await last[Symbol.asyncDispose]();
});

test('processes that make the keys of the server at once have the same ones', async () => {
  const all = [await server.startAnother(server.db), await server.startAnother(server.db)];
  const headers = { cookie: user.cookie, 'sec-fetch-site': 'same-origin' };
  const keys = await Promise.all(
    all.map(async ({ fetch }) => {
      const response = await fetch(new Request(`${origin}/api/account/push`, { headers }));
      return ((await response.json()) as PushSettings).key;
    }),
  );
  expect(keys).toEqual([keys[0], keys[0]]);
  expect((await settings()).key).toBe(keys[0]);
  await Promise.all(all.map((each) => each.close()));
});

test('an address in a private network gets nothing', async () => {
  await using closed = await createTestServer({ isRepeatable: true });
  const carl = await closed.signUp('carl');
  const { subscription } = createBrowser('phone');
  const put = (endpoint: string) =>
    closed.request('gateway', carl, { method: 'PUT', path: '/account/push', body: { ...subscription, endpoint } });
  expect((await put(subscription.endpoint)).status).toBe(400);
  expect((await put(subscription.endpoint.replace('http:', 'https:'))).status).toBe(204);
  const owner = await signUpClient(closed, 'owner');
  await owner.nameManager(await owner.swarm(), 'carl');
  closed.wait(noticeMs.gather);
  await closed.app.rounds['deliveries']!();
  const sql = 'SELECT attempts, answer FROM webhook_deliveries';
  expect(await closed.db.read({ sql })).toEqual([{ attempts: 1, answer: 'private_address' }]);
  expect(received).toEqual([]);
});

test('refuses what no browser sends', async () => {
  const { subscription } = createBrowser('phone');
  const { keys } = subscription;
  const off = `${keys.p256dh.slice(0, -4)}AAAA`;
  for (const wrong of [
    { endpoint: 'ftp://example.org' },
    // A push service is reached by HTTPS. Of the tests, only a stand-in on this machine is not.
    { endpoint: 'http://example.org' },
    { endpoint: 'http://127.0.0.1.example.org' },
    { endpoint: `https://example.org/${'x'.repeat(1000)}` },
    { keys: { ...keys, p256dh: off } },
    { keys: { ...keys, auth: 'short' } },
    { language: 'x'.repeat(40) },
    { more: true },
  ])
    expect((await manage('PUT', { ...subscription, ...wrong })).status, JSON.stringify(wrong)).toBe(400);
  expect(await count('push_subscriptions')).toBe(0);
  expect((await manage('PUT', subscription)).status).toBe(204);
  expect((await manage('DELETE')).status).toBe(204);
  expect((await settings()).subscription).toBeNull();
});
