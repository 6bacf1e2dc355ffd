import type {
  DirectorySwarm,
  ExtendedSwarm,
  Invitation,
  InvitationRole,
  MemberRole,
  Resource,
  Swarm,
  SwarmDetails,
  SwarmSummary,
} from '../contract.ts';
import type { SwarmRelation } from '../core/endpoint/rules.ts';
import type { JoinRequest, Manager, ManagerRole, SwarmOffer } from './records.fixture.ts';

/**
 * A model of the service without a database. A membership has the roles that were granted since the device last left,
 * was removed or lost a role; without roles there is no membership.
 */
export interface Model {
  users: readonly string[];
  resources: Map<string, Resource>;
  swarms: Map<string, ModelSwarm>;
  invitations: Map<string, ModelInvitation>;
  links: Map<string, ModelLink>;
  requests: Map<string, ModelRequest>;
  /** How many commands there were. It is the time of what follows. */
  step: number;
  /** Of the devices whose tracks are kept. Each move is a point. */
  tracks: Map<string, { step: number; latitude: number }[]>;
  /** The ids of all objects that ever existed, because requests may use deleted ones. */
  ever: { resources: string[]; swarms: string[]; invitations: Invitation[] };
}
export interface ModelSwarm {
  record: Omit<ExtendedSwarm, 'resources'>;
  granted: Map<string, Set<InvitationRole>>;
  /** The users who may not ask to join. */
  blocked: Set<string>;
  /** Managers and watchers. */
  managers: Map<string, `${ManagerRole} ${Manager['status']}`>;
  /** The manager to whom the swarm is offered. */
  offeredTo?: string;
  /** Since when its devices are members, its managers and watchers have agreed, and its owner sees them. */
  since: { members: Map<string, number>; agreed: Map<string, number>; owner: number; ownedBy: string };
}
interface ModelInvitation {
  record: Invitation;
  /** The time of the first sending, by which lists are ordered. */
  first: string;
  /** Undefined if it joined by a link. */
  sentBy: string | undefined;
}

export interface ModelLink {
  id: string;
  swarmId: string;
  url: string;
  role: MemberRole;
  /** How many resources can join. */
  places: number;
  joined: Set<string>;
  isEnded: boolean;
  /** The users who have opened it. */
  passes: Map<string, string>;
}

/** Without the time of the answer, which several actions may give. */
export interface ModelRequest {
  record: Omit<JoinRequest, 'answered_at'>;
  isWithdrawn: boolean;
}

export function isUsable(model: Model, link: ModelLink, user = ''): boolean {
  const swarm = model.swarms.get(link.swarmId);
  return !!swarm && !isBlocked(model, swarm, user) && !link.isEnded && link.joined.size < link.places;
}

/** Blocking a user who owns or manages the swarm has no effect. */
export const isBlocked = (model: Model, swarm: ModelSwarm, user: string) =>
  swarm.blocked.has(user) && !['owner', 'manager'].includes(relationTo(model, swarm, user));

export function emptyModel(users: readonly string[]): Model {
  const ever = { resources: [], swarms: [], invitations: [] };
  return {
    users,
    resources: new Map(),
    swarms: new Map(),
    invitations: new Map(),
    links: new Map(),
    requests: new Map(),
    step: 0,
    tracks: new Map(),
    ever,
  };
}

export const rolesOf = (role: MemberRole): InvitationRole[] => (role === 'both' ? ['producer', 'consumer'] : [role]);
const roleOf = (roles: Set<InvitationRole>): MemberRole => (roles.size === 2 ? 'both' : [...roles][0]!);

export function grant(swarm: ModelSwarm, resourceId: string, role: MemberRole): void {
  const held = swarm.granted.get(resourceId) ?? [];
  swarm.granted.set(resourceId, new Set([...held, ...rolesOf(role)]));
}

export function holds(swarm: ModelSwarm, resourceId: string, role: MemberRole): boolean {
  const held = swarm.granted.get(resourceId);
  return held !== undefined && rolesOf(role).every((part) => held.has(part));
}

const invitationsOf = (model: Model, wanted: (record: Invitation) => boolean) =>
  [...model.invitations.values()]
    .filter(({ record }) => wanted(record))
    .toSorted((a, b) => order(`${a.first} ${a.record.id}`, `${b.first} ${b.record.id}`))
    .map(({ record }) => record);

export function openInvitation(model: Model, swarmId: string, resourceId: string, role: MemberRole) {
  const isMeant = ({ record }: ModelInvitation) =>
    record.status === 'new' &&
    record.swarm_id === swarmId &&
    record.resource_id === resourceId &&
    record.resource_type === role;
  return [...model.invitations.values()].find(isMeant);
}

const requestsOf = (model: Model, wanted: (record: ModelRequest['record']) => boolean) =>
  [...model.requests.values()]
    .filter(({ record, isWithdrawn }) => !isWithdrawn && wanted(record))
    .map(({ record }) => record)
    .toSorted((a, b) => order(`${a.asked_at} ${a.id}`, `${b.asked_at} ${b.id}`));

/** A request whose device has the role needs no answer any more. */
export function acceptSatisfied(model: Model): void {
  for (const { record, isWithdrawn } of model.requests.values()) {
    const { swarm_id, resource_id, resource_type, status } = record;
    if (status === 'new' && !isWithdrawn && holds(model.swarms.get(swarm_id)!, resource_id, resource_type)) {
      record.status = 'accepted';
    }
  }
}

/** What has begun and ended with the last command. */
export function noteTimes(model: Model): void {
  for (const { since, record, granted, managers } of model.swarms.values()) {
    const agreed = [...managers].flatMap(([user, named]) => (named.endsWith(' agreed') ? [user] : []));
    if (since.ownedBy !== record.user_id) {
      since.owner = since.agreed.get(record.user_id)!;
      since.ownedBy = record.user_id;
    }
    for (const [times, now] of [
      [since.members, new Set(granted.keys())],
      [since.agreed, new Set(agreed)],
    ] as const) {
      for (const id of times.keys()) if (!now.has(id)) times.delete(id);
      for (const id of now) if (!times.has(id)) times.set(id, model.step);
    }
  }
}

/** The latitudes that the user sees of each track, by the ids of the devices; undefined for a 404. */
export const tracksFor = (model: Model, user: string): (number[] | undefined)[] =>
  model.ever.resources.map((id) => {
    const resource = model.resources.get(id);
    if (!resource || !maySeeResource(model, resource, user)) return undefined;
    const since = resource.user_id === user ? 0 : seesSince(model, id, user);
    return (model.tracks.get(id) ?? []).filter(({ step }) => step >= since).map(({ latitude }) => latitude);
  });

/** Both are in one of the swarms. */
function seesSince(model: Model, id: string, user: string): number {
  const times = [...model.swarms.values()]
    .filter((swarm) => swarm.granted.has(id) && seesMembers.includes(relationTo(model, swarm, user)))
    .map(({ since, record }) => {
      const own = [...since.members].flatMap(([member, from]) =>
        model.resources.get(member)!.user_id === user ? [from] : [],
      );
      const seesFrom = record.user_id === user ? since.owner : Math.min(since.agreed.get(user) ?? Infinity, ...own);
      return Math.max(since.members.get(id)!, seesFrom);
    });
  return Math.min(...times);
}

const hasSomethingIn = (model: Model, { granted }: ModelSwarm, user: string) =>
  [...granted.keys()].some((id) => model.resources.get(id)!.user_id === user);

export function relationTo(model: Model, swarm: ModelSwarm, user: string): SwarmRelation {
  if (swarm.record.user_id === user) return 'owner';
  const [role, status] = swarm.managers.get(user)?.split(' ') ?? [];
  if (status === 'agreed') return role as ManagerRole;
  if (hasSomethingIn(model, swarm, user)) return 'member';
  const isInvited = ({ record }: ModelInvitation) =>
    record.to === user && record.swarm_id === swarm.record.id && record.status === 'new';
  if (swarm.managers.has(user) || [...model.invitations.values()].some(isInvited)) return 'recipient';
  return swarm.record.public ? 'public' : 'stranger';
}

/** Its owner, and users who share a swarm with it. */
export function maySeeResource(model: Model, { id, user_id }: Resource, user: string): boolean {
  const shares = (swarm: ModelSwarm) => swarm.granted.has(id) && seesMembers.includes(relationTo(model, swarm, user));
  return user_id === user || [...model.swarms.values()].some(shares);
}

const seesMembers: SwarmRelation[] = ['owner', 'manager', 'watcher', 'member'];

export const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byAge = (a: { created_at: string; id: string }, b: { created_at: string; id: string }) =>
  order(`${a.created_at} ${a.id}`, `${b.created_at} ${b.id}`);

/** With members by id, because their times are set by the service. */
function whole(model: Model, { record, granted }: ModelSwarm, baseUrl: string): ExtendedSwarm {
  const resources = [...granted]
    .toSorted(([a], [b]) => order(a, b))
    .map(([id, roles]) => ({
      resource_id: id,
      resource_type: roleOf(roles),
      user_id: model.resources.get(id)!.user_id,
      url: `${baseUrl}/resources/${id}`,
    }));
  return { ...record, resources };
}

/** Users who are blocked cannot tell why a swarm accepts no requests. */
function shownTo<Shown extends object>(model: Model, swarm: ModelSwarm, user: string, shown: Shown): Shown {
  return { ...shown, ...(isBlocked(model, swarm, user) && { accepts_requests: false }) };
}

/** The spec's list of a resource's swarms has only the spec's fields. */
function withoutExtension(swarm: ExtendedSwarm): Swarm {
  const { modified_at: _modifiedAt, listed: _listed, accepts_requests: _accepts, ...specified } = swarm;
  return specified;
}

export interface View {
  /** The complete lists. */
  resources: Resource[];
  swarms: ExtendedSwarm[];
  received: Invitation[];
  /** The sent invitations of own swarms. */
  sent: Invitation[][];
  /** The requests that the user has sent, and the open ones to own swarms. */
  asked: ModelRequest['record'][];
  toAnswer: ModelRequest['record'][][];
  /** The managers of owned and managed swarms, and the invitations of managed ones. */
  managers: Pick<Manager, 'user_id' | 'role' | 'status'>[][];
  managed: Invitation[][];
  /** The ids of the swarms that the user is asked to manage or watch, or is offered, by role. */
  offers: Record<SwarmOffer['role'], string[]>;
  /** Objects that are in none of the user's lists, by id; undefined for a 404. */
  otherResources: (Resource | undefined)[];
  otherSwarms: (SwarmSummary | undefined)[];
  /** By id. Every user gets the same. */
  directory: Omit<DirectorySwarm, 'active_at'>[];
}

/** Everything that this user can see. */
export function viewOf(model: Model, user: string, baseUrl: string): View {
  const swarms = [...model.swarms.values()].toSorted((a, b) => byAge(a.record, b.record));
  const listed = swarms.filter((swarm) => seesMembers.includes(relationTo(model, swarm, user)));
  return {
    resources: [...model.resources.values()].filter(({ user_id }) => user_id === user).toSorted(byAge),
    swarms: listed.map((swarm) => shownTo(model, swarm, user, whole(model, swarm, baseUrl))),
    received: invitationsOf(model, ({ to }) => to === user),
    sent: swarms
      .filter(({ record }) => record.user_id === user)
      .map(({ record }) => invitationsOf(model, ({ swarm_id }) => swarm_id === record.id)),
    asked: requestsOf(model, ({ user_id }) => user_id === user),
    toAnswer: swarms
      .filter(({ record }) => record.user_id === user)
      .map(({ record }) => requestsOf(model, ({ swarm_id, status }) => swarm_id === record.id && status === 'new')),
    managers: swarms
      .filter((swarm) => ['owner', 'manager'].includes(relationTo(model, swarm, user)))
      .map(({ managers }) =>
        [...managers]
          .map(([user_id, named]) => {
            const [role, status] = named.split(' ') as [ManagerRole, Manager['status']];
            return { user_id, role, status };
          })
          .toSorted((a, b) => order(a.user_id, b.user_id)),
      ),
    managed: swarms
      .filter((swarm) => relationTo(model, swarm, user) === 'manager')
      .map(({ record }) => invitationsOf(model, ({ swarm_id }) => swarm_id === record.id)),
    offers: {
      manager: swarms.filter(({ managers }) => managers.get(user) === 'manager asked').map(({ record }) => record.id),
      watcher: swarms.filter(({ managers }) => managers.get(user) === 'watcher asked').map(({ record }) => record.id),
      owner: swarms.filter(({ offeredTo }) => offeredTo === user).map(({ record }) => record.id),
    },
    otherResources: model.ever.resources
      .map((id) => model.resources.get(id))
      .filter((resource) => resource?.user_id !== user)
      .map((resource) => (resource && maySeeResource(model, resource, user) ? resource : undefined)),
    otherSwarms: model.ever.swarms
      .map((id) => model.swarms.get(id))
      .filter((swarm) => !swarm || !listed.includes(swarm))
      .map((swarm) => {
        if (!swarm || relationTo(model, swarm, user) === 'stranger') return undefined;
        const summary = { access: 'summary' as const, resources: [], member_count: swarm.granted.size };
        return shownTo(model, swarm, user, { ...swarm.record, ...summary });
      }),
    directory: swarms
      .filter(({ record }) => record.listed)
      .map(({ record: { id, user_id, name, description, created_at }, granted }) => ({
        id,
        user_id,
        name,
        description,
        created_at,
        member_count: granted.size,
      }))
      .toSorted((a, b) => order(a.id, b.id)),
  };
}

export interface Details {
  resources: { swarms: Swarm[]; invitations: Invitation[] }[];
  swarms: { whole: SwarmDetails; producers: string[]; consumers: string[] }[];
}

/** Further requests about own resources and the swarms in the list. */
export function detailsOf(model: Model, user: string, baseUrl: string): Details {
  const { resources, swarms } = viewOf(model, user, baseUrl);
  return {
    resources: resources.map(({ id }) => ({
      swarms: [...model.swarms.values()]
        .filter(({ granted }) => granted.has(id))
        .toSorted((a, b) => byAge(a.record, b.record))
        .map((swarm) => withoutExtension(whole(model, swarm, baseUrl))),
      invitations: invitationsOf(model, ({ resource_id }) => resource_id === id),
    })),
    swarms: swarms.map((whole) => {
      const having = (role: InvitationRole) =>
        whole.resources
          .filter(({ resource_type }) => resource_type === role || resource_type === 'both')
          .map(({ resource_id }) => resource_id);
      return { whole: { ...whole, access: 'full' }, producers: having('producer'), consumers: having('consumer') };
    }),
  };
}
