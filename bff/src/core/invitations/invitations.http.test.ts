// stores: SQLite, PostgreSQL in the long run
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Invitation, InvitationPage, ListedMember, Resource, Swarm } from '../../contract.ts';
import { minuteMs } from '../limits/durations.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { noQuotas } from '../limits/quotas.ts';
import { createInvitations } from './invitations.store.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let swarm: Swarm;
let device: Resource;
beforeAll(async () => {
  server = await createTestServer();
  ann = await signUpClient(server, 'ann');
  ben = await signUpClient(server, 'ben');
  swarm = await ann.swarm();
  device = await ben.device();
});
afterAll(() => server[Symbol.asyncDispose]());

test('only the sender sees and finds the label; sent again without one, the invitation keeps it', async () => {
  const [eve, fay] = [await signUpClient(server, 'eve', 'gateway'), await signUpClient(server, 'fay', 'gateway')];
  const [made, gauge] = [await eve.swarm(), await fay.device({ name: 'Named by its owner' })];
  const sent = await eve.invite(made, gauge, 'consumer', { label: 'Straße 7' });
  const box = async (client: ServiceClient, query: string) => {
    const { items } = await client.get<InvitationPage>(`/inbox?swarm=${made.id}&${query}`);
    return items.map(({ id, label }) => [id, label]);
  };
  const labelled = [[sent.id, 'Straße 7']];
  expect(await box(eve, 'box=sent&q=strasse')).toEqual(labelled);
  expect(await box(eve, 'box=sent&q=named')).toEqual([]);
  expect(await box(fay, 'q=strasse')).toEqual([]);
  expect(await box(fay, 'q=named')).toEqual([[sent.id, undefined]]);
  await eve.invite(made, gauge);
  expect(await box(eve, 'box=sent')).toEqual(labelled);
  await eve.invite(made, gauge, 'consumer', { label: 'Quay' });
  expect(await box(eve, 'box=sent')).toEqual([[sent.id, 'Quay']]);
});

describe('when the clock is set back,', () => {
  const back = () => server.wait(-minuteMs);

  test('sent_at is not before created_at of the swarm, nor before the previous sent_at', async () => {
    const made = await ann.swarm();
    back();
    const sent = await ann.invite(made, device);
    expect(sent.sent_at).toBe(made.created_at);
    server.wait(2 * minuteMs);
    const again = await ann.invite(made, device);
    expect(again.sent_at > sent.sent_at).toBe(true);
    back();
    expect((await ann.invite(made, device)).sent_at).toBe(again.sent_at);
  });

  test.each(['accept', 'reject'] as const)('%s is not before sent_at', async (status) => {
    const sent = await ann.invite(await ann.swarm(), device);
    back();
    const answered = (await (await ben[status](sent)).json()) as Invitation;
    expect(answered.accepted_at ?? answered.rejected_at).toBe(sent.sent_at);
  });

  test('rejected_at of an invitation whose resource was destroyed is not before sent_at', async () => {
    const doomed = await ben.device();
    const sent = await ann.invite(swarm, doomed);
    back();
    await ben.destroy('resources', doomed);
    const list = await ann.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);
    expect(list.find(({ id }) => id === sent.id)!.rejected_at).toBe(sent.sent_at);
  });

  test('member_since is not before accepted_at, nor before created_at of the device', async () => {
    const made = await ann.swarm();
    back();
    const sent = await ann.invite(made, device);
    back();
    const { accepted_at } = (await (await ben.accept(sent)).json()) as Invitation;
    const [member] = await ann.get<ListedMember[]>(`/swarms/${made.id}/resources`);
    expect(member!.member_since).toBe([accepted_at!, device.created_at].toSorted().at(-1));
  });

  test('member_since of an added device is not before created_at of the swarm and the device', async () => {
    const made = await ann.swarm();
    const own = await ann.device();
    back();
    await ann.add(made, own);
    const another = await ann.swarm({ resources: [{ resource_id: own.id, resource_type: 'both' }] });
    const [added] = await ann.get<ListedMember[]>(`/swarms/${made.id}/resources`);
    const [brought] = await ann.get<ListedMember[]>(`/swarms/${another.id}/resources`);
    expect(added!.member_since).toBe([made.created_at, own.created_at].toSorted().at(-1));
    expect(brought!.member_since).toBe(own.created_at);
  });
});

describe('a client that reads, changes and puts back an invitation', () => {
  test('can answer with the whole invitation if the other fields are unchanged', async () => {
    const sent = await ann.invite(await ann.swarm(), device, 'consumer', { description: 'please' });
    const path = `/resources/${device.id}/invitations/${sent.id}`;
    const answered = await ben.change<Invitation>(path, { ...sent, status: 'accept' });
    expect(answered).toEqual({ ...sent, status: 'accepted', accepted_at: answered.accepted_at });
    expect(await ben.change<Invitation>(path, { ...answered, status: 'accept' })).toEqual(answered);
  });

  test('gets an error that names the changed fields, and the invitation stays open', async () => {
    const sent = await ann.invite(await ann.swarm(), device, 'consumer');
    const body = { ...sent, from: 'ben', description: 'mine', accepted_at: sent.sent_at, status: 'accept' };
    const refused = await ben.request({ method: 'PUT', path: `/resources/${device.id}/invitations/${sent.id}`, body });
    const { errors } = (await refused.json()) as { errors: { pointer: string; code: string }[] };
    expect(refused.status).toBe(400);
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(
      ['/from', '/description', '/accepted_at'].map((pointer) => `${pointer} field.read_only`),
    );
    expect(await ben.get<Invitation[]>(`/resources/${device.id}/invitations`)).toContainEqual(sent);
  });
});

test('an answer during the deletion of the resource gets "not found", not "already answered"', async () => {
  for (let round = 0; round < 10; round++) {
    const doomed = await ben.device();
    const sent = await ann.invite(swarm, doomed);
    const [destroyed, accepted] = await Promise.all([ben.destroy('resources', doomed), ben.accept(sent)]);
    expect(destroyed.status).toBe(204);
    expect([200, 404]).toContain(accepted.status);
  }
});

describe('answered invitations are bounded', () => {
  const received = (client: ServiceClient) => client.get<Invitation[]>('/invitations');

  test('to the newest 10 for the same swarm, device and role', async () => {
    const made = await ann.swarm();
    const other = await ben.device();
    const kept = [
      await ann.invite(await ann.swarm(), device),
      await ann.invite(made, other),
      await ann.invite(made, device, 'producer'),
    ];
    for (const each of kept) expect((await ben.reject(each)).status).toBe(200);
    const sent: Invitation[] = [];
    for (let round = 0; round < 12; round++) {
      const each = await ann.invite(made, device);
      sent.push(each);
      server.wait(1);
      expect((await (round % 2 ? ben.accept(each) : ben.reject(each))).status).toBe(200);
      if (round % 2) await ben.leave(made, device);
    }
    const open = await ann.invite(made, device);
    const ids = (await received(ben)).map(({ id }) => id);
    const expected = [...kept, ...sent.slice(2), open].map(({ id }) => id);
    expect(ids.filter((id) => [...expected, sent[0]!.id, sent[1]!.id].includes(id))).toEqual(expected);
    expect(await ann.get<Invitation[]>(`/swarms/${made.id}/invitations`)).toHaveLength(13);
  });

  test('and an answer that was given with a clock that was set back stays', async () => {
    const made = await ann.swarm();
    let last!: Invitation;
    for (let round = 0; round < 11; round++) {
      last = await ann.invite(made, device);
      await ben.reject(last);
    }
    server.wait(-60_000);
    last = await ann.invite(made, device);
    expect((await ben.reject(last)).status).toBe(200);
    expect((await ben.reject(last)).status).toBe(200);
    server.wait(60_000);
  });

  test('to the newest of a sender, and open ones stay', async () => {
    const [cat, dan] = [await signUpClient(server, 'cat'), await signUpClient(server, 'dan')];
    const made = await cat.swarm();
    const devices = await Promise.all(Array.from({ length: 6 }, () => dan.device()));
    const open = await cat.invite(made, devices[0]!);
    server.wait(1);
    const kept: string[] = [];
    for (const [index, each] of devices.slice(1).entries()) {
      const sent = await cat.invite(made, each);
      server.wait(1);
      await (index % 2 ? dan.accept(sent) : dan.reject(sent));
      if (index > 1) kept.push(sent.id);
    }
    await createInvitations({ db: server.db, quotas: noQuotas, now: server.now, mostAnsweredOfSender: 3 }).purge();
    expect((await received(dan)).map(({ id }) => id)).toEqual([open.id, ...kept]);
  });

  test('and a rename is sent to the users with an open invitation alone, so it does not read the answered ones', async () => {
    const users = await Promise.all(['open', 'accepted', 'rejected'].map((name) => server.signUp(`has-${name}`)));
    const made = await ann.swarm();
    for (const user of users) {
      const created = await server.request('direct', user, {
        method: 'POST',
        path: '/resources',
        body: { name: 'Lamp', machine_type: 'pc' },
      });
      const sent = await ann.invite(made, (await created.json()) as Resource);
      if (user.name === 'has-open') continue;
      const path = `/resources/${sent.resource_id}/invitations/${sent.id}`;
      const status = user.name === 'has-accepted' ? 'accept' : 'reject';
      expect((await server.request('direct', user, { method: 'PUT', path, body: { status } })).status).toBe(200);
      if (status === 'accept') await ann.leave(made, { id: sent.resource_id });
    }
    const after = await server.newestEvent();
    await ann.change(`/swarms/${made.id}`, { name: 'Harbour' });
    const events = await server.resume(users, after);
    expect(events.map((list) => list.map(({ type }) => type))).toEqual([['swarm.updated'], [], []]);
  });
});
