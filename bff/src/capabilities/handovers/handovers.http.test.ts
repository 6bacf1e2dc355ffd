// stores: SQLite, PostgreSQL
/** Devices that are handed over: what goes with them, what ends, and what their former owners cannot do any more. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  ActionHistory,
  Activity,
  ActivityPage,
  Handover,
  Message,
  MessageSent,
  NewShareLink,
  Offer,
  Resource,
  Track,
  ValueSeries,
} from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { createFairQueue } from '../../core/limits/fair-queue.ts';
import { createLimits } from '../../core/limits/limit-tables.ts';
import { handoverLimits } from './limits.ts';
import { createMessages } from '../messages/messages.ts';
import { openStore } from '../../core/store/open.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { expectInvariants } from '../../tests/invariants.fixture.ts';
import {
  createServiceClient,
  outcomeOf,
  signUpClient,
  type ServiceClient,
} from '../../tests/service-client.fixture.ts';
import {
  createTestServer,
  eventRecorder,
  origin,
  type TestServer,
  type TestUser,
} from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let cleo: ServiceClient;
let users: TestUser[];
beforeAll(async () => {
  server = await createTestServer();
  users = await Promise.all(['ann', 'ben', 'cleo'].map((name) => server.signUp(name)));
  [ann, ben, cleo] = users.map((user) =>
    createServiceClient(user.name, (asked) => server.request('gateway', user, asked)),
  ) as [ServiceClient, ServiceClient, ServiceClient];
});
afterAll(async () => {
  await expectInvariants(server.db);
  await server[Symbol.asyncDispose]();
});

const here = { longitude: 8, latitude: 54 };
const offer = async (device: Resource, withHistory?: boolean) =>
  expect((await ann.offerDevice(device, 'ben', withHistory)).status).toBe(200);
const takeOver = async (device: Resource) => expect((await ben.takeOverDevice(device, 'ben')).status).toBe(204);
async function handOver(device: Resource, withHistory?: boolean) {
  await offer(device, withHistory);
  await takeOver(device);
}
const keyOf = async ({ id }: Resource) => (await server.app.operator.createDeviceKey({ device: id, name: 'k' })).key;
const withKey = async (key: string, method: string, path: string, body?: object) =>
  outcomeOf(
    await server.fetch(`/service${path}`, {
      method,
      headers: { 'x-serviceapikey': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
const swarmsOf = async (client: ServiceClient, { id }: Resource) =>
  (await client.get<{ id: string }[]>(`/resources/${id}/swarms`)).map((swarm) => swarm.id);
const newest = async (client: ServiceClient, path = '/activity') => (await client.get<ActivityPage>(path)).items[0]!;
const usageOf = async (user: string, kind: string) => {
  const sql = 'SELECT amount FROM usage WHERE user_id = $1 AND kind = $2';
  return (await server.db.read<{ amount: number }>({ sql, params: [user, kind] }))[0]?.amount ?? 0;
};

/** A device of Ann's that records, in swarms of all three. */
async function known() {
  const device = await ann.device({ keep_track: true, keep_values: 'sent_at', position: here, description: 'd' });
  const [annas, bens, cleos] = [await ann.swarm(), await ben.swarm(), await cleo.swarm()];
  expect((await ann.add(annas, device)).status).toBe(201);
  expect((await ann.accept(await ben.invite(bens, device, 'producer'))).status).toBe(200);
  expect((await ann.accept(await cleo.invite(cleos, device, 'consumer'))).status).toBe(200);
  server.wait(60_000);
  await ann.change(`/resources/${device.id}`, { position: { longitude: 9, latitude: 55 } });
  await ann.make(`/resources/${device.id}/messages`, { payload: { temperature: 21 } });
  await server.app.values.run();
  return { device, annas, bens, cleos };
}
const seriesOf = (client: ServiceClient, { id }: Resource) =>
  client.get<{ series: ValueSeries[] }>(`/resources/${id}/values?from=2020-01-01T00:00:00.000Z`);

test('an offer shows what it is about, and without its history nothing of that goes with a device', async () => {
  const { device, annas, bens, cleos } = await known();
  const [key, invited] = [await keyOf(device), await cleo.invite(await cleo.swarm(), device)];
  const asked = await cleo.swarm({ public: true });
  await ann.ask(asked, device);
  const devices = [await usageOf('ann', 'resources'), await usageOf('ben', 'resources')];
  await offer(device);
  expect(await ann.get<Handover>(`/resources/${device.id}/handover`)).toEqual({
    resource_id: device.id,
    user_id: 'ben',
    with_history: false,
    offered_at: expect.any(String) as string,
  });
  const { id, user_id, name, machine_type, description, keep_track, keep_values } = device;
  expect(await ben.get<Offer[]>('/offers')).toEqual([
    {
      role: 'owner',
      offered_at: expect.any(String) as string,
      with_history: false,
      resource: { id, user_id, name, machine_type, description, keep_track, keep_values },
    },
  ]);
  expect(await ben.get('/inbox/count')).toMatchObject({ offers: 1 });
  expect(await newest(ben)).toMatchObject({ kind: 'resource.offered', actor: 'ann', resource: { id, name } });

  await takeOver(device);
  expect(await ben.get<Resource>(`/resources/${id}`)).toMatchObject({ user_id: 'ben', name, keep_track: true });
  expect(await swarmsOf(ben, device)).toEqual([bens.id]);
  for (const [client, swarm] of [
    [ann, annas],
    [cleo, cleos],
  ] as const)
    expect(await client.get(`/swarms/${swarm.id}`)).toMatchObject({ resources: [] });
  expect(await newest(cleo, `/activity?swarm_id=${cleos.id}`)).toMatchObject({ kind: 'member.removed', actor: 'ann' });
  expect(await newest(ann, `/activity?swarm_id=${annas.id}`)).toMatchObject({ kind: 'member.removed', actor: 'ben' });
  expect(await withKey(key, 'GET', `/resources/${id}`)).toBe('401 key.invalid');
  expect((await ben.get<Track>(`/resources/${id}/track`)).points).toEqual([]);
  expect((await seriesOf(ben, device)).series).toEqual([]);
  expect(await ben.get<Message[]>(`/resources/${id}/messages/sent`)).toEqual([]);
  expect(await ben.get(`/resources/${id}/invitations`)).toEqual([]);
  expect(await cleo.get(`/swarms/${invited.swarm_id}/invitations`)).toMatchObject([{ status: 'rejected' }]);
  expect(await cleo.get(`/swarms/${asked.id}/requests`)).toEqual([]);
  expect(await ben.get<Offer[]>('/offers')).toEqual([]);
  expect([await usageOf('ann', 'resources'), await usageOf('ben', 'resources')]).toEqual([
    devices[0]! - 1,
    devices[1]! + 1,
  ]);
  for (const client of [ann, ben])
    expect(await newest(client)).toMatchObject({
      kind: 'resource.handed_over',
      actor: 'ben',
      detail: 'ann',
    } satisfies Partial<Activity>);
  expect(await outcomeOf(await ann.request({ path: `/resources/${id}` }))).toBe('404 resource.not_found');
  await expectInvariants(server.db);
});

test('with its history, its track and its values go with it, and count for the new owner', async () => {
  const { device } = await known();
  const [track, { series }] = [await ann.get<Track>(`/resources/${device.id}/track`), await seriesOf(ann, device)];
  expect([track.points.length, series.length]).toEqual([2, 1]);
  const bytes = [await usageOf('ann', 'value_bytes'), await usageOf('ben', 'value_bytes')];
  await handOver(device, true);
  expect(await ben.get<Track>(`/resources/${device.id}/track`)).toEqual(track);
  expect((await seriesOf(ben, device)).series).toEqual(series);
  expect(await ben.get<Message[]>(`/resources/${device.id}/messages/sent`)).toEqual([]);
  const after = [await usageOf('ann', 'value_bytes'), await usageOf('ben', 'value_bytes')];
  expect(after[0]! + after[1]!).toBe(bytes[0]! + bytes[1]!);
  expect(after[1]!).toBeGreaterThan(bytes[1]!);
  await expectInvariants(server.db);
});

test('a device stays in a swarm of its new owner without the end that its former owner chose, unless its time is over', async () => {
  const [device, later, over] = [await ann.device(), await ben.swarm(), await ben.swarm()];
  for (const swarm of [later, over]) await ann.accept(await ben.invite(swarm, device, 'producer'));
  const inHours = (hours: number) => new Date(server.now().getTime() + hours * hourMs).toISOString();
  await ann.change(`/swarms/${later.id}/resources/${device.id}`, { ends_at: inHours(2) });
  // As if the job had not deleted it yet.
  const params = [inHours(-1), over.id];
  await server.db.write([{ sql: 'UPDATE memberships SET ends_at = $1 WHERE swarm_id = $2', params }]);
  await handOver(device);
  expect(await swarmsOf(ben, device)).toEqual([later.id]);
  const [member] = await ben.get<{ resource_id: string }[]>(`/swarms/${later.id}/resources`);
  expect(member).toMatchObject({ resource_id: device.id });
  expect(member).not.toHaveProperty('ends_at');
  await expectInvariants(server.db);
});

test('messages of the former owner are deleted, also after an interruption, and those to the device are not shown', async () => {
  const { device, cleos } = await known();
  const sender = await cleo.device();
  await cleo.add(cleos, sender, 'producer');
  const receiving = await ben.device();
  await ben.accept(await cleo.invite(cleos, receiving));
  await cleo.make(`/resources/${sender.id}/messages`, { payload: 'for ann', to: device.id });
  // As if the clock of the process that wrote it was ahead.
  await server.db.write([
    { sql: `UPDATE messages SET sent_at = '2999-01-01T00:00:00.000Z' WHERE to_id = $1`, params: [device.id] },
  ]);
  await handOver(device);
  const taken = await ben.get<Resource>(`/resources/${device.id}`);
  await ben.accept(await cleo.invite(cleos, taken));
  const inSwarm = await ben.get<{ items: Message[] }>(`/swarms/${cleos.id}/messages`);
  expect(inSwarm.items).toEqual([]);
  const receivedNow = async () => {
    const path = `/resources/${device.id}/messages`;
    const answer = await ben.request({ path, headers: { accept: 'application/json' } });
    return (await answer.json()) as Message[];
  };
  expect(await receivedNow()).toEqual([]);
  await cleo.make(`/resources/${sender.id}/messages`, { payload: 'for ben', to: device.id });
  expect(await receivedNow()).toMatchObject([{ payload: 'for ben' }]);
  await ben.change(`/swarms/${cleos.id}/resources/${device.id}`, { resource_type: 'consumer' });
  const left = async () =>
    (await server.db.read({ sql: 'SELECT 1 FROM messages WHERE sender_id = $1', params: [device.id] })).length;
  await expect.poll(left).toBe(0);
  // As if the process had been killed before.
  const sql = `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named, user_id)
    VALUES ('left', $1, $2, $3, '1', 0, 'ann')`;
  await server.db.write([{ sql, params: [cleos.id, device.id, device.created_at] }]);
  await server.app.tidy();
  expect(await left()).toBe(0);
});

test('the former owner cannot undo an earlier change, and is not offered it', async () => {
  const device = await ann.device();
  await ann.change(`/resources/${device.id}`, { name: 'Renamed' });
  const canUndo = async (query = '') =>
    (await ann.get<ActionHistory>(`/actions/history${query}`)).actions.find(({ kind }) => kind === 'edit')?.can_undo;
  expect(await canUndo()).toBe(true);
  await handOver(device);
  expect([await canUndo(), await canUndo(`?resource_id=${device.id}`)]).toEqual([false, false]);
});

test('the key of the former owner’s device sends nothing for the new one, in a process that does not know of it yet', async () => {
  const { device } = await known();
  await handOver(device);
  const messages = createMessages({
    db: server.db,
    feed: { name: 'feed', subscribe: () => () => {}, readCommitted: async () => {} },
    queue: createFairQueue({ mostWaiting: 10 }),
    quotas: { swarms: 100 },
    bytesOfAll: Infinity,
    unread: { due: () => {}, cursor: () => Infinity, read: async () => {}, countDeleted: () => ({ sql: 'SELECT 1' }) },
    ...createLimits({ factor: 1, now: server.now }),
    now: server.now,
    newId: () => crypto.randomUUID(),
    report: (error) => expect.unreachable(String(error)),
  });
  const send = (userId: string) => messages.send({ userId, id: device.id, body: { payload: '1' } });
  await expect(send('ann')).rejects.toMatchObject({ code: 'message.not_producer' });
  await expect(send('ben')).resolves.toMatchObject({ sent: { swarms: [expect.any(String)] } });
  await messages.close();
});

test('an id that the former owner’s device gave to a message does not keep another one from being sent', async () => {
  const { device, bens } = await known();
  await handOver(device);
  const rows = () =>
    server.db.read({ sql: 'SELECT user_id, id FROM messages WHERE sender_id = $1 ORDER BY seq', params: [device.id] });
  await expect.poll(rows).toEqual([]);
  // As if it was not deleted yet.
  const sql = `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named, user_id)
    VALUES ('count-1', $1, $2, $3, '1', 1, 'ann')`;
  await server.db.write([{ sql, params: [bens.id, device.id, device.created_at] }]);
  const send = () => ben.make<MessageSent>(`/resources/${device.id}/messages`, { payload: 1, message_id: 'count-1' });
  const sent = await send();
  expect(sent).toMatchObject({ message_id: 'count-1', swarms: [bens.id] });
  expect(sent.sent_at).not.toBe(device.created_at);
  expect(await send()).toEqual(sent);
  // The deletion may not have ended: it looks for further messages, and then finds the one of Ann.
  expect(await rows()).toContainEqual({ user_id: 'ben', id: 'count-1' });
});

test('an offer is withdrawn, declined or replaced, and nobody else learns of it', async () => {
  const device = await ann.device();
  await offer(device);
  for (const other of [cleo])
    for (const request of [() => other.endDeviceOffer(device), () => other.takeOverDevice(device, 'cleo')])
      expect(await outcomeOf(await request())).toBe('404 handover.not_found');
  expect((await ann.endDeviceOffer(device)).status).toBe(204);
  expect(await outcomeOf(await ben.takeOverDevice(device, 'ben'))).toBe('404 handover.not_found');
  expect(await newest(ben)).toMatchObject({ kind: 'resource.offer_withdrawn', detail: 'ben' });
  await offer(device);
  expect((await ben.endDeviceOffer(device)).status).toBe(204);
  expect(await newest(ann)).toMatchObject({ kind: 'resource.offer_declined', actor: 'ben' });
  await offer(device);
  expect((await ann.offerDevice(device, 'cleo')).status).toBe(200);
  expect(await ben.get<Offer[]>('/offers')).toEqual([]);
  expect(await outcomeOf(await ben.takeOverDevice(device, 'ben'))).toBe('404 handover.not_found');
  expect((await cleo.takeOverDevice(device, 'cleo')).status).toBe(204);
  expect((await cleo.takeOverDevice(device, 'cleo')).status).toBe(204);
});

test('an offer to a name is not one to a user who signs up with it later, and ends with either account', async () => {
  const device = await ann.device();
  expect((await ann.offerDevice(device, 'later-user')).status).toBe(200);
  const later = await signUpClient(server, 'later-user', 'gateway');
  expect(await later.get('/offers')).toEqual([]);
  expect(await outcomeOf(await later.takeOverDevice(device, 'later-user'))).toBe('404 handover.not_found');
  const told = { kind: 'resource.offer_withdrawn', actor: '(server)', detail: 'later-user' };
  expect(await newest(ann)).toMatchObject({ ...told, resource: { id: device.id, name: device.name } });
  expect((await ann.offerDevice(device, 'later-user')).status).toBe(200);
  const back = await later.device();
  expect((await later.offerDevice(back, 'ann')).status).toBe(200);
  await server.app.operator.deleteUser({ name: 'later-user' });
  expect((await ann.request({ path: `/resources/${device.id}/handover` })).status).toBe(204);
  expect(await outcomeOf(await ann.takeOverDevice(back, 'ann'))).toBe('404 handover.not_found');
});

test('who offered several devices to a name is told once that a new user has taken it', async () => {
  for (let count = 0; count < 3; count += 1) await ann.offerDevice(await ann.device(), 'newest-user');
  await server.signUp('newest-user');
  const entry = await newest(ann);
  expect(entry).toMatchObject({
    kind: 'resource.offer_withdrawn',
    actor: '(server)',
    amount: 3,
    detail: 'newest-user',
  });
  expect(entry.resource).toBe(undefined);
  expect((await newest(ann, '/activity?before=' + String(entry.id))).kind).toBe('resource.offered');
});

test(`a user offers up to ${handoverLimits.toUser} devices to another one`, async () => {
  const giver = await signUpClient(server, 'giver');
  for (let count = 0; count < handoverLimits.toUser; count += 1)
    expect((await giver.offerDevice(await giver.device(), 'cleo')).status).toBe(200);
  const more = await giver.device();
  expect(await outcomeOf(await giver.offerDevice(more, 'cleo'))).toBe('409 handover.too_many');
  expect((await giver.offerDevice(more, 'ben')).status).toBe(200);
});

/** Another process on the same database. On SQLite, which has one, another app on the same connection. */
async function another() {
  const db = isOnPostgres ? await openStore({ url: server.db.url }) : server.db;
  const app = await server.startAnother(db);
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close();
      if (db !== server.db) await db.close();
    },
  };
}

test('on another process, nothing of the former owner acts after it', async () => {
  await using process = await another();
  const { device, bens } = await known();
  const key = await keyOf(device);
  const [annUser] = users as [TestUser];
  const link = await ann.make<NewShareLink>(`/resources/${device.id}/share-links`, {
    name: 'l',
    expires_at: new Date(server.now().getTime() + hourMs).toISOString(),
  });
  const ask = (path: string, headers: Record<string, string>, outgoing = eventRecorder().outgoing) =>
    process.app.fetch(new Request(`${origin}${path}`, { headers }), { outgoing });
  const streams = [
    {
      path: `/service/resources/${device.id}/messages`,
      headers: { 'x-serviceapikey': key, accept: 'text/event-stream' },
    },
    {
      path: `/service/resources/${device.id}/messages`,
      headers: { 'x-serviceapikey': annUser.key, accept: 'text/event-stream' },
    },
    { path: '/guest/events', headers: { 'x-share-code': new URL(link.url).hash.slice(1) } },
  ].map(({ path, headers }) => {
    const { outgoing } = eventRecorder();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const end = outgoing.end.bind(outgoing) as () => void;
    outgoing.end = (() => (end(), resolve())) as never;
    outgoing.destroy = outgoing.end as never;
    return { path, headers, outgoing, ended };
  });
  for (const { path, headers, outgoing } of streams)
    expect((await ask(path, headers, outgoing)).status).toBeLessThan(300);

  await handOver(device);
  await Promise.all(streams.map(({ ended }) => ended));
  const after: number[] = [];
  for (const { path, headers } of streams) after.push((await ask(path, headers)).status);
  expect(after).toEqual([401, 404, 404]);
  // Through both processes, by key and by session: what waits in an outbox, and an undo.
  const writes: [method: string, path: string, body?: object][] = [
    ['PUT', `/resources/${device.id}`, { name: 'mine' }],
    ['DELETE', `/resources/${device.id}`],
    ['POST', `/resources/${device.id}/messages`, { payload: 1 }],
    ['POST', `/resources/${device.id}/heartbeat`],
    ['PUT', `/resources/${device.id}/handover`, { user_id: 'cleo' }],
    ['POST', `/resources/${device.id}/share-links`, { name: 'l', expires_at: link.expires_at }],
    ['DELETE', `/resources/${device.id}/share-links/${link.id}`],
    ['DELETE', `/swarms/${bens.id}/resources/${device.id}`],
  ];
  for (const [method, path, body] of writes) {
    for (const app of [server.app, process.app]) {
      const answer = await app.fetch(
        new Request(`${origin}/service${path}`, {
          method,
          headers: { 'x-serviceapikey': annUser.key, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
      expect([403, 404], `${method} ${path}`).toContain(answer.status);
    }
  }
  expect((await ben.get<Resource>(`/resources/${device.id}`)).name).toBe(device.name);
  expect(await ben.get<Message[]>(`/resources/${device.id}/messages/sent`)).toEqual([]);
  expect(await ben.get(`/resources/${device.id}/refusals`)).not.toHaveProperty('refused');
});

test('to its former owner a device is destroyed, to the new one created, and later changes are only for this one', async () => {
  const { device, bens } = await known();
  await ann.change(`/resources/${device.id}`, { name: 'Before' });
  const position = await server.newestEvent();
  await handOver(device);
  await ben.change(`/resources/${device.id}`, { name: 'Ben’s', position: { longitude: 1, latitude: 1 } });
  const [annas, bensEvents] = await server.resume(users, position);
  const about = (events: typeof annas) =>
    events!
      .filter(({ data }) => JSON.stringify(data).includes(device.id))
      .map(({ type, data }) => ('swarm_id' in data ? `${type} ${data.swarm_id === bens.id ? 'bens' : 'other'}` : type));
  expect(about(annas)).toEqual(['handover.changed', 'handover.changed', 'resource.destroyed']);
  expect(JSON.stringify(annas)).not.toContain('Ben’s');
  expect(about(bensEvents)).toEqual(
    expect.arrayContaining(['handover.changed', 'resource.created', 'membership.changed bens']) as string[],
  );
  expect(about(bensEvents).indexOf('resource.destroyed')).toBeLessThan(about(bensEvents).indexOf('resource.created'));
});
