// stores: SQLite, PostgreSQL in the long run
/** The demo in the whole server: its content, and its complete removal. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  Demo,
  DevicePage,
  InboxCount,
  InvitationPage,
  MemberRole,
  Resource,
  Swarm,
  SwarmList,
  SwarmValues,
  Values,
} from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { listsOf } from '../../tests/event-lists.fixture.ts';
import { join } from '../../tests/events.fixture.ts';
import { createTestServer, origin, password, type TestServer } from '../../tests/test-server.fixture.ts';
import { describeOnSqlite, testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { tableNames } from '../../core/store/store.fixture.ts';
import { startHttpServer } from '../../tests/http-server.fixture.ts';
import { readDemoProducers } from './demo.store.ts';

let server: TestServer;
let ann: ServiceClient;
let bob: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, bob] = [await signUpClient(server, 'ann', 'gateway'), await signUpClient(server, 'bob', 'gateway')];
  // Creates the gateway keys.
  await Promise.all([ann, bob].map((who) => who.get('/resources')));
});
beforeEach(async () => {
  await Promise.all([ann, bob].map((who) => who.request({ method: 'DELETE', path: '/demo' })));
});
afterAll(() => server[Symbol.asyncDispose]());

const make = (who: ServiceClient) => who.request({ method: 'POST', path: '/demo' });
const remove = (who: ServiceClient) => who.request({ method: 'DELETE', path: '/demo' });
const demoOf = (who: ServiceClient) => who.get<Demo>('/demo');

/**
 * Every row of every table, except SQLite's own (row numbers are never reused), the feed, what background work notes for itself
 * (leases, the times of notices, and states of devices), and counts of nothing: the row of a count stays when it is 0 again.
 */
async function everything() {
  const tables = (await tableNames(server.db)).filter((name) => !['feed', 'leases', 'audience_notices'].includes(name));
  const rows = tables.map(async (name) => {
    const columns = name === 'presence' ? 'ref, heard_at' : '*';
    const all = await server.db.read<{ amount?: number }>({ sql: `SELECT ${columns} FROM "${name}"` });
    const counted = name === 'usage' ? all.filter(({ amount }) => amount !== 0) : all;
    return [name, counted.map((row) => JSON.stringify(row)).toSorted()];
  });
  return Object.fromEntries(await Promise.all(rows)) as Record<string, string[]>;
}

// On PostgreSQL: that its statements work, and what happens at the same time.
describe('a demo', () => {
  testOnSqlite('has values of 30 days to look at', async () => {
    await make(ann);
    const { items } = await ann.get<DevicePage>('/devices?value=temperature&values=temperature&sort=-value');
    expect(items.length).toBeGreaterThan(3);
    const from = new Date(Date.now() - 31 * dayMs).toISOString();
    const { series } = await ann.get<Values>(`/resources/${items[0]!.id}/values?from=${from}`);
    const temperature = series.find(({ key }) => key === 'temperature')!;
    expect(temperature.times.at(-1)! - temperature.times[0]!).toBeGreaterThan(29 * dayMs);
    expect(temperature.times.length).toBeGreaterThan(300);
    // It was heard when it sent the last one.
    const { series: last } = await ann.get<Values>(`/resources/${items[0]!.id}/values?last=yes`);
    expect(items[0]!.presence).toMatchObject({ heard_at: new Date(last[0]!.times[0]!).toISOString() });
    // Also on the page of the swarm, whose members they have been for so long.
    const { items: swarms } = await ann.get<SwarmList>('/swarm-list');
    const weather = swarms.find(({ name }) => name === 'Harbour weather')!;
    const path = `/swarms/${weather.id}/values?resource_ids=${items[0]!.id}&keys=temperature&from=${from}`;
    const ofSwarm = (await ann.get<SwarmValues>(path)).items[0]!.series[0]!.times;
    expect(ofSwarm.at(-1)! - ofSwarm[0]!).toBeGreaterThan(29 * dayMs);
  });

  testOnSqlite(
    'has devices with positions, swarms with every role, and received and sent invitations in every state',
    async () => {
      expect((await make(ann)).status).toBe(201);
      const { facets } = await ann.get<DevicePage>('/devices?limit=0');
      expect(facets.all).toBe(48);
      expect(facets.unplaced).toBe(2);
      expect(Math.min(...Object.values(facets.machine_type))).toBeGreaterThan(5);
      expect((await ann.get<DevicePage>('/devices?audience=visible&limit=0')).total).toBeGreaterThan(90);

      const { items, owned, joined } = await ann.get<SwarmList>('/swarm-list');
      expect([owned, joined]).toEqual([2, 3]);
      const roles: MemberRole[] = ['producer', 'consumer', 'both'];
      for (const role of roles) {
        expect(items.some((swarm) => swarm.relation === 'owner' && swarm.members!.resource_type[role] > 0)).toBe(true);
        expect(items.some((swarm) => swarm.relation === 'member' && swarm.own[role] > 0)).toBe(true);
      }
      const { received, sent } = await ann.get<InboxCount>('/inbox/count');
      expect(Math.min(received.new, received.accepted, received.rejected)).toBeGreaterThan(1);
      expect(Math.min(sent.new, sent.accepted, sent.rejected)).toBeGreaterThan(1);
    },
  );

  testOnSqlite('has partners with readable names, and a short number only from the second demo on', async () => {
    const byName = (a: string, b: string) => a.localeCompare(b);
    await make(ann);
    expect((await demoOf(ann)).partners.toSorted(byName)).toEqual(['gauge-office-demo', 'harbour-demo']);
    await make(bob);
    for (const name of (await demoOf(bob)).partners) expect(name).toMatch(/^(harbour|gauge-office)-demo-\d{1,2}$/);
  });

  testOnSqlite('has its own partners when several are created concurrently', async () => {
    await Promise.all([make(ann), make(bob)]);
    const partners = [...(await demoOf(ann)).partners, ...(await demoOf(bob)).partners];
    expect(new Set(partners).size).toBe(4);
  });

  testOnSqlite('has no membership without an accepted invitation', async () => {
    await make(ann);
    const ungranted = await server.db.read({
      sql: `
      SELECT * FROM memberships m JOIN resources r ON r.id = m.resource_id JOIN swarms s ON s.id = m.swarm_id
      WHERE r.user_id <> s.user_id AND m.resource_type <> (
        SELECT CASE WHEN count(DISTINCT resource_type) = 2 THEN 'both' ELSE max(resource_type) END FROM invitations i
        WHERE i.swarm_id = s.id AND i.resource_id = r.id AND i.status = 'accepted')`,
    });
    expect(ungranted).toEqual([]);
    expect(
      await server.db.read({
        sql: 'SELECT * FROM invitations WHERE coalesce(accepted_at, rejected_at, sent_at) < sent_at',
      }),
    ).toEqual([]);
    const now = server.now().toISOString();
    expect(
      await server.db.read({
        sql: 'SELECT * FROM resources WHERE changed_at < created_at OR changed_at > $1',
        params: [now],
      }),
    ).toEqual([]);
  });

  testOnSqlite('is created once by two concurrent requests', async () => {
    const statuses = await Promise.all([make(ann), make(ann), make(ann)].map(async (answer) => (await answer).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    const before = await everything();
    expect((await make(ann)).status).toBe(200);
    expect(await everything()).toEqual(before);
    const demo = await demoOf(ann);
    expect([demo.partners.length, demo.resources.length, demo.swarms.length]).toEqual([2, 48, 2]);
    expect((await ann.get<DevicePage>('/devices?limit=0')).total).toBe(48);
  });

  testOnSqlite(
    'is not created again and again while others wait: most of many requests at once are refused',
    async () => {
      const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await make(ann)).status));
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      // Four wait, and one may run.
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
    },
  );

  test('is removed completely, and a second removal succeeds', async () => {
    const device = await ann.device();
    const swarm = await ann.swarm();
    await ann.add(swarm, device);
    const before = await everything();
    await make(ann);
    expect(await everything()).not.toEqual(before);
    expect((await remove(ann)).status).toBe(204);
    expect(await everything()).toEqual(before);
    expect((await remove(ann)).status).toBe(204);
    expect(await demoOf(ann)).toEqual({ exists: false, partners: [], resources: [], swarms: [] });
  });

  testOnSqlite('is removed for one user only', async () => {
    await Promise.all([make(ann), make(bob)]);
    const bobs = await demoOf(bob);
    await remove(ann);
    expect(await demoOf(bob)).toEqual(bobs);
    expect((await bob.get<DevicePage>('/devices?limit=0')).total).toBe(48);
    expect((await ann.get<DevicePage>('/devices?audience=visible&limit=0')).facets.all).toBe(1);
  });

  testOnSqlite('is removed with its renamed objects, and without the user’s own objects', async () => {
    await make(ann);
    const { partners, resources, swarms } = await demoOf(ann);
    await ann.change(`/resources/${resources[0]!}`, { name: 'mine now' });
    await ann.destroy('resources', { id: resources[1]! });
    const [own, ownSwarm] = [await ann.device({ name: 'Own' }), await ann.swarm({ name: 'Own' })];
    await ann.add({ id: swarms[0]! }, own);
    await ann.add(ownSwarm, { id: resources[2]! });
    const theirs = (await ann.get<DevicePage>('/devices?audience=visible&limit=200')).items.find(
      ({ user_id }) => user_id === partners[0],
    )!;
    const invitation = await ann.invite(ownSwarm, theirs);
    await remove(ann);
    const left = await ann.get<Resource[]>('/resources');
    expect(left.map(({ name }) => name)).toContain('Own');
    expect(left.map(({ name }) => name)).not.toContain('mine now');
    const swarm = (await ann.get<Swarm[]>('/swarms')).find(({ id }) => id === ownSwarm.id);
    expect(swarm!.resources).toEqual([]);
    const board = await ann.get<InvitationPage>(`/swarms/${ownSwarm.id}/board`);
    expect(board.items).toMatchObject([{ id: invitation.id, to: partners[0], status: 'rejected' }]);
    // The name of a partner cannot be registered while the demo exists.
    const signUp = await server.fetch('/auth/sign-up', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username: partners[0], password, name: partners[0] }),
    });
    expect(signUp.status).toBe(409);
  });

  test('is without what was handed over, which its new owner keeps', async () => {
    await make(ann);
    const before = await demoOf(ann);
    const [id] = before.resources as [string];
    expect((await ann.offerDevice({ id }, 'bob')).status).toBe(200);
    expect((await bob.takeOverDevice({ id }, 'bob')).status).toBe(204);
    expect((await demoOf(ann)).resources).toEqual(before.resources.filter((each) => each !== id));
    // A device of its new owner says nothing that the demo invents.
    const swarm = await bob.swarm();
    await bob.add(swarm, { id });
    const producers = await readDemoProducers({ db: server.db, userName: 'ann', most: 1000 });
    expect(producers.length).toBeGreaterThan(0);
    expect(producers.map((device) => device.id)).not.toContain(id);
    await bob.destroy('swarms', swarm);
    await remove(ann);
    expect((await bob.get<Resource>(`/resources/${id}`)).user_id).toBe('bob');
    await bob.destroy('resources', { id });
  });

  testOnSqlite('is removed with its user’s account', async () => {
    const eve = await signUpClient(server, 'eve', 'gateway');
    await make(eve);
    const { partners } = await demoOf(eve);
    const body = { user_id: 'eve' };
    expect((await eve.request({ method: 'DELETE', path: '/account', body })).status).toBe(204);
    const { retired_names: retired, ...rest } = await everything();
    expect(retired).toContain('{"name":"eve"}');
    const text = JSON.stringify(rest);
    expect(partners.filter((name) => text.includes(name))).toEqual([]);
    expect(text).not.toContain('"eve"');
  });

  test('leaves no partner if it is created during the deletion of the account or removed twice', async () => {
    const partners = async () =>
      await server.db.read({ sql: `SELECT username FROM "user" WHERE username LIKE '%-demo-%'` });
    const fay = await signUpClient(server, 'fay', 'gateway');
    await make(fay);
    const removals = await Promise.all([remove(fay), remove(fay), make(fay), remove(fay)]);
    expect(removals.every(({ ok }) => ok)).toBe(true);
    let over = false;
    const comeAndGo = async () => {
      while (!over) {
        await make(fay);
        await remove(fay);
        // A refused request does not wait, so this lets the deletion run.
        await new Promise(setImmediate);
      }
    };
    const turns = [comeAndGo(), comeAndGo()];
    const gone = await fay.request({ method: 'DELETE', path: '/account', body: { user_id: 'fay' } });
    over = true;
    await Promise.all(turns);
    expect(gone.status).toBe(204);
    expect(await partners()).toEqual([]);
    expect(await server.db.read({ sql: 'SELECT * FROM demo_records' })).toEqual([]);
  });

  testOnSqlite('is removed by maintenance if its user was deleted when the server stopped', async () => {
    const gil = await signUpClient(server, 'gil', 'gateway');
    await make(gil);
    const [name] = (await demoOf(gil)).partners;
    await server.db.write([
      { sql: `DELETE FROM resources WHERE user_id = 'gil'` },
      { sql: `DELETE FROM "user" WHERE username = 'gil'` },
    ]);
    await server.app.tidy();
    expect(JSON.stringify(await everything())).not.toContain(name);
    expect(await server.db.read({ sql: 'SELECT * FROM demo_records' })).toEqual([]);
  });

  testOnSqlite('has partners whose names cannot be used to sign in or sign up', async () => {
    await make(ann);
    const { partners } = await demoOf(ann);
    expect(partners).toHaveLength(2);
    for (const username of partners) {
      expect(username).toMatch(/^[a-z0-9_-]{3,32}$/);
      const answer = await server.fetch('/auth/sign-in/username', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin },
        body: JSON.stringify({ username, password }),
      });
      expect(answer.status).toBe(401);
      await expect(server.app.operator.setPassword({ name: username, password })).rejects.toMatchObject({
        code: 'user.not_found',
      });
      await expect(server.app.operator.addUser({ name: username, password })).rejects.toMatchObject({
        code: 'sign_up.name_taken',
      });
    }
  });

  testOnSqlite('sends events when it is created and removed', async () => {
    await using server = await startHttpServer();
    const cat = await join(server.url, 'cat');
    const listener = await cat.listen('direct');
    const demo = async (method: string) => (await cat.browser.send(method, '/api/demo')).status;
    expect(await demo('POST')).toBe(201);
    const count = async (type: string, path: string) => {
      const listed = await cat.request<unknown[]>('GET', path);
      return [listener.events.filter((event) => event.type === type).length, listed.length];
    };
    const created = () => listener.events.filter(({ type }) => type === 'resource.created').length;
    await listener.until(() => created() >= 48);
    expect(await count('resource.created', '/resources')).toEqual([48, 48]);
    expect(await demo('DELETE')).toBe(204);
    const destroyed = () => listener.events.filter(({ type }) => type === 'swarm.destroyed').length;
    await listener.until(() => destroyed() === 5);
    // A partner's device that is no longer visible, because its swarm was deleted before, has no event.
    const nothing = { resources: new Map(), swarms: new Map(), invitations: new Map(), fetched: new Set() };
    expect(listsOf(listener.events, 'cat')).toEqual(nothing);
    expect(await cat.request('GET', '/resources')).toEqual([]);
    listener.close();
  });
});

describeOnSqlite('the commands of the operator', () => {
  test('create and remove the same demo', async () => {
    const { operator } = server.app;
    expect(await operator.call({ command: 'makeDemo', given: { user: 'ann' } })).toEqual({ made: true });
    expect(await operator.call({ command: 'makeDemo', given: { user: 'ann' } })).toEqual({ made: false });
    expect((await demoOf(ann)).exists).toBe(true);
    await operator.call({ command: 'removeDemo', given: { user: 'ann' } });
    expect((await demoOf(ann)).exists).toBe(false);
  });

  test('fail for an unknown user', async () => {
    const { operator } = server.app;
    const before = await everything();
    await expect(operator.call({ command: 'makeDemo', given: { user: 'nobody' } })).rejects.toMatchObject({
      code: 'user.not_found',
    });
    await expect(operator.call({ command: 'removeDemo', given: { user: 'nobody' } })).rejects.toMatchObject({
      code: 'user.not_found',
    });
    expect(await everything()).toEqual(before);
  });
});

testOnSqlite('its devices really send while its user looks at a page', async () => {
  await using http = await startHttpServer();
  const eve = await join(http.url, 'eve');
  expect((await eve.browser.send('POST', '/api/demo')).status).toBe(201);
  const page = await eve.listen('gateway');
  const senders = () => http.db.read({ sql: 'SELECT DISTINCT sender_id FROM messages' });
  await expect.poll(async () => (await senders()).length).toBeGreaterThan(0);
  page.close();
});
