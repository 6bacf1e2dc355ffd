// stores: SQLite, PostgreSQL in the long run
/** Memberships and watchers with an end: who sets it, what ends with it, and what is told. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  Activity,
  ActivityPage,
  Audience,
  Invitation,
  InvitationItem,
  InvitationPage,
  ListedMember,
  Problem,
  Resource,
  Swarm,
} from '../../contract.ts';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { consentLimits } from '../../core/limits/part-limits.ts';
import { StorageError } from '../../core/store/statement.ts';
import { expectInvariants } from '../../tests/invariants.fixture.ts';
import { createServiceClient, outcomeOf, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';
import type { Manager, Offer } from '../../tests/records.fixture.ts';

const past = '2020-01-01T00:00:00.000Z';

let server: TestServer;
let ann: ServiceClient;
let ola: ServiceClient;
let users: Record<string, TestUser>;
beforeEach(async () => {
  server = await createTestServer();
  users = {};
  [ann, ola] = [await signUp('ann'), await signUp('ola')];
});
afterEach(async () => {
  await expectInvariants(server.db);
  await server[Symbol.asyncDispose]();
});

async function signUp(name: string): Promise<ServiceClient> {
  const user = (users[name] = await server.signUp(name));
  return createServiceClient(name, (asked) => server.request('direct', user, asked));
}
const inMs = (ms: number) => new Date(server.now().getTime() + ms).toISOString();
const memberPath = (swarm: { id: string }, device: { id: string }) => `/swarms/${swarm.id}/resources/${device.id}`;
const accept = (invitation: Invitation, more: object = {}, who = ann) =>
  who.request({
    method: 'PUT',
    path: `/resources/${invitation.resource_id}/invitations/${invitation.id}`,
    body: { status: 'accept', ...more },
  });
async function member(swarm: Swarm, device: Resource, who = ola): Promise<ListedMember | undefined> {
  const members = await who.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
  return members.find(({ resource_id }) => resource_id === device.id);
}
const setEnd = (who: ServiceClient, swarm: Swarm, device: Resource, ends_at: string | null) =>
  who.request({
    method: 'PUT',
    path: memberPath(swarm, device),
    body: { ends_at },
  });
async function faultOf(answer: Response): Promise<string> {
  expect(answer.status).toBe(400);
  return ((await answer.json()) as Problem).errors!.map(({ pointer, detail }) => `${pointer} ${detail}`).join();
}
async function told(who: ServiceClient): Promise<Activity[]> {
  return (await who.get<ActivityPage>('/activity?limit=200')).items.filter(({ kind }) =>
    /\.(watcher_)?(end|ending|ended|end_changed|expired)$/.test(kind),
  );
}
/** A swarm of Ola's with a device of Ann's. */
async function joined({ more = {}, role = 'producer' }: { more?: object; role?: 'producer' | 'consumer' } = {}) {
  const swarm = await ola.swarm({ name: 'Harbour weather' });
  const device = await ann.device({ name: 'Buoy', position: { longitude: 8, latitude: 54 } });
  expect((await accept(await ola.invite(swarm, device, role), more)).status).toBe(200);
  return { swarm, device };
}
async function watched(more: object = {}) {
  const swarm = await ola.swarm({ name: 'Harbour weather' });
  const device = await ola.device();
  await ola.add(swarm, device);
  await ola.make<Manager>(`/swarms/${swarm.id}/managers`, { user_id: 'ann', role: 'watcher', ...more });
  return { swarm, device };
}

test('the end of a consent may have any zone and any fraction of a second', async () => {
  const end = inMs(hourMs).replace(/\.\d+Z/, '.000Z');
  const { swarm, device } = await joined({ more: { ends_at: end.replace('.000Z', '-00:00') } });
  const members = await ola.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
  expect(members).toMatchObject([{ resource_id: device.id, ends_at: end }]);
});

/** Its time is over, and nobody has deleted it. */
async function expire({ swarm, device, who }: { swarm: Swarm; device?: Resource; who?: string }) {
  await server.app.consentEnds.close();
  await server.db.write([
    device
      ? {
          sql: 'UPDATE memberships SET ends_at = $1 WHERE swarm_id = $2 AND resource_id = $3',
          params: [past, swarm.id, device.id],
        }
      : {
          sql: 'UPDATE managers SET ends_at = $1 WHERE swarm_id = $2 AND user_id = $3',
          params: [past, swarm.id, who!],
        },
  ]);
}

/** The clock of the database does not advance with that of the server, so what ends in this time has ended long ago. */
async function pass(ms: number) {
  server.wait(ms);
  await server.db.write(
    ['memberships', 'managers', 'join_requests'].map((table) => ({
      sql: `UPDATE ${table} SET ends_at = $1 WHERE ends_at <= $2`,
      params: [past, inMs(0)],
    })),
  );
}

/** More members like this one, of which one write deletes or tells all but one. They have these ends. */
async function copies(device: Resource, endOf: (n: number) => string): Promise<string[]> {
  const ids = Array.from({ length: consentLimits.atOnce + 1 }, (_, n) => `${device.id.slice(0, -8)}0000${1000 + n}`);
  const columns = 'machine_type, created_at, changed_at, version, name_key, name_folded';
  await server.db.write([
    {
      sql: `INSERT INTO resources (id, user_id, name, ${columns})
            SELECT value, 'ann', 'many', ${columns} FROM elements($1) JOIN resources r ON r.id = $2`,
      params: [JSON.stringify(ids), device.id],
    },
    {
      sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since, ends_at)
            SELECT swarm_id, json_extract(value, '$.id'), resource_type, member_since, json_extract(value, '$.end')
            FROM elements($1) JOIN memberships m ON m.resource_id = $2`,
      params: [JSON.stringify(ids.map((id, n) => ({ id, end: endOf(n) }))), device.id],
    },
    // The owner of a device has agreed.
    {
      sql: `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, sent_at, status, accepted_at, created_at)
            SELECT value, "from", "to", swarm_id, value, resource_type, sent_at, status, accepted_at, created_at
            FROM elements($1) JOIN invitations i ON i.resource_id = $2`,
      params: [JSON.stringify(ids), device.id],
    },
  ]);
  return ids;
}

describe('who sets the end of a membership', () => {
  test('the user who accepts, and everybody who sees the member sees it', async () => {
    const ends_at = inMs(hourMs);
    const { swarm, device } = await joined({ more: { ends_at } });
    expect(await member(swarm, device)).toMatchObject({ ends_at });
    expect(await member(swarm, device)).not.toHaveProperty('ends_at_most');
    const { items } = await ann.get<Audience>(`/resources/${device.id}/audience`);
    expect(items[0]).toMatchObject({ ends_at });
    expect((await ann.get<Swarm[]>(`/resources/${device.id}/swarms`))[0]!.resources[0]).toMatchObject({ ends_at });
  });

  test('the owner of the swarm who offers it: then the user may choose an earlier one', async () => {
    const swarm = await ola.swarm();
    const [device, other] = [await ann.device(), await ann.device()];
    const offered = inMs(2 * hourMs);
    const invitation = await ola.invite(swarm, device, 'producer', { ends_at: offered });
    expect(invitation.ends_at).toBe(offered);
    expect((await ann.get<Invitation[]>('/invitations'))[0]).toMatchObject({ ends_at: offered });
    expect(await faultOf(await accept(invitation, { ends_at: inMs(3 * hourMs) }))).toBe(
      `/ends_at must not be after ${offered}`,
    );
    const ends_at = inMs(hourMs);
    expect(await outcomeOf(await accept(invitation, { ends_at }))).toBe('200');
    expect(await member(swarm, device)).toMatchObject({ ends_at, ends_at_most: offered });
    expect(await outcomeOf(await accept(await ola.invite(swarm, other, 'producer', { ends_at: offered })))).toBe('200');
    expect(await member(swarm, other)).toMatchObject({ ends_at: offered, ends_at_most: offered });
  });

  test('an offer whose time is over cannot be accepted, and is not sent again', async () => {
    const swarm = await ola.swarm();
    const invitation = await ola.invite(swarm, await ann.device(), 'producer', { ends_at: inMs(1000) });
    server.wait(1000);
    expect(await outcomeOf(await accept(invitation))).toBe('409 invitation.ended');
    expect(await outcomeOf(await ann.reject(invitation))).toBe('200');
  });

  test('a member with two roles ends at the earlier end, for both', async () => {
    const early = inMs(hourMs);
    const { swarm, device } = await joined({ more: { ends_at: inMs(2 * hourMs) } });
    expect((await accept(await ola.invite(swarm, device, 'consumer'), { ends_at: early })).status).toBe(200);
    expect(await member(swarm, device)).toMatchObject({ resource_type: 'both', ends_at: early });
    const { swarm: other, device: second } = await joined({ more: { ends_at: early } });
    expect((await accept(await ola.invite(other, second, 'consumer'))).status).toBe(200);
    expect(await member(other, second)).toMatchObject({ resource_type: 'both', ends_at: early });
  });

  test('a member that is offered its other role until a time then has this end, for both, be it later or earlier', async () => {
    const [early, middle, late] = [inMs(hourMs), inMs(2 * hourMs), inMs(3 * hourMs)];
    const offerOf = async ({ swarm, device }: { swarm: Swarm; device: Resource }, ends_at?: string) => {
      const offer = await ola.invite(swarm, device, 'consumer', ends_at === undefined ? {} : { ends_at });
      const page = await server.request('gateway', users['ann'], { path: `/inbox?swarm=${swarm.id}&state=new` });
      const { items } = (await page.json()) as InvitationPage;
      return { offer, item: items[0]! };
    };
    const until = async (ends_at: string) => {
      const [swarm, device] = [await ola.swarm(), await ann.device()];
      await accept(await ola.invite(swarm, device, 'producer', { ends_at }));
      return { swarm, device };
    };
    for (const { has, offered, chosen, becomes } of [
      { has: early, offered: late, becomes: { ends_at: late, ends_at_most: late } },
      { has: early, offered: late, chosen: middle, becomes: { ends_at: middle, ends_at_most: late } },
      { has: late, offered: early, becomes: { ends_at: early, ends_at_most: early } },
      { has: undefined, offered: early, becomes: { ends_at: early, ends_at_most: early } },
      // Without an offered end, neither is later than before, whatever its owner chooses.
      { has: early, offered: undefined, becomes: { ends_at: early, ends_at_most: early } },
      { has: early, offered: undefined, chosen: late, becomes: { ends_at: early, ends_at_most: early } },
    ]) {
      const joining = has === undefined ? await joined() : await until(has);
      const { offer, item } = await offerOf(joining, offered);
      expect(item).toHaveProperty('other_role_ends_at', has ?? null);
      expect(item).not.toHaveProperty('member_ends_at');
      expect(await outcomeOf(await accept(offer, chosen === undefined ? {} : { ends_at: chosen }))).toBe('200');
      expect(await member(joining.swarm, joining.device)).toMatchObject({ resource_type: 'both', ...becomes });
      // Both are told of another end, once.
      const changed =
        becomes.ends_at === has ? [] : [{ kind: 'member.end_changed', actor: 'ann', detail: becomes.ends_at }];
      for (const who of [ann, ola]) {
        const entries = (await told(who)).filter((entry) => entry.swarm?.id === joining.swarm.id);
        expect(entries.map(({ kind, actor, detail }) => ({ kind, actor, detail }))).toEqual(changed);
      }
    }
    const { swarm, device } = await joined();
    await accept((await offerOf({ swarm, device })).offer);
    expect(await member(swarm, device)).not.toHaveProperty('ends_at');

    // Who joins by a link has not read what is offered.
    const asked = await until(early);
    await offerOf(asked, late);
    const { id, pass } = await ann.open(await ola.link(asked.swarm));
    await ann.make(`/links/${id}/resources`, { pass, resource_id: asked.device.id });
    expect(await member(asked.swarm, asked.device)).toMatchObject({ resource_type: 'both', ends_at: early });
  });

  test('a member that asks for its other role until a time, or takes it by a link, then has this end, for both', async () => {
    const [early, middle, late] = [inMs(hourMs), inMs(2 * hourMs), inMs(3 * hourMs)];
    const ends = ({ ends_at, ends_at_most }: ListedMember) => [ends_at, ends_at_most];
    /** A member until `early`, of a swarm that has offered it until `middle`. */
    const limited = async () => {
      const [swarm, device] = [await ola.swarm({ public: true }), await ann.device()];
      await accept(await ola.invite(swarm, device, 'producer', { ends_at: middle }), { ends_at: early });
      return { swarm, device };
    };
    for (const [asked, becomes] of [
      [late, [late, late]],
      [middle, [middle, middle]],
      [undefined, [early, middle]],
    ] as const) {
      const { swarm, device } = await limited();
      const request = await ann.ask(swarm, device, asked === undefined ? {} : { ends_at: asked });
      const page = await server.request('gateway', users['ola'], { path: `/inbox?swarm=${swarm.id}&state=new` });
      const { items } = (await page.json()) as InvitationPage;
      expect(items).toMatchObject([{ is_request: true, other_role_ends_at: early }]);
      expect(await outcomeOf(await ola.answerRequest(request, 'accept'))).toBe('200');
      const found = (await member(swarm, device))!;
      expect([found.resource_type, ...ends(found)]).toEqual(['both', ...becomes]);
      const changes = (await told(ann)).filter((entry) => entry.swarm?.id === swarm.id);
      expect(changes.map(({ actor, detail }) => [actor, detail])).toEqual(asked === undefined ? [] : [['ola', asked]]);
    }
    // Of an accepted invitation or request, both read until when it is.
    const ofRequests = ({ is_request }: InvitationItem) => is_request === true;
    for (const [who, box, of] of [
      ['ann', 'received', (item: InvitationItem) => !ofRequests(item)],
      ['ola', 'sent', (item: InvitationItem) => !ofRequests(item)],
      ['ann', 'sent', ofRequests],
      ['ola', 'received', ofRequests],
    ] as const) {
      const page = await server.request('gateway', users[who], { path: `/inbox?box=${box}&state=accepted` });
      const { items } = (await page.json()) as InvitationPage;
      expect(items.filter(of).map((item) => item.membership_ends_at)).toContain(late);
    }
    // A link says of no end that it is allowed: the latest one stays.
    const { swarm, device } = await limited();
    const { id, pass } = await ann.open(await ola.link(swarm));
    const join = (ends_at: string) =>
      ann.request({ method: 'POST', path: `/links/${id}/resources`, body: { pass, resource_id: device.id, ends_at } });
    expect(await faultOf(await join(late))).toBe(`/ends_at must not be after ${middle}`);
    const joinedUntil = await join(middle);
    expect(joinedUntil.status).toBe(201);
    expect(await joinedUntil.json()).toMatchObject({ resource_type: 'both', ends_at: middle, ends_at_most: middle });
    expect(ends((await member(swarm, device))!)).toEqual([middle, middle]);
  });

  test('of an invitation that is open too, a request and a link take nothing over', async () => {
    const [early, late] = [inMs(hourMs), inMs(2 * hourMs)];
    const swarm = await ola.swarm({ public: true });
    const { id, pass } = await ann.open(await ola.link(swarm));
    const [asking, joining] = [await ann.device(), await ann.device()];
    for (const device of [asking, joining]) await ola.invite(swarm, device, 'consumer', { ends_at: early });
    await ola.answerRequest(await ann.ask(swarm, asking, { ends_at: late }), 'accept');
    await ann.make(`/links/${id}/resources`, { pass, resource_id: joining.id, ends_at: late });
    for (const device of [asking, joining]) {
      const found = await member(swarm, device);
      expect(found).toMatchObject({ ends_at: late });
      expect(found).not.toHaveProperty('ends_at_most');
    }
  });

  test('a user who joins by a link', async () => {
    const swarm = await ola.swarm();
    const { id, pass } = await ann.open(await ola.link(swarm));
    const ends_at = inMs(hourMs);
    const joining = { pass, resource_id: (await ann.device()).id, ends_at };
    expect(await ann.make(`/links/${id}/resources`, joining)).toMatchObject({ ends_at });
  });

  test('of an own device, it stays when the device gains its other role', async () => {
    const [swarm, device, ends_at] = [await ola.swarm(), await ola.device(), inMs(hourMs)];
    await ola.add(swarm, device, 'producer');
    expect(await outcomeOf(await setEnd(ola, swarm, device, ends_at))).toBe('200');
    const added = await ola.add(swarm, device, 'consumer');
    expect(await added.json()).toMatchObject({ resource_type: 'both', ends_at });
    expect(await member(swarm, device)).toMatchObject({ resource_type: 'both', ends_at });
  });

  test('in the past, or in more than a year, it is refused', async () => {
    const swarm = await ola.swarm();
    const device = await ann.device();
    const tooLate = inMs((consentLimits.days + 1) * dayMs);
    for (const [ends_at, detail] of [
      [past, 'must be in the future'],
      [tooLate, `must be at most ${consentLimits.days} days from now`],
    ] as const) {
      expect(await faultOf(await ola.send(swarm, device, 'producer', { ends_at }))).toBe(`/ends_at ${detail}`);
      const invitation = await ola.invite(swarm, device, 'producer');
      expect(await faultOf(await accept(invitation, { ends_at }))).toBe(`/ends_at ${detail}`);
    }
    for (const ends_at of ['soon', '2100-01-01', null, 5])
      expect((await ola.send(swarm, device, 'producer', { ends_at })).status).toBe(400);
  });
});

describe('a changed end', () => {
  test('the owner of the device shortens and extends it, the owner of the swarm only shortens, and the role stays', async () => {
    const { swarm, device } = await joined({ role: 'consumer' });
    const [early, late] = [inMs(hourMs), inMs(2 * hourMs)];
    expect(await outcomeOf(await setEnd(ann, swarm, device, early))).toBe('200');
    expect(await outcomeOf(await setEnd(ann, swarm, device, late))).toBe('200');
    expect(await member(swarm, device)).toMatchObject({ ends_at: late, resource_type: 'consumer' });
    expect(await outcomeOf(await setEnd(ann, swarm, device, null))).toBe('200');
    expect(await member(swarm, device)).not.toHaveProperty('ends_at');

    expect(await outcomeOf(await setEnd(ola, swarm, device, late))).toBe('200');
    expect(await outcomeOf(await setEnd(ola, swarm, device, early))).toBe('200');
    for (const ends_at of [late, null])
      expect(await faultOf(await setEnd(ola, swarm, device, ends_at))).toBe(`/ends_at must not be after ${early}`);
    // What the other side has shortened, the giver cannot take back.
    expect(await member(swarm, device)).toMatchObject({ ends_at: early, ends_at_most: early });
    for (const ends_at of [late, null])
      expect(await faultOf(await setEnd(ann, swarm, device, ends_at))).toBe(`/ends_at must not be after ${early}`);
    // One entry of each who has changed it, with the newest end: an owner who changes it again and again pushes out no others.
    const changes = (await told(ann)).map(({ kind, actor, detail }) => [kind, actor, detail]);
    expect(changes).toEqual([
      ['member.end_changed', 'ola', early],
      ['member.end_changed', 'ann', undefined],
    ]);
  });

  test('a client that puts back what it has read changes nothing', async () => {
    const { swarm, device } = await joined({ more: { ends_at: inMs(hourMs) } });
    const [before] = await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
    expect((await ann.request({ method: 'PUT', path: memberPath(swarm, device), body: before })).status).toBe(200);
    expect(await member(swarm, device)).toEqual(before);
    expect(await ann.role(swarm, device, 'producer')).toHaveProperty('status', 200);
    expect(await member(swarm, device)).toEqual(before);
    expect(await told(ann)).toEqual([]);
  });

  test('of a watcher: the owner of the swarm sets any, the watcher only an earlier one', async () => {
    const offered = inMs(2 * hourMs);
    const { swarm } = await watched({ ends_at: offered });
    expect((await ann.get<Offer[]>('/offers'))[0]).toMatchObject({ role: 'watcher', ends_at: offered });
    const path = `/swarms/${swarm.id}/managers/ann`;
    const agree = (ends_at: string) => ann.request({ method: 'PUT', path, body: { status: 'agreed', ends_at } });
    expect(await faultOf(await agree(inMs(3 * hourMs)))).toBe(`/ends_at must not be after ${offered}`);
    const early = inMs(hourMs);
    expect(await outcomeOf(await agree(early))).toBe('200');
    const managers = () => ola.get<Manager[]>(`/swarms/${swarm.id}/managers`);
    expect(await managers()).toMatchObject([{ user_id: 'ann', ends_at: early }]);
    const put = (who: ServiceClient, ends_at: string | null) =>
      who.request({ method: 'PUT', path: `${path}/end`, body: { ends_at } });
    expect(await faultOf(await put(ann, offered))).toBe(`/ends_at must not be after ${early}`);
    expect(await faultOf(await put(ann, null))).toBe(`/ends_at must not be after ${early}`);
    expect(await outcomeOf(await put(ola, offered))).toBe('200');
    expect(await outcomeOf(await put(ola, null))).toBe('200');
    expect(await managers()).not.toHaveProperty('[0].ends_at');
    expect(await outcomeOf(await put(ann, early))).toBe('200');
    const { items } = await ola.get<Audience>(`/swarms/${swarm.id}/audience`);
    expect(items[0]!.named).toMatchObject([{ role: 'owner' }, { role: 'watcher', ends_at: early }]);
  });

  test('a manager has none', async () => {
    const swarm = await ola.swarm();
    const body = { user_id: 'ann', role: 'manager', ends_at: inMs(hourMs) };
    expect(await faultOf(await ola.request({ method: 'POST', path: `/swarms/${swarm.id}/managers`, body }))).toBe(
      '/ends_at is only for a watcher',
    );
    await ola.nameManager(swarm, 'ann');
    await ann.agree(swarm, 'ann');
    const end = { method: 'PUT', path: `/swarms/${swarm.id}/managers/ann/end`, body: { ends_at: inMs(hourMs) } };
    expect(await outcomeOf(await ola.request(end))).toBe('404 manager.not_found');
  });
});

describe('a later end that the swarm offers for a member', () => {
  let [offered, later, latest] = ['', '', ''];
  beforeEach(() => {
    [offered, later, latest] = [inMs(2 * hourMs), inMs(3 * hourMs), inMs(4 * hourMs)];
  });
  const offerOf = (swarm: Swarm, device: Resource, ends_at = later, role: 'producer' | 'consumer' = 'producer') =>
    ola.invite(swarm, device, role, { ends_at });
  const open = async () => (await ann.get<Invitation[]>('/invitations')).filter(({ status }) => status === 'new');
  /** A device of Ann's that is a member as long as Ola has offered. */
  async function ending() {
    const swarm = await ola.swarm({ name: 'Harbour weather' });
    const device = await ann.device({ name: 'Buoy' });
    await accept(await ola.invite(swarm, device, 'producer', { ends_at: offered }));
    return { swarm, device };
  }

  test('changes nothing before its owner accepts it, and then the end of the same membership', async () => {
    const { swarm, device } = await ending();
    const before = await member(swarm, device);
    const offer = await offerOf(swarm, device);
    expect(await member(swarm, device)).toEqual(before);
    expect(await faultOf(await setEnd(ann, swarm, device, later))).toBe(`/ends_at must not be after ${offered}`);
    expect(await outcomeOf(await accept(offer))).toBe('200');
    expect(await member(swarm, device)).toEqual({ ...before, ends_at: later, ends_at_most: later });
    expect(await open()).toEqual([]);
    // Both are told what has changed, and the device has not joined once more.
    for (const who of [ann, ola]) {
      const { items } = await who.get<ActivityPage>('/activity?limit=10');
      expect(items.slice(0, 3)).toMatchObject([
        { kind: 'member.end_changed', actor: 'ann', detail: later, resource: { name: 'Buoy' } },
        { kind: 'invitation.end_offered', actor: 'ola', detail: later, resource: { name: 'Buoy' } },
        { kind: 'invitation.accepted', detail: 'producer' },
      ]);
    }
  });

  test('can be accepted for a shorter time, be rejected and be withdrawn', async () => {
    const { swarm, device } = await ending();
    const between = inMs(2.5 * hourMs);
    expect(await faultOf(await accept(await offerOf(swarm, device), { ends_at: latest }))).toBe(
      `/ends_at must not be after ${later}`,
    );
    expect((await accept((await open())[0]!, { ends_at: between })).status).toBe(200);
    expect(await member(swarm, device)).toMatchObject({ ends_at: between, ends_at_most: later });
    expect(await outcomeOf(await setEnd(ann, swarm, device, later))).toBe('200');
    expect((await ann.reject(await offerOf(swarm, device, latest))).status).toBe(200);
    expect((await ola.withdraw(await offerOf(swarm, device, latest))).status).toBe(204);
    expect(await member(swarm, device)).toMatchObject({ ends_at: later, ends_at_most: later });
    for (const who of [ann, ola]) {
      const { items } = await who.get<ActivityPage>('/activity?limit=5');
      expect(items.filter(({ kind }) => kind !== 'invitation.end_offered').slice(0, 2)).toMatchObject([
        { kind: 'invitation.end_withdrawn', actor: 'ola', detail: latest, resource: { name: 'Buoy' } },
        { kind: 'invitation.end_rejected', actor: 'ann', detail: latest, resource: { name: 'Buoy' } },
      ]);
    }
  });

  test('is told from an invitation to join when it is open, answered and expired, also after the membership has ended', async () => {
    const { swarm, device } = await ending();
    const shown = async (box: string) => {
      const path = box === 'board' ? `/swarms/${swarm.id}/board` : `/inbox?box=${box}&swarm=${swarm.id}`;
      const page = await server.request('gateway', users[box === 'received' ? 'ann' : 'ola'], { path });
      const { items } = (await page.json()) as InvitationPage;
      return items.map(({ status, is_later_end: isLater = false }) => `${status} ${isLater ? 'later end' : 'join'}`);
    };
    const expectShown = async (...expected: string[]) => {
      for (const box of ['received', 'sent', 'board']) expect(await shown(box)).toEqual(expected);
    };
    const offer = await offerOf(swarm, device);
    await expectShown('new later end', 'accepted join');
    expect(await outcomeOf(await accept(offer))).toBe('200');
    await expectShown('accepted later end', 'accepted join');
    await ann.reject(await offerOf(swarm, device, latest));
    await expectShown('rejected later end', 'accepted later end', 'accepted join');
    const expired = await offerOf(swarm, device, latest);
    await expire({ swarm, device });
    await expectShown('new join', 'rejected later end', 'accepted later end', 'accepted join');
    await server.db.write([{ sql: `UPDATE invitations SET ends_at = $1 WHERE status = 'new'`, params: [past] }]);
    await expectShown('new later end', 'rejected later end', 'accepted later end', 'accepted join');
    expect((await ola.withdraw(expired)).status).toBe(204);
  });

  test('is an invitation to join again if it is accepted after the membership has ended', async () => {
    const { swarm, device } = await ending();
    const offer = await offerOf(swarm, device);
    await expire({ swarm, device });
    expect(await outcomeOf(await accept(offer))).toBe('200');
    const page = await server.request('gateway', users['ann'], { path: `/inbox?swarm=${swarm.id}` });
    const { items } = (await page.json()) as InvitationPage;
    expect(items.map(({ is_later_end: isLater }) => isLater)).toEqual([undefined, undefined]);
  });

  test('is sent by those who may invite, and only if it is later', async () => {
    const { swarm, device } = await ending();
    const send = async (who: ServiceClient, more: object) => outcomeOf(await who.send(swarm, device, 'producer', more));
    for (const more of [{}, { ends_at: offered }, { ends_at: inMs(hourMs) }])
      expect(await send(ola, more)).toBe('409 membership.exists');
    const eve = await signUp('eve');
    expect(await send(eve, { ends_at: later })).toBe('404 swarm.not_found');
    expect(await send(ann, { ends_at: later })).toBe('403 swarm.forbidden');
    await ola.nameManager(swarm, 'eve');
    await eve.agree(swarm, 'eve');
    expect(await send(eve, { ends_at: later })).toBe('201');
    expect(await open()).toMatchObject([{ from: 'ola', sent_by: 'eve', ends_at: later }]);
    const { swarm: other, device: endless } = await joined();
    expect(await outcomeOf(await ola.send(other, endless, 'producer', { ends_at: later }))).toBe(
      '409 membership.exists',
    );
  });

  test('needs no answer any more when its owner extends as far, by the former offer or because there is no latest end', async () => {
    const { swarm, device } = await joined({ more: { ends_at: inMs(hourMs) } });
    const offers = [await offerOf(swarm, device, offered)];
    expect(await outcomeOf(await setEnd(ann, swarm, device, later))).toBe('200');
    offers.push(await offerOf(swarm, device, latest));
    expect(await outcomeOf(await setEnd(ann, swarm, device, null))).toBe('200');
    expect(await open()).toEqual([]);
    const answered = await ola.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);
    for (const { id } of offers) expect(answered.find((each) => each.id === id)!.status).toBe('accepted');
    expect(await member(swarm, device)).not.toHaveProperty('ends_at');
  });

  test.each(['a link', 'a request'])(
    'needs no answer any more when the device takes its other role for as long by %s, and shortens nothing',
    async (way) => {
      const swarm = await ola.swarm({ public: true });
      const { id, pass } = await ann.open(await ola.link(swarm));
      const takeOtherRole = async (device: Resource, ends_at: string) =>
        way === 'a link'
          ? ann.make(`/links/${id}/resources`, { pass, resource_id: device.id, ends_at })
          : ola.answerRequest(await ann.ask(swarm, device, { ends_at }), 'accept');
      const [lasting, ending] = [await ann.device(), await ann.device()];
      for (const device of [lasting, ending])
        await accept(await ola.invite(swarm, device, 'producer', { ends_at: later }), { ends_at: inMs(hourMs) });
      const [reached, stillLater] = [await offerOf(swarm, lasting, offered), await offerOf(swarm, ending, offered)];
      await takeOtherRole(lasting, later);
      await takeOtherRole(ending, inMs(1.5 * hourMs));
      expect(await open()).toMatchObject([{ id: stillLater.id }]);
      for (const offer of [reached, stillLater]) expect(await outcomeOf(await accept(offer))).toBe('200');
      expect(await member(swarm, lasting)).toMatchObject({ resource_type: 'both', ends_at: later });
      expect(await member(swarm, ending)).toMatchObject({ resource_type: 'both', ends_at: offered });
    },
  );

  test('is for both roles, whichever of them was named, and does not come back with a role that was taken', async () => {
    const { swarm, device } = await ending();
    await accept(await offerOf(swarm, device, offered, 'consumer'));
    const [one, other] = [await offerOf(swarm, device), await offerOf(swarm, device, latest, 'consumer')];
    expect((await accept(one)).status).toBe(200);
    expect(await member(swarm, device)).toMatchObject({ resource_type: 'both', ends_at: later });
    expect(await open()).toMatchObject([{ id: other.id }]);
    expect(await outcomeOf(await ola.role(swarm, device, 'producer'))).toBe('200');
    expect(await open()).toEqual([]);
    expect(await outcomeOf(await accept(other))).toBe('404 invitation.not_found');
  });

  test('is withdrawn, and not accepted, for a role that is given up in the same write as the end is extended', async () => {
    const [swarm, device] = [await ola.swarm(), await ann.device()];
    for (const role of ['producer', 'consumer'] as const) await accept(await ola.invite(swarm, device, role));
    expect(await outcomeOf(await setEnd(ann, swarm, device, offered))).toBe('200');
    const offer = await offerOf(swarm, device, later, 'consumer');
    const body = { resource_type: 'producer', ends_at: latest };
    const changed = await ann.request({ method: 'PUT', path: memberPath(swarm, device), body });
    expect(await outcomeOf(changed)).toBe('200');
    expect(await member(swarm, device)).toMatchObject(body);
    const left = await server.db.read({ sql: 'SELECT status FROM invitations WHERE id = $1', params: [offer.id] });
    expect(left).toEqual([]);
  });

  test('leaves to links what its owner allowed them', async () => {
    const { swarm, device } = await joined({ more: { ends_at: inMs(hourMs), shown_by_links: true } });
    await accept(await offerOf(swarm, device));
    expect(await member(swarm, device, ann)).toMatchObject({ ends_at: later, shown_by_links: true });
  });

  test('ends with the membership if that is taken away, also while its owner accepts', async () => {
    for (let round = 0; round < 5; round++) {
      const { swarm, device } = await ending();
      const offer = await offerOf(swarm, device);
      const [accepted, removed] = await Promise.all([accept(offer), ola.leave(swarm, device)]);
      expect(removed.status).toBe(204);
      expect(['200', '404 invitation.not_found']).toContain(await outcomeOf(accepted));
      expect(await member(swarm, device)).toBeUndefined();
      expect(await outcomeOf(await accept(offer))).toMatch(/^200|404 invitation.not_found$/);
      expect(await member(swarm, device)).toBeUndefined();
    }
  });

  test('is still an invitation when the time of the membership is over', async () => {
    const { swarm, device } = await ending();
    const offer = await offerOf(swarm, device);
    await pass(2 * hourMs);
    expect(await outcomeOf(await accept(offer))).toBe('200');
    expect(await member(swarm, device)).toMatchObject({ ends_at: offer.ends_at!, ends_at_most: offer.ends_at! });
    const { items } = await ann.get<ActivityPage>('/activity?limit=1');
    expect(items).toMatchObject([{ kind: 'invitation.accepted' }]);
  });
});

describe('after the end, before anybody has deleted it', () => {
  test('a member sends and receives nothing', async () => {
    const { swarm, device } = await joined({ role: 'producer' });
    const sensor = await ola.device();
    await ola.add(swarm, sensor);
    const send = (who: ServiceClient, { id }: Resource, more: object = {}) =>
      who.request({ method: 'POST', path: `/resources/${id}/messages`, body: { payload: 1, ...more } });
    expect(await outcomeOf(await send(ann, device))).toBe('201');
    expect(await outcomeOf(await send(ola, sensor))).toBe('201');
    await expire({ swarm, device });
    expect(await outcomeOf(await send(ann, device))).toBe('403 message.not_producer');
    expect(await outcomeOf(await send(ann, device, { swarm_id: swarm.id }))).toBe('403 message.not_producer');
    expect(await outcomeOf(await send(ola, sensor, { to: device.id }))).toBe('400 body.invalid');
  });

  test('a consumer receives what was sent before, as it reads it with the rights of that moment, and nothing later', async () => {
    const { swarm, device } = await joined({ role: 'consumer' });
    const sensor = await ola.device();
    await ola.add(swarm, sensor);
    const received = async () => ann.get<unknown[]>(`/resources/${device.id}/messages`);
    await ola.make(`/resources/${sensor.id}/messages`, { payload: 'before' });
    expect(await received()).toHaveLength(1);
    await expire({ swarm, device });
    await ola.make(`/resources/${sensor.id}/messages`, { payload: 'after' });
    expect(await received()).toEqual([]);
    expect(await outcomeOf(await ann.request({ path: `/swarms/${swarm.id}/messages` }))).toBe('404 swarm.not_found');
  });

  test('others see neither the device nor its track, and its owner not those of others', async () => {
    const { swarm, device } = await joined();
    const other = await ola.device();
    await ola.add(swarm, other);
    expect(await outcomeOf(await ola.request({ path: `/resources/${device.id}` }))).toBe('200');
    expect(await outcomeOf(await ann.request({ path: `/resources/${other.id}` }))).toBe('200');
    await expire({ swarm, device });
    for (const path of ['', '/track', '/audience', '/values?keys=a'])
      expect(await outcomeOf(await ola.request({ path: `/resources/${device.id}${path}` }))).toBe(
        '404 resource.not_found',
      );
    expect(await outcomeOf(await ann.request({ path: `/resources/${other.id}` }))).toBe('404 resource.not_found');
    expect(await outcomeOf(await ann.request({ path: `/swarms/${swarm.id}` }))).toBe('404 swarm.not_found');
    expect(await ann.get<Swarm[]>('/swarms')).toEqual([]);
    expect(await ann.get<Swarm[]>(`/resources/${device.id}/swarms`)).toEqual([]);
    expect((await ann.get<Audience>(`/resources/${device.id}/audience`)).items).toEqual([]);
    expect(await member(swarm, device)).toBeUndefined();
    const lists = ['/devices?audience=visible&limit=50', `/devices?audience=swarm:${swarm.id}&limit=50`];
    for (const path of lists) {
      const list = await server.request('gateway', users['ola'], { path });
      expect(await list.text()).not.toContain(device.id);
    }
    const mine = await server.request('gateway', users['ann'], { path: lists[0]! });
    expect(await mine.text()).not.toContain(other.id);
  });

  test('an index that was read before knows it, too', async () => {
    const { swarm, device } = await joined();
    const listed = async (audience: string) =>
      (await server.request('gateway', users['ola'], { path: `/devices?audience=${audience}&q=Buoy&limit=50` })).text();
    const audiences = ['visible', `swarm:${swarm.id}`];
    for (const audience of audiences) expect(await listed(audience)).toContain(device.id);
    await expire({ swarm, device });
    for (const audience of audiences) expect(await listed(audience)).not.toContain(device.id);
  });

  test('a user with another membership or role still sees the swarm', async () => {
    const { swarm, device } = await joined();
    const second = await ann.device();
    const later = inMs(hourMs);
    expect((await accept(await ola.invite(swarm, second, 'producer'), { ends_at: later })).status).toBe(200);
    await expire({ swarm, device });
    const seen = async () => outcomeOf(await ann.request({ path: `/swarms/${swarm.id}/resources` }));
    expect(await seen()).toBe('200');
    await expire({ swarm, device: second });
    expect(await seen()).toBe('404 swarm.not_found');
    await ola.nameManager(swarm, 'ann', 'watcher');
    await ann.agree(swarm, 'ann');
    expect(await seen()).toBe('200');
    await expire({ swarm, who: 'ann' });
    expect(await seen()).toBe('404 swarm.not_found');
  });

  test('the number of members still has it, and the number of offers does not', async () => {
    const { swarm, device } = await joined();
    await expire({ swarm, device });
    const ofApp = (name: string, path: string) =>
      server.fetch(`/api${path}`, { headers: { cookie: users[name]!.cookie, 'sec-fetch-site': 'same-origin' } });
    expect(await member(swarm, device)).toBeUndefined();
    expect(await (await ofApp('ola', `/swarms/${swarm.id}/overview`)).json()).toMatchObject({ member_count: 1 });
    await ola.nameManager(swarm, 'ann', 'watcher');
    const offers = async () => ((await (await ofApp('ann', '/inbox/count')).json()) as { offers: number }).offers;
    expect(await offers()).toBe(1);
    await expire({ swarm, who: 'ann' });
    expect(await ann.get<Offer[]>('/offers')).toEqual([]);
    expect(await offers()).toBe(0);
  });

  test('it may join again at once', async () => {
    const { swarm, device } = await joined();
    await expire({ swarm, device });
    expect(await outcomeOf(await accept(await ola.invite(swarm, device, 'producer')))).toBe('200');
    expect(await member(swarm, device)).not.toHaveProperty('ends_at');
  });

  test('a watcher sees nothing more, and may be asked again', async () => {
    const { swarm, device } = await watched();
    await ann.agree(swarm, 'ann');
    expect(await outcomeOf(await ann.request({ path: `/resources/${device.id}` }))).toBe('200');
    await expire({ swarm, who: 'ann' });
    expect(await outcomeOf(await ann.request({ path: `/resources/${device.id}` }))).toBe('404 resource.not_found');
    expect(await outcomeOf(await ann.request({ path: `/swarms/${swarm.id}` }))).toBe('404 swarm.not_found');
    expect(await outcomeOf(await ann.request({ path: `/swarms/${swarm.id}/messages` }))).toBe('404 swarm.not_found');
    expect((await ola.get<Audience>(`/swarms/${swarm.id}/audience`)).items[0]!.named).toHaveLength(1);
    await ola.nameManager(swarm, 'ann', 'watcher');
    expect(await ann.get<Offer[]>('/offers')).toHaveLength(1);
  });
});

describe('when the time is over', () => {
  test('a member is deleted, as if it had been removed, and both owners are told', async () => {
    const { swarm, device } = await joined({ more: { ends_at: inMs(hourMs) } });
    const position = await server.newestEvent();
    await pass(hourMs);
    await server.app.consentEnds.round();
    expect(await server.db.read({ sql: 'SELECT 1 FROM memberships' })).toEqual([]);
    for (const who of [ann, ola])
      expect(await told(who)).toMatchObject([
        { kind: 'member.ended', actor: 'ann', detail: 'producer', resource: { name: 'Buoy' }, swarm: { id: swarm.id } },
      ]);
    const events = (await server.resume([users['ann']!, users['ola']!], position)).flat();
    expect(events.filter(({ type }) => type === 'membership.changed')).not.toEqual([]);
    expect((await ann.get<Resource>(`/resources/${device.id}`)).id).toBe(device.id);
  });

  test('a watcher is deleted, and a request that nobody answered', async () => {
    const { swarm } = await watched({ ends_at: inMs(hourMs) });
    await ann.agree(swarm, 'ann');
    await watched({ ends_at: inMs(hourMs) });
    await pass(hourMs);
    await server.app.consentEnds.round();
    expect(await server.db.read({ sql: 'SELECT 1 FROM managers' })).toEqual([]);
    const byKind = (await told(ola)).toSorted((one, other) => one.kind.localeCompare(other.kind));
    expect(byKind).toMatchObject([
      { kind: 'swarm.watcher_ended', actor: 'ola', detail: 'ann' },
      { kind: 'swarm.watcher_expired', actor: 'ola', detail: 'ann' },
    ]);
    const { items } = await ola.get<Audience>(`/swarms/${swarm.id}/audience`);
    expect(items[0]!.named).toHaveLength(1);
  });

  test('a request to join that nobody answered is withdrawn, and its device can ask again', async () => {
    const swarm = await ola.swarm();
    await ola.change(`/swarms/${swarm.id}`, { public: true, accepts_requests: true });
    const device = await ann.device();
    const asked = await ann.ask(swarm, device, { ends_at: inMs(hourMs) });
    const later = await ann.ask(swarm, await ann.device(), { ends_at: inMs(3 * hourMs) });
    await server.app.consentEnds.round();
    await pass(hourMs);
    await server.app.consentEnds.round();
    expect(await ola.get(`/swarms/${swarm.id}/requests`)).toMatchObject([{ id: later.id }]);
    expect(await outcomeOf(await ann.withdrawRequest(asked))).toBe('404 join_request.not_found');
    const { items } = await ola.get<ActivityPage>('/activity?limit=200');
    const expired = items.filter(({ kind }) => kind === 'invitation.request_expired');
    expect(expired).toMatchObject([{ actor: 'ann', resource: { id: device.id } }]);
    expect((await ann.ask(swarm, device, { ends_at: inMs(hourMs) })).status).toBe('new');
  });

  test('what ends later stays, also what was extended', async () => {
    const { swarm, device } = await joined({ more: { ends_at: inMs(hourMs) } });
    const { swarm: other, device: second } = await joined({ more: { ends_at: inMs(3 * hourMs) } });
    await setEnd(ann, swarm, device, inMs(2 * hourMs));
    await pass(hourMs);
    await server.app.consentEnds.round();
    expect(await member(swarm, device)).toBeDefined();
    expect(await member(other, second)).toBeDefined();
  });

  test('a process whose clock is ahead of that of the database deletes nothing', async () => {
    const { swarm, device } = await joined({ more: { ends_at: inMs(hourMs) } });
    const { swarm: other } = await watched({ ends_at: inMs(hourMs) });
    await ann.agree(other, 'ann');
    server.wait(hourMs);
    await server.app.consentEnds.round();
    expect(
      await server.db.read({ sql: 'SELECT swarm_id, resource_id FROM memberships WHERE ends_at IS NOT NULL' }),
    ).toEqual([{ swarm_id: swarm.id, resource_id: device.id }]);
    expect(await server.db.read({ sql: 'SELECT user_id FROM managers' })).toEqual([{ user_id: 'ann' }]);
    expect((await told(ola)).filter(({ kind }) => kind.endsWith('ended'))).toEqual([]);
  });

  test('many of one swarm are deleted in parts, with the numbers of the swarm', async () => {
    const { swarm, device } = await joined({ role: 'consumer' });
    const { length } = await copies(device, () => inMs(hourMs));
    await pass(hourMs);
    await server.app.consentEnds.round();
    const sizes = 'SELECT members, users, consumers FROM swarm_sizes WHERE swarm_id = $1';
    expect(await server.db.read({ sql: sizes, params: [swarm.id] })).toEqual([{ members: 1, users: 1, consumers: 1 }]);
    expect(await told(ola)).toHaveLength(length);
  });

  test('a process that is killed at the end leaves it to another one', async () => {
    const { device } = await joined({ more: { ends_at: inMs(hourMs) } });
    const held = server.now().getTime() + hourMs + 10_000;
    await server.db.write([
      { sql: `INSERT INTO leases (name, holder, until) VALUES ('consent_ends', 'killed', $1)`, params: [held] },
    ]);
    await pass(hourMs);
    await server.app.consentEnds.round();
    const rows = () => server.db.read({ sql: 'SELECT 1 FROM memberships' });
    expect(await rows()).toHaveLength(1);
    const send = { method: 'POST', path: `/resources/${device.id}/messages`, body: { payload: 1 } };
    expect(await outcomeOf(await ann.request(send))).toBe('403 message.not_producer');
    await pass(11_000);
    await server.app.consentEnds.round();
    expect(await rows()).toEqual([]);
  });
});

/** Writes fail that name one of these ids. */
function failing(...ids: string[]) {
  const write = server.db.write.bind(server.db);
  return vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
    const text = JSON.stringify(statements);
    if (ids.some((id) => text.includes(id))) throw new StorageError('unexpected', 'a broken row');
    return write(statements);
  });
}

describe('a write that fails each time', () => {
  test('stops nobody else, and is tried again a minute later', async () => {
    const ends_at = inMs(hourMs);
    const [broken, other] = [await joined({ more: { ends_at } }), await joined({ more: { ends_at } })];
    const [brokenWatch, otherWatch] = [await watched({ ends_at }), await watched({ ends_at })];
    const asking = await ola.swarm();
    await ola.change(`/swarms/${asking.id}`, { public: true, accepts_requests: true });
    const [brokenRequest, otherRequest] = [
      await ann.ask(asking, await ann.device(), { ends_at }),
      await ann.ask(asking, await ann.device(), { ends_at }),
    ];
    const due = async () => {
      const sql = `SELECT swarm_id AS id FROM memberships WHERE ends_at IS NOT NULL
        UNION ALL SELECT swarm_id FROM managers UNION ALL SELECT id FROM join_requests WHERE status = 'new'`;
      return (await server.db.read<{ id: string }>({ sql })).map(({ id }) => id).toSorted();
    };
    await pass(hourMs);
    const ids = [broken.swarm.id, brokenWatch.swarm.id, brokenRequest.id].toSorted();
    const broke = failing(...ids);
    await server.app.consentEnds.round();
    expect(await due()).toEqual(ids);
    expect(ids).not.toContain(otherRequest.id);
    for (const { swarm } of [other, otherWatch]) expect(ids).not.toContain(swarm.id);
    const tries = server.logged.filter((line) => line.includes('a broken row')).length;
    await server.app.consentEnds.round();
    expect(server.logged.filter((line) => line.includes('a broken row'))).toHaveLength(tries);
    broke.mockRestore();
    await pass(61_000);
    await server.app.consentEnds.round();
    expect(await due()).toEqual([]);
  });

  test('of notices leaves out only the one that fails', async () => {
    const ends_at = inMs(5 * hourMs);
    const all = [await joined({ more: { ends_at } }), await joined({ more: { ends_at } })];
    all.push(await joined({ more: { ends_at } }));
    const [first, broken, last] = all.map(({ swarm }) => swarm.id).toSorted();
    server.wait(4 * hourMs + 1000);
    // Of the notices alone: `end_notices` names the last one that was told.
    const write = server.db.write.bind(server.db);
    vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      const isBroken = statements.some(
        ({ sql, params }) => sql.startsWith('INSERT INTO activity') && JSON.stringify(params).includes(broken!),
      );
      if (isBroken) throw new StorageError('unexpected', 'a broken row');
      return write(statements);
    });
    await server.app.consentEnds.round();
    expect((await told(ann)).map(({ swarm }) => swarm!.id).toSorted()).toEqual([first, last]);
    expect(server.logged.filter((line) => line.includes('a broken row'))).toHaveLength(1);
  });
});

describe('an hour before', () => {
  const round = () => server.app.consentEnds.round();

  test('the owner of the device is told once, and again after an extension', async () => {
    const ends_at = inMs(5 * hourMs);
    const { swarm, device } = await joined({ more: { ends_at } });
    await round();
    server.wait(3 * hourMs);
    await round();
    expect(await told(ann)).toEqual([]);
    server.wait(hourMs + 1000);
    await round();
    await round();
    const notices = async () => (await told(ann)).filter(({ kind }) => kind === 'member.ending');
    expect(await notices()).toMatchObject([
      {
        actor: '(server)',
        detail: ends_at,
        amount: 1,
        resource: { id: device.id, name: 'Buoy' },
        swarm: { id: swarm.id },
      },
    ]);
    expect(await told(ola)).toEqual([]);
    await setEnd(ann, swarm, device, inMs(4 * hourMs));
    server.wait(3 * hourMs + 1000);
    await round();
    expect(await notices()).toHaveLength(2);
  });

  test('several devices of a user in a swarm are one notice', async () => {
    const swarm = await ola.swarm();
    const ends_at = inMs(5 * hourMs);
    for (const name of ['a', 'b']) {
      const device = await ann.device({ name });
      await accept(await ola.invite(swarm, device, 'producer'), { ends_at });
    }
    server.wait(4 * hourMs + 1000);
    await round();
    const [notice, ...others] = await told(ann);
    expect(notice).toMatchObject({ kind: 'member.ending', amount: 2, swarm: { id: swarm.id } });
    expect(notice).not.toHaveProperty('resource');
    expect(others).toEqual([]);
  });

  test('many notices are written in parts, and go on after a failure from the last that was told', async () => {
    const first = server.now().getTime() + 5 * hourMs;
    const endOf = (n: number) => new Date(first + n).toISOString();
    const { swarm, device } = await joined({ more: { ends_at: endOf(0) } });
    const ids = await copies(device, endOf);
    // The first part ends between two that have the same end.
    const { swarm: other } = await joined({ more: { ends_at: endOf(consentLimits.atOnce - 1) } });
    server.wait(4 * hourMs + 2000);
    const parts: (number | undefined)[] = [];
    const write = server.db.write.bind(server.db);
    const writing = vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (statements.some(({ sql }) => sql.startsWith('INSERT INTO activity'))) {
        expect(statements[0]).toMatchObject({ user: '(server)' });
        parts.push(statements[0]!.rows);
        if (parts.length === 2) throw new StorageError('away', 'away');
      }
      return write(statements);
    });
    await round().catch(() => {});
    const notices = async () => (await told(ann)).filter(({ kind }) => kind === 'member.ending');
    expect(await notices()).toHaveLength(consentLimits.atOnce);
    await round();
    await round();
    writing.mockRestore();
    expect(parts).toEqual([consentLimits.atOnce, 2, 2]);
    const swarms = (await notices()).map((notice) => notice.swarm!.id);
    expect(swarms.filter((id) => id === swarm.id)).toHaveLength(ids.length);
    expect(swarms.filter((id) => id === other.id)).toHaveLength(1);
  });

  test('what has just begun causes no notice', async () => {
    await joined({ more: { ends_at: inMs(hourMs) } });
    await round();
    server.wait(hourMs / 2);
    await round();
    expect(await told(ann)).toEqual([]);
  });

  test('the owner of a swarm gets the notice about its watcher', async () => {
    const { swarm } = await watched({ ends_at: inMs(5 * hourMs) });
    await ann.agree(swarm, 'ann');
    server.wait(4 * hourMs + 1000);
    await round();
    expect(await told(ola)).toMatchObject([{ kind: 'swarm.watcher_ending', detail: 'ann', swarm: { id: swarm.id } }]);
    expect(await told(ann)).toEqual([]);
  });
});
