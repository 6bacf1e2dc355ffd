// stores: SQLite, PostgreSQL
/** The requests of one user do not block those of another. */
import { get } from 'node:http';
import { expect, test } from 'vitest';
import type { Device } from '../contract.ts';
import { browse, startHttpServer, type Browser, type HttpTestServer } from './http-server.fixture.ts';

async function signUp(server: HttpTestServer, username: string): Promise<Browser> {
  const browser = browse(server.url);
  const signedUp = await browser.send('POST', '/auth/sign-up', {
    username,
    password: 'correct horse battery',
    name: username,
  });
  expect(signedUp.status).toBe(201);
  return browser;
}

/** A new device of this user, and the path of a read that is queued. */
async function deviceOf(browser: Browser) {
  const added = await browser.send('POST', '/api/resources', { name: 'Lamp', machine_type: 'pc' });
  const { id } = (await added.json()) as Device;
  return { path: `/api/devices/${id}?audience=own`, id };
}

/**
 * Holds the queries of the reader thread about these devices and users back until `release`, at the latest at the end, and records their
 * parameters. The server itself reads too, from time to time.
 */
function holdQueries(server: HttpTestServer, about: readonly string[]) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { read } = server.db;
  const queries: string[] = [];
  server.db.read = async (query) => {
    const params = JSON.stringify(query.params ?? []);
    if (!query.isLong || !about.some((name) => params.includes(name))) return read(query);
    queries.push(params);
    await held;
    return read(query);
  };
  return { queries, release, [Symbol.dispose]: release };
}

/** The queries of one user that run at the same time: the last place is for another user. */
const ofOneUser = ({ db }: HttpTestServer) => db.longReads - 1;

test('a request does not wait for all earlier requests of another user', async () => {
  await using server = await startHttpServer();
  const [ann, bob] = [await signUp(server, 'ann'), await signUp(server, 'bob')];
  const [lamp, other] = [await deviceOf(ann), await deviceOf(bob)];
  using held = holdQueries(server, ['ann', 'bob', lamp.id, other.id]);
  const { queries, release } = held;
  const many = Array.from({ length: 60 }, () => ann.send('GET', lamp.path));
  await expect.poll(() => queries.length).toBe(ofOneUser(server));
  const one = bob.send('GET', other.path);
  // These responses need no queue, so the requests before them have arrived.
  await ann.send('GET', '/healthz');
  await bob.send('GET', '/healthz');
  release();
  expect((await one).status).toBe(200);
  const before = queries.findIndex((params) => params.includes(other.id));
  expect(before).toBeLessThan(30);
  for (const answer of await Promise.all(many)) expect(answer.status).toBe(200);
});

test('the requests of the home page wait for a turn of the reader once each', async () => {
  await using server = await startHttpServer();
  const ann = await signUp(server, 'ann');
  await deviceOf(ann);
  using held = holdQueries(server, ['ann']);
  held.release();
  for (const path of ['account', 'devices?limit=100', 'map?zoom=3&bbox=-180,-80,180,84', 'inbox/count', 'swarm-list'])
    expect((await ann.send('GET', `/api/${path}`)).status).toBe(200);
  // The map needs none.
  expect(held.queries).toHaveLength(4);
});

test('the queries of clients that have disconnected are dropped', async () => {
  await using server = await startHttpServer();
  const ann = await signUp(server, 'ann');
  const lamp = await deviceOf(ann);
  using held = holdQueries(server, ['ann', lamp.id]);
  const { queries, release } = held;
  const before = await server.connections();
  const clients = Array.from({ length: 30 }, () =>
    get(`${server.url}${lamp.path}`, { agent: false, headers: { cookie: ann.cookie } }).on('error', () => {}),
  );
  // All of them, beside those that were there: one that is not accepted yet would ask later. Ann's own stays open while it is used.
  const connections = () => ann.send('GET', '/healthz').then(() => server.connections());
  await expect.poll(connections).toBeGreaterThanOrEqual(before + 30);
  await expect.poll(() => queries.length).toBe(ofOneUser(server));
  for (const client of clients) client.destroy();
  await expect.poll(() => server.connections()).toBeLessThanOrEqual(before);
  const stays = ann.send('GET', lamp.path);
  release();
  expect((await stays).status).toBe(200);
  // Those that were running, and two of the request that was not cancelled.
  expect(queries).toHaveLength(ofOneUser(server) + 2);
  const failed = server.logged.filter((line) => line.includes('failed'));
  expect(failed.filter((line) => !line.includes('"code":"request.aborted"'))).toEqual([]);
});
