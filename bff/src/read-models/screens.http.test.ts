// stores: SQLite, PostgreSQL in the long run
/** The queries for the screens in the whole server: content and access. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  DevicePage,
  InboxCount,
  InboxSummary,
  InvitationItem,
  InvitationPage,
  MapView,
  MemberPage,
  Problem,
  SwarmFlow,
  SwarmItem,
  SwarmList,
} from '../contract.ts';
import { dayMs } from '../core/limits/durations.ts';
import { signUpClient, type ServiceClient } from '../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../tests/test-server.fixture.ts';

let server: TestServer;
/** Ann owns the swarms, devices of Bob and Cat are in them or invited, and Dan has no relation to them. */
let ann: ServiceClient;
let bob: ServiceClient;
let cat: ServiceClient;
let dan: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, bob, cat, dan] = (await Promise.all(
    ['ann', 'bob', 'cat', 'dan'].map((name) => signUpClient(server, name, 'gateway')),
  )) as [ServiceClient, ServiceClient, ServiceClient, ServiceClient];
});
beforeEach(async () => {
  await server.db.write([{ sql: 'DELETE FROM swarms' }, { sql: 'DELETE FROM resources' }]);
});
afterAll(() => server[Symbol.asyncDispose]());

const inboxOf = (who: ServiceClient, query = '') => who.get<InvitationPage>(`/inbox?${query}`);
const boardOf = ({ id }: { id: string }, query = '') => ann.get<InvitationPage>(`/swarms/${id}/board?${query}`);
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
const refusal = async (who: ServiceClient, path: string) => (await (await who.request({ path })).json()) as Problem;

/** A minute between actions, so that times have their order. */
async function after<T>(act: Promise<T>): Promise<T> {
  const done = await act;
  server.wait(60_000);
  return done;
}

test('a search finds the same on every screen: words in any order, without case, accents and punctuation', async () => {
  const swarm = await ann.swarm({ name: 'Lüneburg–Süd', description: 'Aalborg Airport' });
  const position = { longitude: 12.3, latitude: 53.9 };
  const airport = await bob.device({ name: 'Rostock–Laage Airport', description: "O'Hare’s sister", position });
  const other = await bob.device({ name: 'Rostock Harbour', position });
  const invitation = await ann.invite(swarm, airport);
  await ann.invite(swarm, other);
  for (const typed of ['rostock-laage', 'LAAGE, rostock', 'airport rostöck', 'ohares laage']) {
    const q = `q=${encodeURIComponent(typed)}`;
    const list = await bob.get<DevicePage>(`/devices?${q}`);
    expect({ typed, ids: idsOf(list) }).toEqual({ typed, ids: [airport.id] });
    expect(list).toMatchObject({ total: 1, facets: { all: 2, machine_type: { [airport.machine_type]: 1 } } });
    const map = await bob.get<MapView>(`/map?zoom=22&${q}`);
    expect(map.total).toBe(1);
    expect(map.features.map(({ id }) => id)).toEqual([airport.id]);
  }
  for (const typed of ['rostock-laage', 'luneburg laage', 'SUD airport', 'ann rostock-laage']) {
    const page = await inboxOf(bob, `q=${encodeURIComponent(typed)}`);
    expect({ typed, ids: idsOf(page) }).toEqual({ typed, ids: [invitation.id] });
    expect(page.counts.new).toBe(1);
  }
  for (const typed of ['luneburg', 'sud luneburg', 'airport aalborg', 'aalborg lüneburg-sud', swarm.id]) {
    const found = await ann.get<SwarmList>(`/swarm-list?q=${encodeURIComponent(typed)}`);
    expect({ typed, ids: idsOf(found) }).toEqual({ typed, ids: [swarm.id] });
  }
  for (const typed of ['laage harbour', 'rostok']) {
    expect((await bob.get<DevicePage>(`/devices?q=${encodeURIComponent(typed)}`)).total).toBe(0);
    expect((await inboxOf(bob, `q=${encodeURIComponent(typed)}`)).total).toBe(0);
  }
  expect((await bob.get<DevicePage>('/devices?q=%E2%80%93')).total).toBe(0);
});

test('a control character in a path, a query or a body finds nothing, and is no error of the server', async () => {
  const swarm = await ann.swarm();
  await ann.device();
  for (const resource_id of ['\0', '\ud800']) {
    const body = { name: 'Harbour', resources: [{ resource_id, resource_type: 'consumer' }] };
    expect((await ann.request({ method: 'POST', path: '/swarms', body })).status).toBe(400);
  }
  const statuses = {
    '/devices?q=%00': 200,
    '/devices/%00': 404,
    '/inbox?q=%00': 200,
    '/inbox/%00': 404,
    '/export?q=%00': 200,
    '/activity?resource_id=%00': 200,
    '/activity?swarm_id=%00': 200,
    [`/swarms/${swarm.id}/members?q=%00`]: 200,
    [`/swarms/${swarm.id}/board?cursor=%00`]: 400,
    '/swarms/%00': 404,
    '/resources/%00': 404,
    '/swarm-list?q=%00': 200,
    '/directory?q=%00': 200,
  };
  for (const [path, status] of Object.entries(statuses))
    expect((await ann.request({ path })).status, path).toBe(status);
  // 202 while the index is being built.
  expect([200, 202]).toContain((await ann.request({ path: '/map?zoom=3&q=a%00b' })).status);
});

describe('the inbox', () => {
  test('is empty for a new user', async () => {
    const counts = { new: 0, accepted: 0, rejected: 0, stale: 0 };
    expect(await inboxOf(dan)).toMatchObject({ items: [], next: null, total: 0, counts });
    expect(await dan.get<InboxCount>('/inbox/count')).toMatchObject({ received: counts, sent: counts });
    expect(await dan.get<InboxSummary>('/inbox/summary')).toMatchObject({ total: 0, devices: 0, swarms: [] });
  });

  test('contains the swarm and the device of each invitation', async () => {
    const swarm = await ann.swarm({ name: 'River', description: 'Levels', public: true });
    await ann.add(swarm, await ann.device());
    const position = { longitude: 12.25, latitude: -3 };
    const device = await bob.device({ name: 'Gauge', machine_type: 'pc', position });
    const invitation = await ann.invite(swarm, device, 'producer', { description: 'come' });
    const [item] = (await inboxOf(bob)).items;
    expect(item).toEqual({
      ...invitation,
      sent_by: 'ann',
      changed_at: invitation.sent_at,
      swarm: { id: swarm.id, user_id: 'ann', name: 'River', description: 'Levels', public: true, member_count: 1 },
      device: { name: 'Gauge', machine_type: 'pc', position },
    });
    expect(await bob.get<InvitationItem>(`/inbox/${invitation.id}`)).toEqual(item);
  });

  test('lists open invitations first, then answered ones, each newest first', async () => {
    const swarm = await ann.swarm();
    const [a, b, c, d] = await Promise.all(['a', 'b', 'c', 'd'].map((name) => bob.device({ name })));
    const first = await after(ann.invite(swarm, a!));
    const second = await after(ann.invite(swarm, b!));
    const third = await after(ann.invite(swarm, c!));
    const fourth = await after(ann.invite(swarm, d!));
    await after(bob.reject(second));
    await after(bob.accept(first));
    const open = [fourth.id, third.id];
    const answered = [first.id, second.id];
    expect(idsOf(await inboxOf(bob))).toEqual([...open, ...answered]);
    expect(idsOf(await inboxOf(bob, 'state=new'))).toEqual(open);
    expect(idsOf(await inboxOf(bob, 'state=answered'))).toEqual(answered);
    expect(idsOf(await inboxOf(bob, 'state=accepted'))).toEqual([first.id]);
    expect(idsOf(await inboxOf(bob, 'state=rejected'))).toEqual([second.id]);
    // Sent again, so it is the newest.
    await after(ann.invite(swarm, c!));
    expect(idsOf(await inboxOf(bob, 'state=new'))).toEqual([third.id, fourth.id]);
  });

  test('counts all matches by state, ignoring the state filter; a limit of 0 returns only the counts', async () => {
    const [swarm, other] = [await ann.swarm(), await ann.swarm()];
    const [a, b] = [await bob.device(), await bob.device()];
    await bob.accept(await ann.invite(swarm, a));
    await bob.reject(await ann.invite(swarm, b));
    await ann.invite(swarm, b);
    await ann.invite(other, b);
    const counts = { new: 1, accepted: 1, rejected: 1, stale: 0 };
    const page = await inboxOf(bob, `swarm=${swarm.id}&state=answered&limit=0`);
    expect(page).toMatchObject({ items: [], next: null, total: 2, counts });
    expect((await inboxOf(bob, `resource=${b.id}`)).counts).toEqual({ new: 2, accepted: 0, rejected: 1, stale: 0 });
    const all = { new: 2, accepted: 1, rejected: 1, stale: 0 };
    const none = { new: 0, accepted: 0, rejected: 0, stale: 0 };
    expect(await bob.get<InboxCount>('/inbox/count')).toMatchObject({ received: all, sent: none });
    expect(await ann.get<InboxCount>('/inbox/count')).toMatchObject({ received: none, sent: all });
  });

  test('finds by sender, swarm, device and the start of its id, ignoring case', async () => {
    const swarm = await ann.swarm({ name: 'Übersee' });
    const [lamp, hub] = [await bob.device({ name: 'Ärger' }), await bob.device({ name: 'Hub' })];
    const [asked, other] = [await after(ann.invite(swarm, lamp)), await after(cat.invite(await cat.swarm(), hub))];
    for (const q of ['ärg', 'ÜBER', 'ANN', lamp.id.toUpperCase()]) {
      const page = await inboxOf(bob, `q=${encodeURIComponent(q)}`);
      expect({ q, ids: idsOf(page) }).toEqual({ q, ids: [asked.id] });
      expect(page.counts.new).toBe(1);
    }
    expect(idsOf(await inboxOf(bob, 'q=bob'))).toEqual([]);
    expect((await inboxOf(bob, 'q=%25')).total).toBe(0);
    expect(idsOf(await inboxOf(bob, `q=${lamp.id.slice(0, 8)}`))).toEqual([other.id, asked.id]);
  });

  test('keeps the swarm of answered invitations, and shows a deleted device as destroyed', async () => {
    const swarm = await ann.swarm({ name: 'River' });
    const [left, gone] = [await bob.device(), await bob.device()];
    await after(bob.accept(await ann.invite(swarm, left)));
    await bob.remove(`/swarms/${swarm.id}/resources/${left.id}`);
    await ann.invite(swarm, gone);
    await bob.destroy('resources', gone);
    const [destroyed, answered] = (await inboxOf(bob)).items;
    expect(destroyed).toMatchObject({
      status: 'rejected',
      device: null,
      is_former_device: true,
      swarm: { name: 'River' },
    });
    expect(answered).toMatchObject({ status: 'accepted', device: { name: 'Sensor' }, swarm: { name: 'River' } });
    await ann.destroy('swarms', swarm);
    expect((await inboxOf(bob)).total).toBe(0);
  });

  test('summarises all matching invitations for bulk actions', async () => {
    const [river, fleet] = [await ann.swarm({ name: 'River' }), await cat.swarm({ name: 'Fleet' })];
    const [a, b] = [await bob.device(), await bob.device()];
    await ann.add(river, await ann.device());
    await ann.invite(river, a, 'producer');
    // Both in the same millisecond would be one invitation for both roles.
    server.wait(1);
    await ann.invite(river, a, 'consumer');
    await ann.invite(river, b, 'consumer');
    await cat.invite(fleet, b, 'producer');
    await bob.reject(await cat.invite(fleet, a, 'producer'));
    const summary = await bob.get<InboxSummary>('/inbox/summary?state=new');
    expect(summary).toMatchObject({ total: 4, devices: 2 });
    expect(summary.swarms).toMatchObject([
      { id: fleet.id, name: 'Fleet', user_id: 'cat', member_count: 0, producer: 1, consumer: 0 },
      { id: river.id, name: 'River', user_id: 'ann', member_count: 1, producer: 1, consumer: 2 },
    ]);
  });

  test('shows an invitation to its sender and its recipient only', async () => {
    const { id } = await ann.invite(await ann.swarm(), await bob.device());
    expect(await bob.get<InvitationItem>(`/inbox/${id}`)).toMatchObject({ device: { name: 'Sensor' } });
    expect(await ann.get<InvitationItem>(`/inbox/${id}`)).toMatchObject({ device: null });
    expect(await refusal(cat, `/inbox/${id}`)).toMatchObject({ status: 404, code: 'invitation.not_found' });
    expect((await refusal(ann, '/inbox/x')).code).toBe('invitation.not_found');
  });

  test('a device that has joined by its own request is shown once to each user, as the request', async () => {
    const swarm = await ann.swarm({ public: true });
    const asked = await after(bob.ask(swarm, await bob.device(), { resource_type: 'both' }));
    await ann.answerRequest(asked, 'accept');
    const request = { id: asked.id, is_request: true, status: 'accepted' };
    const counts = { new: 0, accepted: 1, rejected: 0, stale: 0 };
    expect(await inboxOf(bob, 'box=sent')).toMatchObject({ items: [request], counts });
    expect(await inboxOf(ann)).toMatchObject({ items: [request], counts });
    for (const page of [await inboxOf(bob), await inboxOf(ann, 'box=sent')])
      expect(page).toMatchObject({ items: [], total: 0, counts: { ...counts, accepted: 0 } });
    const [none, one] = [{ accepted: 0 }, { accepted: 1 }];
    expect(await bob.get<InboxCount>('/inbox/count')).toMatchObject({ received: none, sent: one });
    expect(await ann.get<InboxCount>('/inbox/count')).toMatchObject({ received: one, sent: none });
    expect((await boardOf(swarm)).items).toMatchObject([{ joined_by: 'request', resource_type: 'both' }]);
  });

  test('says of a device that has joined by a link that nobody invited it', async () => {
    const swarm = await ann.swarm();
    const device = await bob.device();
    await after(ann.invite(swarm, device, 'producer'));
    await bob.join(await bob.open(await ann.link(swarm, { resource_type: 'both' })), device);
    const joined = { resource_type: 'consumer', status: 'accepted', joined_by: 'link', sent_by: null };
    const invited = { resource_type: 'producer', status: 'accepted', sent_by: 'ann' };
    for (const page of [await inboxOf(bob), await inboxOf(ann, 'box=sent'), await boardOf(swarm)]) {
      const items = page.items.toSorted((a, b) => (a.resource_type < b.resource_type ? -1 : 1));
      expect(items).toMatchObject([joined, invited]);
      expect(items[1]).not.toHaveProperty('joined_by');
    }
  });

  test('rejects unknown parameters by name', async () => {
    const problem = await refusal(bob, '/inbox?box=in&state=open&limit=1001&cursor=x&swarm=a/b&until=now');
    expect(problem).toMatchObject({ status: 400, code: 'query.invalid' });
    const pointers = problem.errors!.map(({ pointer }) => pointer);
    expect(pointers).toEqual(['?box', '?state', '?swarm', '?until', '?limit', '?cursor']);
  });
});

describe('the board', () => {
  test('shows the name of a device from acceptance until it leaves', async () => {
    const swarm = await ann.swarm();
    const device = await bob.device({ name: 'Gauge' });
    const invitation = await ann.invite(swarm, device);
    const shown = async () => (await boardOf(swarm)).items.map(({ status, device: seen }) => [status, seen?.name]);
    expect(await shown()).toEqual([['new', undefined]]);
    expect((await boardOf(swarm, 'q=gauge')).total).toBe(0);
    await bob.accept(invitation);
    expect(await shown()).toEqual([['accepted', 'Gauge']]);
    expect((await boardOf(swarm, 'q=gauge')).total).toBe(1);
    await bob.remove(`/swarms/${swarm.id}/resources/${device.id}`);
    expect(await shown()).toEqual([['accepted', undefined]]);
  });

  test('says that the recipient does not have the device any more, as an invitation of it would', async () => {
    // A device is offered soon after a sign-in.
    const [eve, fay] = await Promise.all(['eve', 'fay'].map((name) => signUpClient(server, name, 'gateway')));
    const swarm = await ann.swarm();
    const [rejected, destroyed, taken, open] = [
      await eve!.device(),
      await eve!.device(),
      await eve!.device(),
      await eve!.device(),
    ];
    await eve!.reject(await ann.invite(swarm, rejected));
    for (const device of [destroyed, taken, open]) await ann.invite(swarm, device);
    await eve!.destroy('resources', destroyed);
    await eve!.offerDevice(taken, 'fay');
    expect((await fay!.takeOverDevice(taken, 'fay')).status).toBe(204);
    const byDevice = async () =>
      Object.fromEntries(
        [...(await boardOf(swarm)).items, ...(await inboxOf(ann, 'box=sent')).items].map((item) => [
          item.resource_id,
          [item.status, item.device, item.is_former_device],
        ]),
      );
    expect(await byDevice()).toEqual({
      [rejected.id]: ['rejected', null, undefined],
      [destroyed.id]: ['rejected', null, true],
      [taken.id]: ['rejected', null, true],
      [open.id]: ['new', null, undefined],
    });
  });

  test('finds invitations without an answer for 14 days, until they are sent again', async () => {
    const swarm = await ann.swarm();
    const [a, b] = [await bob.device(), await cat.device()];
    const old = await ann.invite(swarm, a);
    server.wait(dayMs);
    await ann.invite(swarm, b);
    server.wait(13 * dayMs + 1000);
    const stale = await boardOf(swarm, 'state=stale');
    expect(idsOf(stale)).toEqual([old.id]);
    expect(stale.counts).toEqual({ new: 2, accepted: 0, rejected: 0, stale: 1 });
    expect(stale.total).toBe(1);
    expect(old.sent_at < stale.stale_before).toBe(true);
    await ann.invite(swarm, a);
    expect((await boardOf(swarm, 'state=stale')).total).toBe(0);
  });

  test('has the invitations of one swarm; the sent box has those of all swarms', async () => {
    const [river, fleet] = [await ann.swarm({ name: 'River' }), await ann.swarm({ name: 'Fleet' })];
    const device = await bob.device();
    const [first, second] = [await after(ann.invite(river, device)), await after(ann.invite(fleet, device))];
    expect(idsOf(await boardOf(river))).toEqual([first.id]);
    expect(idsOf(await inboxOf(ann, 'box=sent'))).toEqual([second.id, first.id]);
    expect(idsOf(await inboxOf(ann, 'box=sent&q=fleet'))).toEqual([second.id]);
    expect((await inboxOf(ann, 'box=sent&q=bob')).total).toBe(2);
    expect((await inboxOf(ann)).total).toBe(0);
  });
});

describe('swarms', () => {
  test('are listed with their counts, owned ones first, then by name', async () => {
    const [b10, b2] = [await ann.swarm({ name: 'b10' }), await ann.swarm({ name: 'B2', public: true })];
    const joined = await bob.swarm({ name: 'a', description: 'Ö' });
    await cat.swarm({ name: 'theirs', public: true });
    await ann.add(b2, await ann.device({ machine_type: 'pc' }), 'both');
    const device = await bob.device({ machine_type: 'smartphone' });
    await bob.accept(await ann.invite(b2, device, 'producer'));
    await ann.invite(b2, device, 'consumer');
    const own = await ann.device();
    await ann.accept(await bob.invite(joined, own, 'consumer'));
    server.wait(1000);
    const { modified_at } = await bob.change<{ modified_at: string }>(`/resources/${device.id}`, { name: 'x' });
    const list = await ann.get<SwarmList>('/swarm-list');
    expect(list).toMatchObject({ total: 3, owned: 2, joined: 1, next: null });
    expect(idsOf(list)).toEqual([b2.id, b10.id, joined.id]);
    const { resources: _, ...record } = b2;
    expect(list.items[0]).toEqual({
      ...record,
      listed: false,
      accepts_requests: true,
      may_ask: false,
      active_at: expect.any(String),
      member_count: 2,
      relation: 'owner',
      members: {
        machine_type: { pc: 1, bug: 0, smartphone: 1 },
        resource_type: { producer: 1, consumer: 0, both: 1 },
        changed_at: modified_at,
      },
      own: { producer: 0, consumer: 0, both: 1 },
      invitations: { new: 1, requests: 0 },
    });
    expect(list.items[1]).toMatchObject({ member_count: 0, members: { changed_at: null } });
    expect(list.items[2]).toMatchObject({
      relation: 'member',
      user_id: 'bob',
      own: { producer: 0, consumer: 1, both: 0 },
      invitations: null,
    });
  });

  test('are found by name, owner and description, ignoring case, and filtered by relation', async () => {
    const [own, joined] = [await ann.swarm({ name: 'Übersee' }), await bob.swarm({ description: 'Ärger' })];
    await ann.accept(await bob.invite(joined, await ann.device()));
    const found = async (query: string) => idsOf(await ann.get<SwarmList>(`/swarm-list?${query}`));
    expect(await found('q=ÜBER')).toEqual([own.id]);
    expect(await found('q=bob')).toEqual([joined.id]);
    expect(await found('q=ärger')).toEqual([joined.id]);
    expect(await found(`q=${own.id}`)).toEqual([own.id]);
    expect(await found('relation=owner')).toEqual([own.id]);
    expect(await found('relation=member')).toEqual([joined.id]);
    expect(await ann.get<SwarmList>('/swarm-list?relation=member&limit=0')).toMatchObject({ owned: 1, joined: 1 });
  });

  test('are compressed if they are many and the client takes it', async () => {
    const response = (encoding: string) =>
      ann.request({ path: '/swarm-list', headers: { 'accept-encoding': encoding } });
    const encodingOf = ({ headers }: Response) => headers.get('content-encoding');
    await ann.swarm();
    expect(encodingOf(await response('gzip'))).toBe(null);
    for (let count = 0; count < 3; count++) await ann.swarm();
    const packed = await response('gzip, br');
    expect(encodingOf(packed)).toBe('gzip');
    expect(packed.headers.get('vary')).toContain('accept-encoding');
    const { items } = JSON.parse(gunzipSync(await packed.arrayBuffer()).toString()) as SwarmList;
    expect(items).toEqual((await ann.get<SwarmList>('/swarm-list')).items);
    expect(encodingOf(await response('br, gzip;q=0'))).toBe(null);
  });

  test('are listed in pages', async () => {
    const names = ['c', 'a', 'b', 'd', 'a'];
    const swarms = await Promise.all(names.map((name) => ann.swarm({ name })));
    let cursor: string | null = '';
    const seen: string[] = [];
    while (cursor !== null) {
      const page: SwarmList = await ann.get(`/swarm-list?limit=2&cursor=${cursor}`);
      seen.push(...page.items.map(({ name }) => name));
      expect(page.total).toBe(swarms.length);
      cursor = page.next;
    }
    expect(seen).toEqual(names.toSorted());
  });

  test('are read in the reader thread, no more than a page', async () => {
    await Promise.all(Array.from({ length: 30 }, () => ann.swarm({ name: 'Ring' })));
    const read = vi.spyOn(server.db, 'read');
    await ann.get<SwarmList>('/swarm-list?q=ring&limit=5');
    const lists = read.mock.calls.flatMap(([{ sql, isLong }], index) =>
      sql.includes('swarm_viewers') ? [{ isLong, rows: read.mock.results[index]!.value as Promise<object[]> }] : [],
    );
    expect(lists.length).toBeGreaterThan(0);
    for (const { isLong, rows } of lists) expect([isLong, (await rows).length <= 6]).toEqual([true, true]);
  });

  test('of an earlier version are found when their texts are stored after the start', async () => {
    const swarm = await ann.swarm({ name: 'Übersee 10' });
    await server.db.write([{ sql: 'DELETE FROM swarm_texts' }]);
    const found = async (q: string) => idsOf(await ann.get<SwarmList>(`/swarm-list?q=${q}`));
    expect([await found('see'), await found('uber')]).toEqual([[swarm.id], []]);
    await server.app.tidy();
    expect(await found('uber')).toEqual([swarm.id]);
  });

  test('with many members have the time of their last change', async () => {
    const swarm = await ann.swarm();
    const devices = await Promise.all(Array.from({ length: 201 }, () => bob.device()));
    const at = server.now().toISOString();
    await server.db.write(
      devices.map(({ id }) => ({
        sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ($1, $2, 'both', $3)`,
        params: [swarm.id, id, at],
      })),
    );
    server.wait(1000);
    const { modified_at } = await bob.change<{ modified_at: string }>(`/resources/${devices[7]!.id}`, {});
    server.wait(1000);
    // A newer device that is not in the swarm.
    await bob.device();
    const { member_count, members } = await ann.get<SwarmItem>(`/swarms/${swarm.id}/overview`);
    expect([member_count, members?.changed_at]).toEqual([201, modified_at]);
  });

  test('say before a device joins what would flow, and what this device has sent', async () => {
    const devices = await Promise.all(Array.from({ length: 3 }, () => ann.device()));
    const roles = ['producer', 'producer', 'both'] as const;
    const members = roles.map((resource_type, index) => ({ resource_id: devices[index]!.id, resource_type }));
    const swarm = await ann.swarm({ resources: members });
    const gauge = await bob.device();
    const theirs = await bob.swarm({ resources: [{ resource_id: gauge.id, resource_type: 'producer' }] });
    for (const payload of [1, 2]) {
      const sent = { method: 'POST', path: `/resources/${gauge.id}/messages`, body: { payload } };
      expect((await bob.request(sent)).status).toBe(201);
    }
    await ann.invite(swarm, gauge);
    const flow = { producers: 3, consumers: 1 };
    const path = `/swarms/${swarm.id}/flow?resource_id=${gauge.id}`;
    expect(await bob.get<SwarmFlow>(path)).toEqual({ ...flow, sent: 2 });
    expect(await ann.get<SwarmFlow>(path), 'of another user').toEqual({ ...flow, sent: 0, shown: 0 });
    await ann.change(`/swarms/${swarm.id}/resources/${devices[0]!.id}`, { shown_by_links: true });
    expect((await ann.get<SwarmFlow>(path)).shown).toBe(1);
    expect(await bob.get<SwarmFlow>(path)).not.toHaveProperty('shown');
    expect(await refusal(dan, path)).toMatchObject({ code: 'swarm.not_found' });
    // A member with the other role is none of those that it would receive from. Others do not learn by it that it is one.
    expect((await bob.accept(await ann.invite(swarm, gauge, 'producer'))).status).toBe(200);
    for (const who of [bob, ann]) expect(await who.get<SwarmFlow>(path)).toMatchObject(flow);
    // What the swarm expects of it, unless its owner does.
    await ann.change(`/swarms/${swarm.id}`, { expected_every: 60 });
    for (const asked of [path, `/swarms/${swarm.id}/flow`])
      expect((await bob.get<SwarmFlow>(asked)).expected_every).toBe(60);
    expect(await ann.get<SwarmFlow>(path), 'of another user').not.toHaveProperty('expected_every');
    await bob.change(`/resources/${gauge.id}`, { expected_every: 300 });
    expect(await bob.get<SwarmFlow>(path)).not.toHaveProperty('expected_every');
    await ann.change(`/swarms/${swarm.id}`, { public: true });
    expect(await dan.get<SwarmFlow>(path)).toMatchObject({ ...flow, producers: 4 });
    expect(await bob.get<SwarmFlow>(`/swarms/${theirs.id}/flow`)).toEqual({
      producers: 1,
      consumers: 0,
      sent: 0,
      shown: 0,
    });
  });

  test('have an overview with the version of the service', async () => {
    const swarm = await ann.swarm();
    const path = `/swarms/${swarm.id}`;
    // The header of a browser.
    const headers = { 'accept-encoding': 'gzip, br' };
    const etag = (await ann.request({ path: `${path}/overview`, headers })).headers.get('etag');
    expect(etag).toBe((await ann.request({ path })).headers.get('etag'));
    const put = { method: 'PUT', path, body: { name: 'new' }, headers: { 'if-match': etag! } };
    expect((await ann.request(put)).status).toBe(200);
    expect((await ann.request(put)).status).toBe(412);
  });
});

describe('the members of a swarm', () => {
  async function createTestData() {
    const swarm = await ann.swarm();
    const position = { longitude: 1, latitude: 2 };
    const own = await ann.device({ name: 'Hub', machine_type: 'pc' });
    await ann.add(swarm, own, 'both');
    server.wait(1000);
    const device = await bob.device({ name: 'Gauge', machine_type: 'bug', position });
    await bob.accept(await ann.invite(swarm, device, 'producer'));
    server.wait(1000);
    const phone = await cat.device({ name: 'Phone', machine_type: 'smartphone' });
    await cat.accept(await ann.invite(swarm, phone, 'consumer'));
    return { swarm, own, device, phone };
  }
  const members = (who: ServiceClient, { id }: { id: string }, query = '') =>
    who.get<MemberPage>(`/swarms/${id}/members?${query}`);

  test('are devices with a role and the time they joined', async () => {
    const { swarm, device } = await createTestData();
    const { items, total, facets } = await members(ann, swarm);
    expect(items.map(({ name, user_id, resource_type }) => [name, user_id, resource_type])).toEqual([
      ['Gauge', 'bob', 'producer'],
      ['Hub', 'ann', 'both'],
      ['Phone', 'cat', 'consumer'],
    ]);
    const listed = (
      await ann.get<{ resource_id: string; member_since: string }[]>(`/swarms/${swarm.id}/resources`)
    ).find(({ resource_id }) => resource_id === device.id);
    expect(items[0]).toMatchObject({
      ...device,
      changed_at: device.created_at,
      member_since: listed!.member_since,
      swarms: [{ id: swarm.id, name: 'Ring', resource_type: 'producer' }],
    });
    expect(total).toBe(3);
    expect(facets).toMatchObject({
      machine_type: { pc: 1, bug: 1, smartphone: 1 },
      resource_type: { producer: 1, consumer: 1, both: 1 },
      unplaced: 2,
    });
  });

  test('are filtered by role and type, found by owner, and sorted by owner and by when they joined', async () => {
    const { swarm } = await createTestData();
    const names = async (query: string) => (await members(ann, swarm, query)).items.map(({ name }) => name);
    expect(await names('resource_type=both,consumer')).toEqual(['Hub', 'Phone']);
    expect(await names('resource_type=both&machine_type=bug')).toEqual([]);
    expect(await names('q=BOB')).toEqual(['Gauge']);
    expect(await names('sort=owner')).toEqual(['Hub', 'Gauge', 'Phone']);
    expect(await names('sort=-joined')).toEqual(['Phone', 'Gauge', 'Hub']);
    const { facets } = await members(ann, swarm, 'resource_type=both&limit=0');
    expect(facets.resource_type).toEqual({ producer: 1, consumer: 1, both: 1 });
    expect(facets.machine_type).toEqual({ pc: 1, bug: 0, smartphone: 0 });
    const first = await members(ann, swarm, 'sort=-joined&limit=2');
    expect(idsOf(await members(ann, swarm, `sort=-joined&limit=2&cursor=${first.next}`))).toHaveLength(1);
  });

  test('are the same as in the list and the map of that audience, with role and other filters', async () => {
    const { swarm, device } = await createTestData();
    const query = `audience=swarm:${swarm.id}&resource_type=producer,both`;
    const list = await bob.get<DevicePage>(`/devices?${query}`);
    const { at: _, ...page } = await members(bob, swarm, 'resource_type=producer,both');
    expect({ ...list, at: undefined }).toEqual({ ...page, at: undefined });
    const map = await bob.get<MapView>(`/map?zoom=3&${query}`);
    expect(map).toMatchObject({ total: 2, unplaced: 1 });
    expect(map.features).toMatchObject([{ id: device.id, properties: { resource_type: 'producer' } }]);
  });

  test('are counted by role in a cluster of the map', async () => {
    const swarm = await ann.swarm();
    const position = { longitude: 1, latitude: 2 };
    for (const role of ['producer', 'producer', 'both'] as const)
      await ann.add(swarm, await ann.device({ position }), role);
    const { features } = await ann.get<MapView>(`/map?zoom=3&audience=swarm:${swarm.id}`);
    expect(features).toMatchObject([{ properties: { cluster: true, by_role: { producer: 2, consumer: 0, both: 1 } } }]);
  });

  test('have roles only if the audience is a swarm', async () => {
    for (const query of ['resource_type=both', 'sort=owner', 'audience=visible&sort=-joined']) {
      expect((await refusal(ann, `/devices?${query}`)).code).toBe('query.invalid');
    }
  });
});

describe('access to a swarm', () => {
  const screens = {
    overview: (id: string) => `/swarms/${id}/overview`,
    members: (id: string) => `/swarms/${id}/members`,
    'list of members': (id: string) => `/devices?audience=swarm:${id}`,
    'map of members': (id: string) => `/map?zoom=1&audience=swarm:${id}`,
    wall: (id: string) => `/wall?audience=swarm:${id}`,
    board: (id: string) => `/swarms/${id}/board`,
  };
  // Ann owns it, Bob is a member, Cat was invited, and Dan is another user.
  const expected = {
    hidden: {
      overview: [200, 200, 200, 404],
      members: [200, 200, 403, 404],
      'list of members': [200, 200, 403, 404],
      'map of members': [200, 200, 403, 404],
      wall: [200, 200, 403, 404],
      board: [200, 403, 403, 404],
    },
    public: {
      overview: [200, 200, 200, 200],
      members: [200, 200, 403, 403],
      'list of members': [200, 200, 403, 403],
      'map of members': [200, 200, 403, 403],
      wall: [200, 200, 403, 403],
      board: [200, 403, 403, 403],
    },
  };
  const actors = () => [ann, bob, cat, dan];

  async function swarmOf(open: boolean) {
    const swarm = await ann.swarm({ public: open });
    await bob.accept(await ann.invite(swarm, await bob.device()));
    await ann.invite(swarm, await cat.device());
    return swarm;
  }

  test.each(['hidden', 'public'] as const)(
    'a %s swarm: for its owner, a member, an invited user and another user',
    async (kind) => {
      const { id } = await swarmOf(kind === 'public');
      const answers = await Promise.all(
        Object.entries(screens).map(async ([screen, path]) => {
          const statuses = await Promise.all(
            actors().map(async (who) => (await who.request({ path: path(id) })).status),
          );
          return [screen, statuses];
        }),
      );
      expect(Object.fromEntries(answers)).toEqual(expected[kind]);
    },
  );

  test.each([true, false])('hides its members from an invited user (public: %s)', async (open) => {
    const { id } = await swarmOf(open);
    const overview = await cat.get<SwarmItem>(`/swarms/${id}/overview`);
    expect(overview).toMatchObject({ relation: 'guest', member_count: 1, members: null, invitations: null });
    expect((await bob.get<SwarmItem>(`/swarms/${id}/overview`)).relation).toBe('member');
  });

  test('foreign, unknown and malformed ids get the same response as from the service', async () => {
    const { id } = await swarmOf(false);
    const bytes = async (path: string) => {
      const answer = await dan.request({ path });
      const text = (await answer.text()).replace(/"request_id":"[^"]*"/, '');
      return `${answer.status} ${answer.headers.get('content-type')} ${text}`;
    };
    const service = await bytes(`/swarms/${id}`);
    for (const asked of [id, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10', 'x', id.toUpperCase()]) {
      const answers = await Promise.all(Object.values(screens).map((path) => bytes(path(asked))));
      expect(answers).toEqual(Object.values(screens).map(() => service));
    }
  });
});
