// stores: SQLite, PostgreSQL
/** Users ask to join a public swarm: the records of an answer, its limits, and what ends a request without an answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  Activity,
  InboxCount,
  InboxSummary,
  Invitation,
  InvitationPage,
  JoinRequest,
  ListedMember,
  Resource,
  Swarm,
  SwarmItem,
} from '../../contract.ts';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { requestLimits } from './limits.ts';
import { createIdSource } from '../../core/store/new-id.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { writeInParts } from '../../tests/many-devices.fixture.ts';
import {
  createServiceClient,
  opening,
  outcomeOf,
  signUpClient,
  type ServiceClient,
} from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
import type { Offer } from '../../tests/records.fixture.ts';

const newId = createIdSource();
let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let eve: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben, eve] = [
    await signUpClient(server, 'ann', 'gateway'),
    await signUpClient(server, 'ben', 'gateway'),
    await signUpClient(server, 'eve', 'gateway'),
  ];
});
afterAll(() => server[Symbol.asyncDispose]());

let swarm: Swarm;
let device: Resource;
beforeEach(async () => {
  swarm = await ann.swarm({ name: 'Harbour', public: true });
  device = await ben.device({ name: 'Buoy' });
  // No request counts for the limits of a day.
  server.wait(25 * hourMs);
});

const received = (of = swarm) => ann.get<JoinRequest[]>(`/swarms/${of.id}/requests`);
const own = async (who = ben) =>
  (await who.get<JoinRequest[]>('/requests')).filter(({ swarm_id }) => swarm_id === swarm.id);
const states = async (who = ben) => (await own(who)).map(({ status }) => status);
const roles = async () =>
  (await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`)).map(({ resource_type }) => resource_type);
const sent = () => ann.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);

describe('an accepted request', () => {
  test('is an invitation by the owner that was accepted at once, in both lists, for each role', async () => {
    const asked = await ben.ask(swarm, device, { resource_type: 'both', message: 'Please' });
    expect(await received()).toEqual([asked]);
    expect(await outcomeOf(await ann.answerRequest(asked, 'accept'))).toBe('200');
    expect(await roles()).toEqual(['both']);
    const found = await sent();
    expect(found.map(({ resource_type }) => resource_type).toSorted()).toEqual(['consumer', 'producer']);
    for (const invitation of found) {
      const { id, resource_type, sent_at, accepted_at } = invitation;
      expect(invitation).toEqual({
        id,
        from: 'ann',
        to: 'ben',
        swarm_id: swarm.id,
        resource_id: device.id,
        resource_type,
        sent_at,
        status: 'accepted',
        accepted_at,
      });
    }
    expect(await ben.get(`/resources/${device.id}/invitations`)).toEqual(found);
    expect(await states()).toEqual(['accepted']);
    expect(await received()).toEqual([]);
  });

  test('is a member until the end that was asked for, which its owner may change', async () => {
    const [early, late] = [hourMs, 2 * hourMs].map((ms) => new Date(server.now().getTime() + ms).toISOString());
    const asked = await ben.ask(swarm, device, { ends_at: early });
    expect(asked.ends_at).toBe(early);
    expect(await received()).toEqual([asked]);
    expect((await ann.get<InvitationPage>(`/inbox?swarm=${swarm.id}`)).items[0]).toMatchObject({ ends_at: early });
    expect(await outcomeOf(await ann.answerRequest(asked, 'accept'))).toBe('200');
    const member = async () => (await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`))[0];
    expect(await member()).toMatchObject({ resource_id: device.id, ends_at: early });
    const body = { resource_type: 'consumer', ends_at: late };
    expect(
      await outcomeOf(await ben.request({ method: 'PUT', path: `/swarms/${swarm.id}/resources/${device.id}`, body })),
    ).toBe('200');
    expect(await member()).toMatchObject({ ends_at: late });
  });

  test('is none after the end that was asked for', async () => {
    const ends_at = new Date(server.now().getTime() + hourMs).toISOString();
    const asked = await ben.ask(swarm, device, { ends_at });
    server.wait(hourMs);
    expect(await outcomeOf(await ann.answerRequest(asked, 'accept'))).toBe('409 join_request.ended');
    expect(await outcomeOf(await ann.answerRequest(asked, 'reject'))).toBe('200');
    const body = { resource_id: device.id, resource_type: 'consumer', ends_at };
    expect(await outcomeOf(await ben.request({ method: 'POST', path: `/swarms/${swarm.id}/requests`, body }))).toBe(
      '400 body.invalid',
    );
  });

  test('accepts an open invitation for the same role, and adds only the role that is missing', async () => {
    await ben.accept(await ann.invite(swarm, device, 'producer'));
    const open = await ann.invite(swarm, device, 'consumer', { description: 'Join us' });
    const asked = await ben.ask(swarm, device, { resource_type: 'both' });
    expect(await outcomeOf(await ann.answerRequest(asked, 'accept'))).toBe('200');
    expect(await roles()).toEqual(['both']);
    expect((await sent()).map(({ id, status }) => [id === open.id, status])).toEqual([
      [false, 'accepted'],
      [true, 'accepted'],
    ]);
  });

  test('does not reveal what has changed since: names are those when the user asked', async () => {
    const asked = await ben.ask(swarm, device);
    await ben.change(`/resources/${device.id}`, { name: 'Renamed' });
    await ann.change(`/swarms/${swarm.id}`, { name: 'Harbour 2', public: false });
    expect(await received()).toEqual([asked]);
    expect(await own()).toEqual([asked]);
    expect((await ann.request({ path: `/resources/${device.id}` })).status).toBe(404);
    expect((await ben.request({ path: `/swarms/${swarm.id}` })).status).toBe(404);
  });
});

test('who asked and then manages the swarm finds the request among the own ones, and not among those to answer', async () => {
  await ben.ask(swarm, device);
  await eve.ask(swarm, await eve.device());
  await ann.nameManager(swarm, 'ben');
  await ben.agree(swarm, 'ben');
  const from = async (box: string) =>
    (await ben.get<InvitationPage>(`/inbox?box=${box}&swarm=${swarm.id}&state=new`)).items.map((item) => item.from);
  expect([await from('received'), await from('sent')]).toEqual([['eve'], ['ben']]);
  expect((await ben.get<InboxCount>('/inbox/count')).received.new).toBe(1);
});

describe('without an answer, a request ends', () => {
  test.each<[string, 'consumer' | 'producer' | 'both', () => Promise<unknown>, string]>([
    ['an invitation', 'consumer', async () => ben.accept(await ann.invite(swarm, device)), 'accepted'],
    [
      'a link',
      'both',
      async () => ben.join(await ben.open(await ann.link(swarm, { resource_type: 'both' })), device),
      'accepted',
    ],
    ['an invitation for another role', 'producer', async () => ben.accept(await ann.invite(swarm, device)), 'new'],
    ['an invitation for one of both roles', 'both', async () => ben.accept(await ann.invite(swarm, device)), 'new'],
  ])('when the device has the role by %s', async (_how, resource_type, join, state) => {
    await ben.ask(swarm, device, { resource_type });
    await join();
    expect(await states()).toEqual([state]);
  });

  const ended = async (who: ServiceClient, { id }: Swarm) =>
    (await who.get<{ items: Activity[] }>(`/activity?swarm_id=${id}&topic=swarm`)).items;

  test('when its device or its swarm is deleted: it leaves both lists', async () => {
    const other = await eve.device();
    await ben.ask(swarm, device);
    await eve.ask(swarm, other);
    await ben.destroy('resources', device);
    expect((await received()).map(({ user_id }) => user_id)).toEqual(['eve']);
    expect(await own()).toEqual([]);
    await ann.destroy('swarms', swarm);
    expect(await own(eve)).toEqual([]);
    const deleted = { kind: 'swarm.deleted', actor: 'ann', swarm: { name: 'Harbour' }, detail: other.name };
    expect(await ended(eve, swarm)).toMatchObject([deleted]);
    expect(await ended(ben, swarm)).toEqual([]);
  });

  test('when its swarm is deleted after it was made private: the user does not learn of it', async () => {
    await ben.ask(swarm, device);
    await ann.change(`/swarms/${swarm.id}`, { public: false, name: 'Secret' });
    await ann.destroy('swarms', swarm);
    expect(await own()).toEqual([]);
    expect(await ended(ben, swarm)).toEqual([]);
  });

  test('when the account of the user ends', async () => {
    const user = await server.signUp('gus');
    const gus = createServiceClient('gus', (asked) => server.request('gateway', user, asked));
    await gus.ask(swarm, await gus.device());
    const other = await ann.swarm({ public: true });
    await gus.ask(other, await gus.device());
    await ann.block(other, 'gus');
    const body = { user_id: 'gus' };
    expect((await gus.request({ method: 'DELETE', path: '/account', body })).status).toBe(204);
    await expect.poll(() => received()).toEqual([]);
    const blocked = await server.db.read({ sql: `SELECT 1 FROM blocked_users WHERE user_id = 'gus'` });
    expect(blocked).toEqual([]);
  });

  test('not when the swarm is made private: the owner can still answer', async () => {
    const asked = await ben.ask(swarm, device);
    await ann.change(`/swarms/${swarm.id}`, { public: false });
    expect(await outcomeOf(await ben.askFor(swarm, await ben.device()))).toBe('404 swarm.not_found');
    expect(await outcomeOf(await ann.answerRequest(asked, 'accept'))).toBe('200');
    expect(await roles()).toEqual(['consumer']);
  });
});

test('a swarm that does not accept requests says so in its record, and keeps those that were sent', async () => {
  const asked = await ben.ask(swarm, device);
  expect(await ann.get(`/swarms/${swarm.id}`)).not.toHaveProperty('accepts_requests');
  expect(await ann.change(`/swarms/${swarm.id}`, { accepts_requests: false })).toMatchObject({
    accepts_requests: false,
  });
  expect(await ben.get(`/swarms/${swarm.id}`)).toMatchObject({ access: 'summary', accepts_requests: false });
  expect(await received()).toEqual([asked]);
  await ann.answerRequest(asked, 'accept');
  const [specified] = await ben.get<Swarm[]>(`/resources/${device.id}/swarms`);
  expect(specified).not.toHaveProperty('accepts_requests');
  expect(await ann.change(`/swarms/${swarm.id}`, { accepts_requests: true })).not.toHaveProperty('accepts_requests');
});

describe('the inbox', () => {
  const inbox = (who: ServiceClient, query: string) => who.get<InvitationPage>(`/inbox?swarm=${swarm.id}&${query}`);
  const rows = async (who: ServiceClient, query: string) =>
    (await inbox(who, query)).items.map(({ id, status, is_request }) => ({ id, status, is_request }));

  test('of the owner has requests among the received ones, that of the user among the sent ones', async () => {
    const asked = await ben.ask(swarm, device, { resource_type: 'both', message: 'Please' });
    const invited = await ann.invite(swarm, await eve.device());
    const row = { id: asked.id, status: 'new', is_request: true };
    const { items, total, counts } = await inbox(ann, 'state=new');
    expect({ items, total, counts }).toEqual({
      items: [
        {
          id: asked.id,
          from: 'ben',
          sent_by: 'ben',
          to: 'ann',
          swarm_id: swarm.id,
          resource_id: device.id,
          resource_type: 'both',
          description: 'Please',
          sent_at: asked.asked_at,
          changed_at: asked.asked_at,
          status: 'new',
          is_request: true,
          device: { name: 'Buoy', machine_type: 'bug' },
          swarm: {
            id: swarm.id,
            user_id: 'ann',
            name: 'Harbour',
            description: '',
            public: true,
            member_count: 0,
          },
        },
      ],
      total: 1,
      counts: { new: 1, accepted: 0, rejected: 0, stale: 0 },
    });
    expect(await rows(ben, 'box=sent')).toEqual([row]);
    expect(await rows(ann, 'box=sent')).toEqual([{ id: invited.id, status: 'new' }]);
    expect(await rows(eve, 'box=received')).toEqual([{ id: invited.id, status: 'new' }]);
    for (const who of [ann, ben]) expect(await who.get(`/inbox/${asked.id}`)).toMatchObject(row);
    const overview = async (who: ServiceClient) =>
      (await who.get<SwarmItem>(`/swarms/${swarm.id}/overview`)).invitations;
    expect(await overview(ann)).toEqual({ new: 1, requests: 1 });
    expect(await overview(ben)).toBeNull();
    expect((await eve.request({ path: `/inbox/${asked.id}` })).status).toBe(404);
    await ann.answerRequest(asked, 'accept');
    expect(await rows(ann, 'state=answered')).toEqual([{ ...row, status: 'accepted' }]);
    expect(await rows(ben, 'box=sent&state=answered')).toEqual([{ ...row, status: 'accepted' }]);
    // Nobody has sent the invitation by which it has joined.
    expect(await rows(ann, 'box=sent&state=accepted')).toEqual([]);
  });

  test('counts and searches them', async () => {
    const before = await ann.get<InboxCount>('/inbox/count');
    const asked = await ben.ask(swarm, device);
    await eve.ask(swarm, await eve.device({ name: 'Ångström' }));
    expect((await ann.get<InboxCount>('/inbox/count')).received.new).toBe(before.received.new + 2);
    const found = async (who: ServiceClient, q: string, more = '') =>
      (await inbox(who, `q=${encodeURIComponent(q)}${more}`)).items.map(({ from }) => from);
    expect(await found(ann, 'buoy')).toEqual(['ben']);
    expect(await found(ann, 'angstrom harbour')).toEqual(['eve']);
    expect(await found(ann, 'ben')).toEqual(['ben']);
    expect(await found(ann, asked.resource_id.slice(0, 18))).toContain('ben');
    expect(await found(ben, 'ann buoy', '&box=sent')).toEqual(['ben']);
    await ben.change(`/resources/${device.id}`, { name: 'Secret' });
    expect(await found(ann, 'secret')).toEqual([]);
    const { swarms } = await ann.get<InboxSummary>(`/inbox/summary?state=new&swarm=${swarm.id}`);
    expect(swarms).toMatchObject([{ name: 'Harbour', consumer: 2, producer: 0 }]);
  });

  test('shows the user no more of a swarm that was made private', async () => {
    const asked = await ben.ask(swarm, device);
    await ann.change(`/swarms/${swarm.id}`, { public: false, name: 'Hidden' });
    const { items } = await inbox(ben, 'box=sent');
    expect(items.map((item) => item.swarm)).toEqual([{ id: swarm.id, user_id: '', name: 'Harbour' }]);
    expect((await inbox(ben, 'box=sent&q=hidden')).total).toBe(0);
    expect((await inbox(ben, 'box=sent&q=harbour')).total).toBe(1);
    expect((await ben.request({ path: `/inbox/${asked.id}` })).status).toBe(200);
  });

  test('answers all that match a filter by one action, and withdraws all that were sent', async () => {
    const devices = await Promise.all(Array.from({ length: 7 }, () => ben.device()));
    for (const each of devices) await ben.ask(swarm, each);
    const { items } = await inbox(ann, 'state=new');
    const filter = { list: 'invitations' as const, query: `state=new&swarm=${swarm.id}`, except: [items[0]!.id] };
    const about = { answer: 'reject' as const };
    const { id } = await actionsOf(ann).start({ kind: 'answer', about, wait: 0, filter, expected: 6 });
    expect(await actionsOf(ann).ended(id)).toMatchObject({ done: 6, failed: 0 });
    expect((await inbox(ann, 'state=rejected')).total).toBe(6);
    const sent = { list: 'invitations' as const, query: `box=sent&state=new&swarm=${swarm.id}` };
    const { id: taking } = await actionsOf(ben).start({
      kind: 'withdraw',
      about: {},
      wait: 0,
      filter: sent,
      expected: 1,
    });
    expect(await actionsOf(ben).ended(taking)).toMatchObject({ done: 1, failed: 0 });
    expect(await received()).toEqual([]);
  });
});

describe('limits', () => {
  /** As if `user` had sent so many requests: to `swarm`, or to another one. */
  async function fill(options: { user: string; to: string; count: number; status: string; at?: string }) {
    const { user, to, count, status, at = server.now().toISOString() } = options;
    const ids = Array.from({ length: count }, newId).toSorted();
    const devices = `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key,
        name_folded)
      SELECT value, $2, 'Filler', 'pc', $3, $3, 1, 'f', 'f' FROM elements($1)`;
    const requests = `INSERT INTO join_requests (id, swarm_id, swarm_name, user_id, resource_id, resource_name,
        resource_folded, machine_type, resource_type, asked_at, status, ended_at)
      SELECT value, $2, 's', $3, value, 'Filler', 'f', 'pc', 'consumer', $4, $5, $6 FROM elements($1)`;
    const { db } = server;
    await writeInParts({ db, ids, sql: devices, params: [user, at] });
    await writeInParts({ db, ids, sql: requests, params: [to, user, at, status, status === 'new' ? null : at] });
  }
  async function clear() {
    const { db } = server;
    const fillers = `SELECT id FROM join_requests WHERE resource_folded = 'f'
      UNION SELECT id FROM resources WHERE name_folded = 'f'`;
    const ids = (await db.read<{ id: string }>({ sql: fillers })).map(({ id }) => id);
    for (const table of ['join_requests', 'resources']) {
      const sql = `DELETE FROM ${table} WHERE id IN (SELECT value FROM elements($1))`;
      await writeInParts({ db, ids, sql, params: [] });
    }
  }
  const yesterday = () => new Date(server.now().getTime() - dayMs - 1).toISOString();

  test('of a user in a day, to one swarm and in all, also with those that were withdrawn', async () => {
    const { aDay, aDayToSwarm } = requestLimits;
    await fill({ user: 'ben', to: swarm.id, count: aDayToSwarm - 1, status: 'withdrawn' });
    await ben.ask(swarm, device);
    const spare = await ben.device();
    expect(await outcomeOf(await ben.askFor(swarm, spare))).toBe('409 join_request.too_many');
    const other = await ann.swarm({ public: true });
    await ben.ask(other, spare);
    await eve.ask(swarm, await eve.device());
    await fill({ user: 'ben', to: other.id, count: aDay - aDayToSwarm - 1, status: 'withdrawn' });
    const third = await ann.swarm({ public: true });
    expect(await outcomeOf(await ben.askFor(third, spare))).toBe('409 join_request.too_many');
    server.wait(dayMs + 1);
    await ben.ask(third, spare);
    await clear();
  });

  test('of a user in a day, also with those of devices that were deleted', async () => {
    await fill({ user: 'ben', to: swarm.id, count: requestLimits.aDayToSwarm - 1, status: 'new' });
    await server.db.write([{ sql: `DELETE FROM resources WHERE name_folded = 'f'` }]);
    expect(await received()).toEqual([]);
    await ben.ask(swarm, device);
    await ben.destroy('resources', device);
    expect(await outcomeOf(await ben.askFor(swarm, await ben.device()))).toBe('409 join_request.too_many');
    await clear();
  });

  test('of open ones of a user, and of those of a swarm', async () => {
    const { open, ofSwarm } = requestLimits;
    const other = await ann.swarm({ public: true });
    await fill({ user: 'ben', to: other.id, count: open, status: 'new', at: yesterday() });
    expect(await outcomeOf(await ben.askFor(swarm, device))).toBe('409 join_request.too_many');
    await fill({ user: 'eve', to: other.id, count: ofSwarm - open, status: 'new', at: yesterday() });
    await clear();
    expect(await outcomeOf(await ben.askFor(swarm, device))).toBe('201');
  });

  test('of open ones of a user: of several that are sent at once, only the last place is taken', async () => {
    const swarms = await Promise.all(Array.from({ length: 8 }, () => ann.swarm({ public: true })));
    const sql = `SELECT count(*) AS count FROM join_requests WHERE user_id = 'ben' AND status = 'new'`;
    const [before] = await server.db.read<{ count: number }>({ sql });
    const count = requestLimits.open - before!.count - 1;
    await fill({ user: 'ben', to: swarm.id, count, status: 'new', at: yesterday() });
    for (let round = 0; round < 5; round++) {
      // Other writes, so that the requests wait and are written together.
      const busy = Promise.all(Array.from({ length: 20 }, () => eve.device()));
      const answers = await Promise.all(swarms.map((each) => ben.askFor(each, device)));
      const sentOnes = answers.filter(({ status }) => status === 201);
      expect(sentOnes).toHaveLength(1);
      await ben.withdrawRequest((await sentOnes[0]!.json()) as JoinRequest);
      await busy;
    }
    await clear();
  });

  test('of what is kept: the newest ended ones of each user', async () => {
    const { kept } = requestLimits;
    await fill({ user: 'ben', to: swarm.id, count: kept + 20, status: 'rejected', at: yesterday() });
    await ben.ask(swarm, device);
    const count = async () =>
      (
        await server.db.read<{ count: number }>({
          sql: `SELECT count(*) AS count FROM join_requests WHERE user_id = 'ben' AND status <> 'new'`,
        })
      )[0]!.count;
    expect(await count()).toBe(kept);
    await clear();
    // Those that ended within the last day count for its limits.
    const endedNow = { sql: `UPDATE join_requests SET ended_at = $1 WHERE resource_folded = 'f'` };
    await fill({ user: 'ben', to: swarm.id, count: kept + 20, status: 'withdrawn', at: yesterday() });
    await server.db.write([{ ...endedNow, params: [server.now().toISOString()] }]);
    await ben.ask(swarm, await ben.device());
    expect(await count()).toBeGreaterThanOrEqual(kept + 20);
    server.wait(dayMs + 1);
    await ben.ask(swarm, await ben.device());
    expect(await count()).toBe(kept);
    await clear();
  });

  test('of a device: it can ask again a day after a rejection', async () => {
    await ann.answerRequest(await ben.ask(swarm, device), 'reject');
    expect(await outcomeOf(await ben.askFor(swarm, device, 'producer'))).toBe('409 join_request.too_soon');
    server.wait(dayMs + 1);
    expect(await outcomeOf(await ben.askFor(swarm, device))).toBe('201');
  });

  test('of a device that was rejected, also if it was deleted meanwhile', async () => {
    await ann.answerRequest(await ben.ask(swarm, device), 'reject');
    const actions = actionsOf(ben);
    const items = [{ id: device.id, name: device.name }];
    const { id } = await actions.start({ kind: 'delete', about: {}, wait: 0, items });
    expect(await actions.ended(id)).toMatchObject({ done: 1, failed: 0 });
    expect(await states()).toEqual(['rejected']);
    const { id: undo } = await actions.act(id, 'undo', { id: newId() });
    expect(await actions.ended(undo)).toMatchObject({ done: 1, failed: 0 });
    expect(await outcomeOf(await ben.askFor(swarm, device))).toBe('409 join_request.too_soon');
  });
});

test('a user can be blocked after the device that asked was deleted', async () => {
  await ben.ask(swarm, device);
  await ben.destroy('resources', device);
  await ann.block(swarm, 'ben');
  expect(await outcomeOf(await ben.askFor(swarm, await ben.device()))).toBe('409 join_request.not_accepted');
});

test('the activity of the user has the name that the swarm had, after it was made private', async () => {
  const asked = await ben.ask(swarm, device);
  await ann.change(`/swarms/${swarm.id}`, { public: false, name: 'Secret' });
  const nameOf = async (who: ServiceClient) =>
    (await who.get<{ items: Activity[] }>(`/activity?swarm_id=${swarm.id}&topic=invitation`)).items[0]!.swarm!.name;
  await ben.withdrawRequest(asked);
  expect([await nameOf(ben), await nameOf(ann)]).toEqual(['Harbour', 'Secret']);
});

test('a manager finds the requests in the own inbox, and answers them for the owner, until removed', async () => {
  await ann.nameManager(swarm, 'eve');
  await eve.agree(swarm, 'eve');
  const [asked, second] = [await ben.ask(swarm, device), await ben.ask(swarm, await ben.device())];
  const found = async () => (await eve.get<InvitationPage>(`/inbox?swarm=${swarm.id}&state=new`)).items;
  expect((await found()).map(({ id }) => id).toSorted()).toEqual([asked.id, second.id].toSorted());
  expect(await outcomeOf(await eve.answerRequest(asked, 'accept'))).toBe('200');
  expect((await sent()).map(({ from, to }) => [from, to])).toEqual([['ann', 'ben']]);
  for (const who of [ann, ben, eve]) {
    const { items } = await who.get<{ items: Activity[] }>(`/activity?swarm_id=${swarm.id}&topic=invitation`);
    expect(items.some(({ kind, actor }) => kind === 'invitation.request_accepted' && actor === 'eve')).toBe(true);
  }
  await ann.removeManager(swarm, 'eve');
  expect(await outcomeOf(await eve.answerRequest(second, 'reject'))).toBe('403 swarm.forbidden');
  expect(await found()).toEqual([]);
});

test('two answers at once for the last place of a swarm: one gets in, the other request stays open', async () => {
  const size = (change: string) =>
    server.db.write([
      {
        sql: `INSERT INTO swarm_sizes (swarm_id, members) VALUES ($1, 99999) ON CONFLICT (swarm_id) DO UPDATE SET members = swarm_sizes.members ${change}`,
        params: [swarm.id],
      },
    ]);
  await size('+ 99999');
  const requests = [await ben.ask(swarm, device), await eve.ask(swarm, await eve.device())];
  const outcomes = await Promise.all(
    requests.map(async (asked) => outcomeOf(await ann.answerRequest(asked, 'accept'))),
  );
  expect(outcomes.toSorted()).toEqual(['200', '409 membership.too_many']);
  expect(await roles()).toEqual(['consumer']);
  expect((await received()).map(({ id }) => id)).toEqual([requests[outcomes.indexOf('200') === 0 ? 1 : 0]!.id]);
  await size('- 99999');
});

test('a blocked user gets the same response as from a swarm that does not accept requests', async () => {
  const bodyOf = async () => {
    const answer = await ben.request({
      method: 'POST',
      path: `/swarms/${swarm.id}/requests`,
      body: { resource_id: device.id, resource_type: 'consumer' },
    });
    const { accepts_requests, may_ask } = await ben.get<SwarmItem>(`/swarms/${swarm.id}/overview`);
    const summary = await ben.get<Partial<SwarmItem>>(`/swarms/${swarm.id}`);
    expect([accepts_requests, may_ask, summary.accepts_requests]).toEqual([false, false, false]);
    return (await answer.text()).replace(/"request_id":"[^"]*"/, '');
  };
  await ben.withdrawRequest(await ben.ask(swarm, device));
  await ann.block(swarm, 'ben');
  const blocked = await bodyOf();
  await ann.unblock(swarm, 'ben');
  await ann.change(`/swarms/${swarm.id}`, { accepts_requests: false });
  expect(await bodyOf()).toBe(blocked);
});

test('a blocked user joins by no link, and no answer and no event tells it from a swarm without links and requests', async () => {
  const users = [await server.signUp('kit'), await server.signUp('lou')];
  const [kit, lou] = users.map(({ name }, index) =>
    createServiceClient(name, (asked) => server.request('direct', users[index], asked)),
  ) as [ServiceClient, ServiceClient];
  const [link, ended, ofKit] = [await ann.link(swarm), await ann.link(swarm), await kit.device()];
  const offer = await kit.open(link);
  await kit.withdrawRequest(await kit.ask(swarm, ofKit));
  for (const { name } of users) await ann.nameManager(swarm, name);
  await ann.block(swarm, 'kit');
  await ann.endLink(ended);

  const bodyOf = async (path: string) =>
    (await (await kit.request({ path })).text()).replace(/"request_id":"[^"]*"/, '');
  expect(await bodyOf(opening(link))).toBe(await bodyOf(opening(ended)));
  expect(await outcomeOf(await kit.join(offer, ofKit))).toBe('404 link.not_found');
  expect(await outcomeOf(await lou.join(await lou.open(link), await lou.device()))).toBe('201');

  const after = await server.newestEvent();
  await ann.change(`/swarms/${swarm.id}`, { description: 'New' });
  const [seen] = await server.resume([users[0]!], after);
  const shown = { id: swarm.id, description: 'New', accepts_requests: false };
  expect(seen!.filter(({ type }) => type === 'swarm.updated')).toMatchObject([{ data: shown }]);
  expect(await kit.get<Offer[]>('/offers')).toMatchObject([{ swarm: shown }]);

  // The owner may let a blocked user's device in. As a member, the user sees the same.
  await kit.accept(await ann.invite(swarm, ofKit));
  expect(await roles()).toHaveLength(2);
  const later = await server.newestEvent();
  await ann.change(`/swarms/${swarm.id}`, { description: 'Newer' });
  const seenByAll = await server.resume(users, later);
  const accepts = seenByAll.map((events) =>
    events.flatMap(({ type, data }) =>
      type === 'swarm.updated' ? [(data as Swarm & SwarmItem).accepts_requests] : [],
    ),
  );
  expect(accepts).toEqual([[false], [undefined]]);
  const [listed] = await kit.get<Partial<SwarmItem>[]>('/swarms');
  const one = await kit.get<Partial<SwarmItem>>(`/swarms/${swarm.id}`);
  expect([listed!.accepts_requests, one.accepts_requests]).toEqual([false, false]);
});

test('blocking a user who becomes a manager has no effect: its links and requests are open to the user', async () => {
  const kit = await signUpClient(server, 'kim', 'gateway');
  const [link, device] = [await ann.link(swarm), await kit.device()];
  await kit.withdrawRequest(await kit.ask(swarm, device));
  await ann.block(swarm, 'kim');
  await ann.nameManager(swarm, 'kim');
  await kit.agree(swarm, 'kim');
  const shown = await kit.get<SwarmItem>(`/swarms/${swarm.id}/overview`);
  expect(shown).toMatchObject({ relation: 'manager', accepts_requests: true, may_ask: true });
  await kit.withdrawRequest(await kit.ask(swarm, device));
  expect(await outcomeOf(await kit.join(await kit.open(link), device))).toBe('201');
});

test('a blocked member gets the same list and ETag as from a swarm that does not accept requests', async () => {
  await ben.accept(await ann.invite(swarm, device));
  await ben.withdrawRequest(await ben.ask(swarm, device, { resource_type: 'producer' }));
  const seen = async () => {
    const answer = await ben.request({ path: `/swarms/${swarm.id}` });
    const version = answer.headers.get('etag')!.replace(/\d+/, 'N');
    const { accepts_requests } = await ben.get<SwarmItem>(`/swarms/${swarm.id}/overview`);
    return [version, accepts_requests, ((await answer.json()) as Partial<SwarmItem>).accepts_requests];
  };
  expect(await seen()).toEqual(['"N"', true, undefined]);
  await ann.block(swarm, 'ben');
  const blocked = await seen();
  await ann.unblock(swarm, 'ben');
  await ann.change(`/swarms/${swarm.id}`, { accepts_requests: false });
  expect(await seen()).toEqual(blocked);
});

test('many devices ask by one action, and many requests are answered by another', async () => {
  const devices = [device, await ben.device(), await ben.device(), await eve.device()];
  const about = { swarm: { id: swarm.id, name: swarm.name }, resource_type: 'consumer' as const, message: 'Please' };
  const items = devices.map(({ id }) => ({ id, name: 'Sensor' }));
  const { id } = await actionsOf(ben).start({ kind: 'ask_to_join', about, wait: 0, items });
  expect(await actionsOf(ben).ended(id)).toMatchObject({ done: 4, failed: 1 });
  const found = await received();
  expect(found.map(({ message }) => message)).toEqual(['Please', 'Please', 'Please']);
  const invitation = await eve.invite(await eve.swarm(), await ann.device());
  const answers = [
    ...found.map((request) => ({ id: request.id, name: 'Sensor', swarm: 'Harbour', is_request: true as const })),
    { id: invitation.id, name: 'Hub', swarm: 'Ring' },
  ];
  const { id: answering } = await actionsOf(ann).start({
    kind: 'answer',
    about: { answer: 'accept' },
    wait: 0,
    items: answers,
  });
  expect(await actionsOf(ann).ended(answering)).toMatchObject({ done: 4, failed: 0 });
  expect(await roles()).toEqual(['consumer', 'consumer', 'consumer']);
});

test('both get the events, and an entry of their activity, which says who answered', async () => {
  const users = [await server.signUp('finn'), await server.signUp('hal'), await server.signUp('ida')];
  const [finn, hal] = users.map(({ name }, index) =>
    createServiceClient(name, (asked) => server.request('direct', users[index], asked)),
  ) as [ServiceClient, ServiceClient, ServiceClient];
  const made = await finn.swarm({ public: true });
  const [one, two, three] = [await hal.device(), await hal.device(), await hal.device()];
  const after = await server.newestEvent();
  const asked = await hal.ask(made, one);
  await finn.answerRequest(asked, 'accept');
  await finn.answerRequest(await hal.ask(made, two), 'reject');
  await hal.withdrawRequest(await hal.ask(made, three));
  await hal.ask(made, three);
  await hal.destroy('resources', three);
  const [ofFinn, ofHal, ofIda] = await server.resume(users, after);
  for (const events of [ofFinn!, ofHal!]) {
    const own = events.filter(({ type }) => type.startsWith('join_request.'));
    const states = own.map(({ type, data }) => ('status' in data ? data.status : type));
    // An event has the record as it is when it is sent: each has ended by then.
    expect(new Set(states)).toEqual(new Set(['accepted', 'rejected', 'join_request.withdrawn']));
    expect(own.filter(({ type }) => type === 'join_request.withdrawn')).toHaveLength(2);
  }
  expect(ofIda).toEqual([]);
  for (const who of [finn, hal]) {
    const { items } = await who.get<{ items: Activity[] }>(`/activity?swarm_id=${made.id}&topic=invitation`);
    // A device that asks again has both entries.
    expect(items.map(({ kind, actor }) => `${actor} ${kind}`).toReversed()).toEqual([
      'hal invitation.requested',
      'finn invitation.request_accepted',
      'hal invitation.requested',
      'finn invitation.request_rejected',
      'hal invitation.requested',
      'hal invitation.request_withdrawn',
      'hal invitation.requested',
    ]);
  }
});
