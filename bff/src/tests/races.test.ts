// stores: SQLite, PostgreSQL
/**
 * Concurrent requests over real connections to a real server. In any order, the responses and the database must be
 * consistent. Every race runs many times concurrently, so that the orders differ.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Invitation, ListedMember, Problem, Resource, Swarm } from '../contract.ts';
import { isOnPostgres } from '../core/store/store.fixture.ts';
import type { ServiceClient } from './service-client.fixture.ts';
import { long } from './process.fixture.ts';
import { signUpOverHttp, type HttpTestUser } from './http-users.fixture.ts';
import { startHttpServer, type HttpTestServer } from './http-server.fixture.ts';
import { expectInvariants } from './invariants.fixture.ts';
import type { JoinLink, JoinRequest } from './records.fixture.ts';

// An account can send 1,000 requests to join in a day, and five tests send one in each round.
const rounds = long ? 100 : isOnPostgres ? 8 : 15;

let server: HttpTestServer;
let ann: HttpTestUser;
let ben: HttpTestUser;
let other: HttpTestUser;
beforeAll(async () => {
  // A long run creates more swarms than one account may have.
  server = await startHttpServer({ quotas: Number.POSITIVE_INFINITY });
  ann = await signUpOverHttp(server.url, 'ann');
  ben = await signUpOverHttp(server.url, 'ben');
  other = await signUpOverHttp(server.url, 'other');
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => expectInvariants(server.db));

interface Ring {
  owner: ServiceClient;
  guest: ServiceClient;
  swarm: Swarm;
  device: Resource;
}

/** Each round has a swarm of Ann's and a device of Ben's, and alternates between key and gateway. */
async function race(round: (ring: Ring) => Promise<void>) {
  const entryPoints = ['device', 'browser'] as const;
  const run = async (_: unknown, index: number) => {
    const owner = ann[entryPoints[index % 2]!];
    const guest = ben[entryPoints[(index >> 1) % 2]!];
    const [swarm, device] = await Promise.all([owner.swarm(), guest.device()]);
    await round({ owner, guest, swarm, device });
  };
  await Promise.all(Array.from({ length: rounds }, run));
}

/** Starts the actions in random order, with small delays. Returns their results as `outcomeOf`. */
async function atOnce(...acts: (() => Promise<Response>)[]) {
  const started = acts.map(async (act) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    return outcomeOf(await act());
  });
  return Promise.all(started);
}

/** Such as `204` or `404 swarm.not_found`. */
async function outcomeOf(answer: Response): Promise<string> {
  return answer.ok ? String(answer.status) : `${answer.status} ${((await answer.json()) as Problem).code}`;
}

const sentOf = ({ owner, swarm }: Ring) => owner.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);
const membersOf = ({ owner, swarm }: Ring) => owner.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);

test('a thousand accepts and rejects of one invitation have one outcome, and at most one membership', async () => {
  const [swarm, device] = await Promise.all([ann.device.swarm(), ben.device.device()]);
  const ring = { owner: ann.device, guest: ben.device, swarm, device };
  const invitation = await ann.device.invite(swarm, device);
  const request = (_: unknown, index: number) => {
    const guest = index % 3 === 0 ? ben.browser : ben.device;
    return index % 2 === 0 ? guest.accept(invitation) : guest.reject(invitation);
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, request));
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  const done = bodies.filter((_, index) => answers[index]!.status === 200);
  const refused = answers.filter(({ status }) => status === 409);
  expect([done.length, refused.length]).toEqual([500, 500]);
  expect(new Set(done).size).toBe(1);
  const outcome = JSON.parse(done[0]!) as Invitation;
  expect(await sentOf(ring)).toEqual([outcome]);
  expect((await membersOf(ring)).length).toBe(outcome.status === 'accepted' ? 1 : 0);
});

test('accept and deletion of the resource: the invitation is answered, without a member', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    const invitation = await owner.invite(swarm, device);
    const [accepted, destroyed] = await atOnce(
      () => guest.accept(invitation),
      () => guest.destroy('resources', device),
    );
    expect(destroyed).toBe('204');
    expect(['200', '404 resource.not_found']).toContain(accepted);
    const [sent] = await sentOf(ring);
    expect(sent!.status).toBe(accepted === '200' ? 'accepted' : 'rejected');
    expect(await membersOf(ring)).toEqual([]);
  }));

test('accept and deletion of the swarm: no membership or invitation is left', () =>
  race(async ({ owner, guest, swarm, device }) => {
    const invitation = await owner.invite(swarm, device);
    const [accepted, destroyed] = await atOnce(
      () => guest.accept(invitation),
      () => owner.destroy('swarms', swarm),
    );
    expect(destroyed).toBe('204');
    expect(['200', '404 invitation.not_found']).toContain(accepted);
    expect(await guest.get(`/resources/${device.id}/swarms`)).toEqual([]);
    expect(await guest.get(`/resources/${device.id}/invitations`)).toEqual([]);
  }));

test('withdraw and accept: one of them succeeds', () =>
  race(async (ring) => {
    const invitation = await ring.owner.invite(ring.swarm, ring.device);
    const outcomes = await atOnce(
      () => ring.owner.withdraw(invitation),
      () => ring.guest.accept(invitation),
    );
    expect([
      ['204', '404 invitation.not_found'],
      ['409 invitation.already_answered', '200'],
    ]).toContainEqual(outcomes);
    const accepted = outcomes[1] === '200' ? 1 : 0;
    expect([(await sentOf(ring)).length, (await membersOf(ring)).length]).toEqual([accepted, accepted]);
  }));

test('withdraw and deletion of the swarm: the invitation is gone', () =>
  race(async ({ owner, guest, swarm, device }) => {
    const invitation = await owner.invite(swarm, device);
    const outcomes = await atOnce(
      () => owner.withdraw(invitation),
      () => owner.destroy('swarms', swarm),
    );
    expect([
      ['204', '204'],
      ['404 swarm.not_found', '204'],
    ]).toContainEqual(outcomes);
    expect(await guest.get(`/resources/${device.id}/invitations`)).toEqual([]);
  }));

test('two roles that are accepted concurrently make one member with both', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    const [one, other] = await Promise.all([
      owner.invite(swarm, device, 'consumer'),
      owner.invite(swarm, device, 'producer'),
    ]);
    expect(
      await atOnce(
        () => guest.accept(one),
        () => guest.accept(other),
      ),
    ).toEqual(['200', '200']);
    expect((await membersOf(ring)).map(({ resource_type }) => resource_type)).toEqual(['both']);
  }));

test('send and deletion of the resource: no invitation stays open', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    const sending = () => owner.send(swarm, device);
    const [sent, destroyed] = await atOnce(sending, () => guest.destroy('resources', device));
    expect(destroyed).toBe('204');
    expect(['201', '400 body.invalid']).toContain(sent);
    expect((await sentOf(ring)).map(({ status }) => status)).toEqual(sent === '201' ? ['rejected'] : []);
  }));

test('send and deletion of the swarm: no invitation is left', () =>
  race(async ({ owner, guest, swarm, device }) => {
    const sending = () => owner.send(swarm, device);
    const [sent, destroyed] = await atOnce(sending, () => owner.destroy('swarms', swarm));
    expect(destroyed).toBe('204');
    expect(['201', '404 swarm.not_found']).toContain(sent);
    expect(await guest.get(`/resources/${device.id}/invitations`)).toEqual([]);
  }));

test('ten concurrent sends of one invitation make one invitation', () =>
  race(async (ring) => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => ring.owner.invite(ring.swarm, ring.device)));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(await sentOf(ring)).toEqual([expect.objectContaining({ id: sent[0]!.id, status: 'new' })]);
  }));

test('send again and accept: one accepted invitation and none open', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    const invitation = await owner.invite(swarm, device);
    const again = () => owner.send(swarm, device);
    const [sent, accepted] = await atOnce(again, () => guest.accept(invitation));
    expect(accepted).toBe('200');
    expect(['201', '409 membership.exists']).toContain(sent);
    expect((await sentOf(ring)).map(({ id, status }) => [id, status])).toEqual([[invitation.id, 'accepted']]);
  }));

test('leave and accept of the other role: the member has at most the role that was accepted after leaving', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    await guest.accept(await owner.invite(swarm, device, 'producer'));
    const other = await owner.invite(swarm, device, 'consumer');
    expect(
      await atOnce(
        () => guest.leave(swarm, device),
        () => guest.accept(other),
      ),
    ).toEqual(['204', '200']);
    const roles = (await membersOf(ring)).map(({ resource_type }) => resource_type);
    expect([[], ['consumer']]).toContainEqual(roles);
  }));

test('role removal and accept of the other role: the last one wins', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    await guest.accept(await owner.invite(swarm, device, 'producer'));
    const other = await owner.invite(swarm, device, 'consumer');
    const [, narrowed] = await atOnce(
      () => guest.accept(other),
      () => owner.role(swarm, device, 'producer'),
    );
    expect(narrowed).toBe('200');
    const roles = (await membersOf(ring)).map(({ resource_type }) => resource_type);
    expect([['producer'], ['both']]).toContainEqual(roles);
  }));

test('leave and removal: one of them succeeds', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    await guest.accept(await owner.invite(swarm, device));
    const outcomes = await atOnce(
      () => guest.leave(swarm, device),
      () => owner.leave(swarm, device),
    );
    // For a user who has left, the swarm does not exist.
    expect([
      ['204', '404 membership.not_found'],
      ['404 membership.not_found', '204'],
      ['404 swarm.not_found', '204'],
    ]).toContainEqual(outcomes);
    expect(await membersOf(ring)).toEqual([]);
  }));

test('concurrent updates of one version: one succeeds, the others fail', () =>
  race(async ({ owner, swarm }) => {
    const path = `/swarms/${swarm.id}`;
    const change = (name: string) =>
      owner.request({ method: 'PUT', path, body: { name }, headers: { 'if-match': '"1"' } });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = await atOnce(...names.map((name) => () => change(name)));
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === '412 swarm.changed')).toHaveLength(4);
    expect((await owner.get<Swarm>(path)).name).toBe(names[outcomes.indexOf('200')]);
  }));

test('two users who take the last place of a link: one gets in', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    const spare = await other.device.device();
    const link = await owner.link(swarm, { max_resources: 1, resource_type: 'both' });
    const [offer, otherOffer] = await Promise.all([guest.open(link), other.device.open(link)]);
    const outcomes = await atOnce(
      () => guest.join(offer, device),
      () => other.device.join(otherOffer, spare),
    );
    expect(outcomes.toSorted()).toEqual(['201', '404 link.not_found']);
    expect((await membersOf(ring)).map(({ resource_id }) => resource_id)).toEqual([
      outcomes[0] === '201' ? device.id : spare.id,
    ]);
    expect((await sentOf(ring)).map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    expect((await owner.get<JoinLink[]>(`/swarms/${swarm.id}/links`)).map(({ joined }) => joined)).toEqual([1]);
  }));

test('ten devices for three places of a link: three get in, each once', () =>
  race(async (ring) => {
    const { owner, guest, swarm } = ring;
    const devices = await Promise.all(Array.from({ length: 5 }, () => guest.device()));
    const offer = await guest.open(await owner.link(swarm, { max_resources: 3 }));
    const outcomes = await atOnce(...[...devices, ...devices].map((device) => () => guest.join(offer, device)));
    expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(3);
    const others = outcomes.filter((outcome) => outcome !== '201');
    expect(others.every((outcome) => ['404 link.not_found', '409 membership.exists'].includes(outcome))).toBe(true);
    expect(await membersOf(ring)).toHaveLength(3);
    expect(await sentOf(ring)).toHaveLength(3);
  }));

test('join and end of the link: in or not, and counted accordingly', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    const link = await owner.link(swarm);
    const offer = await guest.open(link);
    const [joined, ended] = await atOnce(
      () => guest.join(offer, device),
      () => owner.endLink(link),
    );
    expect(ended).toBe('204');
    expect(['201', '404 link.not_found']).toContain(joined);
    const count = joined === '201' ? 1 : 0;
    expect([(await membersOf(ring)).length, (await sentOf(ring)).length]).toEqual([count, count]);
    expect(await owner.get(`/swarms/${swarm.id}/links`)).toMatchObject([{ joined: count }]);
  }));

test('join twice, send and reject of the same role: one membership, and no invitation stays open', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    const invitation = await owner.invite(swarm, device);
    const offer = await guest.open(await owner.link(swarm));
    const [joined] = await atOnce(
      () => guest.join(offer, device),
      () => owner.send(swarm, device),
      () => guest.reject(invitation),
      () => guest.join(offer, device),
    );
    expect(['201', '409 membership.exists']).toContain(joined);
    expect((await membersOf(ring)).map(({ resource_type }) => resource_type)).toEqual(['consumer']);
    const statuses = (await sentOf(ring)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'accepted')).toHaveLength(1);
    expect(statuses).not.toContain('new');
  }));

test('join and deletion of the swarm or of the device: nothing is left', async () => {
  const deleted = new Set<string>();
  await race(async ({ owner, guest, swarm, device }) => {
    const offer = await guest.open(await owner.link(swarm));
    const [joined] = await atOnce(
      () => guest.join(offer, device),
      () => owner.destroy('swarms', swarm),
      () => guest.destroy('resources', device),
    );
    expect(['201', '404 link.not_found', '400 body.invalid']).toContain(joined);
    deleted.add(swarm.id);
  });
  const invitations = await ben.device.get<Invitation[]>('/invitations');
  expect(invitations.filter(({ swarm_id }) => deleted.has(swarm_id))).toEqual([]);
});

let agreed = Promise.resolve();
/** One after the other, because few requests of one owner to one user may be unanswered. */
function manages({ owner, swarm }: Ring, manager: ServiceClient, name: string): Promise<void> {
  agreed = agreed.then(async () => {
    await owner.nameManager(swarm, name);
    expect((await manager.agree(swarm, name)).status).toBe(200);
  });
  return agreed;
}

/** Ben manages the swarm, and is offered it. */
async function offered(ring: Ring) {
  const { owner, guest, swarm } = ring;
  await manages(ring, guest, 'ben');
  expect((await owner.offerSwarm(swarm, 'ben')).status).toBe(200);
}

test('a swarm is handed over or deleted, never both', () =>
  race(async (ring) => {
    const { owner, guest, swarm } = ring;
    await offered(ring);
    const [taken, deleted] = await atOnce(
      () => guest.takeOver(swarm, 'ben'),
      () => owner.destroy('swarms', swarm),
    );
    expect(['204 403 swarm.forbidden', '404 swarm.not_found 204']).toContain(`${taken} ${deleted}`);
    const answer = await guest.request({ path: `/swarms/${swarm.id}` });
    expect(answer.status).toBe(taken === '204' ? 200 : 404);
    if (taken === '204') expect((await guest.destroy('swarms', swarm)).status).toBe(204);
  }));

test('a device is handed over, withdrawn or deleted, once', () =>
  race(async ({ owner, guest, device }) => {
    expect((await guest.offerDevice(device, 'ann')).status).toBe(200);
    const [taken, withdrawn, deleted] = await atOnce(
      () => owner.takeOverDevice(device, 'ann'),
      () => guest.endDeviceOffer(device),
      () => guest.destroy('resources', device),
    );
    const { status } = await owner.request({ path: `/resources/${device.id}` });
    expect([taken === '204', status]).toEqual(taken === '204' ? [true, 200] : [false, 404]);
    expect([taken, withdrawn].filter((outcome) => outcome === '204').length).toBeLessThanOrEqual(1);
    if (taken === '204') expect(deleted).toBe('404 resource.not_found');
    else expect(deleted).toBe('204');
  }));

test('of a device that is handed over, nothing happens that its former owner began', () =>
  race(async ({ owner, guest, swarm, device }) => {
    const [own, mine] = await Promise.all([guest.swarm(), owner.swarm()]);
    expect((await guest.add(own, device)).status).toBe(201);
    await guest.accept(await owner.invite(mine, device, 'producer'));
    await guest.accept(await owner.invite(mine, await guest.device()));
    const [invitation, link] = [await owner.invite(swarm, device), await owner.link(swarm)];
    const joined = await guest.open(link);
    expect((await guest.offerDevice(device, 'ann')).status).toBe(200);
    const path = `/resources/${device.id}`;
    const [taken, left] = await atOnce(
      () => owner.takeOverDevice(device, 'ann'),
      () => guest.leave(mine, device),
      () => guest.accept(invitation),
      () => guest.join(joined, device),
      () => guest.request({ method: 'POST', path: `${path}/messages`, body: { payload: 1 } }),
      () => guest.request({ method: 'PUT', path, body: { position: { longitude: 1, latitude: 2 } } }),
      () => owner.leave(own, device),
    );
    expect(taken).toBe('204');
    const swarms = await owner.get<Swarm[]>(`${path}/swarms`);
    expect(swarms.map(({ id }) => id)).not.toContain(own.id);
    expect(swarms.some(({ id }) => id === mine.id)).toBe(left !== '204');
    expect(await owner.get(`${path}/messages/sent`)).toEqual([]);
    expect(await outcomeOf(await guest.leave(mine, device))).toMatch(/^40[34] /);
    expect(await outcomeOf(await guest.request({ method: 'PUT', path, body: { name: 'mine' } }))).toMatch(/^40[34] /);
  }));

test('a device is handed over, or the account of either user ends', () =>
  race(async ({ guest, device }) => {
    const name = `ends-${device.id.slice(-12)}`;
    const leaving = await signUpOverHttp(server.url, name);
    const own = await leaving.device.device();
    expect((await guest.offerDevice(device, name)).status).toBe(200);
    expect((await leaving.device.offerDevice(own, 'ben')).status).toBe(200);
    const [given, , taken] = await atOnce(
      () => leaving.device.takeOverDevice(device, name),
      () => leaving.deleteAccount(),
      () => guest.takeOverDevice(own, 'ben'),
    );
    // The rest of the account is deleted afterwards.
    await expect
      .poll(async () => (await guest.request({ path: `/resources/${device.id}` })).status)
      .toBe(given === '204' ? 404 : 200);
    await expect
      .poll(async () => (await guest.request({ path: `/resources/${own.id}` })).status)
      .toBe(taken === '204' ? 200 : 404);
  }));

test('a swarm that is offered to two managers, who both take it over, has one owner', () =>
  race(async (ring) => {
    const { owner, guest, swarm } = ring;
    await offered(ring);
    await manages(ring, other.device, 'other');
    const [first, second] = await atOnce(
      () => guest.takeOver(swarm, 'ben'),
      () => other.device.takeOver(swarm, 'other'),
      () => owner.offerSwarm(swarm, 'other'),
      () => guest.takeOver(swarm, 'ben'),
    );
    const { user_id } = await owner.get<Swarm>(`/swarms/${swarm.id}`);
    expect(user_id === 'ben').toBe(first === '204');
    expect(user_id === 'other').toBe(second === '204');
  }));

test('a manager who was removed changes nothing more, and a swarm that is handed over keeps its invitations', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    await offered(ring);
    const [invited, open] = await Promise.all([other.device.device(), other.device.device()]);
    const invitation = await owner.invite(swarm, open);
    let removed = false;
    const [sent, , taken, withdrawn] = await atOnce(
      () => guest.send(swarm, invited),
      () => owner.removeManager(swarm, 'ben').finally(() => (removed = true)),
      () => guest.takeOver(swarm, 'ben'),
      () => guest.withdraw(invitation),
    );
    expect(removed).toBe(true);
    const { user_id } = await owner.get<Swarm>(`/swarms/${swarm.id}`);
    expect(user_id).toBe(taken === '204' ? 'ben' : 'ann');
    const left = (await (taken === '204' ? guest : owner).get<Invitation[]>(`/swarms/${swarm.id}/invitations`)).filter(
      ({ status }) => status === 'new',
    );
    expect(left.map(({ from }) => from)).toEqual(left.map(() => user_id));
    expect(left.map(({ resource_id }) => resource_id).toSorted()).toEqual(
      [sent === '201' ? [invited.id] : [], withdrawn === '204' ? [] : [open.id]].flat().toSorted(),
    );
    if (taken === '204') return;
    expect(await outcomeOf(await guest.send(swarm, device))).toBe('404 swarm.not_found');
  }));

describe('the deletion of an account', () => {
  test('during accepts: acknowledged answers remain, all other invitations are rejected', async () => {
    const cleo = await signUpOverHttp(server.url, 'cleo');
    const swarm = await ann.device.swarm();
    const devices = await Promise.all(Array.from({ length: 40 }, () => cleo.device.device()));
    const invitations = await Promise.all(devices.map((device) => ann.device.invite(swarm, device)));
    let gone = false;
    const deleted = cleo.deleteAccount().finally(() => (gone = true));
    const accepted: string[] = [];
    for (const invitation of invitations) {
      const outcome = await outcomeOf(await cleo.device.accept(invitation));
      expect(['200', '401 key.invalid', '404 resource.not_found']).toContain(outcome);
      if (outcome === '200') accepted.push(invitation.id);
      if (!gone) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect((await deleted).status).toBe(204);
    const outcomes = invitations.map(({ id }) => [id, accepted.includes(id) ? 'accepted' : 'rejected']);
    const check = async () => {
      const sent = await ann.device.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);
      expect(Object.fromEntries(sent.map(({ id, status }) => [id, status]))).toEqual(Object.fromEntries(outcomes));
      expect(await ann.device.get(`/swarms/${swarm.id}/resources`)).toEqual([]);
    };
    await vi.waitFor(check, { timeout: 60_000 });
  });

  test('during its own sends: no invitation is left', async () => {
    const dan = await signUpOverHttp(server.url, 'dan');
    const swarm = await dan.device.swarm();
    const device = await ben.device.device();
    let gone = false;
    const deleted = dan.deleteAccount().finally(() => (gone = true));
    while (!gone) {
      const outcome = await outcomeOf(await dan.device.send(swarm, device));
      expect(['201', '401 key.invalid', '404 swarm.not_found']).toContain(outcome);
    }
    expect((await deleted).status).toBe(204);
    const left = () => ben.device.get(`/resources/${device.id}/invitations`);
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 60_000 });
  });
});

const requestsOf = ({ owner, swarm }: Ring) => owner.get<JoinRequest[]>(`/swarms/${swarm.id}/requests`);
const stateOf = async ({ guest }: Ring, { id }: JoinRequest) =>
  (await guest.get<JoinRequest[]>('/requests')).find((request) => request.id === id)?.status;
/** The swarm is public, and the guest's device asks to join it. */
const raceToJoin = (round: (ring: Ring & { asked: JoinRequest }) => Promise<void>) =>
  race(async (ring) => {
    await ring.owner.change(`/swarms/${ring.swarm.id}`, { public: true });
    await round({ ...ring, asked: await ring.guest.ask(ring.swarm, ring.device, { resource_type: 'both' }) });
  });

test('two answers to a request at once: one outcome, and one membership at most', () =>
  raceToJoin(async (ring) => {
    const { owner, asked } = ring;
    const answers = ['accept', 'reject', 'accept', 'reject'] as const;
    const outcomes = await atOnce(...answers.map((answer) => () => owner.answerRequest(asked, answer)));
    const accepted = outcomes[0] === '200';
    const [yes, no] = accepted ? ['200', '409'] : ['409', '200'];
    expect(outcomes.map((outcome) => outcome.slice(0, 3))).toEqual([yes, no, yes, no]);
    expect(await stateOf(ring, asked)).toBe(accepted ? 'accepted' : 'rejected');
    expect(await membersOf(ring)).toHaveLength(accepted ? 1 : 0);
    expect(await sentOf(ring)).toHaveLength(accepted ? 2 : 0);
  }));

test('answer and taking back: one of them succeeds', () =>
  raceToJoin(async (ring) => {
    const { owner, guest, asked } = ring;
    const outcomes = await atOnce(
      () => owner.answerRequest(asked, 'accept'),
      () => guest.withdrawRequest(asked),
    );
    expect([
      ['200', '409 join_request.already_answered'],
      ['404 join_request.not_found', '204'],
    ]).toContainEqual(outcomes);
    expect(await membersOf(ring)).toHaveLength(outcomes[0] === '200' ? 1 : 0);
    expect(await requestsOf(ring)).toEqual([]);
  }));

test('the same device asks twice at once: one request', () =>
  race(async (ring) => {
    const { owner, guest, swarm, device } = ring;
    await owner.change(`/swarms/${swarm.id}`, { public: true });
    const roles = ['consumer', 'producer', 'both'] as const;
    const outcomes = await atOnce(...roles.map((role) => () => guest.askFor(swarm, device, role)));
    expect(outcomes.toSorted()).toEqual(['201', '409 join_request.exists', '409 join_request.exists']);
    expect(await requestsOf(ring)).toHaveLength(1);
  }));

test('accept and a link for the same device: it joins once, and the request is accepted', () =>
  raceToJoin(async (ring) => {
    const { owner, guest, swarm, device, asked } = ring;
    const offer = await guest.open(await owner.link(swarm, { resource_type: 'both' }));
    const outcomes = await atOnce(
      () => owner.answerRequest(asked, 'accept'),
      () => guest.join(offer, device),
    );
    expect(outcomes[0]).toBe('200');
    expect(['201', '409 membership.exists']).toContain(outcomes[1]);
    expect(await stateOf(ring, asked)).toBe('accepted');
    expect((await membersOf(ring)).map(({ resource_type }) => resource_type)).toEqual(['both']);
    expect(await sentOf(ring)).toHaveLength(2);
  }));

test('accept and deletion of the device or the swarm: no member, and no open request is left', () =>
  raceToJoin(async (ring) => {
    const { owner, guest, swarm, device, asked } = ring;
    const isSwarm = Math.random() < 0.5;
    const [answered, destroyed] = await atOnce(
      () => owner.answerRequest(asked, 'accept'),
      () => (isSwarm ? owner.destroy('swarms', swarm) : guest.destroy('resources', device)),
    );
    expect(destroyed).toBe('204');
    expect(['200', '404 join_request.not_found', '404 swarm.not_found']).toContain(answered);
    expect(await stateOf(ring, asked)).toBe(!isSwarm && answered === '200' ? 'accepted' : undefined);
    if (!isSwarm) expect(await membersOf(ring)).toEqual([]);
  }));
