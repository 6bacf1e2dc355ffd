// stores: SQLite, PostgreSQL
/**
 * Deletion of many records: it goes on after the response, other users' writes run in between, the records are not
 * usable meanwhile, and a restart finishes the deletion.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addAllToSwarm, addDevices } from './many-devices.fixture.ts';
import { signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, password, type TestServer } from './test-server.fixture.ts';
import { expectInvariants } from './invariants.fixture.ts';

const many = 1200;
/** A batch changes 100 devices with their memberships, or 500 memberships of a swarm. */
const mostChangesOfCommit = 1100;

let server: TestServer;
let gone: ServiceClient;
let other: ServiceClient;
beforeEach(async () => {
  server = await createTestServer();
  [gone, other] = [await signUpClient(server, 'gone', 'gateway'), await signUpClient(server, 'other')];
});
afterEach(() => server[Symbol.asyncDispose]());

/** Adds many devices of a user, all in the swarm. */
async function fill(userId: string, swarmId: string) {
  await addDevices({ db: server.db, userId, count: many });
  await addAllToSwarm({ db: server.db, userId, swarmId });
}

const count = async (table: string) =>
  (await server.db.read<{ count: number }>({ sql: `SELECT count(*) AS count FROM ${table}` }))[0]!.count;
/** Waits until nothing is left to be deleted. */
const nothingLeft = () =>
  vi.waitFor(
    async () => {
      expect([await count('retired_names JOIN usage ON user_id = name'), await hiddenSwarms()]).toEqual([0, 0]);
    },
    { interval: 5 },
  );
const hiddenSwarms = () => count(`swarms WHERE user_id = ''`);
const deleteAccount = (name: string) => gone.request({ method: 'DELETE', path: '/account', body: { user_id: name } });

/** Records the number of rows that each commit adds or deletes. `onFirst` runs after the first such commit. */
async function watchCommits(onFirst: () => Promise<void> | void) {
  const sizes: number[] = [];
  const countRows = async () => {
    const counts = await Promise.all(['resources', 'memberships', 'swarm_viewers'].map(count));
    return counts.reduce((sum, rows) => sum + rows);
  };
  let before = await countRows();
  server.db.onCommit(async () => {
    const after = await countRows();
    if (after === before) return;
    sizes.push(Math.abs(after - before));
    before = after;
    if (sizes.length === 1) await onFirst();
  });
  return sizes;
}

function signIn(username: string, path = '/auth/sign-in/username') {
  return server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username, password, ...(path.includes('sign-up') && { name: username }) }),
  });
}

test('an account with many devices is deleted in many commits, and another user writes in between', async () => {
  const swarm = await other.swarm();
  await fill('gone', swarm.id);
  const order: string[] = [];
  let written: Promise<unknown> | undefined;
  const sizes = await watchCommits(() => {
    written = other.device().then(() => order.push('written'));
  });
  expect((await deleteAccount('gone')).status).toBe(204);
  await nothingLeft();
  order.push('deleted');
  await written;
  expect(order).toEqual(['written', 'deleted']);
  expect(sizes.length).toBeGreaterThanOrEqual(many / 100);
  expect(Math.max(...sizes)).toBeLessThan(mostChangesOfCommit);
  expect(await server.db.read({ sql: `SELECT 1 FROM resources WHERE user_id = 'gone'` })).toEqual([]);
  expect(await count('memberships')).toBe(0);
  await expectInvariants(server.db);
});

test('a swarm with many open invitations is deleted in many commits, and an account with many parts of actions', async () => {
  const swarm = await gone.swarm();
  const invite = `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, sent_at, status, created_at)
    SELECT value, 'gone', 'other', $1, value, 'consumer', '', 'new', '' FROM elements($2)`;
  const ids = Array.from({ length: many }, (_, index) => `invitation-${index}`);
  await server.db.write([{ sql: invite, params: [swarm.id, JSON.stringify(ids)] }]);
  const lengths: number[] = [];
  const countOf = (table: string) => async () => {
    const left = await count(table);
    if (left !== lengths.at(-1)) lengths.push(left);
  };
  const unsubscribe = server.db.onCommit(countOf('invitations'));
  expect((await gone.request({ method: 'DELETE', path: `/swarms/${swarm.id}` })).status).toBe(204);
  unsubscribe();
  // The commit of the invitations themselves may be noticed late.
  expect(lengths.filter((left) => left < many)).toEqual([700, 200, 0]);

  const sql = `INSERT INTO actions (id, user_id, kind, about, state, total, wait, created_at)
    VALUES ('action', 'gone', 'delete', '{}', 'paused', 1, 0, '')`;
  const parts = `INSERT INTO action_parts (action_id, part, items) SELECT 'action', CAST(value AS bigint), '[]' FROM elements($1)`;
  await server.db.write([
    { sql },
    { sql: parts, params: [JSON.stringify(Array.from({ length: 35 }, (_, part) => part))] },
  ]);
  lengths.splice(0);
  server.db.onCommit(countOf('action_parts'));
  expect((await deleteAccount('gone')).status).toBe(204);
  await expect.poll(() => lengths.filter((length) => length < 35)).toEqual([25, 15, 5, 0]);
  await expect.poll(() => count('actions')).toBe(0);
});

test('an account whose deletion has begun is not usable', async () => {
  const swarm = await gone.swarm();
  await fill('gone', swarm.id);
  const { key } = await server.app.operator.createKey({ user: 'gone', name: 'a device' });
  let statuses: Promise<number[]> | undefined;
  let left = 0;
  await watchCommits(async () => {
    left = await count('resources');
    statuses = Promise.all([
      gone.request({ path: '/resources' }),
      server.fetch('/service/resources', { headers: { 'x-serviceapikey': key } }),
      signIn('gone'),
      signIn('gone', '/auth/sign-up'),
    ]).then((answers) => answers.map(({ status }) => status));
  });
  expect((await deleteAccount('gone')).status).toBe(204);
  await nothingLeft();
  expect(left).toBeGreaterThan(0);
  expect(await statuses).toEqual([401, 401, 401, 409]);
});

test('an interrupted deletion of an account is finished after the next start', async () => {
  const swarm = await gone.swarm();
  await fill('gone', swarm.id);
  let stopped: Promise<void> | undefined;
  await watchCommits(() => {
    stopped = server.app.close();
  });
  expect((await deleteAccount('gone')).status).toBe(204);
  await vi.waitFor(() => expect(stopped).toBeDefined());
  await stopped;
  expect(await count('resources')).toBeGreaterThan(0);

  await using _next = await server.restart();
  await nothingLeft();
  expect([await count('resources'), await count('swarms'), await count('memberships')]).toEqual([0, 0, 0]);
  await expectInvariants(server.db);
});

test('a swarm with many members is hidden by the first commit and deleted in many', async () => {
  const swarm = await gone.swarm();
  await fill('other', swarm.id);
  const device = await gone.device();
  const invitation = await other.device().then((theirs) => gone.invite(swarm, theirs));
  let left = 0;
  let meanwhile: Promise<number[]> | undefined;
  let lists: Promise<unknown[]> | undefined;
  const sizes = await watchCommits(async () => {
    left = await count('memberships');
    meanwhile = Promise.all([
      gone.request({ path: `/swarms/${swarm.id}` }),
      other.request({ path: `/swarms/${swarm.id}` }),
      gone.add(swarm, device),
      other.accept(invitation),
      gone.destroy('swarms', swarm),
    ]).then((answers) => answers.map(({ status }) => status));
    lists = Promise.all([gone, other].map((who) => who.get<unknown[]>('/swarms')));
  });
  expect((await gone.destroy('swarms', swarm)).status).toBe(204);
  await nothingLeft();
  expect(left).toBeGreaterThan(0);
  expect(await meanwhile).toEqual([404, 404, 404, 404, 404]);
  expect(await lists).toEqual([[], []]);
  expect(Math.max(...sizes)).toBeLessThan(mostChangesOfCommit);
  expect([await count('swarms'), await count('memberships'), await count('invitations')]).toEqual([0, 0, 0]);
  await expectInvariants(server.db);
});

test('an interrupted deletion of a swarm is finished after the next start', async () => {
  const swarm = await gone.swarm();
  await fill('other', swarm.id);
  let stopped: Promise<void> | undefined;
  await watchCommits(() => {
    stopped = server.app.close();
  });
  expect((await gone.destroy('swarms', swarm)).status).toBe(204);
  await vi.waitFor(() => expect(stopped).toBeDefined());
  await stopped;
  expect(await count('memberships')).toBeGreaterThan(0);

  await using _next = await server.restart();
  await nothingLeft();
  expect([await count('swarms'), await count('memberships')]).toEqual([0, 0]);
  await expectInvariants(server.db);
});

test('a demo swarm that the user filled with many devices is removed in many commits', async () => {
  await gone.request({ method: 'POST', path: '/demo' });
  const { swarms } = await gone.get<{ swarms: string[] }>('/demo');
  await fill('gone', swarms[0]!);
  const sizes = await watchCommits(() => {});
  expect((await gone.request({ method: 'DELETE', path: '/demo' })).status).toBe(204);
  await nothingLeft();
  expect(Math.max(...sizes)).toBeLessThan(mostChangesOfCommit);
  expect([await count('swarms'), await count('resources'), await count('demo_records')]).toEqual([0, many, 0]);
  await expectInvariants(server.db);
});

test.each(['resources', 'swarms'] as const)(
  'deleting one of the %s with If-Match fails if it changes between the check and the write',
  async (noun) => {
    const record = noun === 'resources' ? await other.device() : await other.swarm();
    // Queued before the deletion, which has read version 1.
    const changed = server.db.write([{ sql: `UPDATE ${noun} SET version = 2 WHERE id = $1`, params: [record.id] }]);
    const deleted = other.request({ method: 'DELETE', path: `/${noun}/${record.id}`, headers: { 'if-match': '"1"' } });
    await changed;
    expect((await deleted).status).toBe(412);
    expect((await other.request({ path: `/${noun}/${record.id}` })).status).toBe(200);
  },
);

test('an unexpected error does not end the deletion of an account, which is repeated', async () => {
  await gone.device();
  const { read } = server.db;
  let failures = 0;
  vi.spyOn(server.db, 'read').mockImplementation((query) => {
    if (failures > 0 || !query.sql.includes('FROM retired_names WHERE EXISTS')) return read(query as never);
    failures += 1;
    return Promise.reject(new Error('a mistake'));
  });
  expect((await deleteAccount('gone')).status).toBe(204);
  await nothingLeft();
  expect(failures).toBe(1);
});
