/** One user's requests do not take the server away from another's. */
import { get } from 'node:http';
import { expect, test } from 'vitest';
import type { Device } from '../contract.ts';
import { browse, startHttpServer } from './http-server.fixture.ts';
import type { Browser, HttpTestServer } from './http-server.fixture.ts';

/** No test is decided by what else the machine has to do. */
const patient = { timeout: 20_000 };

async function signUp(server: HttpTestServer, username: string): Promise<Browser> {
  const browser = browse(server.url);
  const signedUp = await browser.send('POST', '/auth/sign-up/email', {
    username,
    password: 'correct horse battery',
    name: username,
  });
  expect(signedUp.status).toBe(201);
  return browser;
}

/** A device of this user, and the path of a read that waits for its turn. */
async function deviceOf(browser: Browser) {
  const added = await browser.send('POST', '/api/resources', { name: 'Lamp', machine_type: 'pc' });
  const { id } = (await added.json()) as Device;
  return { path: `/api/devices/${id}?audience=own`, id };
}

/** Lets the reader thread wait with its first query until `release`, and notes the parameters of all queries. */
function holdQueries(server: HttpTestServer) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { read } = server.db;
  const queries: (readonly unknown[])[] = [];
  server.db.read = async (query) => {
    if (!query.isLong) return read(query);
    queries.push(query.params ?? []);
    await held;
    return read(query);
  };
  return { queries, release };
}

test("one user's requests wait for each other, and another user's request does not wait for all of them", async () => {
  await using server = await startHttpServer();
  const [ann, bob] = [await signUp(server, 'ann'), await signUp(server, 'bob')];
  const [lamp, other] = [await deviceOf(ann), await deviceOf(bob)];
  const { queries, release } = holdQueries(server);
  const many = Array.from({ length: 60 }, () => ann.send('GET', lamp.path));
  await expect.poll(() => queries.length, patient).toBe(1);
  const one = bob.send('GET', other.path);
  // an answer that needs no queue: the requests sent before it have arrived
  await ann.send('GET', '/healthz');
  await bob.send('GET', '/healthz');
  release();
  expect((await one).status).toBe(200);
  const before = queries.findIndex((params) => params.includes(other.id));
  expect(before).toBeLessThan(30);
  for (const answer of await Promise.all(many)) expect(answer.status).toBe(200);
});

test('the queries of clients that have disconnected are dropped', async () => {
  await using server = await startHttpServer();
  const ann = await signUp(server, 'ann');
  const lamp = await deviceOf(ann);
  const { queries, release } = holdQueries(server);
  const before = await server.connections();
  const clients = Array.from({ length: 30 }, () =>
    get(`${server.url}${lamp.path}`, { agent: false, headers: { cookie: ann.cookie } }).on('error', () => {}),
  );
  await expect.poll(() => server.connections(), patient).toBeGreaterThanOrEqual(30);
  await expect.poll(() => queries.length, patient).toBe(1);
  for (const client of clients) client.destroy();
  await expect.poll(() => server.connections(), patient).toBeLessThanOrEqual(before);
  const stays = ann.send('GET', lamp.path);
  release();
  expect((await stays).status).toBe(200);
  // the one that was running, and three for the request that stays
  expect(queries).toHaveLength(4);
  const failed = server.logged.filter((line) => line.includes('failed'));
  expect(failed.filter((line) => !line.includes('"code":"request.aborted"'))).toEqual([]);
});
