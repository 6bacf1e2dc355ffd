/** A body may take minutes to arrive: the credential must still be valid at its end. */
import { randomUUID } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKey, Problem, Session } from '../../contract.ts';
import { mostArrivingBytes, operationLimits } from '../limits/operation-limits.ts';
import { join } from '../../tests/events.fixture.ts';
import { startHttpServer } from '../../tests/http-server.fixture.ts';
import { createTestServer, password, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  ann = await server.signUp('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

const device = { name: 'Lamp', machine_type: 'pc' };

/** A body that is sent after `meanwhile`, when the request was already authenticated. */
function lateBody(body: object, meanwhile: () => Promise<unknown>): ReadableStream {
  const pull = async (stream: ReadableStreamDefaultController) => {
    await meanwhile();
    stream.enqueue(Buffer.from(JSON.stringify(body)));
    stream.close();
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

const asked = async <T>(method: string, path: string) => {
  const answer = await server.request('gateway', ann, { method, path });
  return (method === 'GET' ? await answer.json() : answer.status) as T;
};
const codeOf = async (answer: Response) => ((await answer.json()) as Problem).code;
const keys = () => asked<{ items: ApiKey[] }>('GET', '/account/keys');
const devices = () => asked<object[]>('GET', '/resources');

/** Another session of Ann's. */
async function signIn(): Promise<TestUser> {
  const answer = await server.fetch('/auth/sign-in/username', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'ann', password }),
  });
  return { ...ann, cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! };
}

async function end(user: TestUser) {
  const { items } = (await (await server.request('gateway', user, { path: '/account/sessions' })).json()) as {
    items: Session[];
  };
  expect(await asked('DELETE', `/account/sessions/${items.find(({ current }) => current)!.id}`)).toBe(204);
}

describe.each([
  ['key', '/account/keys', { name: 'spare' }],
  ['device', '/resources', device],
])('a session that ends before the body arrives', (made, path, body) => {
  test(`creates no ${made}`, async () => {
    const before = [await keys(), await devices()];
    const thief = await signIn();
    const answer = await server.request('gateway', thief, {
      method: 'POST',
      path,
      body: lateBody(body, () => end(thief)),
    });
    expect([answer.status, await codeOf(answer)]).toEqual([401, 'session.missing']);
    expect([await keys(), await devices()]).toEqual(before);
  });
});

test('a password is not changed if the session ends before the body arrives', async () => {
  const thief = await signIn();
  const change = { currentPassword: password, newPassword: 'a password of the thief' };
  const answer = await server.fetch('/auth/change-password', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: thief.cookie },
    body: lateBody(change, () => end(thief)),
    duplex: 'half',
  });
  expect([answer.status, await codeOf(answer)]).toEqual([401, 'session.missing']);
  expect((await signIn()).cookie).not.toBe('');
});

test('nothing is created if the key is revoked before the body arrives', async () => {
  const { items } = await keys();
  const revoke = async () => expect(await asked('DELETE', `/account/keys/${items[0]!.id}`)).toBe(204);
  const answer = await server.request('direct', ann, {
    method: 'POST',
    path: '/resources',
    body: lateBody(device, revoke),
  });
  expect([answer.status, await codeOf(answer)]).toEqual([401, 'key.invalid']);
  expect(await devices()).toEqual([]);
});

test('a late body is accepted while the credential is valid', async () => {
  const later = async () => {};
  const answer = await server.request('gateway', ann, {
    method: 'POST',
    path: '/resources',
    body: lateBody(device, later),
  });
  expect(answer.status).toBe(201);
});

test('the bodies of a user that have not arrived completely are bounded in bytes', async () => {
  await using http = await startHttpServer();
  const { bytes } = operationLimits['PUT /api/actions/:id/parts/:part'].body;
  const users = await Promise.all(['cat', 'dan'].map((name) => join(http.url, name)));
  /** Sends the beginning of a part. */
  async function begin({ browser }: (typeof users)[0]) {
    const id = randomUUID();
    const about = { machine_type: 'pc' };
    const started = { id, kind: 'update', about, wait: 0, total: 500 };
    expect((await browser.send('POST', '/api/actions', started)).status).toBe(201);
    return () => {
      const headers = { cookie: browser.cookie, origin: http.url, 'content-type': 'application/json' };
      const sending = request(`${http.url}/api/actions/${id}/parts/0`, {
        method: 'PUT',
        agent: false,
        headers: { ...headers, 'content-length': bytes },
      });
      const answered = new Promise<IncomingMessage>((resolve) => void sending.on('response', resolve));
      sending.on('error', () => {}).write('{"items":[');
      return { sending, answered };
    };
  }
  const [ofCat, ofDan] = [await begin(users[0]!), await begin(users[1]!)];
  const most = Math.floor(mostArrivingBytes / bytes);
  const opened = Array.from({ length: 20 }, ofCat);
  const refused: IncomingMessage[] = [];
  for (const { answered } of opened) void answered.then((answer) => refused.push(answer));
  await expect.poll(() => refused.length).toBe(opened.length - most);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 429));
  expect(await json(refused[0]!)).toMatchObject({ code: 'rate.exceeded' });

  const other = ofDan();
  other.sending.end('1]}'.padEnd(bytes - '{"items":['.length));
  expect((await other.answered).statusCode).toBe(400);
  for (const { sending } of opened) sending.destroy();
  const again = async () => {
    const { sending, answered } = ofCat();
    sending.end('1]}'.padEnd(bytes - '{"items":['.length));
    return (await answered).statusCode;
  };
  await expect.poll(again).toBe(400);
  expect(refused).toHaveLength(opened.length - most);
});
