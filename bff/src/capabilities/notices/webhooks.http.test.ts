// stores: SQLite, PostgreSQL in the long run
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ActivityPage, CreatedWebhook, WebhookSettings } from '../../contract.ts';
import { noticeMs, webhookLimits } from '../../core/limits/part-limits.ts';
import { deliveryLimits } from './limits.ts';
import { adoptCopy } from '../../core/store/adopt-copy.ts';
import { createSeal } from '../../core/store/seal.ts';
import { deleteUnreadableWebhooks } from '../../core/store/secret.ts';
import { createDeliveryStore } from './deliveries.store.ts';
import { createServiceClient, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, testSecrets, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let user: TestUser;
let ann: ServiceClient;
let listener: Server;
let address: string;
let received: { signature: string; body: string; headers?: NodeJS.Dict<string | string[]> }[];
let answer: () => number;
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
  answer = () => 204;
  listener = createServer((request, response) => {
    void text(request).then((body) => {
      const { headers } = request;
      received.push({ signature: String(headers['x-swarmdeck-signature']), body, headers });
      response.writeHead(answer()).end();
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook?x=1`;
});
afterEach(async () => {
  listener.closeAllConnections();
  listener.close();
  await server[Symbol.asyncDispose]();
});

const manage = (method: string, path = '', body?: object) =>
  server.request('gateway', user, { method, path: `/account/webhook${path}`, ...(body && { body }) });
const create = async () => (await (await manage('PUT', '', { url: address })).json()) as CreatedWebhook;
const read = async () => ((await (await manage('GET')).json()) as WebhookSettings).webhook;
/** Appends deliveries that wait, or with null have ended. */
async function append(of: { user: string; next_at?: number | null; count?: number }) {
  const { user: name, next_at = 0, count: amount = 1 } = of;
  const sql = `INSERT INTO webhook_deliveries (user_id, at, kind, next_at)
    SELECT $1, '', 'resource.silent', CAST($2 AS bigint) FROM elements($3)`;
  await server.db.write([{ sql, params: [name, next_at, JSON.stringify(Array.from({ length: amount }, String))] }]);
}
const count = async () => (await server.db.read({ sql: 'SELECT seq FROM webhook_deliveries' })).length;
/** The invitations of another user are a notice. */
async function cause(count = 1) {
  const bob = await server.signUp(`bob-${received.length}`);
  const other = createServiceClient(bob.name, (asked) => server.request('direct', bob, asked));
  const swarm = await other.swarm({ name: 'Harbour' });
  for (let each = 0; each < count; each++) await other.invite(swarm, await ann.device({ name: 'Buoy' }));
  server.wait(noticeMs.gather);
}

test('libraries of Standard Webhooks verify a delivery, whose id is the same for all tries', async () => {
  const { secret } = await create();
  answer = () => 500;
  await cause();
  await server.app.rounds['deliveries']!();
  server.wait(60_000);
  await server.app.rounds['deliveries']!();
  const ids = received.map(({ headers }) => headers?.['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  for (const { headers = {}, body } of received) {
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers;
    // As the app shows it, and as these libraries read it.
    const shown = `whsec_${btoa(secret)}`;
    const key = Buffer.from(shown.slice('whsec_'.length), 'base64');
    const hash = createHmac('sha256', key)
      .update(`${String(id)}.${String(time)}.${body}`)
      .digest('base64');
    expect([id, signature]).toEqual([(JSON.parse(body) as { id: string }).id, `v1,${hash}`]);
  }
});

test('a webhook gets each notice of its user once, signed, also with two processes', async () => {
  expect(await read()).toBeNull();
  const { secret, ...webhook } = await create();
  expect(await read()).toEqual(webhook);
  const second = await server.startAnother(server.db);
  await cause();
  await Promise.all([server.app, second].map(({ rounds }) => rounds['deliveries']!()));
  await second.close();
  expect(received).toHaveLength(1);
  const [{ signature, body }] = received as [(typeof received)[number]];
  expect(JSON.parse(body)).toMatchObject({
    kind: 'invitation.sent',
    resource: { name: 'Buoy' },
    swarm: { name: 'Harbour' },
    detail: 'consumer',
  });
  const [, time, hash] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
  expect(hash).toBe(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
  expect((await read())!.results).toMatchObject([
    { kind: 'invitation.sent', state: 'delivered', status: 204, attempts: 1, next_at: null },
  ]);
  // What the user does is no notice, and an invitation by a manager is none for the owner.
  const swarm = await ann.swarm();
  const manager = await signUpClient(server, 'manager');
  await ann.nameManager(swarm, 'manager');
  expect((await manager.agree(swarm, 'manager')).status).toBe(200);
  await manager.invite(swarm, await (await signUpClient(server, 'carl')).device());
  server.wait(noticeMs.gather);
  await server.app.rounds['deliveries']!();
  expect(received).toHaveLength(1);
});

test('many invitations to a swarm are one request, and so are those that wait for an address that fails', async () => {
  await create();
  answer = () => 500;
  await cause(12);
  await server.app.rounds['deliveries']!();
  expect(received).toHaveLength(1);
  const notice = JSON.parse(received[0]!.body) as object;
  expect(notice).toMatchObject({ kind: 'invitation.sent', amount: 12, swarm: { name: 'Harbour' } });
  expect(notice).not.toHaveProperty('resource');
  // An attempt is never changed.
  await cause(3);
  expect((await read())!.results).toMatchObject([{ attempts: 0 }, { attempts: 1 }]);
  server.wait(60_000);
  answer = () => 204;
  for (let count = 0; count < 2; count++) await server.app.rounds['deliveries']!();
  const amounts = received.map(({ body }) => (JSON.parse(body) as { amount: number }).amount);
  expect(amounts.toSorted((a, b) => a - b)).toEqual([3, 12, 12]);
});

test.for([
  [500, ''],
  [302, 'redirect'],
] as const)('an address that answers %i is tried five times within an hour, also after a restart', async (of) => {
  const [status, shown] = of;
  await create();
  answer = () => status;
  await cause();
  await server.app.rounds['deliveries']!();
  expect((await read())!.results).toMatchObject([{ state: 'waiting', status, answer: shown, attempts: 1 }]);
  await using next = await server.restart();
  const counts: number[] = [];
  for (let minute = 0; minute < 130; minute++) {
    server.wait(60_000);
    await next.rounds['deliveries']!();
    counts[minute] = received.length;
  }
  expect([counts[58], counts[59], counts.at(-1)]).toEqual([4, 5, 5]);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect((await read())!.results).toMatchObject([{ state: 'failed', status, attempts: 5, next_at: null }]);
});

test('a slow address with a thousand notices delays neither other requests nor other users', async () => {
  await create();
  const { promise, resolve } = Promise.withResolvers<void>();
  listener.removeAllListeners('request');
  listener.on('request', (request, response) => {
    received.push({ signature: '', body: request.url! });
    if (request.url === '/quick') response.end();
    else void promise.then(() => response.end());
  });
  // One less than would push out the first, which may be under way already.
  await append({ user: 'ann', count: webhookLimits.waiting - 1 });
  await cause();
  const delivered = server.app.rounds['deliveries']!();
  await expect.poll(() => received.length).toBe(1);
  expect(await count()).toBe(webhookLimits.waiting);
  const bob = await server.signUp('bob');
  const other = (method: string, path: string, body?: object) =>
    server.request('gateway', bob, { method, path: `/account/webhook${path}`, ...(body && { body }) });
  await other('PUT', '', { url: new URL('/quick', address).href });
  expect((await other('POST', '/test')).status).toBe(202);
  await expect.poll(() => received.map(({ body }) => body)).toEqual(['/hook?x=1', '/quick']);
  await expect.poll(() => sending()).toBe(1);
  const first = async () =>
    (await server.db.read({ sql: 'SELECT status, attempts FROM webhook_deliveries ORDER BY seq LIMIT 1' }))[0];
  expect(await first()).toEqual({ status: null, attempts: 1 });
  resolve();
  await delivered;
  expect(await first()).toEqual({ status: 200, attempts: 1 });
});

test('slow receivers of many accounts delay nobody else, and take few slots', async () => {
  const held: (() => void)[] = [];
  listener.removeAllListeners('request');
  listener.on('request', (request, response) => {
    received.push({ signature: '', body: request.url! });
    if (request.url === '/quick') response.end();
    else held.push(() => void response.end());
  });
  const { atOnce, slowAtOnce, restFactor } = deliveryLimits;
  const seal = createSeal(testSecrets, 'webhook');
  /** Without a password, whose hash takes longest. */
  const addUser = (name: string, path: string) =>
    server.db.write([
      {
        sql: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
              VALUES ($1, $1, $1, 0, '', '', $1)`,
        params: [name],
      },
      {
        sql: `INSERT INTO webhooks (user_id, url, sealed, created_at) VALUES ($1, $2, $3, '')`,
        params: [name, new URL(path, address).href, seal.seal({ text: 'secret', owner: name })],
      },
    ]);
  const slow = Array.from({ length: atOnce + 2 }, (_, index) => `slow-${index}`);
  for (const name of slow) await addUser(name, '/slow');
  await addUser('quick', '/quick');
  for (const name of slow) await append({ user: name, count: 10 });
  const quick = () => received.filter(({ body }) => body === '/quick').length;
  const slowRequests = () => received.length - quick();
  /** All that wait are answered after so many ms. */
  async function answerAfter(ms: number) {
    server.wait(ms);
    for (const end of held.splice(0)) end();
  }

  // Nobody knows them yet: they take all slots once, and who comes then waits for one of these requests.
  void server.app.rounds['deliveries']!();
  await expect.poll(slowRequests).toBe(atOnce);
  await append({ user: 'quick' });
  await answerAfter(9000);
  await expect.poll(quick).toBe(1);
  // The quick one has ended: it would otherwise take as long as the slow ones.
  await expect.poll(async () => [slowRequests(), await sending()]).toEqual([atOnce + 2, 2]);
  await answerAfter(9000);
  await expect.poll(() => sending()).toBe(0);

  // They rest for five times as long.
  await server.app.rounds['deliveries']!();
  expect(slowRequests()).toBe(atOnce + 2);
  server.wait(9000 * restFactor);
  void server.app.rounds['deliveries']!();
  await expect.poll(slowRequests).toBe(atOnce + 2 + slowAtOnce);
  await append({ user: 'quick', count: 3 });
  void server.app.rounds['deliveries']!();
  await expect.poll(quick).toBe(4);
  expect(slowRequests()).toBe(atOnce + 2 + slowAtOnce);
  await answerAfter(0);
});

test('a stop ends the attempts, and the next process repeats them at once with the same id, and they do not count', async () => {
  await create();
  listener.removeAllListeners('request');
  listener.on('request', (request, response) => {
    void text(request).then((body) => received.push({ signature: '', body }));
    if (received.length > 0) response.end();
  });
  await cause();
  void server.app.rounds['deliveries']!();
  await expect.poll(() => received.length).toBe(1);
  await using next = await server.restart();
  expect((await read())!.results).toMatchObject([{ state: 'waiting', status: null, attempts: 0 }]);
  await next.rounds['deliveries']!();
  expect((await read())!.results).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  expect(received[1]!.body).toBe(received[0]!.body);
});

test('who has waited longest comes first, and what has ended pushes out nothing that waits', async () => {
  const deliveries = createDeliveryStore({ db: server.db, now: server.now });
  for (const [name, next_at] of [
    ['ann', 2],
    ['ben', 3],
    ['cleo', 1],
  ] as const)
    await append({ user: name, next_at });
  const due = async (but: string[]) => (await deliveries.due({ most: 2, but })).map(({ user_id }) => user_id);
  expect([await due([]), await due(['cleo'])]).toEqual([
    ['cleo', 'ann'],
    ['ann', 'ben'],
  ]);
  await append({ user: 'ann', next_at: null, count: webhookLimits.kept + 50 });
  expect(await count()).toBe(webhookLimits.kept + 3);
});

test('what other users ask pushes out no alarm, and an alarm comes first', async () => {
  await create();
  const alarm = (at: string) => `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name)
    SELECT 'ann', 1000000 + coalesce(max(seq), 0), '${at}', 'resource.silent', '(server)', 'r', 'Buoy' FROM activity`;
  const asked = `INSERT INTO activity (user_id, seq, at, kind, actor, swarm_id, swarm_name)
    SELECT 'ann', CAST(value AS bigint), '2026-01-01T00:00:00.000Z', 'swarm.manager_asked', 'bob', 's' || value, 's' FROM elements($1)`;
  const many = webhookLimits.waiting + 50;
  await server.db.write([{ sql: alarm('2026-01-01T00:00:00.000Z') }]);
  await server.db.write([
    { sql: asked, params: [JSON.stringify(Array.from({ length: many }, (_, n) => `${n + 1000}`))] },
  ]);
  await server.db.write([{ sql: alarm('2026-01-01T00:00:01.000Z') }]);
  expect(await count()).toBe(webhookLimits.waiting + 2);
  server.wait(noticeMs.gather);
  const deliveries = createDeliveryStore({ db: server.db, now: server.now });
  const kinds: string[] = [];
  for (let each = 0; each < 3; each++) {
    const [due] = await deliveries.due({ most: 1, but: [] });
    const row = (await deliveries.claim(due!.seq))!;
    kinds.push(row.kind);
    await deliveries.finish({ ...row, status: 204, answer: null, restMs: 0 });
  }
  expect(kinds).toEqual(['resource.silent', 'resource.silent', 'swarm.manager_asked']);
});

test('a database that was restored sends nothing again', async () => {
  await create();
  await cause();
  await server.db.write([
    { sql: 'INSERT INTO silences (ref, user_id, times, tell_at) VALUES (1, $1, 1, 0)', params: ['ann'] },
  ]);
  await adoptCopy({ db: server.db });
  await using next = await server.restart();
  await next.presence.round();
  await next.rounds['deliveries']!();
  expect(received).toEqual([]);
  const left = 'SELECT next_at, attempts FROM webhook_deliveries UNION ALL SELECT tell_at, times FROM silences';
  expect(await server.db.read({ sql: left })).toEqual([{ next_at: null, attempts: 0 }]);
});

test('a secret that is lost ends the webhooks that were encrypted with it', async () => {
  await create();
  await append({ user: 'ann' });
  expect(await deleteUnreadableWebhooks({ db: server.db })).toEqual(['ann']);
  expect([await read(), await count()]).toEqual([null, 0]);
});

test('a test has one attempt, and an address that takes over the connection ends it', async () => {
  await create();
  listener.removeAllListeners('request');
  listener.on('request', (request) => {
    request.socket.end('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  });
  for (let count = 0; count < 2; count++) {
    await manage('POST', '/test');
    await server.app.rounds['deliveries']!();
  }
  const failed = { kind: 'test', state: 'failed', status: 101, attempts: 1 };
  expect((await read())!.results).toMatchObject([failed, failed]);
  // Results are of the address.
  await manage('PUT', '', { url: new URL('/other', address).href });
  expect((await read())!.results).toEqual([]);
});

test('a test after a slow answer says until when it waits, also for another address', async () => {
  await create();
  const held = Promise.withResolvers<void>();
  listener.removeAllListeners('request');
  listener.on('request', (request, response) => {
    received.push({ signature: '', body: request.url! });
    if (request.url === '/quick') response.end();
    else void held.promise.then(() => response.end());
  });
  await manage('POST', '/test');
  await expect.poll(() => received.length).toBe(1);
  server.wait(9000);
  held.resolve();
  await server.app.rounds['deliveries']!();
  await manage('PUT', '', { url: new URL('/quick', address).href });
  const rest = 9000 * deliveryLimits.restFactor;
  const until = new Date(server.now().getTime() + rest).toISOString();
  await manage('POST', '/test');
  await server.app.rounds['deliveries']!();
  expect((await read())!.results).toMatchObject([{ kind: 'test', state: 'waiting', attempts: 0, next_at: until }]);
  server.wait(rest);
  await server.app.rounds['deliveries']!();
  expect((await read())!.results).toMatchObject([{ state: 'delivered', attempts: 1 }]);
});

test('the activity has what was done with the webhook, with its host alone', async () => {
  const done = async () =>
    (await ann.get<ActivityPage>('/activity')).items
      .filter(({ kind }) => kind.startsWith('account.webhook'))
      .map(({ kind, detail }) => `${kind} ${detail}`);
  await manage('DELETE');
  expect(await done()).toEqual([]);
  await create();
  await manage('PUT', '', { url: 'https://example.org/token' });
  await manage('DELETE');
  expect(await done()).toEqual([
    'account.webhook_removed example.org',
    'account.webhook_changed example.org',
    `account.webhook_added ${new URL(address).host}`,
  ]);
});

test('what waits for a user who was disabled, or whose webhook was deleted, is not sent', async () => {
  await create();
  for (const name of ['ann', 'nobody']) await append({ user: name });
  await server.db.write([{ sql: `UPDATE "user" SET disabled_at = '2026' WHERE username = 'ann'` }]);
  await server.app.rounds['deliveries']!();
  expect(received).toEqual([]);
  expect(await server.db.read({ sql: 'SELECT 1 FROM webhook_deliveries' })).toEqual([]);
  expect(await server.db.read({ sql: 'SELECT user_id FROM webhooks' })).toEqual([{ user_id: 'ann' }]);
});

test('an address in a private network gets nothing, and its result says so', async () => {
  await using closed = await createTestServer({ isRepeatable: true });
  const bob = await closed.signUp('bob');
  const ask = (method: string, path = '', body?: object) =>
    closed.request('gateway', bob, { method, path: `/account/webhook${path}`, ...(body && { body }) });
  await ask('PUT', '', { url: address });
  await ask('POST', '/test');
  await closed.app.rounds['deliveries']!();
  const { webhook } = (await (await ask('GET')).json()) as WebhookSettings;
  expect(webhook!.results).toMatchObject([{ state: 'failed', status: null, answer: 'private_address' }]);
  expect(received).toEqual([]);
});

test('a user tests at most six addresses at once, and one more every ten seconds', async () => {
  await using limited = await createTestServer({ isRepeatable: true, rateLimit: 1 });
  const bob = await limited.signUp('bob');
  const test = () => limited.request('gateway', bob, { method: 'POST', path: '/account/webhook/test' });
  const body = { url: 'https://192.0.2.1/' };
  await limited.request('gateway', bob, { method: 'PUT', path: '/account/webhook', body });
  const answers = [];
  for (let count = 0; count < 7; count++) answers.push(await test());
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202, 429]);
  expect(answers[6]!.headers.get('retry-after')).toBe('10');
  limited.wait(10_000);
  expect((await test()).status).toBe(202);
});

test('is tested, shows its last 20 results, and ends with its account', async () => {
  expect((await manage('POST', '/test')).status).toBe(404);
  await create();
  for (let count = 0; count < 22; count++) {
    expect((await manage('POST', '/test')).status).toBe(202);
    await server.app.rounds['deliveries']!();
  }
  expect(received).toHaveLength(22);
  const { results } = (await read())!;
  expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'test'));
  expect(Number(results[0]!.id)).toBeGreaterThan(Number(results[19]!.id));
  expect((await manage('DELETE')).status).toBe(204);
  expect(await read()).toBeNull();
  expect(await server.db.read({ sql: 'SELECT 1 FROM webhook_deliveries' })).toEqual([]);
});

test.for(['ftp://example.org', 'example.org', 'https://a:b@example.org', `https://example.org/${'x'.repeat(1000)}`])(
  'refuses %s',
  async (url) => {
    const refused = await manage('PUT', '', { url });
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ pointer: '/url' }] }]);
  },
);
