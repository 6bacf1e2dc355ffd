// stores: SQLite, PostgreSQL in the long run
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { App } from '../../app.ts';
import type { Activity, ActivityPage, CreatedApiKey, Device, Event, Resource, Swarm } from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { noticeMs, presenceRound } from '../../core/limits/part-limits.ts';
import { adoptCopy } from '../../core/store/adopt-copy.ts';
import type { Database } from '../../core/store/database.ts';
import { testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { readPresence } from '../../core/store/presence-row.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { StorageError } from '../../core/store/statement.ts';
import { createConnectionStore } from './connections.store.ts';
import { createPresenceStore } from './presence.store.ts';
import type { SwarmSilenceActivity } from './swarm-silences.store.ts';
import { createRandom } from '../../tests/durability.fixture.ts';
import { long, seed } from '../../tests/process.fixture.ts';
import { createServiceClient, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let user: TestUser;
let ann: ServiceClient;
let apps: App[];
beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true });
  apps = [server.app];
  user = await server.signUp('ann');
  ann = createServiceClient('ann', (asked) => server.request('direct', user, asked));
});
afterEach(() => server[Symbol.asyncDispose]());

async function keyOf({ id }: Resource): Promise<string> {
  const body = { name: 'sensor' };
  const answer = await server.request('gateway', user, { method: 'POST', path: `/devices/${id}/keys`, body });
  return ((await answer.json()) as CreatedApiKey).key;
}
async function connected(more: object = {}) {
  const device = await ann.device(more);
  const key = await keyOf(device);
  const say = async (app = server.app) =>
    app.fetch(new Request(`${origin}/service/resources/${device.id}`, { headers: { 'x-serviceapikey': key } }));
  return { device, key, say };
}
/** Lets the time pass, in the steps of the server. */
async function pass(seconds: number, each: (second: number) => unknown = () => {}) {
  for (let second = 5; second <= seconds; second += 5) {
    server.wait(5000);
    await each(second);
    await Promise.all(apps.map(({ presence }) => presence.round()));
  }
}
async function stateOf({ id }: Resource): Promise<Device['presence']> {
  const answer = await server.request('gateway', user, { path: `/devices/${id}?audience=own` });
  return ((await answer.json()) as Device).presence;
}
async function told(of: { get: ServiceClient['get'] } = ann): Promise<Activity[]> {
  const { items } = await of.get<ActivityPage>('/activity?topic=resource&limit=200');
  return items.filter(({ kind }) => kind === 'resource.silent' || kind === 'resource.back').toReversed();
}
const summary = ({ kind, amount, resource, detail }: Activity) =>
  [kind.replace('resource.', ''), amount, resource?.name ?? detail] as const;

describe('a device that is expected', () => {
  test('is online, offline and silent, and its owner is told once, and once when it is back', async () => {
    const { device, say } = await connected({ name: 'Buoy', expected_every: 60 });
    expect(await stateOf(device)).toEqual({ state: 'never' });
    const before = await server.request('direct', user, { path: `/resources/${device.id}` });
    const readBefore = await ann.get<ActivityPage>('/activity');
    const position = await server.newestEvent();
    await say();
    const heard_at = new Date(server.now().getTime() + 5000).toISOString();
    await pass(5);
    expect(await stateOf(device)).toEqual({ state: 'online', heard_at });
    await pass(70);
    expect(await stateOf(device)).toEqual({ state: 'offline', heard_at });
    await pass(50);
    expect(await stateOf(device)).toEqual({ state: 'silent', heard_at });
    expect(await told()).toEqual([]);
    await pass(600);
    expect((await told()).map(summary)).toEqual([['silent', 1, 'Buoy']]);
    const { unread } = await ann.get<ActivityPage>('/activity');
    expect(unread).toBe(readBefore.unread + 1);
    await pass(300, () => say());
    expect((await told()).map(summary)).toEqual([
      ['silent', 1, 'Buoy'],
      ['back', 1, 'Buoy'],
    ]);
    const after = await server.request('direct', user, { path: `/resources/${device.id}` });
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    expect(await after.json()).toEqual(await before.json());
    const [events] = (await server.resume([user], position)) as [Event[]];
    const changes = events.map((event) => (event.type === 'presence.changed' ? event.data.presence.state : event.type));
    // Each event has the state of the moment when it is read.
    expect(changes).toEqual([
      ...Array.from({ length: 3 }, () => 'online'),
      'notice.created',
      'online',
      'notice.created',
    ]);
  });

  test('by its swarm, until it is not; other users are not told', async () => {
    const bob = await server.signUp('bob');
    const others = createServiceClient('bob', (asked) => server.request('direct', bob, asked));
    const swarm = await others.swarm();
    const { device, say } = await connected();
    const { id } = await others.invite(swarm, device, 'producer');
    await ann.change(`/resources/${device.id}/invitations/${id}`, { status: 'accept' });
    await say();
    await pass(600);
    expect(await stateOf(device)).toMatchObject({ state: 'offline' });
    expect(await others.change<Swarm>(`/swarms/${swarm.id}`, { expected_every: 120 })).toMatchObject({
      expected_every: 120,
    });
    await pass(5);
    expect(await stateOf(device)).toMatchObject({ state: 'silent' });
    await pass(60);
    expect([(await told()).length, await told(others)]).toEqual([1, []]);
    // Its own time comes first.
    await ann.change(`/resources/${device.id}`, { expected_every: 86_400 });
    await pass(5);
    expect(await stateOf(device)).toMatchObject({ state: 'online' });
    await ann.change(`/resources/${device.id}`, { expected_every: null });
    await pass(5);
    expect(await stateOf(device)).toMatchObject({ state: 'silent' });
    await others.change(`/swarms/${swarm.id}`, { expected_every: null });
    await pass(120);
    expect(await stateOf(device)).toMatchObject({ state: 'offline' });
    // It was never heard again, so nobody is told that it is back.
    expect((await told()).map(({ kind }) => kind)).not.toContain('resource.back');
  });

  test('at another time again and again by its swarm causes no more notices than a device that flaps', async () => {
    // There is a pause after each.
    vi.spyOn(presenceRound, 'chunks', 'get').mockReturnValue(1 as never);
    const others = await signUpClient(server, 'bob');
    const swarm = await others.swarm({ expected_every: 60 });
    const { device, say } = await connected({ name: 'Buoy' });
    await ann.accept(await others.invite(swarm, device, 'producer'));
    await say();
    // Its owner waits until the device is silent, and switches the expectation off and on.
    await pass(1500, async (second) => {
      if (second > 300 && second % 100 === 0) await others.change(`/swarms/${swarm.id}`, { expected_every: null });
      if (second > 300 && second % 100 === 10) await others.change(`/swarms/${swarm.id}`, { expected_every: 60 });
    });
    const times = (await told()).map(({ at }) => Date.parse(at));
    expect(times.length).toBeGreaterThan(1);
    times.slice(1).forEach((time, index) => expect(time - times[index]!).toBeGreaterThanOrEqual(noticeMs.pair));
  });

  test('by its swarm is not if its owner does not want it', async () => {
    const others = await signUpClient(server, 'bob');
    const swarm = await others.swarm({ expected_every: 60 });
    const { device, say } = await connected({ expected_every: 0 });
    await ann.accept(await others.invite(swarm, device, 'producer'));
    await say();
    await pass(1000);
    expect([await stateOf(device), await told()]).toEqual([{ state: 'offline', heard_at: expect.any(String) }, []]);
    await ann.change(`/resources/${device.id}`, { expected_every: null });
    await pass(10);
    expect(await stateOf(device)).toMatchObject({ state: 'silent' });
    await ann.change(`/resources/${device.id}`, { expected_every: 0 });
    await pass(100);
    expect([(await stateOf(device)).state, await told()]).toEqual(['offline', []]);
  });

  test('and flaps causes a pair of notices in ten minutes, with the number of times', async () => {
    const { say } = await connected({ expected_every: 60 });
    // It is heard each 150 s, so it is silent eight times.
    await pass(1200, (second) => second % 150 === 5 && say());
    await pass(700, () => say());
    const notices = await told();
    const silent = notices.filter(({ kind }) => kind === 'resource.silent');
    expect(silent.reduce((sum, { amount }) => sum + amount!, 0)).toBe(8);
    expect(notices.map(({ kind }) => kind)).toEqual(silent.flatMap(() => ['resource.silent', 'resource.back']));
    const times = silent.map(({ at }) => Date.parse(at));
    times.slice(1).forEach((time, index) => expect(time - times[index]!).toBeGreaterThanOrEqual(600_000));
  });

  test('is one of many in a notice', async () => {
    const devices: Awaited<ReturnType<typeof connected>>[] = [];
    for (let number = 10; number < 22; number++)
      devices.push(await connected({ name: `d${number}`, expected_every: 60 }));
    await pass(40, (second) =>
      Promise.all(devices.filter((_, index) => index % 8 === second / 5 - 1).map(({ say }) => say())),
    );
    await pass(300);
    const names = Array.from({ length: 10 }, (_, index) => `d${10 + index}`).join(', ');
    expect((await told()).map(summary)).toEqual([['silent', 12, `${names}, …`]]);
    await pass(300, (second) => second === 5 && Promise.all(devices.map(({ say }) => say())));
    expect((await told()).map(summary)[1]).toEqual(['back', 12, `${names}, …`]);
  });

  testOnSqlite('is not silent because the server was stopped or its clock was set', async () => {
    const { device, say } = await connected({ expected_every: 60 });
    await pass(30, () => say());
    server.wait(hourMs);
    await using next = await server.restart();
    apps = [next];
    await pass(5);
    // It was not heard for an hour.
    expect(await stateOf(device)).toMatchObject({ state: 'offline' });
    await pass(110);
    expect(await stateOf(device)).toMatchObject({ state: 'offline' });
    await say(next);
    await pass(20);
    for (const hours of [1, -1, -1, 1]) {
      server.wait(hours * hourMs);
      await pass(50);
      await say(next);
      await pass(20);
      expect(await stateOf(device)).toMatchObject({ state: 'online' });
    }
    await pass(60);
    expect(await told()).toEqual([]);
    // A server that has run for the time notices it, also after the clock was set.
    await pass(300);
    expect(await told()).toHaveLength(1);
  });

  test('is one of several in the badge that fall silent one after another', async () => {
    const devices = [await connected({ expected_every: 60 }), await connected({ expected_every: 60 })];
    const { unread } = await ann.get<ActivityPage>('/activity');
    await pass(330, (second) => devices.find((_, index) => second === 5 + 120 * index)?.say());
    expect((await told()).map(({ kind }) => kind)).toEqual(['resource.silent', 'resource.silent']);
    expect((await ann.get<ActivityPage>('/activity')).unread).toBe(unread + 2);
  });

  test('and is deleted is not told', async () => {
    const { device, say } = await connected({ expected_every: 60 });
    await say();
    await pass(130);
    expect(await stateOf(device)).toMatchObject({ state: 'silent' });
    await ann.remove(`/resources/${device.id}`);
    await pass(120);
    expect(await told()).toEqual([]);
    expect(await server.db.read({ sql: 'SELECT 1 FROM presence UNION SELECT 1 FROM silences' })).toEqual([]);
  });
});

test('a user for whom the notices fail does not keep the others from being told', async () => {
  const { say } = await connected({ name: 'Buoy', expected_every: 60 });
  const bob = await server.signUp('bob');
  const others = createServiceClient('bob', (asked) => server.request('direct', bob, asked));
  let fails = true;
  const failing: Database = {
    ...server.db,
    write: (statements) => {
      const isOfAnn = statements.some(
        ({ sql, params }) => sql.includes('INSERT INTO activity') && params?.includes('ann'),
      );
      if (fails && isOfAnn) throw new StorageError('unexpected', 'a broken row');
      return server.db.write(statements);
    },
  };
  const next = await server.startAnother(failing);
  const device = await others.device({ name: 'Gauge', expected_every: 60 });
  const body = { name: 'sensor' };
  const asked = { method: 'POST', path: `/devices/${device.id}/keys`, body };
  const { key } = (await (await server.request('gateway', bob, asked)).json()) as CreatedApiKey;
  apps = [next];
  await say(next);
  await next.fetch(new Request(`${origin}/service/resources/${device.id}`, { headers: { 'x-serviceapikey': key } }));
  await pass(300);
  expect([await told(), (await told(others)).map(summary)]).toEqual([[], [['silent', 1, 'Gauge']]]);
  expect(server.logged.filter((line) => line.includes('a broken row')).length).toBeLessThan(5);
  fails = false;
  await pass(65);
  expect((await told()).map(summary)).toEqual([['silent', 1, 'Buoy']]);
  await next.close();
});

/** Writes no notices. */
const quietStore = {
  silenceActivity: () => ({ sql: 'SELECT 1' }),
  swarmSilenceActivity: () => ({ sql: 'SELECT 1' }),
  report: () => {},
};

describe('members of a swarm that fall silent', () => {
  let owner: TestUser;
  let bob: ServiceClient;
  let swarm: Swarm;
  beforeEach(async () => {
    owner = await server.signUp('bob');
    bob = createServiceClient('bob', (asked) => server.request('direct', owner, asked));
    swarm = await bob.swarm({ name: 'Harbour', expected_every: 60 });
  });

  async function member(name: string) {
    const made = await connected({ name });
    expect((await ann.accept(await bob.invite(swarm, made.device, 'producer'))).status).toBe(200);
    return made;
  }
  async function watcher(name: string, role: 'watcher' | 'manager' = 'watcher') {
    const client = await signUpClient(server, name);
    await bob.nameManager(swarm, name, role);
    expect((await client.agree(swarm, name)).status).toBe(200);
    return client;
  }
  const choose = (client: ServiceClient, enabled: boolean) =>
    client.change(`/swarms/${swarm.id}/silence-notices`, { enabled });
  async function toldOf(client: ServiceClient) {
    const { items } = await client.get<ActivityPage>('/activity?topic=swarm');
    return items
      .filter(({ kind }) => kind === 'swarm.silent')
      .map(({ actor, amount, swarm: of, resource, detail }) => [actor, amount, of!.name, resource?.name ?? detail])
      .toReversed();
  }

  test('are one notice to its owner, and to its managers and watchers who want it', async () => {
    const [cleo, dan, eve] = [await watcher('cleo'), await watcher('dan'), await watcher('eve', 'manager')];
    await choose(dan, true);
    await choose(eve, true);
    const devices = await Promise.all(Array.from({ length: 12 }, (_, number) => member(`Gauge ${number + 10}`)));
    await Promise.all(devices.map(({ say }) => say()));
    const position = await server.newestEvent();
    await pass(125);
    expect(await toldOf(bob)).toEqual([]);
    await pass(60);
    const names = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map((number) => `Gauge ${number}`).join(', ');
    const notice = ['(server)', 12, 'Harbour', `${names}, …`];
    for (const client of [bob, dan, eve]) expect(await toldOf(client)).toEqual([notice]);
    for (const client of [ann, cleo]) expect(await toldOf(client)).toEqual([]);
    expect((await told()).map(({ amount }) => amount)).toEqual([12]);
    const [events] = (await server.resume([owner], position)) as [Event[]];
    expect(events.filter(({ type }) => type === 'notice.created')).toHaveLength(1);
    await pass(600);
    expect(await toldOf(bob)).toEqual([notice]);
  });

  test('are told though the recipient has more silent devices than a notice has', async () => {
    const own = await Promise.all(['a', 'b', 'c'].map((name) => bob.device({ name })));
    for (const device of own) await bob.add(swarm, device);
    const { say } = await member('Mast');
    await say();
    await pass(130);
    await server.app.presence.close();
    await server.db.write([
      {
        sql: `INSERT INTO presence (ref, heard_at, due_at, state, changed_at)
              SELECT r.ref, p.heard_at, p.due_at, p.state, p.changed_at FROM resources r JOIN presence p ON p.state = 'silent'
              WHERE r.user_id = 'bob'`,
        params: [],
      },
    ]);
    server.wait(120_000);
    const now = server.now().getTime();
    const notices: unknown[] = [];
    const swarmSilenceActivity: SwarmSilenceActivity = ({ silences: all }) => {
      notices.push(...all);
      return { sql: 'SELECT 1' };
    };
    const store = createPresenceStore({
      ...quietStore,
      swarmSilenceActivity,
      db: server.db,
      holder: 'test',
      devices: 2,
    });
    await store.takeLease(now);
    await store.tellSwarms(now);
    expect(notices).toMatchObject([{ user_id: 'bob', devices: 1, resource_name: 'Mast' }]);
  });

  test('are not told after their membership has ended, before anybody has deleted it', async () => {
    await server.app.consentEnds.close();
    const { say } = await member('Mast');
    const end = (ends_at: string | null) =>
      server.db.write([{ sql: 'UPDATE memberships SET ends_at = $1', params: [ends_at] }]);
    await say();
    await pass(130);
    await end('2020-01-01T00:00:00.000Z');
    await pass(60);
    expect(await toldOf(bob)).toEqual([]);
    await end(null);
  });

  test('are told at most every ten minutes, all that are silent then', async () => {
    const [mast, buoy, pump] = [await member('Mast'), await member('Buoy'), await member('Pump')];
    const others = [buoy, pump];
    await Promise.all([mast, ...others].map(({ say }) => say()));
    await pass(190, () => Promise.all(others.map(({ say }) => say())));
    expect(await toldOf(bob)).toEqual([['(server)', 1, 'Harbour', 'Mast']]);
    // Both flap; one of them is heard again.
    await pass(300);
    await pass(200, () => buoy.say());
    expect(await toldOf(bob)).toHaveLength(1);
    await pass(200, () => buoy.say());
    expect(await toldOf(bob)).toEqual([
      ['(server)', 1, 'Harbour', 'Mast'],
      ['(server)', 1, 'Harbour', 'Pump'],
    ]);
  });

  test('are not told to who has switched it off, of own devices, and after the role has ended', async () => {
    const cleo = await watcher('cleo');
    await choose(cleo, true);
    expect(await cleo.get(`/swarms/${swarm.id}/silence-notices`)).toEqual({ enabled: true });
    expect(await bob.get(`/swarms/${swarm.id}/silence-notices`)).toEqual({ enabled: true });
    await choose(bob, false);
    const { say } = await member('Mast');
    await say();
    await pass(190);
    expect([await toldOf(bob), await toldOf(cleo)]).toEqual([[], [['(server)', 1, 'Harbour', 'Mast']]]);
    await choose(bob, true);
    await bob.removeManager(swarm, 'cleo');
    await say();
    await pass(800);
    expect([(await toldOf(bob)).length, (await toldOf(cleo)).length]).toEqual([1, 1]);
    const own = await ann.swarm({ expected_every: 60 });
    await ann.add(own, (await connected({ name: 'Own' })).device);
    expect(await server.db.read({ sql: 'SELECT swarm_id FROM swarm_silences' })).toEqual([{ swarm_id: swarm.id }]);
    await bob.destroy('swarms', swarm);
    await expect.poll(() => server.db.read({ sql: 'SELECT 1 FROM swarm_silences' })).toEqual([]);
  });

  test('a swarm for which the notices fail does not keep the others from being told', async () => {
    const broken = await bob.swarm({ name: 'Broken' });
    const [mast, buoy] = [await member('Mast'), await connected({ name: 'Buoy' })];
    await ann.accept(await bob.invite(broken, buoy.device));
    await Promise.all([mast.say(), buoy.say()]);
    await server.app.presence.close();
    let fails = true;
    const next = await server.startAnother({
      ...server.db,
      write(statements) {
        const isNotice = statements.some(
          ({ params }) => params?.includes('swarm.silent') && params.includes(broken.id),
        );
        if (fails && isNotice) throw new StorageError('unexpected', 'a broken row');
        return server.db.write(statements);
      },
    });
    apps = [next];
    await bob.change(`/swarms/${broken.id}`, { expected_every: 60 });
    await pass(190);
    expect((await toldOf(bob)).map((entry) => entry[2])).toEqual(['Harbour']);
    fails = false;
    await pass(125);
    expect((await toldOf(bob)).map((entry) => entry[2])).toEqual(['Harbour', 'Broken']);
    await next.close();
  });
});

describe('a round is one bounded pass', () => {
  /** `act` is called before each write with this text. */
  const beforeWrites = (text: string, act: () => unknown): Database => ({
    ...server.db,
    async write(statements) {
      if (statements.some(({ sql }) => sql.includes(text))) await act();
      return server.db.write(statements);
    },
  });

  test('also while a user changes the expected times of swarms again and again, and users take turns', async () => {
    // There is a pause after each.
    vi.spyOn(presenceRound, 'chunks', 'get').mockReturnValue(5 as never);
    const { device, say } = await connected({ name: 'Buoy', expected_every: 60 });
    const bob = await signUpClient(server, 'bob');
    await server.app.presence.close();
    const swarms = await Promise.all(Array.from({ length: 10 }, () => bob.swarm()));
    const own = await ann.swarm();
    await ann.add(own, device);
    const change = (ids: string[]) =>
      server.db.write([
        {
          sql: `UPDATE swarms SET expected_after = '' WHERE id IN (SELECT value FROM elements($1))`,
          params: [JSON.stringify(ids)],
        },
      ]);
    let reads = 0;
    // It gives up at some time, so that a round without an end fails here.
    const next = await server.startAnother(
      beforeWrites('UPDATE swarms SET expected_after', async () => {
        if ((reads += 1) < 2 * presenceRound.chunks) await change(swarms.map(({ id }) => id));
      }),
    );
    apps = [next];
    await say(next);
    await pass(5);
    await change([...swarms, own].map(({ id }) => id));
    await pass(5);
    expect(reads).toBe(presenceRound.chunks);
    const waiting = `SELECT user_id FROM swarms WHERE expected_after IS NOT NULL AND user_id = 'ann'`;
    expect(await server.db.read({ sql: waiting })).toEqual([]);
    await pass(190);
    expect((await told()).map(summary)).toEqual([['silent', 1, 'Buoy']]);
    await next.close();
  });

  test('in which a device that is marked again and again does not keep others from their turn', async () => {
    const store = createPresenceStore({ ...quietStore, db: server.db, holder: 'test', rows: 2 });
    const devices = [await connected(), await connected(), await connected()];
    await Promise.all(devices.map(({ say }) => say()));
    await server.app.presence.close();
    const now = server.now().getTime();
    expect(await store.takeLease(now)).toBe(true);
    const sql = 'SELECT due_at = 0 AS marked FROM presence ORDER BY ref';
    const marked = async () => (await server.db.read<{ marked: number }>({ sql })).map((row) => row.marked);
    expect(await marked()).toEqual([1, 1, 1]);
    expect(await store.changeMarked(now)).toBe(true);
    expect(await marked()).toEqual([0, 0, 1]);
    await server.db.write([{ sql: 'UPDATE presence SET due_at = 0' }]);
    expect(await store.changeMarked(now)).toBe(false);
    expect(await marked()).toEqual([1, 1, 0]);
  });

  test('whose notices have so many devices of a user at most', async () => {
    const silent = [await connected({ expected_every: 60 }), await connected({ expected_every: 60 })];
    silent.push(await connected({ expected_every: 60 }));
    await Promise.all(silent.map(({ say }) => say()));
    await pass(130);
    await server.app.presence.close();
    server.wait(120_000);
    const store = createPresenceStore({ ...quietStore, db: server.db, holder: 'test', devices: 2 });
    const now = server.now().getTime();
    await store.takeLease(now);
    const isTold = async () => (await server.db.read({ sql: 'SELECT 1 FROM silences WHERE notice = 1' })).length;
    expect(await isTold()).toBe(0);
    for (const told of [2, 3, 3]) {
      await store.tellDue(now);
      expect(await isTold()).toBe(told);
    }
  });

  test('what is heard is written while it runs', async () => {
    const { device, say } = await connected({ expected_every: 60 });
    await server.app.presence.close();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const next = await server.startAnother(beforeWrites('leases', () => held));
    const round = next.presence.round();
    await say(next);
    await expect.poll(() => stateOf(device)).toMatchObject({ state: 'online' });
    server.wait(61_000);
    expect(next.presence.measure().roundAgeMs).toBe(61_000);
    release();
    await round;
    expect(next.presence.measure().roundAgeMs).toBe(0);
    await next.close();
  });
});

test('what its owner’s program sends for a device is a sign of life, what a browser sends is not', async () => {
  const device = await ann.device();
  const swarm = await ann.swarm();
  await ann.add(swarm, device, 'both');
  const path = `/resources/${device.id}`;
  const position = { longitude: 8, latitude: 54 };
  const message = { method: 'POST', path: `${path}/messages`, body: { payload: 1 } };
  await server.request('gateway', user, { method: 'PUT', path, body: { position } });
  await server.request('gateway', user, message);
  await server.request('direct', user, { path });
  await server.request('direct', user, { method: 'PUT', path, body: { name: 'Van', position: null } });
  await pass(5);
  expect(await stateOf(device)).toEqual({ state: 'never' });
  for (const sent of [
    { method: 'PUT', path, body: { position } },
    message,
    { method: 'POST', path: `${path}/heartbeat` },
  ]) {
    await pass(600);
    expect((await server.request('direct', user, sent)).ok).toBe(true);
    await pass(5);
    expect(await stateOf(device)).toMatchObject({ state: 'online' });
  }
});

test('after a restore, a device is online only if it was heard a short time ago', async () => {
  const [longAgo, expected, lately] = await Promise.all([
    connected(),
    connected({ expected_every: 3600 }),
    connected({ expected_every: 7200 }),
  ]);
  for (const { say } of [longAgo, expected, lately]) await say();
  await pass(5);
  const connections = createConnectionStore({ db: server.db, holder: 'before' });
  await connections.connected([{ id: longAgo.device.id, isConnected: true }]);
  const presences = async () => {
    const ids = [longAgo, expected, lately].map(({ device }) => device.id);
    const found = await readPresence(server.db, ids);
    return ids.map((id) => found.get(id)?.presence);
  };
  const states = async () => (await presences()).map((presence) => presence?.state);
  expect((await presences())[0]).toMatchObject({ state: 'online', connected: true });
  // The backup has them as they were when it was made.
  server.wait(1.5 * hourMs);
  const feedOfDevice = async () => {
    const of = (table: string) => `SELECT kind FROM ${table} WHERE kind = 'presence.changed' AND resource_id = $1`;
    const sql = [of('feed'), ...(isOnPostgres ? [of('feed_pending')] : [])].join(' UNION ALL ');
    return (await server.db.read({ sql, params: [longAgo.device.id] })).length;
  };
  const before = await feedOfDevice();
  await adoptCopy({ db: server.db });
  expect(await feedOfDevice()).toBe(before + 1);
  expect(await states()).toEqual(['offline', 'offline', 'offline']);
  expect((await presences())[0]).not.toHaveProperty('connected');
  await pass(5);
  expect(await states()).toEqual(['offline', 'offline', 'online']);
  // Nobody is told meanwhile: one that is expected has its whole time once more.
  await pass(120);
  expect(await told()).toEqual([]);
  await longAgo.say();
  await pass(5);
  expect(await states()).toEqual(['online', 'offline', 'online']);
});

test('a device that connects to the next process after a restart was connected all the time', async () => {
  const { device, say } = await connected({ expected_every: 3600 });
  await say();
  await pass(5);
  const [before, after] = ['before', 'after'].map((holder) => createConnectionStore({ db: server.db, holder }));
  const renew = (store = after!) => store.renewProcess(server.now().getTime());
  await renew(before);
  await before!.connected([{ id: device.id, isConnected: true }]);
  const position = await server.newestEvent();
  await renew();
  await after!.connected([{ id: device.id, isConnected: true }]);
  // The older process may say so later.
  await before!.connected([{ id: device.id, isConnected: false }]);
  await pass(50, () => renew());
  await pass(50, () => renew());
  expect(await stateOf(device)).toMatchObject({ state: 'online', connected: true });
  expect(await server.resume([user], position)).toEqual([[]]);
  await after!.connected([{ id: device.id, isConnected: false }]);
  expect(await stateOf(device)).not.toHaveProperty('connected');
});

test('the connections of a process that was killed end with its lease', async () => {
  const { device, say } = await connected();
  await say();
  await pass(5);
  const killed = createConnectionStore({ db: server.db, holder: 'killed' });
  await killed.renewProcess(server.now().getTime());
  await killed.connected([{ id: device.id, isConnected: true }]);
  await pass(60);
  expect(await stateOf(device)).toMatchObject({ connected: true });
  await pass(5);
  expect(await stateOf(device)).not.toHaveProperty('connected');
  expect(await server.db.read({ sql: `SELECT 1 FROM leases WHERE name LIKE 'process%'` })).toEqual([]);
});

test('the state of a device changes at most once in five seconds', async () => {
  const { device, say } = await connected({ expected_every: 60 });
  await say();
  await pass(70);
  expect(await stateOf(device)).toMatchObject({ state: 'online' });
  await pass(5);
  expect(await stateOf(device)).toMatchObject({ state: 'offline' });
  await pass(50);
  const position = await server.newestEvent();
  expect(await stateOf(device)).toMatchObject({ state: 'silent' });
  server.wait(300);
  await say();
  // It is written soon, because it was not online.
  await expect.poll(async () => (await stateOf(device)).heard_at).toBe(server.now().toISOString());
  expect(await stateOf(device)).toMatchObject({ state: 'silent' });
  expect(await server.resume([user], position)).toEqual([[]]);
  await pass(5);
  expect(await stateOf(device)).toMatchObject({ state: 'online' });
  // Its owner is notified nevertheless.
  await pass(90);
  expect((await told()).map(({ kind }) => kind)).toEqual(['resource.silent', 'resource.back']);
});

test('with three processes of which one is killed, each device is told once', async () => {
  const random = createRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const devices: Awaited<ReturnType<typeof connected>>[] = [];
  for (let number = 0; number < (long ? 1000 : isOnPostgres ? 20 : 40); number++)
    devices.push(await connected({ expected_every: 60 }));
  let isKilled = false;
  const away = () => {
    if (isKilled) throw new StorageError('away', 'the process was killed');
  };
  const dying: Database = {
    ...server.db,
    read: (query) => (away(), server.db.read(query)),
    write: (statements) => (away(), server.db.write(statements)),
  };
  // The first to look for silent devices.
  const third = await server.startAnother(dying);
  let leases = 0;
  const counting: Database = {
    ...server.db,
    write: (statements) => {
      if (statements.some(({ sql }) => sql.includes('leases'))) leases += 1;
      return server.db.write(statements);
    },
  };
  const second = await server.startAnother(counting);
  await third.presence.round();
  // A refused lease would undo the writes of others in the same commit.
  await second.presence.round();
  expect(leases).toBe(0);
  apps = [third, server.app, second];
  await pass(30, () => Promise.all(devices.map(({ say }) => say(apps[below(3)]))));
  isKilled = true;
  apps = [server.app, second];
  await pass(300, async (at) => {
    // Some are heard by either process while others fall silent.
    if (at < 120) await Promise.all(devices.slice(0, 10).map(({ say }) => say(apps[below(2)])));
  });
  await pass(300);
  const silent = await told();
  expect(silent.reduce((sum, { amount }) => sum + amount!, 0)).toBe(devices.length);
  await pass(300, () => Promise.all(devices.map(({ say }) => say(apps[below(2)]))));
  const back = (await told()).filter(({ kind }) => kind === 'resource.back');
  expect(back.reduce((sum, { amount }) => sum + amount!, 0)).toBe(devices.length);
  await second.close();
  await third.close();
});

test('each state follows from when a device was heard, by a model', async () => {
  const random = createRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const devices = [];
  for (const every of [60, 60, 90, 120, undefined])
    devices.push({
      ...(await connected(every === undefined ? {} : { expected_every: every })),
      every,
      heardAt: -Infinity,
    });
  for (let step = 0; step < (long ? 2000 : isOnPostgres ? 40 : 120); step++) {
    const heard = devices.filter(() => below(20) === 0);
    await Promise.all(heard.map(({ say }) => say()));
    await pass(5);
    const now = server.now().getTime();
    // A device that was not online is written soon, on a slow machine before the time has passed.
    for (const each of heard) {
      each.heardAt = Date.parse((await stateOf(each.device)).heard_at!);
      expect(now - each.heardAt).toBeLessThanOrEqual(5000);
    }
    for (const { device, every = 300, heardAt } of step % 6 === 0 ? devices : []) {
      const age = (now - heardAt) / 1000;
      const isSilent = age >= 2 * every && every !== 300;
      const state = age === Infinity ? 'never' : age < every + 10 ? 'online' : isSilent ? 'silent' : 'offline';
      expect([step, (await stateOf(device)).state]).toEqual([step, state]);
    }
  }
});
