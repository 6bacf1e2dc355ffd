import { expect } from 'vitest';
import type { GatewayEvent, Invitation, Resource, Swarm } from '../contract.ts';
import { order } from './service-model.fixture.ts';

type Member = Swarm['resources'][number];
interface MembershipChanged extends Partial<Member> {
  swarm_id: string;
  resource_id: string;
}

/** The lists of a client that started empty and applied all events. */
export interface EventLists {
  /** Own resources. */
  resources: Map<string, Resource>;
  /** Owned swarms with all fields; undefined for joined ones, which have to be fetched. */
  swarms: Map<string, Swarm | undefined>;
  invitations: Map<string, Invitation>;
  /** Swarms that the user manages or owns from then on, or no longer: the client fetches them and their lists again. */
  fetched: Set<string>;
}

/** Applies events like a client of this user. */
export function listsOf(events: readonly GatewayEvent[], user: string): EventLists {
  const resources = new Map<string, Resource>();
  const swarms = new Map<string, Swarm | undefined>();
  const invitations = new Map<string, Invitation>();
  /** Own devices in other users' swarms. */
  const joined = new Map<string, Set<string>>();
  const fetched = new Set<string>();

  function leave(swarmId: string, resourceId: string) {
    const swarm = swarms.get(swarmId);
    if (swarm) swarm.resources = swarm.resources.filter(({ resource_id }) => resource_id !== resourceId);
    const mine = joined.get(swarmId);
    if (mine?.delete(resourceId) && mine.size === 0) swarms.delete(swarmId);
  }

  function changeMember({ swarm_id, ...replica }: MembershipChanged) {
    const { resource_id, resource_type, user_id, url } = replica;
    if (resource_type === undefined) return leave(swarm_id, resource_id);
    const swarm = swarms.get(swarm_id);
    if (swarm) {
      const others = swarm.resources.filter((member) => member.resource_id !== resource_id);
      swarm.resources = [...others, { resource_id, resource_type, user_id: user_id!, url: url! }];
    } else if (user_id === user) {
      joined.set(swarm_id, (joined.get(swarm_id) ?? new Set()).add(resource_id));
      swarms.set(swarm_id, undefined);
    }
    return undefined;
  }

  function endSwarm(id: string) {
    swarms.delete(id);
    joined.delete(id);
    for (const invitation of invitations.values()) if (invitation.swarm_id === id) invitations.delete(invitation.id);
  }

  for (const { type, data } of events) {
    const { id } = data as { id: string };
    if (type === 'resource.created' || type === 'resource.updated') {
      const resource = data;
      if (resource.user_id === user) resources.set(id, resource);
    } else if (type === 'resource.destroyed') {
      resources.delete(id);
      for (const swarmId of swarms.keys()) leave(swarmId, id);
    } else if (type === 'invitation.withdrawn') invitations.delete(id);
    else if (type.startsWith('invitation.')) invitations.set(id, data as unknown as Invitation);
    else if (type === 'membership.changed') changeMember(data);
    else if ((type as string) === 'manager.changed') {
      const named = data as unknown as { swarm_id: string; user_id: string };
      if (named.user_id === user) fetched.add(named.swarm_id);
    } else if (type === 'swarm.created') swarms.set(id, data);
    else if (type === 'swarm.destroyed') endSwarm(id);
    else if (type === 'swarm.updated') {
      const swarm = swarms.get(id);
      // An absent field has no value any more.
      if (swarm) swarms.set(id, { ...data, resources: swarm.resources });
    }
  }
  return { resources, swarms, invitations, fetched };
}

/** Sends a GET request as the user. */
type Get = <T>(path: string) => Promise<T>;

export async function readLists({ get, user }: { get: Get; user: string }) {
  const swarms = await get<Swarm[]>('/swarms');
  const owned = swarms.filter(({ user_id }) => user_id === user);
  const sent = await Promise.all(owned.map(({ id }) => get<Invitation[]>(`/swarms/${id}/invitations`)));
  const received = await get<Invitation[]>('/invitations');
  // Who takes over a swarm may have been invited to it before: both lists have this invitation.
  const invitations = [...new Map([...received, ...sent.flat()].map((record) => [record.id, record])).values()];
  return { resources: await get<Resource[]>('/resources'), swarms, invitations, user };
}

const byId = <T extends { id: string }>(records: Iterable<T>) => [...records].toSorted((a, b) => order(a.id, b.id));
const membersById = (swarm: Swarm) => ({
  ...swarm,
  resources: swarm.resources.toSorted((a, b) => order(a.resource_id, b.resource_id)),
});

/** Expects the same lists, in any order. */
export function expectSame(
  replica: EventLists,
  { resources, swarms, invitations, user }: Awaited<ReturnType<typeof readLists>>,
) {
  expect(byId(replica.resources.values())).toEqual(byId(resources));
  const { fetched } = replica;
  // Those of a swarm that the user manages are the owner's.
  const isKept = ({ swarm_id, to }: Invitation) => !fetched.has(swarm_id) || to === user;
  expect(byId([...replica.invitations.values()].filter(isKept))).toEqual(byId(invitations.filter(isKept)));
  const known = [...replica.swarms]
    .filter(([id]) => !fetched.has(id))
    .map(([id, swarm]) => swarm ?? swarms.find((listed) => listed.id === id)!);
  const others = swarms.filter(({ id }) => !fetched.has(id));
  expect(byId(known.map(membersById))).toEqual(byId(others.map(membersById)));
}

/** Converts lists to events, for a client that has fetched them. */
export function asEvents({ resources, swarms, invitations }: Awaited<ReturnType<typeof readLists>>, user: string) {
  const event = (type: GatewayEvent['type'], data: object) => ({ id: '', type, at: '', data }) as GatewayEvent;
  const joined = swarms.filter(({ user_id }) => user_id !== user);
  const ownIn = ({ id, resources: members }: Swarm) =>
    members.filter(({ user_id }) => user_id === user).map((member) => ({ swarm_id: id, ...member }));
  return [
    ...resources.map((resource) => event('resource.created', resource)),
    ...swarms.filter(({ user_id }) => user_id === user).map((swarm) => event('swarm.created', swarm)),
    ...joined.flatMap(ownIn).map((member) => event('membership.changed', member)),
    ...invitations.map((invitation) => event('invitation.received', invitation)),
  ];
}
