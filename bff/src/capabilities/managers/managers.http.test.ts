// stores: SQLite, PostgreSQL
/** Managers over HTTP: what is the owner's, who reads what, and what ends with a manager. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  ActionResults,
  ActivityPage,
  InboxSummary,
  Invitation,
  InvitationPage,
  Manager,
  Resource,
  Swarm,
  SwarmList,
  SwarmOffer,
} from '../../contract.ts';
import { mayStill } from '../../core/endpoint/write-checks.store.ts';
import { managerLimits } from './limits.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { expectInvariants } from '../../tests/invariants.fixture.ts';
import {
  createServiceClient,
  outcomeOf,
  signUpClient,
  type ServiceClient,
} from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

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

/** A swarm of Ann's that Ben manages. */
async function managed(): Promise<Swarm> {
  const swarm = await ann.swarm();
  await ann.nameManager(swarm, 'ben');
  expect((await ben.agree(swarm, 'ben')).status).toBe(200);
  return swarm;
}
const newest = async (client: ServiceClient, swarm: Swarm) =>
  (await client.get<ActivityPage>(`/activity?swarm_id=${swarm.id}`)).items.map(({ kind, actor }) => `${actor} ${kind}`);
const sentFor = (client: ServiceClient, swarm: Swarm) => client.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);
const relationOf = async (client: ServiceClient, swarm: Swarm) =>
  (await client.get<SwarmList>('/swarm-list?limit=200')).items.find(({ id }) => id === swarm.id)?.relation;

test('the list of swarms has those that the caller manages or watches between the owned and the joined ones', async () => {
  const swarm = await managed();
  await ben.swarm();
  const joined = await cleo.swarm();
  await ben.accept(await cleo.invite(joined, await ben.device()));
  const seen = await watched();
  const { items, owned, managed: count, watched: watchedCount } = await ben.get<SwarmList>('/swarm-list?limit=200');
  const relations = items.map(({ relation }) => relation);
  expect(relations).toEqual(relations.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  expect(new Set(relations)).toEqual(new Set(order));
  expect(items.slice(owned, owned + count).map(({ id }) => id)).toContain(swarm.id);
  expect(items.slice(owned + count, owned + count + watchedCount).map(({ id }) => id)).toContain(seen.id);
});
const order = ['owner', 'manager', 'watcher', 'member'];

test('an invitation of a manager is from the owner, and the logs say who sent it', async () => {
  const swarm = await managed();
  const device = await cleo.device();
  const sent = await ben.invite(swarm, device);
  expect(sent).toMatchObject({ from: 'ann', to: 'cleo', sent_by: 'ben' });
  expect(await itemsOf(cleo, `/inbox?swarm=${swarm.id}&q=ben`)).toMatchObject([{ from: 'ann', sent_by: 'ben' }]);
  expect(await sentFor(ann, swarm)).toEqual([sent]);
  expect((await ann.get<{ total: number }>(`/inbox?box=sent&swarm=${swarm.id}`)).total).toBe(1);
  expect((await ben.get<{ total: number }>(`/inbox?box=sent&swarm=${swarm.id}`)).total).toBe(1);
  expect((await ben.get<{ total: number }>('/inbox?box=sent')).total).toBe(0);
  for (const client of [ann, ben, cleo]) expect((await newest(client, swarm))[0]).toBe('ben invitation.sent');
  await cleo.accept(sent);
  expect((await ben.leave(swarm, device)).status).toBe(204);
  for (const client of [ann, ben, cleo]) expect((await newest(client, swarm))[0]).toBe('ben member.removed');
});

test('a manager invites own devices, but not those of the owner', async () => {
  const swarm = await managed();
  const invitation = await ben.invite(swarm, await ben.device());
  expect((await ben.accept(invitation)).status).toBe(200);
  expect(await outcomeOf(await ben.send(swarm, await ann.device()))).toBe('400 body.invalid');
});

/** A swarm of Ann's that Ben has taken over. */
async function handedOver(more: object = {}, before = async (_swarm: Swarm): Promise<unknown> => undefined) {
  const swarm = await ann.swarm(more);
  await before(swarm);
  await ann.nameManager(swarm, 'ben');
  await ben.agree(swarm, 'ben');
  await ann.offerSwarm(swarm, 'ben');
  expect((await ben.takeOver(swarm, 'ben')).status).toBe(204);
  return swarm;
}
const itemsOf = async (client: ServiceClient, path: string) => (await client.get<InvitationPage>(path)).items;

test('a manager does not see a device that only the owner sees', async () => {
  const [swarm, other] = [await managed(), await ann.swarm()];
  const device = await cleo.device({ name: 'Hidden gauge', position: { latitude: 12.5, longitude: 3.25 } });
  await cleo.accept(await ann.invite(other, device));
  const invitation = await ben.invite(swarm, device);
  const lists = [`/swarms/${swarm.id}/board?`, `/inbox?box=sent&swarm=${swarm.id}`];
  for (const list of lists) {
    expect((await itemsOf(ann, list))[0]!.device).toMatchObject({ name: 'Hidden gauge' });
    expect(await itemsOf(ann, `${list}&q=gauge`)).toHaveLength(1);
    expect((await itemsOf(ben, list))[0]!.device).toBeNull();
    expect(await itemsOf(ben, `${list}&q=gauge`)).toEqual([]);
  }
  await cleo.accept(invitation);
  for (const list of lists) {
    expect((await itemsOf(ben, list))[0]!.device).toMatchObject({ position: device.position });
    expect(await itemsOf(ben, `${list}&q=gauge`)).toHaveLength(1);
  }
});

test('the new owner sees the members whom the former owner invited', async () => {
  const device = await cleo.device({ name: 'Gauge' });
  const swarm = await handedOver({}, async (made) => cleo.accept(await ann.invite(made, device)));
  expect((await ben.removeManager(swarm, 'ann')).status).toBe(204);
  const board = `/swarms/${swarm.id}/board?q=gauge`;
  expect(await itemsOf(ben, board)).toMatchObject([{ from: 'ann', device: { name: 'Gauge' } }]);
  expect(await itemsOf(ann, `/inbox?box=sent&swarm=${swarm.id}`)).toMatchObject([{ device: null }]);
});

test('a former owner who is no manager any more is not shown the new name', async () => {
  const [device, other] = [await cleo.device(), await cleo.device()];
  const swarm = await handedOver({ name: 'Old name' }, async (made) => {
    for (const each of [device, other]) await cleo.accept(await ann.invite(made, each));
  });
  const sent = `/inbox?box=sent&swarm=${swarm.id}`;
  const namesOf = async (path: string) => (await itemsOf(ann, path)).map((item) => item.swarm.name);
  await ben.change(`/swarms/${swarm.id}`, { name: 'Name for managers' });
  expect(await namesOf(sent)).toEqual(['Name for managers', 'Name for managers']);
  expect((await ben.removeManager(swarm, 'ann')).status).toBe(204);
  await ben.change(`/swarms/${swarm.id}`, { name: 'Secret now' });
  const expectOldName = async () => {
    expect(await namesOf(sent)).toEqual(['Old name', 'Old name']);
    expect(await namesOf(`${sent}&q=old`)).toHaveLength(2);
    expect(await namesOf(`${sent}&q=secret`)).toEqual([]);
    const { swarms } = await ann.get<InboxSummary>(sent.replace('?', '/summary?'));
    expect(swarms).toMatchObject([{ name: 'Old name', user_id: 'ann' }]);
  };
  await expectOldName();
  expect((await cleo.leave(swarm, device)).status).toBe(204);
  await expectOldName();
});

test('a recipient who becomes a manager or the owner does not see or find the label', async () => {
  const device = await ben.device();
  const swarm = await ann.swarm();
  const invitation = await ann.invite(swarm, device, 'consumer', { label: 'Fool' });
  await ann.nameManager(swarm, 'ben');
  await ben.agree(swarm, 'ben');
  const lists = [`/swarms/${swarm.id}/board?`, `/inbox?box=sent&swarm=${swarm.id}`];
  const expectHidden = async () => {
    for (const list of lists) {
      for (const item of await itemsOf(ben, list)) expect(item).not.toHaveProperty('label');
      expect(await itemsOf(ben, `${list}&q=fool`)).toEqual([]);
      expect(await itemsOf(ann, `${list}&q=fool`)).toMatchObject([{ id: invitation.id, label: 'Fool' }]);
    }
  };
  await expectHidden();
  await ben.reject(invitation);
  await ann.offerSwarm(swarm, 'ben');
  expect((await ben.takeOver(swarm, 'ben')).status).toBe(204);
  await expectHidden();
});

test('who does not see a swarm any more is not shown its new owner', async () => {
  const device = await cleo.device();
  const swarm = await handedOver({}, async (made) => cleo.reject(await ann.invite(made, device)));
  const of = `swarm=${swarm.id}`;
  expect(await itemsOf(cleo, `/inbox?${of}`)).toMatchObject([{ from: 'ann', swarm: { user_id: 'ann' } }]);
  expect((await cleo.get<InboxSummary>(`/inbox/summary?${of}`)).swarms).toMatchObject([{ user_id: 'ann' }]);
  expect(await itemsOf(ben, `/swarms/${swarm.id}/board?`)).toMatchObject([{ swarm: { user_id: 'ben' } }]);

  const asked = await handedOver({ public: true }, (made) => cleo.ask(made, device));
  const sent = `/inbox?box=sent&swarm=${asked.id}`;
  expect(await itemsOf(cleo, `${sent}&q=ben`)).toMatchObject([{ to: 'ben', swarm: { user_id: 'ben' } }]);
  await ben.change(`/swarms/${asked.id}`, { public: false });
  expect(await itemsOf(cleo, sent)).toMatchObject([{ to: '', swarm: { user_id: '' } }]);
  expect(await itemsOf(cleo, `${sent}&q=ben`)).toEqual([]);
  expect((await cleo.get<InboxSummary>(`/inbox/summary?box=sent&swarm=${asked.id}`)).swarms).toMatchObject([
    { user_id: '' },
  ]);
  expect(await itemsOf(ben, `/inbox?swarm=${asked.id}`)).toMatchObject([{ from: 'cleo', to: 'ben' }]);
});

test('an answered invitation is not sent again to its recipient who owns the swarm now', async () => {
  const device = await ben.device();
  let invitation: Invitation | undefined;
  const swarm = await handedOver({}, async (made) => {
    invitation = await ann.invite(made, device);
    await ben.reject(invitation);
  });
  for (const client of [ann, ben]) {
    const actions = actionsOf(client);
    const items = [{ id: invitation!.id, name: device.name }];
    const { id } = await actions.upload({ kind: 'invite_again', about: {}, wait: 0 }, items);
    expect(await actions.ended(id)).toMatchObject({ done: 1, failed: 1 });
    const { results } = await client.get<ActionResults>(`/actions/${id}/results`);
    const code = client === ben ? 'invitation.to_yourself' : 'invitation.to_owner';
    expect(results).toMatchObject([{ result: { code: 'body.invalid', errors: [{ pointer: '/to', code }] } }]);
  }
  expect(await sentFor(ben, swarm)).toMatchObject([{ status: 'rejected' }]);
});

test('who is no manager any more keeps what the own devices in the swarm show', async () => {
  const swarm = await managed();
  expect(await relationOf(ben, swarm)).toBe('manager');
  await ben.accept(await ben.invite(swarm, await ben.device()));
  expect((await ann.removeManager(swarm, 'ben')).status).toBe(204);
  expect(await relationOf(ben, swarm)).toBe('member');
  expect(await outcomeOf(await ben.request({ path: `/swarms/${swarm.id}/invitations` }))).toBe('403 swarm.forbidden');
  expect(await newest(ben, swarm)).toContain('ann swarm.manager_removed');
});

test('invitations of own devices are withdrawn when the owner removes the manager, and stay when the manager leaves', async () => {
  const [swarm, other] = [await managed(), await managed()];
  const device = await ben.device();
  const invitation = await ben.invite(swarm, device);
  await ben.invite(other, device);
  const toCleo = await ben.invite(swarm, await cleo.device());
  expect((await ben.removeManager(other, 'ben')).status).toBe(204);
  expect(await sentFor(ann, other)).toHaveLength(1);
  expect((await ann.removeManager(swarm, 'ben')).status).toBe(204);
  expect(await sentFor(ann, swarm)).toEqual([toCleo]);
  expect(await outcomeOf(await ben.accept(invitation))).toBe('404 invitation.not_found');
});

test('a manager who is removed during an action fails with the problem for the rest', async () => {
  const swarm = await managed();
  const devices: Resource[] = [];
  for (let count = 0; count < 300; count += 1) devices.push(await cleo.device());
  const actions = actionsOf(ben);
  const items = devices.map(({ id }, index) => ({
    line: index + 1,
    to: 'cleo',
    resource_id: id,
    resource_type: 'consumer',
  }));
  const about = { swarm: { id: swarm.id, name: swarm.name } };
  const { id } = await actions.upload({ kind: 'invite', about, wait: 0 }, items);
  expect((await ann.removeManager(swarm, 'ben')).status).toBe(204);
  const sent = (await sentFor(ann, swarm)).length;
  const { done, failed } = await actions.ended(id);
  expect([done - failed, failed]).toEqual([sent, 300 - sent]);
  expect((await sentFor(ann, swarm)).length).toBe(sent);
  const { results } = await ben.get<ActionResults>(`/actions/${id}/results`);
  const problems = new Set(results.flatMap(({ result }) => (result ? [result.code] : [])));
  expect([...problems].every((code) => code === 'swarm.not_found')).toBe(true);
});

test('the swarm with its open invitations and links goes to the manager who takes it over', async () => {
  const swarm = await managed();
  const [answered, open] = [await cleo.device(), await cleo.device()];
  const link = await ann.link(swarm);
  await cleo.accept(await ann.invite(swarm, answered));
  const invitation = await ann.invite(swarm, open);
  expect((await ann.add(swarm, await ann.device())).status).toBe(201);
  await ann.offerSwarm(swarm, 'ben');
  expect((await ben.takeOver(swarm, 'ben')).status).toBe(204);
  expect(await relationOf(ben, swarm)).toBe('owner');
  expect(await relationOf(ann, swarm)).toBe('manager');
  expect((await sentFor(ben, swarm)).map(({ from, status }) => `${from} ${status}`)).toEqual([
    'ann accepted',
    'ben new',
  ]);
  expect(invitation).not.toHaveProperty('sent_by');
  const handedOver = { ...invitation, from: 'ben', sent_by: 'ann' };
  expect(await cleo.get<Invitation[]>('/invitations')).toContainEqual(handedOver);
  for (const [client, path] of [
    [cleo, `/inbox?swarm=${swarm.id}&state=new`],
    [cleo, `/inbox?swarm=${swarm.id}&state=new&q=ann`],
    [ben, `/inbox?box=sent&swarm=${swarm.id}&state=new`],
    [ben, `/swarms/${swarm.id}/board?state=new`],
  ] as const)
    expect(await itemsOf(client, path)).toMatchObject([{ id: invitation.id, from: 'ben', sent_by: 'ann' }]);
  expect((await ben.endLink(link)).status).toBe(204);
  expect(await ben.get<Manager[]>(`/swarms/${swarm.id}/managers`)).toMatchObject([
    { user_id: 'ann', status: 'agreed' },
  ]);
  expect((await newest(ann, swarm))[0]).toBe('ben swarm.handed_over');
  expect((await newest(ben, swarm)).slice(0, 2)).toEqual(['ben swarm.link_ended', 'ben swarm.handed_over']);
  expect(await outcomeOf(await ann.destroy('swarms', swarm))).toBe('403 swarm.forbidden');
  expect((await cleo.accept(invitation)).status).toBe(200);
});

test('who handed a swarm over and stepped down gets nothing of it from earlier events', async () => {
  const since = await server.newestEvent();
  const swarm = await managed();
  await ann.offerSwarm(swarm, 'ben');
  await ben.takeOver(swarm, 'ben');
  expect((await ann.removeManager(swarm, 'ann')).status).toBe(204);
  await ben.change(`/swarms/${swarm.id}`, { name: 'Secret now' });
  await ben.invite(swarm, await cleo.device());
  const [events] = await server.resume([users[0]!], since);
  expect(JSON.stringify(events)).not.toContain('Secret now');
  expect(events!.filter(({ type }) => type === 'swarm.created' || type.startsWith('invitation.'))).toEqual([]);
});

test('managers get the events of invitations, links and managers', async () => {
  const swarm = await managed();
  const since = await server.newestEvent();
  const invitation = await ann.invite(swarm, await cleo.device());
  await ann.link(swarm);
  await ann.nameManager(swarm, 'dan');
  await cleo.reject(invitation);
  const [events] = await server.resume([users[1]!], since);
  const types = events!.map(({ type }) => type).filter((type) => type !== 'swarm.updated');
  expect(types).toEqual(['invitation.sent', 'link.changed', 'manager.changed', 'invitation.updated']);
});

/** A swarm of Ann's that Ben watches. */
async function watched(): Promise<Swarm> {
  const swarm = await ann.swarm();
  await ann.nameManager(swarm, 'ben', 'watcher');
  expect((await ben.agree(swarm, 'ben')).status).toBe(200);
  return swarm;
}

test('a watcher sees the members, gets their events but not those of managers, and nothing once removed', async () => {
  const swarm = await watched();
  expect(await relationOf(ben, swarm)).toBe('watcher');
  const since = await server.newestEvent();
  const device = await cleo.device();
  await cleo.accept(await ann.invite(swarm, device));
  await ann.link(swarm);
  await ann.nameManager(swarm, 'dan');
  await cleo.change(`/resources/${device.id}`, { name: 'Seen' });
  const [events] = await server.resume([users[1]!], since);
  expect(events!.map(({ type }) => type)).toEqual(['membership.changed', 'swarm.updated', 'resource.updated']);
  expect((await ann.removeManager(swarm, 'ben')).status).toBe(204);
  for (const path of [`/resources/${device.id}`, `/swarms/${swarm.id}`, `/swarms/${swarm.id}/messages`])
    expect((await ben.request({ path })).status).toBe(404);
  await cleo.change(`/resources/${device.id}`, { name: 'Not seen' });
  const [later] = await server.resume([users[1]!], since);
  expect(JSON.stringify(later)).not.toContain(device.id);
  expect(await newest(ben, swarm)).toContain('ann swarm.watcher_removed');
});

test('a watcher reads the messages to all, and not those to one device', async () => {
  const swarm = await watched();
  const [sender, receiver] = [await cleo.device(), await cleo.device()];
  for (const device of [sender, receiver])
    for (const role of ['producer', 'consumer'] as const) await cleo.accept(await ann.invite(swarm, device, role));
  for (const more of [{}, { to: receiver.id }]) {
    const body = { payload: { is_private: 'to' in more }, swarm_id: swarm.id, ...more };
    expect((await cleo.request({ method: 'POST', path: `/resources/${sender.id}/messages`, body })).status).toBe(201);
  }
  const read = async (client: ServiceClient) =>
    (await client.get<{ items: object[] }>(`/swarms/${swarm.id}/messages`)).items;
  expect(await read(ben)).toMatchObject([{ payload: { is_private: false } }]);
  expect(await read(ann)).toHaveLength(2);
});

test('a watcher takes own devices out of the swarm, but not those of others, and keeps the role', async () => {
  const swarm = await watched();
  const [own, other] = [await ben.device(), await cleo.device()];
  await ben.accept(await ann.invite(swarm, own));
  await cleo.accept(await ann.invite(swarm, other));
  expect(await outcomeOf(await ben.leave(swarm, other))).toBe('403 swarm.forbidden');
  expect((await ben.leave(swarm, own)).status).toBe(204);
  expect(await relationOf(ben, swarm)).toBe('watcher');
});

test('a swarm is not offered to a watcher', async () => {
  const swarm = await watched();
  const offer = { method: 'PUT', path: `/swarms/${swarm.id}/handover`, body: { user_id: 'ben' } };
  expect(await outcomeOf(await ann.request(offer))).toBe('409 handover.no_manager');
});

test('a request to a name is not one to a user who signs up with it later, and its owner is told', async () => {
  const swarm = await ann.swarm({ name: 'Harbour' });
  const another = await ann.swarm({ name: 'Quay' });
  await ann.nameManager(swarm, 'later-user');
  await ann.nameManager(another, 'later-user', 'watcher');
  const later = await signUpClient(server, 'later-user', 'gateway');
  expect(await later.get('/offers')).toEqual([]);
  expect(await outcomeOf(await later.agree(swarm, 'later-user'))).toBe('404 swarm.not_found');
  expect(await ann.get(`/swarms/${swarm.id}/managers`)).toEqual([]);
  const { items } = await ann.get<ActivityPage>('/activity?limit=2');
  const told = { actor: '(server)', detail: 'later-user' };
  expect(items.toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
    { ...told, kind: 'swarm.manager_withdrawn', swarm: { id: swarm.id, name: 'Harbour' } },
    { ...told, kind: 'swarm.watcher_withdrawn', swarm: { id: another.id, name: 'Quay' } },
  ]);
});

test('what a user is offered comes before what the user is asked to manage, and the newest first', async () => {
  const offered = await managed();
  await ann.offerSwarm(offered, 'ben');
  const asked = [await cleo.swarm(), await cleo.swarm()];
  for (const swarm of asked) {
    server.wait(1000);
    await cleo.nameManager(swarm, 'ben');
  }
  const ids = (await ben.get<SwarmOffer[]>('/offers')).map(({ swarm }) => swarm.id);
  expect(await ben.get('/inbox/count')).toMatchObject({ offers: ids.length });
  const known = [offered.id, asked[1]!.id, asked[0]!.id];
  expect(ids.filter((id) => known.includes(id))).toEqual(known);
});

test('the deletion of an account ends what it manages', async () => {
  const swarm = await ann.swarm();
  const dora = await signUpClient(server, 'dora', 'gateway');
  await ann.nameManager(swarm, 'dora');
  await dora.agree(swarm, 'dora');
  await server.app.operator.deleteUser({ name: 'dora' });
  expect(await ann.get(`/swarms/${swarm.id}/managers`)).toEqual([]);
});

test('of two equal requests, sent at once, both have the same response', async () => {
  const swarm = await ann.swarm();
  const asked = await Promise.all([ann.nameManager(swarm, 'later-user'), ann.nameManager(swarm, 'later-user')]);
  expect(asked[1]).toEqual(asked[0]);
});

test('of requests for many swarms to one user, sent at once, only the allowed number is unanswered', async () => {
  for (let round = 0; round < 2; round++) {
    const swarms = await Promise.all(Array.from({ length: managerLimits.unanswered + 5 }, () => ann.swarm()));
    // Other writes, so that the requests wait and are written together.
    const busy = Promise.all(Array.from({ length: 20 }, () => cleo.device()));
    const ask = ({ id }: Swarm) =>
      ann.request({ method: 'POST', path: `/swarms/${id}/managers`, body: { user_id: 'cleo' } });
    const outcomes = await Promise.all(swarms.map(async (swarm) => outcomeOf(await ask(swarm))));
    expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(managerLimits.unanswered);
    await Promise.all(swarms.map((swarm) => cleo.removeManager(swarm, 'cleo')));
    await busy;
  }
});

test('a write by which a user agrees is allowed to nobody but this user', () => {
  const check = { operation: 'agreeToManage', swarmId: 's', userId: 'ann' } as const;
  for (const each of [check, { ...check, about: 'ben' }]) expect(mayStill(each).sql).toMatch(/ IN \(\)$/);
  const own = mayStill({ ...check, about: 'ann' }).sql;
  expect(own).toMatch(/ IN \('owner', ?'manager', ?'watcher', ?'member', ?'recipient', ?'public'\)$/);
});
