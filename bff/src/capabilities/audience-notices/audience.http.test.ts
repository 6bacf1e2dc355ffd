// stores: SQLite, PostgreSQL in the long run
/** Who sees a device: the panel, the notices of what has grown, and what it was. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Activity, ActivityPage, Audience, Event, Resource, Swarm } from '../../contract.ts';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { audienceLimits } from '../../core/limits/part-limits.ts';
import { createAudienceStore, type AudienceActivity } from './audience.store.ts';
import { expectInvariants } from '../../tests/invariants.fixture.ts';
import { createServiceClient, outcomeOf, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let users: Record<string, TestUser>;
let ann: ServiceClient;
let ola: ServiceClient;
let max: ServiceClient;
beforeEach(async () => {
  server = await createTestServer();
  users = {};
  [ann, ola, max] = [await signUp('ann'), await signUp('ola'), await signUp('max')];
});
afterEach(async () => {
  await expectInvariants(server.db);
  await server[Symbol.asyncDispose]();
});

async function signUp(name: string): Promise<ServiceClient> {
  const user = (users[name] = await server.signUp(name));
  return createServiceClient(name, (asked) => server.request('direct', user, asked));
}
const audienceOf = (client: ServiceClient, { id }: Resource, query = '') =>
  client.get<Audience>(`/resources/${id}/audience${query}`);
const namesIn = ({ items }: Audience) => items[0]!.named.map(({ role, user_id }) => `${role} ${user_id}`);
async function told(client: ServiceClient): Promise<Activity[]> {
  const { items } = await client.get<ActivityPage>('/activity?topic=swarm&limit=200');
  return items.filter(({ kind }) => kind === 'swarm.audience_grown').toReversed();
}
const details = async (client: ServiceClient) => (await told(client)).map(({ detail }) => detail);

/** Sees what is new, lets the gathering time pass, and tells it. */
async function gather(ms: number = audienceLimits.togetherMs) {
  await server.app.audience.round();
  server.wait(ms);
  await server.app.audience.round();
}
async function names(swarm: Swarm, client: ServiceClient, role: 'manager' | 'watcher', by = ola) {
  await by.nameManager(swarm, client.name, role);
  expect((await client.agree(swarm, client.name)).status).toBe(200);
}
/** A swarm of Ola's with a device of Ann's. */
async function joined(role: 'producer' | 'consumer' = 'producer') {
  const swarm = await ola.swarm({ name: 'Harbour weather' });
  const device = await ann.device({ name: 'Buoy' });
  expect((await ann.accept(await ola.invite(swarm, device, role))).status).toBe(200);
  return { swarm, device };
}

describe('the tried story', () => {
  test('a member is told four things in two notices, sees all names, and leaves', async () => {
    const { swarm, device } = await joined();
    const before = await audienceOf(ann, device);
    expect(namesIn(before)).toEqual(['owner ola']);
    expect(before.items[0]).toMatchObject({ receivers: { users: 0, devices: 0 }, receivers_then: 0, reach: 'private' });
    await gather();
    expect(await told(ann)).toEqual([]);

    const position = await server.newestEvent();
    await ola.change(`/swarms/${swarm.id}`, { public: true, listed: true });
    await names(swarm, max, 'manager');
    await names(swarm, await signUp('wim'), 'watcher');
    await names(swarm, await signUp('wok'), 'watcher');
    await gather();
    expect(await details(ann)).toEqual(['manager:max,watcher:wim,watcher:wok,listed']);
    expect(await told(ola)).toEqual([]);

    await ola.offerSwarm(swarm, 'max');
    expect((await max.takeOver(swarm, 'max')).status).toBe(204);
    for (let each = 0; each < 15; each += 1) {
      const stranger = await signUp(`stranger-${each}`);
      const role = each < 12 ? 'consumer' : 'producer';
      await stranger.accept(await max.invite(swarm, await stranger.device(), role));
    }
    await gather();
    expect(await details(ann)).toEqual(['manager:max,watcher:wim,watcher:wok,listed', 'owner:max,receivers']);
    const [entry] = await told(ann);
    expect(entry).toMatchObject({ actor: 'ola', swarm: { id: swarm.id, name: 'Harbour weather' } });
    const events = (await server.resume([users['ann']!], position))[0] as Event[];
    expect(events.filter(({ type }) => type === 'notice.created')).toHaveLength(2);

    const after = await audienceOf(ann, device);
    expect(namesIn(after)).toEqual(['owner max', 'manager ola', 'watcher wim', 'watcher wok']);
    expect(after.items[0]).toMatchObject({
      users: 16,
      receivers: { users: 12, devices: 12 },
      receivers_then: 0,
      reach: 'listed',
    });
    expect((await ann.leave(swarm, device)).status).toBe(204);
    expect((await audienceOf(ann, device)).items).toEqual([]);
    await gather();
    expect(await told(ann)).toHaveLength(2);
  });
});

test('who had a role before a device joined sees the device since then, and the swarm for longer', async () => {
  const swarm = await ola.swarm();
  await names(swarm, max, 'watcher');
  const device = await ann.device();
  server.wait(60_000);
  await ann.accept(await ola.invite(swarm, device, 'producer'));
  const { named, member_since } = (await audienceOf(ann, device)).items[0]!;
  expect(named.map(({ since }) => since)).toEqual([member_since, member_since]);
  const ofSwarm = (await ann.get<Audience>(`/swarms/${swarm.id}/audience`)).items[0]!;
  for (const { since } of ofSwarm.named) expect(since! < member_since!).toBe(true);
  await names(swarm, await signUp('wim'), 'watcher');
  expect((await audienceOf(ann, device)).items[0]!.named.at(-1)!.since! > member_since!).toBe(true);
});

test('a former owner who manages the swarm has seen its devices since before', async () => {
  const { swarm, device } = await joined();
  await names(swarm, max, 'manager');
  server.wait(60_000);
  const sinceOf = async (user: string) =>
    (await audienceOf(ann, device)).items[0]!.named.find(({ user_id }) => user_id === user)!.since;
  const before = [await sinceOf('ola'), await sinceOf('max')];
  await ola.offerSwarm(swarm, 'max');
  expect((await max.takeOver(swarm, 'max')).status).toBe(204);
  expect([await sinceOf('ola'), await sinceOf('max')]).toEqual(before);
});

test('each change of who sees a device is an event for its owner, and a question is none', async () => {
  const { swarm } = await joined();
  const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
  const shares = `/swarms/${swarm.id}/share-links`;
  /** What the owner of a member is told. */
  async function toldOf(change: () => Promise<unknown>) {
    const position = await server.newestEvent();
    await change();
    const [events] = await server.resume([users['ann']!], position);
    return events!.map(({ type, data }) => [type, (data as { id: string }).id]);
  }
  expect(await toldOf(() => ola.nameManager(swarm, 'max', 'watcher'))).toEqual([]);
  let link = { swarm_id: swarm.id, id: '' };
  let share = { id: '' };
  const changes: Record<string, () => Promise<unknown>> = {
    'a watcher has agreed': () => max.agree(swarm, 'max'),
    'the watcher has an end': () => ola.change(`/swarms/${swarm.id}/managers/max/end`, { ends_at: inHours(2) }),
    'the watcher is removed': () => ola.removeManager(swarm, 'max'),
    'a link to join': async () => (link = await ola.link(swarm)),
    'no link to join': () => ola.endLink(link),
    'a link that shows': async () => (share = await ola.make(shares, { name: 'Race', expires_at: inHours(2) })),
    'no link that shows': () => ola.remove(`${shares}/${share.id}`),
    public: () => ola.change(`/swarms/${swarm.id}`, { public: true }),
    listed: () => ola.change(`/swarms/${swarm.id}`, { listed: true }),
  };
  for (const [name, change] of Object.entries(changes))
    expect([name, await toldOf(change)]).toEqual([name, [['swarm.updated', swarm.id]]]);
  await names(swarm, max, 'manager');
  await ola.offerSwarm(swarm, 'max');
  expect((await toldOf(() => max.takeOver(swarm, 'max'))).map(([type]) => type)).toContain('swarm.updated');
  const receiver = await max.device();
  expect(await toldOf(() => max.add(swarm, receiver, 'consumer'))).toMatchObject([['membership.changed', undefined]]);
});

describe('a notice', () => {
  test('does not say what is undone within the gathering time', async () => {
    const { swarm } = await joined();
    await ola.change(`/swarms/${swarm.id}`, { public: true });
    await names(swarm, max, 'watcher');
    await server.app.audience.round();
    await ola.change(`/swarms/${swarm.id}`, { public: false });
    await ola.removeManager(swarm, 'max');
    await gather();
    await gather();
    expect(await told(ann)).toEqual([]);
  });

  test('comes at most twice in ten minutes, however often the swarm is switched', async () => {
    const { swarm } = await joined();
    for (let each = 0; each < 5; each += 1) {
      await ola.change(`/swarms/${swarm.id}`, { public: true });
      await gather();
      await ola.change(`/swarms/${swarm.id}`, { public: false });
      await gather();
    }
    const times = (await told(ann)).map(({ at }) => Date.parse(at));
    expect(times.length).toBeGreaterThan(1);
    for (const [index, at] of times.slice(2).entries())
      expect(at - times[index]!).toBeGreaterThanOrEqual(audienceLimits.pairMs);
  });

  test('says that users join by a link without asking, of the first link and not of others', async () => {
    const { swarm } = await joined();
    const link = await ola.link(swarm);
    await gather();
    expect(await details(ann)).toEqual(['links']);
    const second = await ola.link(swarm);
    await gather(audienceLimits.pairMs);
    expect(await details(ann)).toEqual(['links']);
    for (const each of [link, second]) expect((await ola.endLink(each)).status).toBe(204);
    await ola.link(swarm);
    await gather(audienceLimits.pairMs);
    expect(await details(ann)).toEqual(['links']);
  });

  test('says again what was gone for longer', async () => {
    const { swarm } = await joined();
    for (let each = 0; each < 2; each += 1) {
      await names(swarm, max, 'watcher');
      await gather(audienceLimits.pairMs);
      await ola.removeManager(swarm, 'max');
      await gather(audienceLimits.pairMs);
    }
    expect(await details(ann)).toEqual(['watcher:max', 'watcher:max']);
  });

  test('is not for the owner of the swarm, for those whom it is about, or for who joined later', async () => {
    const { swarm } = await joined();
    await ola.add(swarm, await ola.device(), 'producer');
    const own = await max.device();
    await max.accept(await ola.invite(swarm, own, 'producer'));
    await names(swarm, max, 'manager');
    const eve = await signUp('eve');
    await eve.accept(await ola.invite(swarm, await eve.device(), 'producer'));
    await gather();
    expect(await details(ann)).toEqual(['manager:max']);
    for (const client of [ola, max, eve]) expect(await told(client)).toEqual([]);
  });

  test('says that devices of others receive, to each user once, and not because of own devices', async () => {
    const { swarm } = await joined('consumer');
    const eve = await signUp('eve');
    await eve.accept(await ola.invite(swarm, await eve.device(), 'producer'));
    await gather();
    // Eve joined when Ann received already.
    expect([await details(ann), await details(eve)]).toEqual([[], []]);
    await max.accept(await ola.invite(swarm, await max.device(), 'consumer'));
    await gather();
    expect([await details(ann), await details(eve)]).toEqual([['receivers'], []]);
  });

  test('says only once in a day that devices of others receive, so that one member does not use up the notices', async () => {
    const { swarm } = await joined();
    const device = await max.device();
    for (let each = 0; each < 3; each += 1) {
      await max.accept(await ola.invite(swarm, device, 'consumer'));
      await gather();
      await max.leave(swarm, device);
      await gather();
    }
    await names(swarm, max, 'watcher');
    await gather();
    expect(await details(ann)).toEqual(['receivers', 'watcher:max']);
  });

  test('that nobody gets is none of the two', async () => {
    const swarm = await ola.swarm();
    for (let each = 0; each < 3; each += 1) {
      await ola.change(`/swarms/${swarm.id}`, { public: each % 2 === 0 });
      await gather();
    }
    await ann.accept(await ola.invite(swarm, await ann.device(), 'producer'));
    await names(swarm, max, 'watcher');
    await gather();
    expect(await details(ann)).toEqual(['watcher:max']);
  });

  test('is for nobody who leaves while it is being written', async () => {
    const { swarm, device } = await joined();
    await names(swarm, max, 'watcher');
    const read = server.db.read.bind(server.db);
    const reading = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
      const rows = await read(query);
      if (query.sql.includes('viewer.since, viewer.consumers')) {
        reading.mockRestore();
        expect((await ann.leave(swarm, device)).status).toBe(204);
      }
      return rows;
    });
    await gather();
    expect(await told(ann)).toEqual([]);
  });

  test('is told to all, also if a receiver leaves between two slices', async () => {
    const swarm = await ola.swarm();
    await addMembers(swarm, 25);
    await server.app.audience.round();
    const device = await max.device();
    await max.accept(await ola.invite(swarm, device, 'consumer'));
    const store = createAudienceStore({ db: server.db, holder: 'me', audienceActivity, users: 10 });
    const now = server.now().getTime() + 60_000;
    expect(await store.takeLease(now)).toBe(true);
    await store.schedule(now);
    const later = now + audienceLimits.togetherMs;
    for (let slice = 0; slice < 3; slice += 1) {
      expect(await store.tellSome((await store.nextDue(later, ''))!, later)).toBe(true);
      if (slice === 0) await max.leave(swarm, device);
    }
    expect(await server.db.read({ sql: `SELECT detail FROM activity WHERE kind = 'swarm.audience_grown'` })).toEqual(
      Array(25).fill({ detail: 'receivers' }),
    );
    await server.db.write([{ sql: `DELETE FROM memberships WHERE resource_id LIKE 'user-%'` }]);
  });

  test('is also for a user who joined in between, of whom the swarm was not seen before', async () => {
    const { swarm } = await joined();
    await names(swarm, max, 'watcher');
    await gather();
    await ola.removeManager(swarm, 'max');
    const eve = await signUp('eve');
    await eve.accept(await ola.invite(swarm, await eve.device(), 'producer'));
    await names(swarm, max, 'watcher');
    await gather();
    expect([await details(ann), await details(eve)]).toEqual([['watcher:max'], ['watcher:max']]);
  });

  test('is deleted with the swarm, and is for the members of one that is handed over', async () => {
    const { swarm } = await joined();
    await names(swarm, max, 'manager');
    await server.app.audience.round();
    expect((await ola.destroy('swarms', swarm)).status).toBe(204);
    server.wait(audienceLimits.togetherMs);
    await server.app.audience.round();
    expect(await told(ann)).toEqual([]);
    expect(await server.db.read({ sql: 'SELECT 1 FROM audience_changes' })).toEqual([]);
    expect(await server.db.read({ sql: 'SELECT 1 FROM audience_notices' })).toEqual([]);
  });
});

/** Members of a swarm, each with one device of its own. */
async function addMembers(swarm: Swarm, count: number): Promise<void> {
  const list = JSON.stringify(Array.from({ length: count }, (_, index) => `user-${String(index).padStart(6, '0')}`));
  await server.db.write([
    {
      sql: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
            SELECT value, value, value, 1, $2, $2, value FROM elements($1)`,
      params: [list, server.now().toISOString()],
    },
    {
      sql: `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
            SELECT value, value, value, 'pc', $2, $2, 1, value, value FROM elements($1)`,
      params: [list, server.now().toISOString()],
    },
    {
      sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
            SELECT $2, value, 'producer', $3 FROM elements($1)`,
      params: [list, swarm.id, server.now().toISOString()],
    },
  ]);
}

const audienceActivity: AudienceActivity = ({ at, recipients: told }) => ({
  sql: `INSERT INTO activity (user_id, seq, at, kind, actor, detail)
        SELECT json_extract(value, '$.user'), 1000, $1, 'swarm.audience_grown', 'ola', json_extract(value, '$.detail') FROM elements($2)`,
  params: [at, JSON.stringify(told)],
});

test('many members are told in slices, and swarms of other owners in between', async () => {
  const large = await ola.swarm({ name: 'Large' });
  await addMembers(large, 25);
  const small = await ann.swarm({ name: 'Small' });
  const device = await max.device();
  await max.accept(await ann.invite(small, device, 'producer'));
  await server.app.audience.round();
  server.wait(audienceLimits.togetherMs);
  await server.app.audience.round();
  await ola.change(`/swarms/${large.id}`, { public: true });
  await ann.change(`/swarms/${small.id}`, { public: true });
  const store = createAudienceStore({ db: server.db, holder: 'me', audienceActivity, users: 10 });
  let now = server.now().getTime() + 60_000;
  expect(await store.takeLease(now)).toBe(true);
  await store.schedule(now);
  expect(await store.nextDue(now, '')).toBeUndefined();
  now += audienceLimits.togetherMs;
  const turns: [string, number][] = [];
  const countTold = async () =>
    (await server.db.read({ sql: `SELECT 1 FROM activity WHERE kind = 'swarm.audience_grown'` })).length;
  let owner = '';
  for (;;) {
    const due = (await store.nextDue(now, owner)) ?? (await store.nextDue(now, ''));
    if (!due) break;
    owner = due.user_id;
    expect(await store.tellSome(due, now)).toBe(true);
    turns.push([owner, await countTold()]);
  }
  expect(turns).toEqual([
    ['ann', 1],
    ['ola', 11],
    ['ola', 21],
    ['ola', 26],
  ]);
  // Another process has taken over.
  expect(await store.takeLease(now)).toBe(true);
  await server.db.write([{ sql: `UPDATE leases SET holder = 'other' WHERE name = 'audience'` }]);
  expect(await store.takeLease(now)).toBe(false);
  await ola.change(`/swarms/${large.id}`, { listed: true });
  const due = {
    swarm_id: large.id,
    user_id: 'ola',
    after_seq: 0,
    until_seq: null,
    after_user: null,
    receivers_told_at: 0,
  };
  expect(await store.tellSome(due, now)).toBe(false);
  expect(await countTold()).toBe(26);
  // Such members have no invitations.
  await server.db.write([{ sql: `DELETE FROM memberships WHERE resource_id LIKE 'user-%'` }]);
});

describe('what it was', () => {
  /** A period around now. */
  const around = (ms = 1000) => {
    const now = Date.now();
    return `?from=${new Date(now - ms).toISOString()}&until=${new Date(now + ms).toISOString()}`;
  };

  test('has who saw it then, and not who sees it since', async () => {
    const { swarm, device } = await joined();
    await names(swarm, max, 'watcher');
    await ola.removeManager(swarm, 'max');
    expect(namesIn(await audienceOf(ann, device))).toEqual(['owner ola']);
    const past = await audienceOf(ann, device, around(60_000));
    expect(namesIn(past)).toEqual(['owner ola', 'watcher max']);
    expect(past.items[0]).toMatchObject({ received: false, reach: 'private' });
    expect(past.items[0]).not.toHaveProperty('receivers');
    const until = new Date().toISOString();
    await ola.change(`/swarms/${swarm.id}`, { public: true });
    await names(swarm, await signUp('wim'), 'watcher');
    const [item] = (
      await audienceOf(ann, device, `?from=${new Date(Date.now() - 60_000).toISOString()}&until=${until}`)
    ).items;
    expect([item!.reach, item!.named.map(({ user_id }) => user_id)]).toEqual(['private', ['ola', 'max']]);
  });

  test('is shown only for the time in which an own device was a member', async () => {
    const { swarm, device } = await joined();
    await names(swarm, max, 'watcher');
    await ola.removeManager(swarm, 'max');
    const eve = await signUp('eve');
    const own = await eve.device();
    await eve.accept(await ola.invite(swarm, own, 'producer'));
    const day = `?from=${new Date(Date.now() - dayMs).toISOString()}&until=${new Date(Date.now() + dayMs).toISOString()}`;
    expect(namesIn(await audienceOf(ann, device, day))).toEqual(['owner ola', 'watcher max']);
    expect(namesIn(await audienceOf(eve, own, day))).toEqual(['owner ola']);
    // Eve sees Ann's device too, since then.
    expect(namesIn(await audienceOf(eve, device, day))).toEqual(['owner ola']);
    const earlier = `?from=${new Date(Date.now() - 2 * dayMs).toISOString()}&until=${new Date(Date.now() - dayMs).toISOString()}`;
    expect((await audienceOf(ann, device, earlier)).items).toEqual([]);
    await ann.leave(swarm, device);
    expect((await audienceOf(ann, device, day)).items).toEqual([]);
  });

  test('is kept for 90 days, and of a swarm up to a number of changes', async () => {
    const { swarm, device } = await joined();
    const count = async () => (await server.db.read({ sql: 'SELECT 1 FROM audience_changes' })).length;
    const many = audienceLimits.changes + 100;
    await server.db.write([
      {
        sql: `INSERT INTO audience_changes (swarm_id, at, kind, user_id, was)
              SELECT $1, $2, 'watcher', 'x', 'none' FROM elements($3)`,
        params: [swarm.id, new Date().toISOString(), JSON.stringify(Array.from({ length: many }, String))],
      },
    ]);
    await names(swarm, max, 'watcher');
    expect(await count()).toBe(audienceLimits.changes);
    const period = `?from=${device.created_at}&until=${new Date(Date.now() + dayMs).toISOString()}`;
    expect((await audienceOf(ann, device, period)).items[0]!.known_since > device.created_at).toBe(true);
    server.wait((audienceLimits.days + 1) * dayMs);
    await server.app.tidy();
    expect(await count()).toBe(0);
  });
});

test('switching who can ask to join again and again does not delete who watched', async () => {
  const { swarm, device } = await joined();
  await names(swarm, max, 'watcher');
  await ola.removeManager(swarm, 'max');
  const from = new Date(Date.now() - 60_000).toISOString();
  const many = JSON.stringify(Array.from({ length: audienceLimits.changes + 100 }, String));
  const sql = `INSERT INTO audience_changes (swarm_id, at, kind, was) SELECT $1, $2, 'open', 'private' FROM elements($3)`;
  await server.db.write([{ sql, params: [swarm.id, new Date().toISOString(), many] }]);
  await ola.change(`/swarms/${swarm.id}`, { public: true });
  const until = new Date(Date.now() + 1000).toISOString();
  const past = await audienceOf(ann, device, `?from=${from}&until=${until}`);
  expect(namesIn(past)).toEqual(['owner ola', 'watcher max']);
  // Whether it was public is not known of all of that time.
  expect(past.items[0]).not.toHaveProperty('reach');
  expect(past.items[0]).toMatchObject({ received: false });
});

test('says by how many links somebody can join without asking', async () => {
  const { swarm, device } = await joined();
  const openLinks = async () => (await audienceOf(ann, device)).items[0]!.open_links;
  expect(await openLinks()).toBe(0);
  const link = await ola.link(swarm);
  await ola.link(swarm, { name: 'Full', max_resources: 1 });
  expect(await openLinks()).toBe(2);
  await server.db.write([{ sql: `UPDATE join_links SET joined = 1 WHERE name = 'Full'` }]);
  expect(await openLinks()).toBe(1);
  expect((await ola.endLink(link)).status).toBe(204);
  expect(await openLinks()).toBe(0);
});

test('what was noted of silent members while their swarm was deleted is deleted', async () => {
  await server.db.write([{ sql: `INSERT INTO swarm_silences (swarm_id, since, tell_at) VALUES ('gone', 1, 1)` }]);
  await server.app.tidy();
  expect(await server.db.read({ sql: 'SELECT 1 FROM swarm_silences' })).toEqual([]);
});

test('only the owner of a device sees what was accepted, and nobody sees other swarms of it', async () => {
  const { swarm, device } = await joined('consumer');
  const other = await max.swarm({ name: 'Secret' });
  await ann.accept(await max.invite(other, device, 'producer'));
  expect((await audienceOf(ann, device)).items.map(({ swarm: { name } }) => name)).toEqual([
    'Harbour weather',
    'Secret',
  ]);
  const [seen, ...none] = (await audienceOf(ola, device)).items;
  expect(seen).toMatchObject({ swarm: { id: swarm.id } });
  expect(seen).not.toHaveProperty('receivers_then');
  expect(none).toEqual([]);
  const second = await ann.device();
  await ann.accept(await ola.invite(swarm, second, 'producer'));
  expect((await audienceOf(ann, second)).items[0]).toMatchObject({
    receivers_then: 1,
    receivers: { users: 1, devices: 1 },
  });
});

test('a device is none of those that receive what it sends, as before it was accepted', async () => {
  const { swarm, device } = await joined('consumer');
  const receiversOf = async (of: Resource, client = ann) => {
    const { receivers, receivers_then } = (await audienceOf(client, of)).items[0]!;
    return [receivers!.users, receivers!.devices, receivers_then];
  };
  expect(await receiversOf(device)).toEqual([0, 0, 0]);
  expect(await receiversOf(device, ola)).toEqual([0, 0, undefined]);
  const second = await ann.device();
  await ann.accept(await ola.invite(swarm, second, 'consumer'));
  expect([await receiversOf(device), await receiversOf(second)]).toEqual([
    [1, 1, 0],
    [1, 1, 1],
  ]);
  await max.accept(await ola.invite(swarm, await max.device(), 'consumer'));
  expect(await receiversOf(device)).toEqual([2, 2, 0]);
  const { items } = await ola.get<Audience>(`/swarms/${swarm.id}/audience`);
  expect(items[0]).toMatchObject({ users: 2, own_devices: 0, receivers: { users: 2, devices: 3, own: 0 } });
});

test('who asks knows which of the counted devices are own ones', async () => {
  const { swarm, device } = await joined('consumer');
  const counted = async (path: string, client = ann) => {
    const { users: all, own_devices, receivers } = (await client.get<Audience>(`${path}/audience`)).items[0]!;
    return { users: all, own_devices, own: receivers!.own };
  };
  const [ofSwarm, ofDevice] = [`/swarms/${swarm.id}`, `/resources/${device.id}`];
  expect(await counted(ofSwarm)).toEqual({ users: 1, own_devices: 1, own: 1 });
  expect(await counted(ofDevice)).toEqual({ users: 1, own_devices: 1, own: 0 });
  await ann.accept(await ola.invite(swarm, await ann.device(), 'consumer'));
  expect(await counted(ofDevice)).toEqual({ users: 1, own_devices: 2, own: 1 });
  await max.accept(await ola.invite(swarm, await max.device(), 'consumer'));
  expect(await counted(ofDevice)).toEqual({ users: 2, own_devices: 2, own: 1 });
  expect(await counted(ofDevice, max)).toEqual({ users: 2, own_devices: 1, own: 1 });
  expect(await counted(ofDevice, ola)).toEqual({ users: 2, own_devices: 0, own: 0 });
});

test('the swarms of a device come in pages', async () => {
  const device = await ann.device();
  const swarms: Swarm[] = [];
  for (let each = 0; each < 5; each += 1) {
    const swarm = await ola.swarm({ name: `Ring ${each}` });
    await ann.accept(await ola.invite(swarm, device, 'producer'));
    swarms.push(swarm);
  }
  const first = await audienceOf(ann, device, '?limit=3');
  const second = await audienceOf(ann, device, `?limit=3&after=${first.next}`);
  expect([...first.items, ...second.items].map(({ swarm }) => swarm.id)).toEqual(swarms.map(({ id }) => id));
  expect(second.next).toBeNull();
});

test('the end of an account ends its role, and who is left is not told', async () => {
  const { swarm, device } = await joined();
  await names(swarm, max, 'watcher');
  await gather();
  expect(await details(ann)).toEqual(['watcher:max']);
  await server.app.operator.deleteUser({ name: 'max' });
  expect(namesIn(await audienceOf(ann, device))).toEqual(['owner ola']);
  await gather();
  expect(await details(ann)).toEqual(['watcher:max']);
  const day = `?from=${new Date(Date.now() - 60_000).toISOString()}&until=${new Date(Date.now() + 60_000).toISOString()}`;
  await vi.waitFor(async () => expect(namesIn(await audienceOf(ann, device, day))).toEqual(['owner ola', 'watcher ']));
  expect(await outcomeOf(await ola.destroy('swarms', swarm))).toBe('204');
});
