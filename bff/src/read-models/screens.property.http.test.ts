/** Compares the screens with the lists of the service, for random data. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  invitationRoles,
  invitationStates,
  type Invitation,
  type InvitationPage,
  type ListedMember,
  type MemberPage,
  type Resource,
  type Swarm,
  type SwarmItem,
  type SwarmList,
} from '../contract.ts';
import { machineTypes, memberRoles } from '../core/limits/field-rules.ts';
import { actionsOf } from '../tests/actions.fixture.ts';
import { signUpClient, type ServiceClient } from '../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../tests/test-server.fixture.ts';

let server: TestServer;
let users: ServiceClient[];
beforeAll(async () => {
  server = await createTestServer();
  users = await Promise.all(['ann', 'bob', 'cat'].map((name) => signUpClient(server, name, 'gateway')));
});
afterAll(() => server[Symbol.asyncDispose]());

interface TestData {
  devices: Resource[];
  swarms: Swarm[];
  invitations: Invitation[];
}
type Action = (data: TestData) => Promise<unknown>;

const one = fc.nat({ max: 99 });
const picked = <T>(from: readonly T[], index: number): T => from[index % from.length]!;
const ownerOf = ({ user_id }: { user_id: string }) => users.find(({ name }) => name === user_id)!;

const aged = `UPDATE invitations SET sent_at = strftime('%Y-%m-%dT%H:%M:%fZ', sent_at, '-8 days') WHERE status = 'new'`;

/** Each action may fail: only the resulting state matters. */
const acts: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(one, one, fc.constantFrom(...invitationRoles)).map(([a, b, role]): Action => async (data) => {
      const [swarm, device] = [picked(data.swarms, a), picked(data.devices, b)];
      const body = { to: device.user_id, resource_id: device.id, resource_type: role };
      const answer = await ownerOf(swarm).request({ method: 'POST', path: `/swarms/${swarm.id}/invitations`, body });
      if (answer.status === 201) data.invitations.push((await answer.json()) as Invitation);
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(one, one).map(([a, b]): Action => async ({ swarms, devices }) => {
      const [swarm, device] = [picked(swarms, a), picked(devices, b)];
      if (swarm.user_id === device.user_id) return;
      const item = {
        line: 1,
        to: device.user_id,
        resource_id: device.id,
        resource_type: 'both' as const,
        label: 'Hub',
      };
      const { start, ended } = actionsOf(ownerOf(swarm));
      const about = { swarm: { id: swarm.id, name: swarm.name } };
      await ended((await start({ kind: 'invite', about, wait: 0, items: [item] })).id);
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(one, one, fc.constantFrom<'accept' | 'reject'>('accept', 'reject'))
      .map(([a, b, answer]): Action => async () => {
        const client = picked(users, a);
        const { items } = await client.get<InvitationPage>('/inbox?state=new');
        const item = picked(items, b);
        if (!item) return;
        const answered = { id: item.id, name: '', swarm: '', ...(item.other_id && { other_id: item.other_id }) };
        const { start, ended } = actionsOf(client);
        await ended((await start({ kind: 'answer', about: { answer }, wait: 0, items: [answered] })).id);
      }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(one, fc.constantFrom('accept' as const, 'accept' as const, 'reject' as const))
      .map(([a, word]): Action => async ({ invitations }) => {
        const invitation = picked(invitations, a);
        if (invitation) await ownerOf({ user_id: invitation.to })[word](invitation);
      }),
  },
  one.map((a): Action => async ({ invitations }) => {
    const invitation = picked(invitations, a);
    if (invitation) await ownerOf({ user_id: invitation.from }).withdraw(invitation);
  }),
  fc.tuple(one, one, fc.constantFrom(...memberRoles)).map(([a, b, role]): Action => async ({ swarms, devices }) => {
    await ownerOf(picked(swarms, a)).add(picked(swarms, a), picked(devices, b), role);
  }),
  fc.tuple(one, one).map(([a, b]): Action => async ({ swarms, devices }) => {
    const path = `/swarms/${picked(swarms, a).id}/resources/${picked(devices, b).id}`;
    await ownerOf(picked(devices, b)).request({ method: 'DELETE', path });
  }),
  fc.tuple(one, fc.constantFrom(...machineTypes)).map(([a, machine_type]): Action => async ({ devices }) => {
    const { id } = picked(devices, a);
    await ownerOf(picked(devices, a)).request({ method: 'PUT', path: `/resources/${id}`, body: { machine_type } });
  }),
  one.map(
    (a): Action =>
      async ({ devices }) =>
        ownerOf(picked(devices, a)).destroy('resources', picked(devices, a)),
  ),
  one.map(
    (a): Action =>
      async ({ swarms }) =>
        a % 3 === 0 && ownerOf(picked(swarms, a)).destroy('swarms', picked(swarms, a)),
  ),
  fc.constant<Action>(async () => server.wait(60_000)),
  // Ages open invitations in the database, because advancing the clock would expire sessions.
  fc.constant<Action>(async () => server.db.write([{ sql: aged }])),
);

async function createTestData(): Promise<TestData> {
  await server.db.write([
    { sql: 'DELETE FROM swarms' },
    { sql: 'DELETE FROM resources' },
    { sql: 'DELETE FROM invitations' },
  ]);
  const twice = [...users, ...users];
  const [devices, swarms] = await Promise.all([
    Promise.all(twice.map((who, index) => who.device({ name: `d${index}` }))),
    Promise.all(users.map((who) => who.swarm({ name: `of ${who.name}` }))),
  ]);
  return { devices, swarms, invitations: [] };
}

/** Reads all pages. */
async function allPages<P extends { items: unknown[]; next: string | null; total: number }>(
  who: ServiceClient,
  path: string,
) {
  const items: P['items'] = [];
  let page: P;
  let cursor: string | null = '';
  do {
    page = await who.get<P>(`${path}${path.includes('?') ? '&' : '?'}limit=3&cursor=${cursor}`);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  expect(page.total).toBe(items.length);
  return { ...page, items } as P;
}

type Item = Omit<Invitation, 'resource_type'>;
const changedAt = ({ accepted_at, rejected_at, sent_at }: Item) => accepted_at ?? rejected_at ?? sent_at;
/** The sort order of inbox and board. */
function inboxOrder(a: Item, b: Item): number {
  if ((a.status === 'new') !== (b.status === 'new')) return a.status === 'new' ? -1 : 1;
  const [one, other] = [changedAt(a) + a.id, changedAt(b) + b.id];
  return one < other ? 1 : -1;
}

/** Two invitations for both roles that were sent and answered together are one item. */
function asItems(records: Invitation[]) {
  const keyOf = (record: Invitation) =>
    JSON.stringify([record.swarm_id, record.resource_id, record.status, changedAt(record), record.sent_at]);
  const isConsumer = ({ resource_type }: Invitation) => resource_type === 'consumer';
  const producers = new Set(records.filter((record) => !isConsumer(record)).map(keyOf));
  const seconds = records.filter((record) => isConsumer(record) && producers.has(keyOf(record)));
  return records
    .filter((record) => !seconds.includes(record))
    .map((record) => {
      const [other] = seconds.filter((second) => !isConsumer(record) && keyOf(second) === keyOf(record)).toSorted(byId);
      // The record has it only if it differs from its "from".
      return { sent_by: record.from, ...record, ...(other && { resource_type: 'both', other_id: other.id }) };
    });
}
const byId = (a: Invitation, b: Invitation) => (a.id < b.id ? -1 : 1);

async function expectSameInvitations(who: ServiceClient, path: string, records: Invitation[]) {
  const page = await allPages<InvitationPage>(who, path);
  const plain = asItems(records);
  // Of a member that is invited for its other role, the page says its end too (consent-ends.http.test.ts).
  const own = page.items.map((item) => {
    const { changed_at: _1, swarm: _2, device: _3, label: _4, other_role_ends_at: _5, ...rest } = item;
    // A device that has gone is known to the page alone (screens.http.test.ts).
    const { is_former_device: _6, ...record } = rest;
    return record;
  });
  expect(own).toEqual(plain.toSorted(inboxOrder));
  const open = plain.filter(({ status }) => status === 'new');
  expect(page.counts).toEqual({
    ...Object.fromEntries(
      invitationStates.map((state) => [state, plain.filter(({ status }) => status === state).length]),
    ),
    stale: open.filter(({ sent_at }) => sent_at < page.stale_before).length,
  });
  for (const item of page.items) {
    const seen = await who.request({ path: `/resources/${item.resource_id}` });
    const { name, machine_type } = (await seen.json()) as Resource;
    expect(item.device).toEqual(seen.status === 200 ? { name, machine_type } : null);
    const answer = await who.request({ path: `/swarms/${item.swarm_id}` });
    if (answer.status === 404) {
      // after a rejection, a departure or a removal
      expect(item.status).not.toBe('new');
      expect(Object.keys(item.swarm)).toEqual(['id', 'user_id', 'name']);
      continue;
    }
    const swarm = (await answer.json()) as Swarm & { member_count?: number };
    expect(item.swarm).toMatchObject({ name: swarm.name, user_id: swarm.user_id });
    expect(item.swarm).toHaveProperty('member_count', swarm.member_count ?? swarm.resources.length);
  }
  for (const state of ['new', 'answered', 'stale', ...invitationStates] as const) {
    const joint = path.includes('?') ? '&' : '?';
    const some = await allPages<InvitationPage>(who, `${path}${joint}state=${state}`);
    const wanted = page.items.filter(({ status, sent_at }) => {
      if (state === 'stale') return status === 'new' && sent_at < page.stale_before;
      return state === 'answered' ? status !== 'new' : status === state;
    });
    expect(some.items).toEqual(wanted);
  }
}

async function expectSameMembers(who: ServiceClient, swarm: Swarm) {
  const plain = await who.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
  const { items, facets } = await allPages<MemberPage>(who, `/swarms/${swarm.id}/members?sort=-joined`);
  const members = items.map(({ id, resource_type, user_id, member_since }) => [
    id,
    resource_type,
    user_id,
    member_since,
  ]);
  expect(members.toReversed()).toEqual(
    plain.map(({ resource_id, resource_type, user_id, member_since }) => [
      resource_id,
      resource_type,
      user_id,
      member_since,
    ]),
  );
  const count = (wanted: (member: MemberPage['items'][number]) => boolean) => items.filter(wanted).length;
  const roles = Object.fromEntries(memberRoles.map((role) => [role, count((one) => one.resource_type === role)]));
  const types = Object.fromEntries(machineTypes.map((type) => [type, count((one) => one.machine_type === type)]));
  expect(facets).toMatchObject({ all: plain.length, resource_type: roles, machine_type: types });
  const overview = await who.get<SwarmItem>(`/swarms/${swarm.id}/overview`);
  const newest =
    items
      .map(({ changed_at }) => changed_at)
      .toSorted()
      .at(-1) ?? null;
  expect(overview.members).toEqual({ machine_type: types, resource_type: roles, changed_at: newest });
  const mine = (role: string) => count(({ user_id, resource_type }) => user_id === who.name && resource_type === role);
  expect(overview.own).toEqual(Object.fromEntries(memberRoles.map((role) => [role, mine(role)])));
}

test('inbox, board, swarms and members equal the lists of the service', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 10, maxLength: 40 }), async (steps) => {
      const data = await createTestData();
      for (const act of steps) await act(data);
      for (const who of users) {
        await expectSameInvitations(who, '/inbox', await who.get<Invitation[]>('/invitations'));
        const swarms = await who.get<Swarm[]>('/swarms');
        const sent: Invitation[] = [];
        for (const swarm of swarms) {
          await expectSameMembers(who, swarm);
          if (swarm.user_id !== who.name) continue;
          const plain = await who.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);
          await expectSameInvitations(who, `/swarms/${swarm.id}/board`, plain);
          sent.push(...plain);
          const overview = await who.get<SwarmItem>(`/swarms/${swarm.id}/overview`);
          expect(overview.invitations?.new).toBe(asItems(plain).filter(({ status }) => status === 'new').length);
        }
        await expectSameInvitations(who, '/inbox?box=sent', sent);
        const list = await allPages<SwarmList>(who, '/swarm-list');
        const owned = swarms.filter(({ user_id }) => user_id === who.name).length;
        expect([list.owned, list.managed + list.joined]).toEqual([owned, swarms.length - owned]);
        for (const item of list.items) {
          expect(item).toEqual(await who.get<SwarmItem>(`/swarms/${item.id}/overview`));
          expect(item.member_count).toBe(swarms.find(({ id }) => id === item.id)!.resources.length);
        }
      }
    }),
    { numRuns: 15 },
  );
});
