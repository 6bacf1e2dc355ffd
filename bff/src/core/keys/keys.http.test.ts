// stores: SQLite, PostgreSQL in the long run
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AccountKeys, ApiKey } from '../../contract.ts';
import { dayMs, hourMs } from '../limits/durations.ts';
import { newKey } from './key-text.ts';
import { createTestServer, origin, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';
import { keyKinds } from '../store/key-kinds.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  user = await server.signUp('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

const status = async (key: string) =>
  (await server.fetch('/service/resources', { headers: { 'x-serviceapikey': key } })).status;
const stored = async () =>
  await server.db.read<{ id: string; hash: Uint8Array; last_used_on: string | null; ends_in: string }>({
    sql: 'SELECT * FROM api_keys',
  });

describe('an API key', () => {
  test('is swb_, 30 random characters and a checksum of 6, and is stored only as a hash', async () => {
    expect(user.key).toMatch(/^swb_[0-9A-Za-z]{36}$/);
    const [row] = await stored();
    expect(row!.hash).toHaveLength(32);
    expect(row!.ends_in).toBe(user.key.slice(-4));
    expect(JSON.stringify(await stored())).not.toContain(user.key.slice(4, -4));
  });

  test('with one wrong character is rejected, at any position', async () => {
    for (let at = 0; at < user.key.length; at++) {
      const other = user.key[at] === 'x' ? 'y' : 'x';
      expect(await status(user.key.slice(0, at) + other + user.key.slice(at + 1))).toBe(401);
    }
    expect(await status(user.key)).toBe(200);
  });

  test('records the hour of its last use', async () => {
    await status(user.key);
    const usedAt = async () => Date.parse((await stored())[0]!.last_used_on!);
    await expect.poll(usedAt).toBeGreaterThan(server.now().getTime() - hourMs);
  });

  test('that is revoked is invalid', async () => {
    const session = { cookie: user.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const made = await server.fetch('/api/account/keys', { method: 'POST', headers: session, body: '{"name":"gone"}' });
    const { id, key } = (await made.json()) as { id: string; key: string };
    expect(await status(key)).toBe(200);
    expect((await server.fetch(`/api/account/keys/${id}`, { method: 'DELETE', headers: session })).status).toBe(204);
    expect(await status(key)).toBe(401);
  });

  test('of a try without an answer is revoked by the next try of the same user', async () => {
    const [eva, other] = [await server.signUp('eva'), await server.signUp('same-attempt')];
    const attempt = randomUUID();
    const make = async ({ cookie }: TestUser, name: string) => {
      const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const body = JSON.stringify({ name, attempt });
      return (await (await server.fetch('/api/account/keys', { method: 'POST', headers, body })).json()) as ApiKey & {
        key: string;
      };
    };
    const keys = [await make(other, 'theirs'), await make(eva, 'lost'), await make(eva, 'shown')];
    expect(await Promise.all(keys.map(({ key }) => status(key)))).toEqual([200, 401, 200]);
  });

  test('is listed while it is valid, with at most a hundred per user', async () => {
    const user = await server.signUp('hoarder');
    const sql = `INSERT INTO api_keys (id, user_id, kind, name, hash, ends_in, created_at)
                 VALUES ($1, 'hoarder', 'device', 'one more', $2, 'abcd', $3)`;
    const insert = (index: number) => ({
      sql,
      params: [`k${index}`, Buffer.from(`h${index}`), server.now().toISOString()],
    });
    await server.db.write(Array.from({ length: 98 }, (_, index) => insert(index)));
    const session = { cookie: user.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const make = () => server.fetch('/api/account/keys', { method: 'POST', headers: session, body: '{"name":"one"}' });
    const answers = await Promise.all([make(), make()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(await answers.find(({ status }) => status === 409)!.json()).toMatchObject({ code: 'key.too_many' });
    const listed = await server.fetch('/api/account/keys', { headers: session });
    expect(((await listed.json()) as { items: object[] }).items).toHaveLength(100);
    // The gateway key does not count.
    expect((await server.fetch('/api/resources', { headers: session })).status).toBe(200);
  });

  test('that another process revoked is accepted for at most a second', async () => {
    const { key, id } = await server.app.operator.createKey({ user: 'ann', name: 'elsewhere' });
    expect(await status(key)).toBe(200);
    await server.db.write([{ sql: 'DELETE FROM api_keys WHERE id = $1', params: [id] }]);
    server.wait(1000);
    expect(await status(key)).toBe(401);
  });
});

describe('a key that may only read', () => {
  test('shows its owner the first thing of a day that it was refused', async () => {
    await using other = await createTestServer();
    const ben = await other.signUp('ben');
    const session = { cookie: ben.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const make = async (body: object) =>
      (await other.fetch('/api/account/keys', { method: 'POST', headers: session, body: JSON.stringify(body) })).json();
    const { key, scope } = (await make({ name: 'board', scope: 'read' })) as { key: string; scope: string };
    expect(scope).toBe('read');
    const ask = (method: string) =>
      other.fetch('/service/swarms', {
        method,
        headers: { 'x-serviceapikey': key, 'content-type': 'application/json' },
      });
    const listed = async () => {
      const { items } = (await (await other.fetch('/api/account/keys', { headers: session })).json()) as AccountKeys;
      return items.map((item) => [item.name, item.scope, item.refused?.operation]);
    };
    const before = await listed();
    expect(before).toEqual([
      [expect.any(String), 'all', undefined],
      ['board', 'read', undefined],
    ]);
    expect((await ask('GET')).status).toBe(200);
    expect(await (await ask('POST')).json()).toMatchObject({
      status: 403,
      code: 'key.scope',
      detail: 'This key has the scope read: it may only read',
    });
    await expect.poll(listed).toEqual([before[0], ['board', 'read', 'createSwarm']]);
    const destroy = () =>
      other.fetch(`/service/swarms/${crypto.randomUUID()}`, { method: 'DELETE', headers: { 'x-serviceapikey': key } });
    // One write a day, whatever it is refused.
    const isWritten = vi.spyOn(other.db, 'write');
    for (let time = 0; time < 10; time++) expect((await destroy()).status).toBe(403);
    expect(isWritten).not.toHaveBeenCalled();
    other.wait(dayMs);
    expect((await destroy()).status).toBe(403);
    await expect.poll(listed).toEqual([before[0], ['board', 'read', 'destroySwarm']]);
    // Another process has noted the first one.
    other.wait(dayMs);
    const noted = `UPDATE api_keys SET refused_at = $1, refused_operation = 'updateSwarm' WHERE name = 'board'`;
    await other.db.write([{ sql: noted, params: [other.now().toISOString()] }]);
    isWritten.mockClear();
    expect((await destroy()).status).toBe(403);
    await isWritten.mock.results[0]!.value;
    expect(await listed()).toEqual([before[0], ['board', 'read', 'updateSwarm']]);
  });

  test('has a scope that there is, and those from before have all', async () => {
    await using other = await createTestServer();
    const { key, cookie } = await other.signUp('ben');
    const session = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const body = '{"name":"board","scope":"write"}';
    const answer = await other.fetch('/api/account/keys', { method: 'POST', headers: session, body });
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'body.invalid']);
    expect(await other.db.read({ sql: 'SELECT DISTINCT scope FROM api_keys' })).toEqual([{ scope: 'all' }]);
    expect((await other.fetch('/service/resources', { headers: { 'x-serviceapikey': key } })).status).toBe(200);
  });
});

const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code;

describe('a request through the gateway', () => {
  test('is identified by the gateway key, and by nothing else', async () => {
    const ben = await server.signUp('ben');
    const devices = () => server.request('gateway', ben, { path: '/resources' });
    expect((await devices()).status).toBe(200);
    // The key that the gateway has is another one from now on. Its entry of the feed removes it from the caches.
    const sql = `UPDATE api_keys SET hash = $1, expires_at = NULL WHERE user_id = 'ben' AND kind = '${keyKinds.gateway}'`;
    await server.db.write([{ sql, params: [Buffer.alloc(32)] }]);
    const refused = await devices();
    expect([refused.status, await codeOf(refused)]).toEqual([401, 'key.invalid']);
  });

  test('is not slowed down by wrong keys from its address', async () => {
    await using strict = await createTestServer({ rateLimit: 0.01 });
    const ann = await strict.signUp('ann');
    for (let guess = 0; guess < 3; guess++)
      await strict.request('direct', { ...ann, key: 'x' }, { path: '/resources' });
    expect((await strict.request('gateway', ann, { path: '/resources' })).status).toBe(200);
  });
});

describe('wrong keys', () => {
  test('are limited per address; beyond the limit, right keys of the address are still accepted', async () => {
    await using strict = await createTestServer({ rateLimit: 0.2, isRepeatable: true });
    const { key } = await strict.signUp('ann');
    const request = (asked: string) => strict.fetch('/service/resources', { headers: { 'x-serviceapikey': asked } });
    for (const wrong of [() => `swb_${newKey()}`, newKey]) {
      strict.wait(100_000);
      for (let guess = 0; guess < 6; guess++) expect(await codeOf(await request(wrong()))).toBe('key.invalid');
      const throttled = await request(wrong());
      expect(throttled.status).toBe(429);
      expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await codeOf(throttled)).toBe('key.throttled');
    }
    expect((await request(key)).status).toBe(200);
  });

  test('do not block keys from the same address that were valid before', async () => {
    await using strict = await createTestServer({ rateLimit: 0.01 });
    const ann = await strict.signUp('ann');
    expect((await strict.request('direct', ann, { path: '/resources' })).status).toBe(200);
    for (let guess = 0; guess < 3; guess++)
      await strict.request('direct', { ...ann, key: 'x' }, { path: '/resources' });
    expect((await strict.request('direct', ann, { path: '/resources' })).status).toBe(200);
  });
});

describe('a device that repeats a wrong key', () => {
  test.each(['a revoked key', 'a typo', 'no key'])('does not block other devices after a restart: %s', async (kind) => {
    await using strict = await createTestServer({ rateLimit: 0.2, isRepeatable: true });
    const [ann, ben] = [await strict.signUp('ann'), await strict.signUp('ben')];
    await strict.db.write([{ sql: 'DELETE FROM api_keys WHERE user_id = $1', params: ['ann'] }]);
    await using app = await strict.restart();
    const request = async (key: string | undefined) => {
      const headers = key === undefined ? {} : { 'x-serviceapikey': key };
      return (await app.fetch(new Request(`${origin}/service/resources`, { headers }))).status;
    };
    const wrong = { 'a revoked key': ann.key, 'a typo': 'swb_typo', 'no key': undefined }[kind];
    const statuses: number[] = [];
    for (let time = 0; time < 60; time++) statuses.push(await request(wrong));
    expect(statuses.slice(0, 2)).toEqual([401, 401]);
    expect(statuses.at(-1)).toBe(429);
    expect(await request(ben.key)).toBe(200);
    strict.wait(100_000);
    expect(await request(wrong)).toBe(401);
  });

  test('is counted with all other wrong keys of its address at first, so that guessing is limited', async () => {
    await using strict = await createTestServer({ rateLimit: 0.2, isRepeatable: true });
    const headers = (guess: number) => ({ 'x-serviceapikey': `swb_${guess}` });
    const statuses: number[] = [];
    for (let guess = 0; guess < 10; guess++)
      statuses.push((await strict.fetch('/service/resources', { headers: headers(guess) })).status);
    expect(statuses).toEqual([...Array<number>(6).fill(401), ...Array<number>(4).fill(429)]);
  });
});

test('requests are limited per user', async () => {
  await using strict = await createTestServer({ rateLimit: 0.01, isRepeatable: true });
  const ann = await strict.signUp('ann');
  const answers = [];
  for (let request = 0; request < 25; request++)
    answers.push(await strict.request('direct', ann, { path: '/resources' }));
  expect(answers[0]!.status).toBe(200);
  expect(answers.at(-1)!.status).toBe(429);
});
