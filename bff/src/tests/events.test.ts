/**
 * The recipients and the content of events, over real connections: with a key, and through the gateway with a session.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayEvent, Invitation, Resource, Swarm } from '../contract.ts';
import { join } from './events.fixture.ts';
import type { Listener, Person } from './events.fixture.ts';
import { serve } from './served.fixture.ts';
import type { Served } from './served.fixture.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served[Symbol.asyncDispose]());

let people = 0;
const newcomer = (role: string) => join(served.url, `${role}-${++people}`);
const lamp = (name: string) => ({ name, machine_type: 'pc', position: { longitude: 1, latitude: 2 } });
const deviceOf = (who: Person, name = 'Lamp') => who.ask<Resource>('POST', '/resources', lamp(name));
const swarmOf = (who: Person, more: object = {}) =>
  who.ask<Swarm>('POST', '/swarms', { name: 'Ring', description: '', ...more });
const invite = (from: Person, swarm: { id: string }, to: Person, device: { id: string }, resource_type = 'producer') =>
  from.ask<Invitation>('POST', `/swarms/${swarm.id}/invitations`, {
    to: to.name,
    resource_id: device.id,
    resource_type,
  });
const answer = (who: Person, { resource_id, id }: Invitation, status: 'accept' | 'reject') =>
  who.ask<Invitation>('PUT', `/resources/${resource_id}/invitations/${id}`, { status });
const leave = (who: Person, swarm: { id: string }, device: { id: string }) =>
  who.ask('DELETE', `/swarms/${swarm.id}/resources/${device.id}`);

async function joinSwarm(from: Person, swarm: Swarm, to: Person, device: Resource) {
  await answer(to, await invite(from, swarm, to, device), 'accept');
}

let marks = 0;
/** The events of this listener since the last marker event, which is sent after all others. */
async function told(who: Person, listener: Listener): Promise<GatewayEvent[]> {
  const isMark = ({ data }: GatewayEvent) => String((data as { name?: unknown }).name).startsWith('mark ');
  const since = listener.events.findLastIndex(isMark) + 1;
  const { id } = await deviceOf(who, `mark ${++marks}`);
  await listener.until(({ data }) => (data as { id?: string }).id === id);
  return listener.events.slice(since).filter((event) => !isMark(event) && event.type !== 'map.changed');
}

const roles = ['owner', 'member', 'other', 'recipient', 'stranger'] as const;
type Cast = Record<(typeof roles)[number], Person>;
let cast: Cast;
beforeAll(async () => {
  const names = await Promise.all(roles.map(async (role) => [role, await newcomer(role)]));
  cast = Object.fromEntries(names) as Cast;
});

/** A swarm with devices of two members, an invited user and a stranger; all listen. */
async function world(way: 'direct' | 'gateway') {
  const { owner, member, other, recipient } = cast;
  const swarm = await swarmOf(owner);
  const device = await deviceOf(member);
  const theirs = await deviceOf(recipient);
  await joinSwarm(owner, swarm, member, device);
  await joinSwarm(owner, swarm, other, await deviceOf(other));
  const invitation = await invite(owner, swarm, recipient, theirs);
  const listeners = await Promise.all(roles.map((role) => cast[role].listen(way)));
  const toldAll = () => Promise.all(roles.map((role, index) => told(cast[role], listeners[index]!)));
  // Events from before they listened.
  await toldAll();
  return {
    ...cast,
    swarm,
    device,
    theirs,
    invitation,
    /** The events that an action causes, by actor; actors without events are left out. */
    async toldOf(act: () => Promise<unknown>) {
      const result = await act();
      const got = (await toldAll()).map((events) => events.map(({ type, data }) => ({ type, data })));
      const entries = roles.map((role, index) => [role, got[index]!] as const);
      return { result, told: Object.fromEntries(entries.filter(([, events]) => events.length > 0)) };
    },
    close: () => listeners.forEach((listener) => listener.close()),
  };
}
type World = Awaited<ReturnType<typeof world>>;

interface Case {
  title: string;
  act: (world: World) => Promise<unknown>;
  /** The expected events by actor; `result` is the response to the action. */
  told: (world: World, result: unknown) => Record<string, { type: string; data: unknown }[]>;
}

const everyMember = (events: { type: string; data: unknown }[]) => ({ owner: events, member: events, other: events });

const cases: Case[] = [
  {
    title: 'a created device: to its owner',
    act: ({ stranger }) => deviceOf(stranger),
    told: (_, made) => ({ stranger: [{ type: 'resource.created', data: made }] }),
  },
  {
    title: 'an updated device in a swarm: to all members of the swarm',
    act: ({ member, device }) => member.ask('PUT', `/resources/${device.id}`, { name: 'Renamed' }),
    told: (_, changed) => everyMember([{ type: 'resource.updated', data: changed }]),
  },
  {
    title: 'an updated device in no swarm: to its owner',
    act: ({ recipient, theirs }) => recipient.ask('PUT', `/resources/${theirs.id}`, { description: 'x' }),
    told: (_, changed) => ({ recipient: [{ type: 'resource.updated', data: changed }] }),
  },
  {
    title: 'a destroyed device in a swarm: to all members of the swarm, with its id only',
    act: ({ member, device }) => member.ask('DELETE', `/resources/${device.id}`),
    told: ({ device }) => everyMember([{ type: 'resource.destroyed', data: { id: device.id } }]),
  },
  {
    title: 'a destroyed device with an open invitation: to the sender',
    act: ({ recipient, theirs }) => recipient.ask('DELETE', `/resources/${theirs.id}`),
    told: ({ theirs, invitation }) => {
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
    told: (_, sent) => ({
      owner: [{ type: 'invitation.sent', data: sent }],
      recipient: [{ type: 'invitation.received', data: sent }],
    }),
  },
  {
    title: 'an invitation that is sent again: the same record with a new time',
    act: ({ owner, swarm, recipient, theirs }) => invite(owner, swarm, recipient, theirs),
    told: ({ invitation }, sent) => {
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
    told: (_, answered) => {
      const events = [{ type: 'invitation.updated', data: answered }];
      return { owner: events, recipient: events };
    },
  },
  {
    title: 'an accepted invitation: to sender and recipient, and the new member to all members',
    act: ({ recipient, invitation }) => answer(recipient, invitation, 'accept'),
    told: ({ swarm, theirs, recipient }, answered) => {
      const updated = { type: 'invitation.updated', data: answered };
      const joined = {
        type: 'membership.changed',
        data: {
          swarm_id: swarm.id,
          resource_id: theirs.id,
          resource_type: 'producer',
          user_id: recipient.name,
          url: `${served.url}/service/resources/${theirs.id}`,
          member_since: expect.any(String) as string,
        },
      };
      return { owner: [updated, joined], recipient: [updated, joined], member: [joined], other: [joined] };
    },
  },
  {
    title: 'a withdrawn invitation: to sender and recipient, with ids only',
    act: ({ owner, swarm, invitation }) => owner.ask('DELETE', `/swarms/${swarm.id}/invitations/${invitation.id}`),
    told: ({ swarm, theirs, invitation }) => {
      const data = { id: invitation.id, swarm_id: swarm.id, resource_id: theirs.id };
      const events = [{ type: 'invitation.withdrawn', data }];
      return { owner: events, recipient: events };
    },
  },
  {
    title: 'a removed role: to all members of the swarm',
    act: async ({ owner, swarm, member, device }) => {
      await answer(member, await invite(owner, swarm, member, device, 'consumer'), 'accept');
      return member.ask('PUT', `/swarms/${swarm.id}/resources/${device.id}`, { resource_type: 'consumer' });
    },
    told: ({ device }, narrowed) => {
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
    told: ({ swarm, device }) =>
      everyMember([{ type: 'membership.changed', data: { swarm_id: swarm.id, resource_id: device.id } }]),
  },
  {
    title: 'a created swarm: to its owner',
    act: ({ stranger }) => swarmOf(stranger),
    told: (_, made) => ({ stranger: [{ type: 'swarm.created', data: made }] }),
  },
  {
    title: 'an updated swarm: to all members, and to invited users without the members',
    act: ({ owner, swarm }) => owner.ask('PUT', `/swarms/${swarm.id}`, { name: 'New ring' }),
    told: (_, changed) => {
      const { resources: _members, ...head } = changed as Swarm;
      return {
        ...everyMember([{ type: 'swarm.updated', data: head }]),
        recipient: [{ type: 'swarm.updated', data: { ...head, resources: [], member_count: 2 } }],
      };
    },
  },
  {
    title: 'a destroyed swarm: to all users who could see it, with its id only',
    act: ({ owner, swarm }) => owner.ask('DELETE', `/swarms/${swarm.id}`),
    told: ({ swarm }) => {
      const events = [{ type: 'swarm.destroyed', data: { id: swarm.id } }];
      return { ...everyMember(events), recipient: events };
    },
  },
];

describe.each(['direct', 'gateway'] as const)('%s', (way) => {
  it.each(cases)('$title', async ({ act, told: wanted }) => {
    const here = await world(way);
    const { result, told: got } = await here.toldOf(() => act(here));
    expect(got).toEqual(wanted(here, result));
    here.close();
  });
});

const remove = (who: Person) =>
  who.browser.send('DELETE', '/api/account', { user_id: who.name, password: 'a good password' });

describe('the deletion of an account', () => {
  it('sends the same events as deletions one by one', async () => {
    const [gone, friend, sender, stranger] = (await Promise.all(
      ['gone', 'friend', 'sender', 'stranger'].map(newcomer),
    )) as [Person, Person, Person, Person];
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
    await Promise.all(watching.map((who, index) => told(who, listeners[index]!)));

    expect((await remove(gone)).status).toBe(204);
    const got = await Promise.all(watching.map((who, index) => told(who, listeners[index]!)));
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
    const here = await world('direct');
    const { owner, member, swarm, device } = here;
    const { told: got } = await here.toldOf(async () => {
      await leave(member, swarm, device);
      await member.ask('PUT', `/resources/${device.id}`, { name: 'Alone' });
      await owner.ask('PUT', `/swarms/${swarm.id}`, { name: 'Without it' });
    });
    const typesOf = (role: string) => got[role]?.map(({ type }) => type);
    expect(typesOf('owner')).toEqual(['membership.changed', 'swarm.updated']);
    expect(typesOf('other')).toEqual(['membership.changed', 'swarm.updated']);
    // The former member was invited once, so they may see that the swarm exists, but not its members.
    expect(typesOf('member')).toEqual(['membership.changed', 'resource.updated', 'swarm.updated']);
    expect(got['member']!.at(-1)!.data).toMatchObject({ name: 'Without it', resources: [], member_count: 1 });
    here.close();
  });
});

describe('events', () => {
  it('arrive in the order of the commits, so that the last one has the current state', async () => {
    const ann = await newcomer('ann');
    const { id } = await deviceOf(ann);
    const listener = await ann.listen('direct');
    await told(ann, listener);
    const names = Array.from({ length: 100 }, (_, index) => `Name ${index}`);
    await Promise.all(names.map((name) => ann.ask('PUT', `/resources/${id}`, { name })));
    const events = await told(ann, listener);
    expect(events).toHaveLength(100);
    expect(events.at(-1)!.data).toEqual(await ann.ask('GET', `/resources/${id}`));
    const numbers = events.map((event) => Number(event.id.split('-')[1]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(100);
    listener.close();
  });

  it('of positions are throttled, in order, and end with the last position', async () => {
    const ann = await newcomer('ann');
    const { id } = await deviceOf(ann);
    const listener = await ann.listen('direct');
    for (let longitude = 1; longitude <= 100; longitude++) {
      await ann.ask('PUT', `/resources/${id}`, { position: { longitude, latitude: 0 } });
    }
    const at = ({ data }: GatewayEvent) => (data as Partial<Resource>).position?.longitude ?? 0;
    await listener.until((event) => at(event) === 100);
    const seen = listener.events.map(at);
    expect(seen.length).toBeLessThan(100);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    listener.close();
  });

  it('that are applied to an empty list produce the lists of the service', async () => {
    const [owner, guest] = await Promise.all([newcomer('owner'), newcomer('guest')]);
    const [sees, gets] = await Promise.all([owner.listen('direct'), guest.listen('direct')]);
    const [own, theirs] = await Promise.all([deviceOf(owner), deviceOf(guest)]);
    const swarm = await swarmOf(owner, { resources: [{ resource_id: own.id, resource_type: 'both' }] });
    const sent = await invite(owner, swarm, guest, theirs, 'consumer');
    await invite(owner, swarm, guest, theirs, 'producer');
    await answer(guest, sent, 'accept');
    await owner.ask('DELETE', `/swarms/${(await swarmOf(owner)).id}`);
    const devices = await Promise.all(['a', 'b', 'c'].map((name) => deviceOf(owner, name)));
    await owner.ask('PUT', `/resources/${devices[0]!.id}`, { description: 'seen' });
    await owner.ask('DELETE', `/resources/${devices[1]!.id}`);
    await owner.ask('PUT', `/swarms/${swarm.id}`, { public: true });
    await Promise.all([told(owner, sees), told(guest, gets)]);

    const lists = apply(sees.events);
    const byId = <T extends { id: string }>(records: T[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const mine = [...lists.resources.values()].filter(({ user_id }) => user_id === owner.name);
    expect(byId(mine)).toEqual(byId(await owner.ask<Resource[]>('GET', '/resources')));
    expect([...lists.swarms.values()]).toEqual(await owner.ask('GET', '/swarms'));
    expect([...lists.invitations.values()]).toEqual(await owner.ask('GET', `/swarms/${swarm.id}/invitations`));
    expect([...apply(gets.events).invitations.values()]).toEqual(await guest.ask('GET', '/invitations'));
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
