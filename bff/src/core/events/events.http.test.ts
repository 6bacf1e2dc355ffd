// stores: SQLite, PostgreSQL
/**
 * The recipients and the content of events, over real connections: with a key, and through the gateway with a session.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { GatewayEvent, Invitation, Resource, Swarm } from '../../contract.ts';
import { join, listen, type Listener, type TestUser } from '../../tests/events.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { entryPoints, type EntryPoint } from '../../tests/test-server.fixture.ts';

let server: HttpTestServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server[Symbol.asyncDispose]());

let users = 0;
const newUser = (role: string) => join(server.url, `${role}-${++users}`);
const lamp = (name: string) => ({ name, machine_type: 'pc', position: { longitude: 1, latitude: 2 } });
const deviceOf = (who: TestUser, name = 'Lamp') => who.request<Resource>('POST', '/resources', lamp(name));
const swarmOf = (who: TestUser, more: object = {}) =>
  who.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '', ...more });
const invite = (
  from: TestUser,
  swarm: { id: string },
  to: TestUser,
  device: { id: string },
  resource_type = 'producer',
) =>
  from.request<Invitation>('POST', `/swarms/${swarm.id}/invitations`, {
    to: to.name,
    resource_id: device.id,
    resource_type,
  });
const answer = (who: TestUser, { resource_id, id }: Invitation, status: 'accept' | 'reject') =>
  who.request<Invitation>('PUT', `/resources/${resource_id}/invitations/${id}`, { status });
const leave = (who: TestUser, swarm: { id: string }, device: { id: string }) =>
  who.request('DELETE', `/swarms/${swarm.id}/resources/${device.id}`);

async function joinSwarm(from: TestUser, swarm: Swarm, to: TestUser, device: Resource) {
  await answer(to, await invite(from, swarm, to, device), 'accept');
}

let marks = 0;
/** The events of this listener since the last marker event, which is sent after all others. */
async function receivedEvents(who: TestUser, listener: Listener): Promise<GatewayEvent[]> {
  const isMark = ({ data }: GatewayEvent) => String((data as { name?: unknown }).name).startsWith('mark ');
  const since = listener.events.findLastIndex(isMark) + 1;
  const { id } = await deviceOf(who, `mark ${++marks}`);
  await listener.until(({ data }) => (data as { id?: string }).id === id);
  return listener.events
    .slice(since)
    .filter((event) => !isMark(event) && event.type !== 'map.changed' && event.type !== 'action.changed');
}

const roles = ['owner', 'member', 'other', 'recipient', 'stranger'] as const;
type Cast = Record<(typeof roles)[number], TestUser>;
let cast: Cast;
beforeAll(async () => {
  const names = await Promise.all(roles.map(async (role) => [role, await newUser(role)]));
  cast = Object.fromEntries(names) as Cast;
});

/** A swarm with devices of two members, an invited user and a stranger; all listen. */
async function createTestData(entryPoint: EntryPoint) {
  const { owner, member, other, recipient } = cast;
  const swarm = await swarmOf(owner);
  const device = await deviceOf(member);
  const theirs = await deviceOf(recipient);
  await joinSwarm(owner, swarm, member, device);
  await joinSwarm(owner, swarm, other, await deviceOf(other));
  const invitation = await invite(owner, swarm, recipient, theirs);
  const listeners = await Promise.all(roles.map((role) => cast[role].listen(entryPoint)));
  const receivedByAll = () => Promise.all(roles.map((role, index) => receivedEvents(cast[role], listeners[index]!)));
  // Events from before they listened.
  await receivedByAll();
  return {
    ...cast,
    swarm,
    device,
    theirs,
    invitation,
    /** The events that an action causes, by actor; actors without events are left out. */
    async eventsOf(act: () => Promise<unknown>) {
      const result = await act();
      const got = (await receivedByAll()).map((events) => events.map(({ type, data }) => ({ type, data })));
      const entries = roles.map((role, index) => [role, got[index]!] as const);
      return { result, received: Object.fromEntries(entries.filter(([, events]) => events.length > 0)) };
    },
    close: () => listeners.forEach((listener) => listener.close()),
  };
}
type TestData = Awaited<ReturnType<typeof createTestData>>;

interface Case {
  title: string;
  act: (data: TestData) => Promise<unknown>;
  /** The expected events by actor; `result` is the response to the action. */
  received: (data: TestData, result: unknown) => Record<string, { type: string; data: unknown }[]>;
}

const everyMember = (events: { type: string; data: unknown }[]) => ({ owner: events, member: events, other: events });

const cases: Case[] = [
  {
    title: 'a created device: to its owner',
    act: ({ stranger }) => deviceOf(stranger),
    received: (_, made) => ({ stranger: [{ type: 'resource.created', data: made }] }),
  },
  {
    title: 'an updated device in a swarm: to all members of the swarm',
    act: ({ member, device }) => member.request('PUT', `/resources/${device.id}`, { name: 'Renamed' }),
    received: (_, changed) => everyMember([{ type: 'resource.updated', data: changed }]),
  },
  {
    title: 'an updated device in no swarm: to its owner',
    act: ({ recipient, theirs }) => recipient.request('PUT', `/resources/${theirs.id}`, { description: 'x' }),
    received: (_, changed) => ({ recipient: [{ type: 'resource.updated', data: changed }] }),
  },
  {
    title: 'a destroyed device in a swarm: to all members of the swarm, with its id only',
    act: ({ member, device }) => member.request('DELETE', `/resources/${device.id}`),
    received: ({ device }) => everyMember([{ type: 'resource.destroyed', data: { id: device.id } }]),
  },
  {
    title: 'a destroyed device with an open invitation: to the sender',
    act: ({ recipient, theirs }) => recipient.request('DELETE', `/resources/${theirs.id}`),
    received: ({ theirs, invitation }) => {
      const rejected = {
        type: 'invitation.updated',
        data: { ...invitation, status: 'rejected', rejected_at: expect.any(String) as string },
      };
      return { owner: [rejected], recipient: [{ type: 'resource.destroyed', data: { id: theirs.id } }, rejected] };
    },
  },
  {
    title: 'a sent invitation: to sender and recipient',
    act: ({ owner, swarm, recipient, theirs }) => invite(owner, swarm, recipient, theirs, 'consumer'),
    received: (_, sent) => ({
      owner: [{ type: 'invitation.sent', data: sent }],
      recipient: [{ type: 'invitation.received', data: sent }],
    }),
  },
  {
    title: 'an invitation that is sent again: the same record with a new time',
    act: ({ owner, swarm, recipient, theirs }) => invite(owner, swarm, recipient, theirs),
    received: ({ invitation }, sent) => {
      expect(sent).toMatchObject({ id: invitation.id });
      return {
        owner: [{ type: 'invitation.sent', data: sent }],
        recipient: [{ type: 'invitation.received', data: sent }],
      };
    },
  },
  {
    title: 'a rejected invitation: to sender and recipient',
    act: ({ recipient, invitation }) => answer(recipient, invitation, 'reject'),
    received: (_, answered) => {
      const events = [{ type: 'invitation.updated', data: answered }];
      return { owner: events, recipient: events };
    },
  },
  {
    title: 'an accepted invitation: to sender and recipient, and the new member to all members',
    act: ({ recipient, invitation }) => answer(recipient, invitation, 'accept'),
    received: ({ swarm, theirs, recipient }, answered) => {
      const updated = { type: 'invitation.updated', data: answered };
      const joined = {
        type: 'membership.changed',
        data: {
          swarm_id: swarm.id,
          resource_id: theirs.id,
          resource_type: 'producer',
          user_id: recipient.name,
          url: `${server.url}/service/resources/${theirs.id}`,
          member_since: expect.any(String) as string,
        },
      };
      return { owner: [updated, joined], recipient: [updated, joined], member: [joined], other: [joined] };
    },
  },
  {
    title: 'a withdrawn invitation: to sender and recipient, with ids only',
    act: ({ owner, swarm, invitation }) => owner.request('DELETE', `/swarms/${swarm.id}/invitations/${invitation.id}`),
    received: ({ swarm, theirs, invitation }) => {
      const data = { id: invitation.id, swarm_id: swarm.id, resource_id: theirs.id };
      const events = [{ type: 'invitation.withdrawn', data }];
      return { owner: events, recipient: events };
    },
  },
  {
    title: 'a removed role: to all members of the swarm',
    act: async ({ owner, swarm, member, device }) => {
      await answer(member, await invite(owner, swarm, member, device, 'consumer'), 'accept');
      return member.request('PUT', `/swarms/${swarm.id}/resources/${device.id}`, { resource_type: 'consumer' });
    },
    received: ({ device }, narrowed) => {
      const role = (resource_type: string) => ({
        type: 'membership.changed',
        data: expect.objectContaining({ resource_id: device.id, resource_type }) as object,
      });
      expect(narrowed).toMatchObject({ resource_type: 'consumer' });
      const any = (type: string) => ({ type, data: expect.any(Object) as object });
      return {
        // An event has the newest record: the first one may already have the second role.
        owner: [any('invitation.sent'), any('invitation.updated'), any('membership.changed'), role('consumer')],
        member: [any('invitation.received'), any('invitation.updated'), any('membership.changed'), role('consumer')],
        other: [any('membership.changed'), role('consumer')],
      };
    },
  },
  {
    title: 'a device that leaves: to all members of the swarm, with ids only',
    act: ({ member, swarm, device }) => leave(member, swarm, device),
    received: ({ swarm, device }) =>
      everyMember([{ type: 'membership.changed', data: { swarm_id: swarm.id, resource_id: device.id } }]),
  },
  {
    title: 'a created swarm: to its owner',
    act: ({ stranger }) => swarmOf(stranger),
    received: (_, made) => ({ stranger: [{ type: 'swarm.created', data: made }] }),
  },
  {
    title: 'an updated swarm: to all members, and to invited users without the members',
    act: ({ owner, swarm }) => owner.request('PUT', `/swarms/${swarm.id}`, { name: 'New ring' }),
    received: (_, changed) => {
      const { resources: _members, ...head } = changed as Swarm;
      return {
        ...everyMember([{ type: 'swarm.updated', data: head }]),
        recipient: [{ type: 'swarm.updated', data: { ...head, access: 'summary', resources: [], member_count: 2 } }],
      };
    },
  },
  {
    title: 'a destroyed swarm: to all users who could see it, with its id only',
    act: ({ owner, swarm }) => owner.request('DELETE', `/swarms/${swarm.id}`),
    received: ({ swarm }) => {
      const events = [{ type: 'swarm.destroyed', data: { id: swarm.id } }];
      return { ...everyMember(events), recipient: events };
    },
  },
];

describe.each(entryPoints)('%s', (entryPoint) => {
  it.each(cases)('$title', async ({ act, received: expected }) => {
    const testData = await createTestData(entryPoint);
    const { result, received: got } = await testData.eventsOf(() => act(testData));
    expect(got).toEqual(expected(testData, result));
    testData.close();
  });
});

const remove = (who: TestUser) => who.browser.send('DELETE', '/api/account', { user_id: who.name });

describe('the deletion of an account', () => {
  it('sends the same events as deletions one by one', async () => {
    const [gone, friend, sender, stranger] = (await Promise.all(
      ['gone', 'friend', 'sender', 'stranger'].map(newUser),
    )) as [TestUser, TestUser, TestUser, TestUser];
    const swarm = await swarmOf(gone);
    const theirs = await swarmOf(sender);
    // Sequentially, because devices are deleted in the order of their creation.
    const alone = await deviceOf(gone);
    const shared = await deviceOf(gone);
    const invited = await deviceOf(gone);
    const friends = await deviceOf(friend);
    await joinSwarm(sender, theirs, gone, shared);
    await joinSwarm(gone, swarm, friend, friends);
    const received = await invite(sender, theirs, gone, invited);
    const sent = await invite(gone, swarm, friend, friends, 'consumer');
    const watching = [friend, sender, stranger];
    const listeners = await Promise.all(watching.map((who) => who.listen('direct')));
    await Promise.all(watching.map((who, index) => receivedEvents(who, listeners[index]!)));

    expect((await remove(gone)).status).toBe(204);
    // The last of what is deleted.
    await vi.waitFor(async () => expect(await friend.request('GET', '/swarms')).toEqual([]));
    const got = await Promise.all(watching.map((who, index) => receivedEvents(who, listeners[index]!)));
    expect(got.map((events) => events.map(({ type, data }) => ({ type, data })))).toEqual([
      [
        { type: 'invitation.withdrawn', data: { id: sent.id, swarm_id: swarm.id, resource_id: friends.id } },
        { type: 'swarm.destroyed', data: { id: swarm.id } },
      ],
      [
        { type: 'resource.destroyed', data: { id: shared.id } },
        {
          type: 'invitation.updated',
          data: { ...received, status: 'rejected', rejected_at: expect.any(String) as string },
        },
      ],
      [],
    ]);
    expect(JSON.stringify(got)).not.toContain(alone.id);
    listeners.forEach((listener) => listener.close());
  });
});

describe('the end of a membership', () => {
  it('hides the members of the swarm in later events', async () => {
    const testData = await createTestData('direct');
    const { owner, member, swarm, device } = testData;
    const { received: got } = await testData.eventsOf(async () => {
      await leave(member, swarm, device);
      await member.request('PUT', `/resources/${device.id}`, { name: 'Alone' });
      await owner.request('PUT', `/swarms/${swarm.id}`, { name: 'Without it' });
    });
    const typesOf = (role: string) => got[role]?.map(({ type }) => type);
    expect(typesOf('owner')).toEqual(['membership.changed', 'swarm.updated']);
    expect(typesOf('other')).toEqual(['membership.changed', 'swarm.updated']);
    // A former member does not see that the swarm is renamed.
    expect(typesOf('member')).toEqual(['membership.changed', 'resource.updated']);
    testData.close();
  });
});

describe('events', () => {
  it('arrive in the order of the commits, so that the last one has the current state', async () => {
    const ann = await newUser('ann');
    const { id } = await deviceOf(ann);
    const listener = await ann.listen('direct');
    await receivedEvents(ann, listener);
    const names = Array.from({ length: 100 }, (_, index) => `Name ${index}`);
    await Promise.all(names.map((name) => ann.request('PUT', `/resources/${id}`, { name })));
    const events = await receivedEvents(ann, listener);
    expect(events).toHaveLength(100);
    expect(events.at(-1)!.data).toEqual(await ann.request('GET', `/resources/${id}`));
    const numbers = events.map((event) => Number(event.id.split('-')[1]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(100);
    listener.close();
  });

  it('resume after the event in the query, for a client that cannot set the header, which goes first', async () => {
    const ann = await newUser('ann');
    const first = await ann.listen('direct');
    const isDevice = (name: string) => (event: GatewayEvent) =>
      event.type === 'resource.created' && event.data.name === name;
    const after: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      await deviceOf(ann, name);
      await first.until(isDevice(name));
      after.push(first.lastId());
    }
    first.close();
    const key = { 'x-serviceapikey': ann.key };
    const url = `${server.url}/service/events?lastEventId=`;
    const byQuery = await listen(`${url}${after[0]}`, key);
    await byQuery.until(isDevice('three'));
    const byHeader = await listen(`${url}${after[0]}`, { ...key, 'last-event-id': after[1]! });
    await byHeader.until(isDevice('three'));
    // An empty one is none: only what comes is sent.
    const fromNow = await listen(url, key);
    await deviceOf(ann, 'four');
    await fromNow.until(isDevice('four'));
    expect([byQuery, byHeader, fromNow].map(({ events }) => events[0])).toMatchObject(
      ['two', 'three', 'four'].map((name) => ({ data: { name } })),
    );
    [byQuery, byHeader, fromNow].forEach((listener) => listener.close());
  });

  it('of positions are throttled, in order, and end with the last position', async () => {
    const ann = await newUser('ann');
    const { id } = await deviceOf(ann);
    const listener = await ann.listen('direct');
    for (let longitude = 1; longitude <= 100; longitude++) {
      await ann.request('PUT', `/resources/${id}`, { position: { longitude, latitude: 0 } });
    }
    const at = ({ data }: GatewayEvent) => (data as Partial<Resource>).position?.longitude ?? 0;
    await listener.until((event) => at(event) === 100);
    // The positions are signs of life too, so presence changes in between.
    const seen = listener.events.filter(({ type }) => type === 'resource.updated').map(at);
    expect(seen.length).toBeLessThan(100);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    listener.close();
  });

  it('that are applied to an empty list produce the lists of the service', async () => {
    const [owner, guest] = await Promise.all([newUser('owner'), newUser('guest')]);
    const [sees, gets] = await Promise.all([owner.listen('direct'), guest.listen('direct')]);
    const [own, theirs] = await Promise.all([deviceOf(owner), deviceOf(guest)]);
    const swarm = await swarmOf(owner, { resources: [{ resource_id: own.id, resource_type: 'both' }] });
    const sent = await invite(owner, swarm, guest, theirs, 'consumer');
    await invite(owner, swarm, guest, theirs, 'producer');
    await answer(guest, sent, 'accept');
    await owner.request('DELETE', `/swarms/${(await swarmOf(owner)).id}`);
    const devices = await Promise.all(['a', 'b', 'c'].map((name) => deviceOf(owner, name)));
    await owner.request('PUT', `/resources/${devices[0]!.id}`, { description: 'seen' });
    await owner.request('DELETE', `/resources/${devices[1]!.id}`);
    await owner.request('PUT', `/swarms/${swarm.id}`, { public: true });
    await Promise.all([receivedEvents(owner, sees), receivedEvents(guest, gets)]);

    const lists = apply(sees.events);
    const byId = <T extends { id: string }>(records: T[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const mine = [...lists.resources.values()].filter(({ user_id }) => user_id === owner.name);
    expect(byId(mine)).toEqual(byId(await owner.request<Resource[]>('GET', '/resources')));
    expect([...lists.swarms.values()]).toEqual(await owner.request('GET', '/swarms'));
    expect([...lists.invitations.values()]).toEqual(await owner.request('GET', `/swarms/${swarm.id}/invitations`));
    expect([...apply(gets.events).invitations.values()]).toEqual(await guest.request('GET', '/invitations'));
    [sees, gets].forEach((listener) => listener.close());
  });
});

/** Applies events like a client that has only the events. */
function apply(events: GatewayEvent[]) {
  const resources = new Map<string, Resource>();
  const swarms = new Map<string, Swarm>();
  const invitations = new Map<string, Invitation>();
  for (const { type, data } of events) {
    const record = data as { id: string; swarm_id: string; resource_id: string };
    if (type === 'resource.destroyed') resources.delete(record.id);
    else if (type.startsWith('resource.')) resources.set(record.id, data as unknown as Resource);
    else if (type === 'invitation.withdrawn') invitations.delete(record.id);
    else if (type.startsWith('invitation.')) invitations.set(record.id, data as unknown as Invitation);
    else if (type === 'swarm.destroyed') swarms.delete(record.id);
    else if (type.startsWith('swarm.'))
      swarms.set(record.id, { ...swarms.get(record.id), ...(data as unknown as Swarm) });
    else if (type === 'membership.changed') {
      const {
        swarm_id,
        member_since: _since,
        ...member
      } = data as unknown as Swarm['resources'][number] & {
        swarm_id: string;
        member_since?: string;
      };
      const swarm = swarms.get(swarm_id);
      const others = swarm?.resources.filter(({ resource_id }) => resource_id !== member.resource_id) ?? [];
      if (swarm) swarm.resources = 'resource_type' in member ? [...others, member] : others;
    }
  }
  return { resources, swarms, invitations };
}
