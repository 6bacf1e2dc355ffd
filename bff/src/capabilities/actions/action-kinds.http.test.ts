// stores: SQLite, PostgreSQL in the long run
/** Every kind of action: what it does, that a repeated chunk changes nothing more, and what its inverse does. */
import { globSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  ActionFilter,
  ActionHistory,
  ActionResults,
  Device,
  Invitation,
  InvitationPage,
  ListedMember,
  Resource,
  Swarm,
} from '../../contract.ts';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { actionsOf, type ActionKindCases, type Start } from '../../tests/actions.fixture.ts';
import { outcomeOf, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
import type { CoreKind } from './kinds.ts';

const sources = dirname(import.meta.dirname);

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben] = await Promise.all([signUpClient(server, 'ann', 'gateway'), signUpClient(server, 'ben', 'gateway')]);
});
afterAll(() => server[Symbol.asyncDispose]());

type Items = Extract<Start, { items: unknown }>;
const named = ({ id }: { id: string }) => ({ id, name: 'shown' });
const ofSwarm = ({ id, name }: Swarm) => ({ swarm: { id, name } });
const start = (kind: Items['kind'], about: object, ...items: object[]) => ({ kind, about, wait: 0, items }) as Items;

/** Executes an action until its end. Returns its id and the codes of its items, null for success. */
async function execute(client: ServiceClient, action: Start) {
  const actions = actionsOf(client);
  const { id } = await actions.start(action);
  await actions.ended(id);
  return { id, codes: await codesOf(client, id) };
}
async function codesOf(client: ServiceClient, id: string) {
  const { results } = await client.get<ActionResults>(`/actions/${id}/results`);
  return results.map(({ result }) => result?.code ?? null);
}
async function undo(client: ServiceClient, id: string) {
  const actions = actionsOf(client);
  const started = await actions.act(id, 'undo');
  await actions.ended(started.id);
  const { kept = 0 } = (await actions.find(started.id)) ?? {};
  return { id: started.id, kept, codes: await codesOf(client, started.id) };
}

/** The number of changes of records so far. */
async function changes(): Promise<number> {
  const sql = `SELECT count(*) AS count FROM feed WHERE kind <> 'action.changed'`;
  const [row] = await server.db.read<{ count: number }>({ sql });
  return row!.count;
}

/** Executes an ended action of one chunk again, as after a crash before its results were stored. */
async function repeat(client: ServiceClient, id: string) {
  const params = [id];
  await server.db.write([
    { sql: 'UPDATE action_parts SET results = NULL WHERE action_id = $1', params },
    {
      sql: `UPDATE actions SET state = 'running', done = 0, failed = 0, ended_at = NULL, is_dismissed = 0, undoable = 0,
              taken_by = 'a process that has died', taken_until = '' WHERE id = $1`,
      params,
    },
  ]);
  await execute(client, start('update', {}, named(await client.device())));
  await actionsOf(client).ended(id);
  return codesOf(client, id);
}

/** An action of one batch is as if it had been stopped in it, and its process had ended before it stored the results. */
const loseLastTurn = (id: string) =>
  server.db.write([
    {
      sql: `UPDATE actions SET done = 0, failed = 0, undoable = 0, taken_by = 'a process that has died', taken_until = '2000-01-01'
            WHERE id = $1`,
      params: [id],
    },
    { sql: 'UPDATE action_parts SET results = NULL WHERE action_id = $1', params: [id] },
  ]);

interface Case {
  client: ServiceClient;
  action: Items;
  /** Reads what the action has changed. */
  read: () => Promise<unknown>;
  after: unknown;
}

const statusOf = async (client: ServiceClient, path: string) => (await client.request({ path })).status;
const member = async (swarm: Swarm, { id }: Resource) =>
  (await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`)).find(({ resource_id }) => resource_id === id)
    ?.resource_type;
const inHours = (hours: number) => new Date(server.now().getTime() + hours * hourMs).toISOString();
const dayAfter = (at: string) => new Date(Date.parse(at) + dayMs).toISOString();
const endOf = async ({ id: swarm }: Swarm, { id }: Resource) =>
  (await ann.get<ListedMember[]>(`/swarms/${swarm}/resources`)).find(({ resource_id }) => resource_id === id)?.ends_at;
const setEnd = (client: ServiceClient, swarm: Swarm, device: Resource, ends_at: string) =>
  client.request({ method: 'PUT', path: `/swarms/${swarm.id}/resources/${device.id}`, body: { ends_at } });
const status = async ({ id }: Invitation, client = ann) =>
  (await client.get<InvitationPage>('/inbox?box=sent&limit=200')).items.find((item) => item.id === id)?.status;
const names = async (swarm: Swarm) => (await ann.get<Invitation[]>(`/swarms/${swarm.id}/invitations`)).length;

/** Kinds of capabilities have their own. */
const cases: Record<Exclude<CoreKind, 'undo' | 'edit'>, () => Promise<Case>> = {
  async answer() {
    const [swarm, device] = [await ann.swarm(), await ben.device()];
    const invitation = await ann.invite(swarm, device);
    const item = { ...named(invitation), swarm: 'Ring' };
    const action = start('answer', { answer: 'accept' }, item);
    return { client: ben, action, read: () => member(swarm, device), after: 'consumer' };
  },
  async withdraw() {
    const invitation = await ann.invite(await ann.swarm(), await ben.device());
    return {
      client: ann,
      action: start('withdraw', {}, named(invitation)),
      read: () => status(invitation),
      after: undefined,
    };
  },
  async invite_again() {
    const [swarm, device] = [await ann.swarm(), await ben.device()];
    const invitation = await ann.invite(swarm, device);
    await ben.reject(invitation);
    return { client: ann, action: start('invite_again', {}, named(invitation)), read: () => names(swarm), after: 2 };
  },
  async invite() {
    const [swarm, { id: resource_id }] = [await ann.swarm(), await ben.device()];
    const line = { line: 1, to: 'ben', resource_id, resource_type: 'consumer' };
    const action = start('invite', { ...ofSwarm(swarm), description: 'Join' }, line);
    return { client: ann, action, read: () => names(swarm), after: 1 };
  },
  async add_member() {
    const [swarm, device] = [await ann.swarm(), await ann.device()];
    const action = start('add_member', { ...ofSwarm(swarm), resource_type: 'producer' }, named(device));
    return { client: ann, action, read: () => member(swarm, device), after: 'producer' };
  },
  async change_role() {
    const [swarm, device] = [await ann.swarm(), await ann.device()];
    await ann.add(swarm, device, 'producer');
    const action = start('change_role', { ...ofSwarm(swarm), resource_type: 'both' }, named(device));
    return { client: ann, action, read: () => member(swarm, device), after: 'both' };
  },
  async narrow_role() {
    const [swarm, device] = [await ann.swarm(), await ben.device()];
    await ben.accept(await ann.invite(swarm, device, 'producer'));
    await ben.accept(await ann.invite(swarm, device, 'consumer'));
    const action = start('narrow_role', { ...ofSwarm(swarm), resource_type: 'producer' }, named(device));
    return { client: ben, action, read: () => member(swarm, device), after: 'producer' };
  },
  async remove_member() {
    const [swarm, device] = [await ann.swarm(), await ben.device()];
    await ben.accept(await ann.invite(swarm, device));
    // Ben no longer sees the swarm afterwards.
    const action = start('remove_member', ofSwarm(swarm), named(device));
    return { client: ben, action, read: () => member(swarm, device), after: undefined };
  },
  async extend_member() {
    const [swarm, device] = [await ann.swarm(), await ben.device()];
    await ben.accept(await ann.invite(swarm, device));
    const ends_at = inHours(1);
    await setEnd(ben, swarm, device, ends_at);
    const action = start('extend_member', { ...ofSwarm(swarm), ends_at }, named(device));
    return { client: ben, action, read: () => endOf(swarm, device), after: dayAfter(ends_at) };
  },
  async offer_end() {
    const [swarm, device] = [await ann.swarm(), await ben.device()];
    await ben.accept(await ann.invite(swarm, device, 'consumer', { ends_at: inHours(1) }));
    const ends_at = inHours(2);
    const action = start('offer_end', { ...ofSwarm(swarm), ends_at }, named(device));
    const read = async () => {
      const { items } = await ben.get<InvitationPage>(`/inbox?swarm=${swarm.id}&state=new`);
      return items.map((item) => [item.resource_type, item.ends_at]);
    };
    return { client: ann, action, read, after: [['consumer', ends_at]] };
  },
  async import() {
    const device = await ann.device();
    const about = { file: 'devices.csv', hash: 'abc' };
    const create = { name: 'Imported', machine_type: 'pc', position: { longitude: 1, latitude: 2 } };
    const created = { line: 2, name: 'Imported', create };
    const update = { description: 'changed' };
    const action = start('import', about, created, { line: 3, ...named(device), update });
    const read = async () => {
      const own = await ann.get<Resource[]>('/resources');
      const found = own.filter(({ name, id }) => name === 'Imported' || id === device.id);
      return found.map(({ name, machine_type, description }) => ({ name, machine_type, description }));
    };
    const after = [
      { name: 'Sensor', machine_type: 'bug', description: 'changed' },
      { name: 'Imported', machine_type: 'pc', description: undefined },
    ];
    return { client: ann, action, read, after };
  },
  async update() {
    const device = await ann.device({ description: 'before' });
    const read = async () => {
      const { machine_type, description } = await ann.get<Resource>(`/resources/${device.id}`);
      return { machine_type, description };
    };
    const action = start('update', { machine_type: 'pc', description: null }, named(device));
    return { client: ann, action, read, after: { machine_type: 'pc', description: undefined } };
  },
  async delete() {
    const device = await ann.device();
    const read = () => statusOf(ann, `/resources/${device.id}`);
    return { client: ann, action: start('delete', {}, named(device)), read, after: 404 };
  },
  async delete_swarm() {
    const swarm = await ann.swarm();
    await ann.add(swarm, await ann.device());
    const read = () => statusOf(ann, `/swarms/${swarm.id}`);
    return { client: ann, action: start('delete_swarm', {}, named(swarm)), read, after: 404 };
  },
};
for (const file of globSync('*/*.cases.ts', { cwd: sources })) {
  const { actionKinds = {} } = (await import(resolve(sources, file))) as { actionKinds?: ActionKindCases };
  for (const [kind, prepare] of Object.entries(actionKinds))
    Object.assign(cases, { [kind]: async () => ({ client: ann, ...(await prepare(ann, ben)) }) });
}
const resends = new Set(['invite', 'invite_again', 'offer_end']);

test.each(Object.entries(cases))('%s is executed, and a repeated run changes nothing more', async (kind, prepare) => {
  const { client, action, read, after } = await prepare();
  const before = await read();
  const { id, codes } = await execute(client, action);
  expect(codes).toEqual(action.items.map(() => null));
  expect(await read()).toEqual(after);
  const changed = await changes();
  expect(await repeat(client, id)).toEqual(codes);
  expect(await read()).toEqual(after);
  // One for the device whose update has woken the runner, and the notice of an import. An invitation has a new time.
  if (!resends.has(kind)) expect(await changes()).toBe(changed + (kind === 'import' ? 2 : 1));

  if (!(await actionsOf(client).find(id))!.can_undo) return;
  const undone = await undo(client, id);
  expect(undone.codes).toEqual(codes);
  const restored = await changes();
  expect(await read()).toEqual(kind === 'delete' ? 200 : before);
  expect(await repeat(client, undone.id)).toEqual(codes);
  expect(await changes()).toBe(restored + 1);
  expect(await read()).toEqual(kind === 'delete' ? 200 : before);
});

test('both roles are one item: one invitation for each, answered, sent again and withdrawn together', async () => {
  const [swarm, device] = [await ann.swarm(), await ben.device()];
  const invite = () =>
    execute(
      ann,
      start('invite', ofSwarm(swarm), {
        line: 1,
        to: 'ben',
        resource_id: device.id,
        resource_type: 'both',
        label: 'Hub',
      }),
    );
  const box = async (client: ServiceClient, query: string) => {
    const { items, total, counts } = await client.get<InvitationPage>(`/inbox?swarm=${swarm.id}&${query}`);
    expect(total).toBe(items.length);
    return { items, counts };
  };
  const itemOf = ({ id, other_id }: InvitationPage['items'][number]) => ({ ...named({ id }), other_id });
  expect((await invite()).codes).toEqual([null]);
  expect(await names(swarm)).toBe(2);
  const { items: sent, counts } = await box(ann, 'box=sent');
  expect(sent).toMatchObject([{ resource_type: 'both', label: 'Hub', status: 'new' }]);
  expect(counts).toMatchObject({ new: 1, stale: 0 });
  const { items: received } = await box(ben, '');
  expect(received[0]).not.toHaveProperty('label');
  expect(itemOf(received[0]!)).toEqual(itemOf(sent[0]!));

  // Sent again, they are still one row.
  server.wait(7200_000);
  expect((await execute(ann, start('invite_again', {}, itemOf(sent[0]!)))).codes).toEqual([null]);
  const { items: again } = await box(ann, 'box=sent');
  expect(again).toMatchObject([{ id: sent[0]!.id, other_id: sent[0]!.other_id, label: 'Hub' }]);
  expect(again[0]!.sent_at > sent[0]!.sent_at).toBe(true);

  expect((await execute(ann, start('withdraw', {}, itemOf(sent[0]!)))).codes).toEqual([null]);
  expect(await names(swarm)).toBe(0);
  await invite();
  const [item] = (await box(ben, '')).items;
  const filter = { list: 'invitations' as const, query: `box=received&state=new&swarm=${swarm.id}` };
  const all = { kind: 'answer' as const, about: { answer: 'accept' as const }, wait: 0, filter, expected: 1 };
  expect((await execute(ben, all)).codes).toEqual([null]);
  expect(await member(swarm, device)).toBe('both');
  expect((await box(ben, 'state=accepted')).items).toMatchObject([{ id: item!.id, other_id: item!.other_id }]);
  expect((await invite()).codes).toEqual(['membership.exists']);
});

test('an invitation is accepted until the end that the user has read', async () => {
  const [swarm, device] = [await ann.swarm(), await ben.device()];
  const ends_at = new Date(server.now().getTime() + 7200_000).toISOString();
  const invitation = await ann.invite(swarm, device, 'consumer', { ends_at });
  await ann.invite(swarm, device);
  const answer = start('answer', { answer: 'accept' }, { ...named(invitation), swarm: 'Ring', ends_at });
  expect((await execute(ben, answer)).codes).toEqual([null]);
  expect(await ann.get(`/swarms/${swarm.id}/resources`)).toMatchObject([{ resource_id: device.id, ends_at }]);

  const late = await ben.device();
  const ended = await ann.invite(swarm, late, 'consumer', { ends_at });
  server.wait(7200_000);
  await ann.invite(swarm, late);
  const tooLate = start('answer', { answer: 'accept' }, { ...named(ended), swarm: 'Ring', ends_at });
  expect((await execute(ben, tooLate)).codes).toEqual(['invitation.ended']);
});

test('the devices of a user whose ends come together are extended by one action, as far as the swarm offers', async () => {
  const swarm = await ann.swarm();
  const [ends_at, other, offered] = [inHours(1), inHours(2), inHours(3)];
  const [one, two, three, four] = [await ben.device(), await ben.device(), await ben.device(), await ben.device()];
  for (const device of [one, two, three]) await ben.accept(await ann.invite(swarm, device));
  await ben.accept(await ann.invite(swarm, four, 'consumer', { ends_at: offered }));
  const theirs = await ann.device();
  await ann.add(swarm, theirs);
  for (const device of [one, two, four]) await setEnd(ben, swarm, device, ends_at);
  await setEnd(ben, swarm, three, other);
  await setEnd(ann, swarm, theirs, ends_at);
  const filter = { list: 'ending_members' as const, swarm_id: swarm.id, query: `ends_at=${ends_at}` };
  const all = { kind: 'extend_member' as const, about: { ...ofSwarm(swarm), ends_at }, wait: 0, filter };
  expect((await execute(ben, { ...all, expected: 3 })).codes).toEqual([null, null, null]);
  const ends = await Promise.all([one, two, three, four, theirs].map((device) => endOf(swarm, device)));
  expect(ends).toEqual([dayAfter(ends_at), dayAfter(ends_at), other, offered, ends_at]);
});

test('who only shortens an end, or has the latest one that is offered, does not extend it', async () => {
  const [swarm, device] = [await ann.swarm(), await ben.device()];
  const ends_at = inHours(1);
  await ben.accept(await ann.invite(swarm, device, 'consumer', { ends_at }));
  const action = start('extend_member', { ...ofSwarm(swarm), ends_at }, named(device));
  for (const client of [ann, ben]) expect((await execute(client, action)).codes).toEqual(['body.invalid']);
  expect(await endOf(swarm, device)).toBe(ends_at);
});

test('a later end is offered only for a member that ends before, and only by those who may invite', async () => {
  const [swarm, device, endless] = [await ann.swarm(), await ben.device(), await ben.device()];
  const [soon, offered, later, latest] = [inHours(1), inHours(2), inHours(3), inHours(4)];
  await ben.accept(await ann.invite(swarm, device, 'consumer', { ends_at: offered }));
  await ben.accept(await ann.invite(swarm, endless));
  const offer = (ends_at: string, ...devices: Resource[]) =>
    start('offer_end', { ...ofSwarm(swarm), ends_at }, ...devices.map(named));
  const other = await ben.device();
  const { codes } = await execute(ann, offer(offered, device, endless, other));
  expect(codes).toEqual(['membership.exists', 'membership.exists', 'membership.not_found']);
  expect((await execute(ben, offer(later, device))).codes).toEqual(['swarm.forbidden']);
  const own = await ann.device();
  await ann.add(swarm, own);
  await setEnd(ann, swarm, own, soon);
  expect((await execute(ann, offer(later, device, own))).codes).toEqual([null, 'body.invalid']);
  const { id } = await execute(ann, offer(latest, device));
  const { items } = await ben.get<InvitationPage>(`/inbox?swarm=${swarm.id}&state=new`);
  expect(items).toMatchObject([{ resource_type: 'consumer', ends_at: latest, member_ends_at: offered }]);
  // It is accepted before its run is repeated.
  await ben.accept(items[0]!);
  expect(await repeat(ann, id)).toEqual([null]);
  expect(await endOf(swarm, device)).toBe(latest);
});

test('if one of both was answered or withdrawn by itself, the other one is a row of its own', async () => {
  const [swarm, device] = [await ann.swarm(), await ben.device()];
  const line = { line: 1, to: 'ben', resource_id: device.id, resource_type: 'both' };
  const both = async () => {
    await execute(ann, start('invite', ofSwarm(swarm), line));
    const { items } = await ben.get<InvitationPage>(`/inbox?swarm=${swarm.id}&state=new`);
    return items[0]!;
  };
  const rows = async () => {
    const path = `/swarms/${swarm.id}/board`;
    const { items, counts } = await ann.get<InvitationPage>(path);
    return [...items.map((item) => `${item.resource_type} ${item.status} ${!!item.other_id}`), counts.new];
  };
  const item = await both();
  expect(await rows()).toEqual(['both new true', 1]);
  server.wait(1000);
  await ben.reject({ id: item.id, resource_id: item.resource_id });
  expect(await rows()).toEqual(['consumer new false', 'producer rejected false', 1]);
  // The answer to what was seen as one row answers what is left of it.
  const answer = start('answer', { answer: 'accept' }, { ...named(item), other_id: item.other_id, swarm: 'Ring' });
  expect((await execute(ben, answer)).codes).toEqual([null]);
  expect(await rows()).toEqual(['consumer accepted false', 'producer rejected false', 0]);
  // Only the missing role is sent. It is not shown with the answered one.
  expect(await both()).toMatchObject({ resource_type: 'producer' });
  expect(await member(swarm, device)).toBe('consumer');

  const [other, gauge] = [await ann.swarm(), await ben.device()];
  await execute(ann, start('invite', ofSwarm(other), { ...line, resource_id: gauge.id }));
  const board = async () => (await ann.get<InvitationPage>(`/swarms/${other.id}/board`)).items;
  const [pair] = await board();
  await ann.withdraw({ id: pair!.id, swarm_id: other.id });
  expect(await board()).toMatchObject([{ id: pair!.other_id, resource_type: 'consumer' }]);
  const gone = start('withdraw', {}, { ...named(pair!), other_id: pair!.other_id });
  expect((await execute(ann, gone)).codes).toEqual([null]);
  expect(await board()).toEqual([]);
});

test('a role is not taken from a member that does not have both', async () => {
  const [swarm, device] = [await ann.swarm(), await ben.device()];
  await ben.accept(await ann.invite(swarm, device, 'consumer'));
  const action = start('narrow_role', { ...ofSwarm(swarm), resource_type: 'producer' }, named(device));
  expect((await execute(ann, action)).codes).toEqual(['membership.cannot_widen']);
  expect(await member(swarm, device)).toBe('consumer');
});

test('edits, adding, imports and deletions of devices can be undone after their end', async () => {
  const undoable: string[] = [];
  for (const [kind, prepare] of Object.entries(cases)) {
    const { client, action } = await prepare();
    const { id } = await execute(client, action);
    if ((await actionsOf(client).find(id))!.can_undo) undoable.push(kind);
  }
  expect(undoable).toEqual(['add_member', 'change_role', 'import', 'update', 'delete']);
});

test('a deleted device comes back with the ends of its roles, and without a role whose time is over', async () => {
  const device = await ann.device();
  const [endless, short, long] = [await ann.swarm(), await ann.swarm(), await ann.swarm()];
  const endsIn = (ms: number) => new Date(server.now().getTime() + ms).toISOString();
  const ends = { [short.id]: endsIn(hourMs), [long.id]: endsIn(3 * hourMs) };
  for (const swarm of [endless, short, long]) {
    await ann.add(swarm, device, 'producer');
    const body = { resource_type: 'producer', ends_at: ends[swarm.id] ?? null };
    const path = `/swarms/${swarm.id}/resources/${device.id}`;
    expect((await ann.request({ method: 'PUT', path, body })).status).toBe(200);
  }
  const stored = () =>
    server.db.read({
      sql: 'SELECT swarm_id, resource_type, ends_at, ends_at_most FROM memberships WHERE resource_id = $1 ORDER BY swarm_id',
      params: [device.id],
    });
  const before = (await stored()) as { swarm_id: string }[];
  expect(before).toHaveLength(3);
  const { id } = await execute(ann, start('delete', {}, named(device)));
  server.wait(2 * hourMs);
  expect((await undo(ann, id)).codes).toEqual([null]);
  expect(await stored()).toEqual(before.filter(({ swarm_id }) => swarm_id !== short.id));
});

test('a deleted device comes back with its id, its fields, and its roles in own swarms', async () => {
  const [own, other] = [await ann.swarm(), await ben.swarm()];
  const fields = { name: 'Buoy', description: 'In the harbour', position: { longitude: 8, latitude: 54 } };
  const device = await ann.device(fields);
  await ann.add(own, device, 'producer');
  await ann.accept(await ben.invite(other, device));
  const { id } = await execute(ann, start('delete', {}, named(device)));
  server.wait(1000);
  await undo(ann, id);
  const { modified_at, ...restored } = await ann.get<Resource>(`/resources/${device.id}`);
  expect(restored).toEqual(device);
  expect(modified_at! > device.created_at).toBe(true);
  const [shown] = await ann.get<Device[]>(`/devices/by-id?ids=${device.id}`);
  expect(shown!.swarms).toEqual([{ id: own.id, name: own.name, resource_type: 'producer' }]);
});

const moved = { longitude: 9.1, latitude: 54.1 };

test.each([
  { edit: { description: 'A', position: moved }, since: ['description'], putBack: ['position'] },
  { edit: { expected_every: 600, keep_track: true }, since: ['expected_every'], putBack: ['keep_track'] },
  { edit: { expected_every: 600, name: 'A' }, since: ['expected_every'], putBack: ['name'] },
  { edit: { description: 'A', position: moved }, since: ['description', 'position'], putBack: [] },
])(
  'an undo of an edit says what it has put back and what it has left alone: $since',
  async ({ edit, since, putBack }) => {
    const position = { longitude: 8.6, latitude: 53.9 };
    const before = { name: 'Buoy', description: 'before', position, expected_every: 60, keep_track: false };
    const later = {
      description: 'B',
      position: { longitude: 1, latitude: 2 },
      expected_every: 3600,
      keep_track: false,
    };
    const device = await ann.device(before);
    const path = `/resources/${device.id}`;
    const put = async (body: object) =>
      expect((await ann.request({ method: 'PUT', path, body })).status, JSON.stringify(body)).toBe(200);
    const pick = (from: object, names: string[]) =>
      Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
    await put(edit);
    const { actions } = await ann.get<ActionHistory>(`/actions/history?resource_id=${device.id}`);
    await put(pick(later, since));
    const found = await ann.get<Resource>(path);
    const undone = await undo(ann, actions[0]!.id);
    const results = async (of: string) => (await ann.get<ActionResults>(`/actions/${of}/results`)).results;
    const kept = since.map((name) => ({ pointer: `/${name}`, code: 'changed_since' }));
    expect(await results(undone.id)).toMatchObject([
      {
        result: {
          code: putBack.length > 0 ? 'action.partly_undone' : 'action.changed_since',
          errors: [...putBack.map((name) => ({ pointer: `/${name}`, code: 'put_back' })), ...kept],
        },
      },
    ]);
    const { modified_at: _, ...stored } = { ...found, ...pick(before, putBack) };
    expect(await ann.get(path)).toMatchObject(stored);
    // Another attempt finds the rest put back.
    const again = await actionsOf(ann).act(undone.id, 'retry');
    await actionsOf(ann).ended(again.id);
    expect((await results(again.id))[0]!.result).toMatchObject({ code: 'action.changed_since', errors: kept });
  },
);

test('an inverse leaves alone what was changed since, and restores the other fields', async () => {
  const device = await ann.device({ description: 'before' });
  const about = { machine_type: 'pc', description: 'after' };
  const { id } = await execute(ann, start('update', about, named(device)));
  await ann.change(`/resources/${device.id}`, { description: 'since' });
  expect(await undo(ann, id)).toMatchObject({ codes: ['action.partly_undone'], kept: 1 });
  expect(await ann.get(`/resources/${device.id}`)).toMatchObject({ machine_type: 'bug', description: 'since' });

  const [swarm, twin] = [await ann.swarm(), await ann.device()];
  await ann.add(swarm, device, 'producer');
  const added = await execute(
    ann,
    start('add_member', { ...ofSwarm(swarm), resource_type: 'consumer' }, named(device), named(twin)),
  );
  expect(await member(swarm, device)).toBe('both');
  await ann.role(swarm, twin, 'producer');
  expect(await undo(ann, added.id)).toMatchObject({ codes: [null, 'action.changed_since'], kept: 1 });
  expect(await member(swarm, device)).toBe('producer');
  expect(await member(swarm, twin)).toBe('producer');

  const create = { name: 'Edited', machine_type: 'pc' };
  const imported = await execute(ann, start('import', { file: 'a', hash: 'b' }, { line: 2, name: 'Edited', create }));
  const edited = (await ann.get<Resource[]>('/resources')).find(({ name }) => name === 'Edited')!;
  await ann.change(`/resources/${edited.id}`, { description: 'since' });
  expect((await undo(ann, imported.id)).codes).toEqual(['action.changed_since']);
  expect(await statusOf(ann, `/resources/${edited.id}`)).toBe(200);
});

test.each(['is in a swarm', 'has a key'])('an undo of an import leaves alone a device that %s now', async (what) => {
  // Keys are created soon after a sign-in.
  const eve = await signUpClient(server, what.replaceAll(' ', '-'), 'gateway');
  const create = { name: 'Used', machine_type: 'pc' };
  const { id } = await execute(eve, start('import', { file: 'a', hash: 'b' }, { line: 2, name: 'Used', create }));
  const [device] = await eve.get<Resource[]>('/resources');
  if (what === 'has a key') await eve.make('/devices/keys', { resource_ids: [device!.id] });
  else await eve.add(await eve.swarm(), device!);
  expect((await undo(eve, id)).codes).toEqual(['action.changed_since']);
  expect(await statusOf(eve, `/resources/${device!.id}`)).toBe(200);
});

test('an undo of an import says which devices were deleted or handed over before', async () => {
  const [giver, taker] = await Promise.all(['giver', 'taker'].map((name) => signUpClient(server, name, 'gateway')));
  const create = (name: string) => ({ name, machine_type: 'pc' });
  const items = ['Kept', 'Gone', 'Given'].map((name, index) => ({ line: index + 2, name, create: create(name) }));
  const { id } = await execute(giver!, start('import', { file: 'a', hash: 'b' }, ...items));
  const devices = await giver!.get<Resource[]>('/resources');
  const [gone, given] = ['Gone', 'Given'].map((name) => devices.find((device) => device.name === name)!);
  await giver!.destroy('resources', gone!);
  await giver!.offerDevice(given!, 'taker');
  await taker!.takeOverDevice(given!, 'taker');
  const undone = await undo(giver!, id);
  expect(undone.codes).toEqual([null, 'resource.not_found', 'resource.not_found']);
  expect(await actionsOf(giver!).find(undone.id)).toMatchObject({ done: 3, failed: 2, changed: 1 });
  expect(await statusOf(taker!, `/resources/${given!.id}`)).toBe(200);
});

test('an undo that failed because the devices were deleted can be tried again after they are back', async () => {
  const device = await ann.device();
  const edited = await execute(ann, start('update', { machine_type: 'pc' }, named(device)));
  const deleted = await execute(ann, start('delete', {}, named(device)));
  const failed = await undo(ann, edited.id);
  expect(failed.codes).toEqual(['resource.not_found']);
  expect((await undo(ann, deleted.id)).codes).toEqual([null]);
  const again = await actionsOf(ann).act(failed.id, 'retry');
  await actionsOf(ann).ended(again.id);
  expect(await codesOf(ann, again.id)).toEqual([null]);
  expect(await ann.get<Resource>(`/resources/${device.id}`)).toMatchObject({ machine_type: device.machine_type });
});

test('an undo of an import whose last batch was lost leaves out what that batch did not make, also when it is tried again', async () => {
  const cleo = await signUpClient(server, 'cleo', 'gateway');
  const items = ['Made', 'Never made', 'Given'].map((name, index) => ({
    line: index + 2,
    name,
    create: { name, machine_type: 'pc' },
  }));
  const { id } = await execute(cleo, start('import', { file: 'a', hash: 'b' }, ...items));
  const devices = await cleo.get<Resource[]>('/resources');
  const [neverMade, given] = ['Never made', 'Given'].map((name) => devices.find((device) => device.name === name)!);
  await cleo.destroy('resources', neverMade!);
  await cleo.offerDevice(given!, 'ben');
  await ben.takeOverDevice(given!, 'ben');
  await loseLastTurn(id);
  const undone = await undo(cleo, id);
  expect(undone.codes).toEqual([null, null, 'resource.not_found']);
  await loseLastTurn(undone.id);
  await server.app.tidy();
  const again = await actionsOf(cleo).act(undone.id, 'retry');
  await actionsOf(cleo).ended(again.id);
  expect(await codesOf(cleo, again.id)).toEqual([null, null, 'resource.not_found']);
});

test('a repeated run of an undo says which changed devices were deleted before', async () => {
  const [kept, gone] = [await ann.device(), await ann.device()];
  const { id } = await execute(ann, start('update', { machine_type: 'pc' }, named(kept), named(gone)));
  await ann.destroy('resources', gone);
  const undone = await undo(ann, id);
  expect(undone.codes).toEqual([null, 'resource.not_found']);
  expect(await repeat(ann, undone.id)).toEqual(undone.codes);
});

test('an undo of adding devices takes back that links may show them, if they did not before', async () => {
  const swarm = await ann.swarm();
  const [hidden, shown, since] = [await ann.device(), await ann.device(), await ann.device()];
  const show = (device: Resource, isShown: boolean) =>
    ann.change(`/swarms/${swarm.id}/resources/${device.id}`, { resource_type: 'producer', shown_by_links: isShown });
  for (const device of [hidden, shown, since]) await ann.add(swarm, device, 'producer');
  await show(shown, true);
  await show(since, true);
  const about = { ...ofSwarm(swarm), resource_type: 'consumer' as const, shown_by_links: true as const };
  const { id } = await execute(ann, start('add_member', about, ...[hidden, shown, since].map(named)));
  const members = async () => {
    const all = await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
    return [hidden, shown, since].map((device) => {
      const { resource_type, shown_by_links = false } = all.find(({ resource_id }) => resource_id === device.id)!;
      return [resource_type, shown_by_links];
    });
  };
  expect(await members()).toEqual(Array(3).fill(['both', true]));
  await ann.change(`/swarms/${swarm.id}/resources/${since.id}`, { resource_type: 'both', shown_by_links: false });
  expect((await undo(ann, id)).codes).toEqual([null, null, null]);
  expect(await members()).toEqual([
    ['producer', false],
    ['producer', true],
    ['producer', false],
  ]);
});

test('items that would not change count as done, and an undo leaves them out', async () => {
  const [swarm, ...devices] = [await ann.swarm(), await ann.device({ machine_type: 'pc' }), await ann.device()];
  await ann.add(swarm, devices[0], 'both');
  const items = devices.map(named);
  const updated = await execute(ann, start('update', { machine_type: 'pc' }, ...items));
  expect(updated.codes).toEqual([null, null]);
  expect((await undo(ann, updated.id)).codes).toEqual([null]);
  const added = await execute(ann, start('add_member', { ...ofSwarm(swarm), resource_type: 'both' }, ...items));
  expect(added.codes).toEqual([null, null]);
  expect(await actionsOf(ann).find(added.id)).toMatchObject({ done: 2, failed: 0, changed: 1 });
  expect((await undo(ann, added.id)).codes).toEqual([null]);
  const changed = await execute(ann, start('change_role', { ...ofSwarm(swarm), resource_type: 'both' }, items[0]!));
  expect(await actionsOf(ann).find(changed.id)).toMatchObject({ done: 1, changed: 0, can_undo: false });
  const removed = await execute(ann, start('remove_member', ofSwarm(swarm), ...items, named(await ann.device())));
  expect(removed.codes).toEqual([null, null, null]);
});

test('an item fails with the problem of the endpoint if the right to it was lost before its run', async () => {
  const [swarm, device, spare] = [await ann.swarm(), await ben.device(), await ben.device()];
  const [invitation, withdrawn] = [await ann.invite(swarm, device), await ann.invite(swarm, spare)];
  const waiting: Start[] = [
    start('answer', { answer: 'accept' }, { ...named(withdrawn), swarm: 'Ring' }),
    start('change_role', { ...ofSwarm(swarm), resource_type: 'consumer' }, named(device)),
    start('update', { machine_type: 'pc' }, named(spare)),
  ];
  const actions = actionsOf(ben);
  await ben.accept(invitation);
  const ids: string[] = [];
  for (const action of waiting) ids.push((await actions.start({ ...action, wait: 60 })).id);
  await ann.withdraw(withdrawn);
  await ann.leave(swarm, device);
  await ben.destroy('resources', spare);
  const codes: unknown[] = [];
  for (const id of ids) {
    await actions.act(id, 'wait', { seconds: 0 });
    await actions.ended(id);
    codes.push(...(await codesOf(ben, id)));
  }
  expect(codes).toEqual(['invitation.not_found', 'swarm.not_found', 'resource.not_found']);
});

test('the members of a swarm without devices of the caller are neither changed nor revealed', async () => {
  const [swarm, device] = [await ann.swarm(), await ann.device()];
  await ann.add(swarm, device);
  const filter: ActionFilter = { list: 'members', swarm_id: swarm.id, query: '' };
  const answer = await actionsOf(ben).send({
    kind: 'remove_member',
    about: ofSwarm(swarm),
    wait: 0,
    filter,
    expected: 1,
  });
  expect(answer.status).toBe(404);
  expect((await execute(ben, start('remove_member', ofSwarm(swarm), named(device)))).codes).toEqual([
    'swarm.not_found',
  ]);
  expect(await member(swarm, device)).toBe('both');
});

test('a filter selects the devices, members or invitations that match when the action starts', async () => {
  const eve = await signUpClient(server, 'eve', 'gateway');
  const swarm = await eve.swarm();
  const devices = await Promise.all(
    Array.from({ length: 130 }, (_, index) => eve.device({ name: `Buoy ${index}`, machine_type: 'bug' })),
  );
  const others = await Promise.all([eve.device({ name: 'Gauge' }), eve.device({ name: 'Buoy', machine_type: 'pc' })]);
  const read = async (client: ServiceClient, path: string) =>
    (await client.get<{ total: number }>(`${path}${path.includes('?') ? '&' : '?'}limit=0`)).total;
  const about = { ...ofSwarm(swarm), resource_type: 'producer' as const };
  const query = 'q=buoy&machine_type=bug&sort=-changed';
  const filter: ActionFilter = { list: 'devices', query, except: [devices[0]!.id] };
  const add = (expected: number): Start => ({ kind: 'add_member', about, wait: 0, filter, expected });
  const wrong = await actionsOf(eve).send(add(130));
  expect(wrong.status).toBe(409);
  expect(await wrong.json()).toMatchObject({
    code: 'action.count_changed',
    errors: [{ pointer: '/expected', detail: '129' }],
  });
  const { id: adding, codes } = await execute(eve, add(129));
  expect(new Set(codes)).toEqual(new Set([null]));
  expect(await read(eve, `/swarms/${swarm.id}/members`)).toBe(129);
  expect(others.length).toBe(2);
  expect(await read(eve, `/devices?action=${adding}`)).toBe(129);
  expect(await read(ann, `/devices?action=${adding}`)).toBe(0);
  const typed: ActionFilter = { list: 'devices', query: `action=${adding}` };
  await execute(eve, { kind: 'update', about: { machine_type: 'smartphone' }, wait: 0, filter: typed, expected: 129 });
  expect(await read(eve, '/devices?machine_type=smartphone')).toBe(129);
  const file = await (await eve.request({ path: `/export?action=${adding}` })).text();
  expect(file.trim().split('\r\n')).toHaveLength(130);

  const members: ActionFilter = { list: 'members', swarm_id: swarm.id, query: 'q=buoy+12&resource_type=producer' };
  const expected = await read(eve, `/swarms/${swarm.id}/members?q=buoy+12&resource_type=producer`);
  expect(expected).toBeGreaterThan(10);
  await execute(eve, { kind: 'remove_member', about: ofSwarm(swarm), wait: 0, filter: members, expected });
  expect(await read(eve, `/swarms/${swarm.id}/members`)).toBe(129 - expected);

  const invited = await Promise.all(Array.from({ length: 120 }, (_, index) => ben.device({ name: `Hub ${index}` })));
  for (const device of invited) await eve.invite(swarm, device);
  const first = (await eve.get<InvitationPage>('/inbox?box=sent&limit=1')).items[0]!;
  const sent: ActionFilter = { list: 'invitations', query: 'box=sent&state=new', except: [first.id] };
  await execute(eve, { kind: 'withdraw', about: {}, wait: 0, filter: sent, expected: 119 });
  expect(await read(eve, '/inbox?box=sent&state=new')).toBe(1);
  const until = new Date(Date.parse(first.sent_at) - 1).toISOString();
  expect(await read(ben, `/inbox?state=new&swarm=${swarm.id}&until=${until}`)).toBe(0);
  const received: ActionFilter = {
    list: 'invitations',
    query: `state=new&swarm=${swarm.id}&until=${first.sent_at}`,
  };
  const rejecting: Start = { kind: 'answer', about: { answer: 'reject' }, wait: 60, filter: received, expected: 1 };
  const { id, items } = await actionsOf(ben).start(rejecting);
  const hub = invited.find((device) => device.id === first.resource_id)!;
  expect(items).toEqual([{ id: first.id, name: hub.name, swarm: swarm.name }]);
  await actionsOf(ben).post(`/${id}/undo`);
});

test('an edit of a position that says its time and accuracy can be put back', async () => {
  const eda = await signUpClient(server, 'eda', 'gateway');
  const position = { longitude: 8.6, latitude: 53.9 };
  const device = await eda.device({ name: 'Buoy', position });
  const path = `/resources/${device.id}`;
  server.wait(hourMs);
  const positioned_at = new Date(server.now().getTime() - hourMs / 2).toISOString();
  const headers = { 'if-match': '*' };
  const body = { position: { longitude: 9.1, latitude: 54.1 }, positioned_at, accuracy: 40 };
  await eda.request({ method: 'PUT', path, headers, body });
  expect(await eda.get(path)).toMatchObject(body);
  const { actions } = await eda.get<ActionHistory>(`/actions/history?resource_id=${device.id}`);
  expect(actions.map(({ kind }) => kind)).toEqual(['edit']);
  expect((await undo(eda, actions[0]!.id)).codes).toEqual([null]);
  const undone = await eda.get<Resource>(path);
  expect(undone.position).toEqual(position);
  expect(undone).not.toHaveProperty('accuracy');
});

test('what a user has changed of one device in the app is kept, found by its device, and can be put back', async () => {
  const eva = await signUpClient(server, 'eva', 'gateway');
  const position = { longitude: 8.6, latitude: 53.9 };
  const device = await eva.device({ name: 'Buoy', machine_type: 'bug', position });
  const other = await eva.device({ name: 'Other' });
  const path = `/resources/${device.id}`;
  const put = (body: object) => eva.request({ method: 'PUT', path, body });
  const editsOf = async ({ id }: { id: string }) =>
    (await eva.get<ActionHistory>(`/actions/history?resource_id=${id}`)).actions;
  const moved = { longitude: 9.1, latitude: 54.1 };
  await put({ name: 'Buoy 1', position: moved });
  // Neither changes anything.
  await put({ name: 'Buoy 1' });
  await eva.request({ method: 'PUT', path: `/resources/${other.id}`, body: { machine_type: other.machine_type } });
  // The report of a position is no edit.
  await put({ position: { longitude: 9.2, latitude: 54.2 }, accuracy: 10 });
  await put({ position: moved });
  await put({ description: 'At the pier' });
  const [described, back, edit, ...more] = await editsOf(device);
  expect(more).toEqual([]);
  expect(await editsOf(other)).toEqual([]);
  expect((await eva.get<ActionHistory>('/actions/history')).actions).toHaveLength(3);
  expect(edit).toMatchObject({
    kind: 'edit',
    about: { name: 'Buoy 1', position: moved },
    items: [{ id: device.id, name: 'Buoy 1' }],
    state: 'ended',
    changed: 1,
    can_undo: true,
  });
  expect((await undo(eva, edit!.id)).codes).toEqual([null]);
  expect(await eva.get(path)).toMatchObject({ name: 'Buoy', position, description: 'At the pier' });
  // It is not as this edit has left it.
  expect((await undo(eva, back!.id)).codes).toEqual(['action.changed_since']);
  expect((await undo(eva, described!.id)).codes).toEqual([null]);
  expect(await eva.get(path)).not.toHaveProperty('description');
  expect((await editsOf(device)).map(({ kind, undone_by }) => [kind, undone_by !== null])).toEqual([
    ['undo', false],
    ['undo', false],
    ['undo', false],
    ['edit', true],
    ['edit', true],
    ['edit', true],
  ]);
  expect(await outcomeOf(await eva.request({ path: '/actions/history?resource_id=%25' }))).toBe('400 query.invalid');
});

test('an edit that has begun to record says what its undo deletes', async () => {
  const eva = await signUpClient(server, 'rec', 'gateway');
  const device = await eva.device({ name: 'Buoy', keep_values: 'sent_at' });
  const put = (body: object) => eva.request({ method: 'PUT', path: `/resources/${device.id}`, body });
  await put({ keep_track: true, keep_values: 'time' });
  await put({ keep_values: null, description: 'At the pier' });
  await put({ keep_values: 'sent_at' });
  const { actions } = await eva.get<ActionHistory>(`/actions/history?resource_id=${device.id}`);
  const item = { id: device.id, name: 'Buoy' };
  expect(actions.map(({ items }) => items?.[0])).toEqual([
    { ...item, begins: ['keep_values'] },
    item,
    { ...item, begins: ['keep_track'] },
  ]);
});

test('nothing is kept of what a device or a program changes with a key', async () => {
  const eva = await signUpClient(server, 'max');
  const device = await eva.device({ name: 'Buoy' });
  await eva.request({ method: 'PUT', path: `/resources/${device.id}`, body: { name: 'Buoy 1' } });
  const [{ count }] = (await server.db.read<{ count: number }>({
    sql: `SELECT count(*) AS count FROM actions WHERE user_id = 'max'`,
  })) as [{ count: number }];
  expect(count).toBe(0);
});
