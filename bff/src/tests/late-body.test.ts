/** A body may take minutes to arrive: the credential must still be valid at its end. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKey, Problem, Session } from '../contract.ts';
import { createTestServer, password, type TestServer, type TestUser } from './test-server.fixture.ts';

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
