import fc from 'fast-check';
import { expect } from 'vitest';
import type { ExtendedSwarm, Invitation, InvitationRole, MemberRole, Problem, Resource, Swarm } from '../contract.ts';
import { managerRoles } from '../core/limits/field-rules.ts';
import { opening } from './service-client.fixture.ts';
import type { RequestOptions } from './test-server.fixture.ts';
import {
  acceptSatisfied,
  grant,
  holds,
  isBlocked,
  isUsable,
  maySeeResource,
  noteTimes,
  openInvitation,
  relationTo,
  rolesOf,
  type Model,
  type ModelLink,
  type ModelRequest,
  type ModelSwarm,
} from './service-model.fixture.ts';
import type { JoinLink, JoinOffer, JoinRequest } from './records.fixture.ts';

/** The service under test, and the checks after every step. */
export interface TestedService {
  request(user: string, options: RequestOptions): Promise<Response>;
  afterEach(model: Model): Promise<void>;
}
type Command = fc.AsyncCommand<Model, TestedService>;

/** A request, the model's result (`204`, `404 swarm.not_found`), and its effect on the model. */
interface Step {
  user: string;
  options: RequestOptions;
  expected: string;
  /** What `apply` also needs: the response to a GET request of the same user. */
  reads?: string;
  apply?: (answer: unknown, read: unknown) => void;
}

function command<Args>(name: string, args: fc.Arbitrary<Args>, plan: (model: Model, args: Args) => Step | undefined) {
  return args.map((args): Command => ({
    check: () => true,
    toString: () => `${name}(${JSON.stringify(args)})`,
    async run(model, service) {
      const step = plan(model, args);
      if (!step) return;
      model.step += 1;
      const { user, options, expected, reads, apply } = step;
      const answer = await service.request(user, options);
      const text = await answer.text();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const actual = answer.ok ? String(answer.status) : `${answer.status} ${(body as Problem).code}`;
      expect(`${user}: ${options.method} ${options.path} -> ${actual}`).toBe(
        `${user}: ${options.method} ${options.path} -> ${expected}`,
      );
      if (answer.ok) apply?.(body, reads && (await (await service.request(user, { path: reads })).json()));
      acceptSatisfied(model);
      noteTimes(model);
      await service.afterEach(model);
    },
  }));
}

/** The item at an index modulo the length; undefined if the list is empty. */
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];
const anyIndex = fc.nat(11);
/** Usually an existing, suitable object, sometimes any that ever existed. */
const target = fc.tuple(anyIndex, fc.nat(5));
type Target = [which: number, well: number];
const pickTarget = <T>(fitting: readonly T[], ever: readonly T[], [which, well]: Target): T | undefined =>
  (well > 0 ? pick(fitting, which) : undefined) ?? pick(ever, which);
const swarmAt = (model: Model, at: Target) => pickTarget([...model.swarms.keys()], model.ever.swarms, at)!;
const resourceAt = (model: Model, at: Target, fits: (resource: Resource) => boolean = () => true) => {
  const fitting = [...model.resources.values()].filter(fits).map(({ id }) => id);
  return pickTarget(fitting, model.ever.resources, at)!;
};
const invitationAt = (model: Model, at: Target) => {
  const open = [...model.invitations.values()].map(({ record }) => record).filter(({ status }) => status === 'new');
  return pickTarget(open, model.ever.invitations, at);
};
/** A random user, or more often one with the permission. */
const requester = fc.oneof(
  { weight: 3, arbitrary: fc.constant<number | 'right'>('right') },
  { weight: 1, arbitrary: fc.nat(2) },
);
const userOf = ({ users }: Model, requester: number | 'right', right: string | undefined) =>
  requester === 'right' ? (right ?? users[0]!) : users[requester]!;
const inviteRole = fc.constantFrom<InvitationRole>('consumer', 'producer');
const memberRole = fc.constantFrom<MemberRole>('consumer', 'producer', 'both');

const swarmErrors = {
  owner: undefined,
  manager: '403 swarm.forbidden',
  watcher: '403 swarm.forbidden',
  member: '403 swarm.forbidden',
  recipient: '403 swarm.forbidden',
  public: '403 swarm.forbidden',
  stranger: '404 swarm.not_found',
};

/** The error for a user who is not the swarm's owner. */
function swarmError(model: Model, swarm: ModelSwarm | undefined, user: string): string | undefined {
  return swarm ? swarmErrors[relationTo(model, swarm, user)] : '404 swarm.not_found';
}

/** The error for a user who neither owns nor manages the swarm. */
const managerError = (model: Model, swarm: ModelSwarm | undefined, user: string) =>
  swarm && relationTo(model, swarm, user) === 'manager' ? undefined : swarmError(model, swarm, user);

function resourceError(model: Model, resource: Resource | undefined, user: string): string | undefined {
  if (!resource || !maySeeResource(model, resource, user)) return '404 resource.not_found';
  return resource.user_id === user ? undefined : '403 resource.forbidden';
}

const createResource = command('createResource', fc.nat(2), (model, owner) => ({
  user: model.users[owner]!,
  options: { method: 'POST', path: '/resources', body: { name: 'Sensor', machine_type: 'bug' } },
  expected: '201',
  apply: (made) => addResource(model, made as Resource),
}));

export function addResource(model: Model, resource: Resource): void {
  model.resources.set(resource.id, resource);
  model.ever.resources.push(resource.id);
}

const updateResource = command('updateResource', fc.tuple(requester, target), (model, [by, at]) => {
  const id = resourceAt(model, at);
  const resource = model.resources.get(id);
  const user = userOf(model, by, resource?.user_id);
  return {
    user,
    options: { method: 'PUT', path: `/resources/${id}`, body: { description: 'moved' } },
    expected: resourceError(model, resource, user) ?? '200',
    apply: (updated) => void model.resources.set(id, updated as Resource),
  };
});

const keepTrack = command(
  'keepTrack',
  fc.tuple(requester, target, fc.constantFrom(true, true, true, false, null)),
  (model, [by, at, keep_track]) => {
    const id = resourceAt(model, at);
    const resource = model.resources.get(id);
    const user = userOf(model, by, resource?.user_id);
    return {
      user,
      options: { method: 'PUT', path: `/resources/${id}`, body: { keep_track } },
      expected: resourceError(model, resource, user) ?? '200',
      apply(updated) {
        model.resources.set(id, updated as Resource);
        // It begins with the position that is there.
        const { step } = model;
        const first = resource?.position ? [{ step, latitude: resource.position.latitude }] : [];
        if (keep_track) model.tracks.set(id, model.tracks.get(id) ?? first);
        else model.tracks.delete(id);
      },
    };
  },
);

/** Each time elsewhere. */
const moveResource = command('moveResource', fc.tuple(requester, target), (model, [by, at]) => {
  const id = resourceAt(model, at, (each) => model.tracks.has(each.id));
  const resource = model.resources.get(id);
  const user = userOf(model, by, resource?.user_id);
  const { step } = model;
  const latitude = step / 100;
  // The event of a move alone does not contain the device.
  const body = { description: 'there', position: { longitude: 8, latitude } };
  return {
    user,
    options: { method: 'PUT', path: `/resources/${id}`, body },
    expected: resourceError(model, resource, user) ?? '200',
    apply(updated) {
      model.resources.set(id, updated as Resource);
      model.tracks.get(id)?.push({ step, latitude });
    },
  };
});

const destroyResource = command('destroyResource', fc.tuple(requester, target), (model, [by, at]) => {
  const id = resourceAt(model, at);
  const resource = model.resources.get(id);
  const user = userOf(model, by, resource?.user_id);
  return {
    user,
    options: { method: 'DELETE', path: `/resources/${id}` },
    expected: resourceError(model, resource, user) ?? '204',
    apply() {
      model.resources.delete(id);
      model.tracks.delete(id);
      for (const { granted } of model.swarms.values()) granted.delete(id);
      for (const known of model.requests.values()) {
        if (known.record.resource_id === id && known.record.status === 'new') known.isWithdrawn = true;
      }
      for (const { record } of model.invitations.values()) {
        // The time is in the sender's list.
        if (record.resource_id === id && record.status === 'new')
          Object.assign(record, { status: 'rejected', rejected_at: '' });
      }
    },
  };
});

const createSwarm = command(
  'createSwarm',
  fc.tuple(fc.nat(2), fc.boolean(), fc.array(fc.tuple(target, memberRole), { maxLength: 2 })),
  (model, [owner, open, members]) => {
    const user = model.users[owner]!;
    const resources = members.map(([at, resource_type]) => ({
      resource_id: resourceAt(model, at, ({ user_id }) => user_id === user),
      resource_type,
    }));
    const own = resources.every(({ resource_id }) => model.resources.get(resource_id)?.user_id === user);
    return {
      user,
      options: { method: 'POST', path: '/swarms', body: { name: 'Ring', description: '', public: open, resources } },
      expected: own ? '201' : '400 body.invalid',
      apply(made) {
        const swarm = addSwarm(model, made as Swarm);
        for (const { resource_id, resource_type } of resources) grant(swarm, resource_id, resource_type);
      },
    };
  },
);

export function addSwarm(model: Model, made: Swarm): ModelSwarm {
  const { resources: _members, ...record } = made;
  const swarm: ModelSwarm = {
    record,
    granted: new Map(),
    managers: new Map(),
    blocked: new Set(),
    since: { members: new Map(), agreed: new Map(), owner: 0, ownedBy: record.user_id },
  };
  model.swarms.set(record.id, swarm);
  model.ever.swarms.push(record.id);
  return swarm;
}

const updateSwarm = command(
  'updateSwarm',
  fc.tuple(requester, target, fc.boolean(), fc.constantFrom(true, false, undefined)),
  (model, [by, at, open, listed]) => {
    const id = swarmAt(model, at);
    const swarm = model.swarms.get(id);
    const user = userOf(model, by, swarm?.record.user_id);
    return {
      user,
      options: { method: 'PUT', path: `/swarms/${id}`, body: { public: open, listed } },
      expected: swarmError(model, swarm, user) ?? (listed && !open ? '400 body.invalid' : '200'),
      apply(updated) {
        const { record } = swarm!;
        const { modified_at } = updated as ExtendedSwarm;
        expect(modified_at! >= (record.modified_at ?? record.created_at)).toBe(true);
        const { listed: before, ...rest } = record;
        const inDirectory = open && (listed ?? before) && { listed: true as const };
        swarm!.record = { ...rest, public: open, modified_at, ...inDirectory };
      },
    };
  },
);

const destroySwarm = command('destroySwarm', fc.tuple(requester, target), (model, [by, at]) => {
  const id = swarmAt(model, at);
  const swarm = model.swarms.get(id);
  const user = userOf(model, by, swarm?.record.user_id);
  return {
    user,
    options: { method: 'DELETE', path: `/swarms/${id}` },
    expected: swarmError(model, swarm, user) ?? '204',
    apply() {
      model.swarms.delete(id);
      deleteRequests(model, ({ swarm_id }) => swarm_id === id);
      for (const { record } of model.invitations.values())
        if (record.swarm_id === id) model.invitations.delete(record.id);
    },
  };
});

const addMember = command(
  'addMember',
  fc.tuple(requester, target, target, memberRole),
  (model, [by, at, what, role]) => {
    const id = swarmAt(model, at);
    const swarm = model.swarms.get(id);
    const user = userOf(model, by, swarm?.record.user_id);
    const resourceId = resourceAt(model, what, ({ user_id }) => user_id === user);
    const expected = () => {
      if (model.resources.get(resourceId)?.user_id !== user) return '400 body.invalid';
      return holds(swarm!, resourceId, role) ? '409 membership.exists' : '201';
    };
    return {
      user,
      options: {
        method: 'POST',
        path: `/swarms/${id}/resources`,
        body: { resource_id: resourceId, resource_type: role },
      },
      expected: swarmError(model, swarm, user) ?? expected(),
      apply: () => grant(swarm!, resourceId, role),
    };
  },
);

/** The error for a user who may not change this membership. */
function memberError(model: Model, swarm: ModelSwarm | undefined, resourceId: string, user: string) {
  const relation = swarm && relationTo(model, swarm, user);
  const isFellow = relation === 'member' || relation === 'watcher';
  if (!isFellow) {
    const outside = managerError(model, swarm, user);
    if (outside) return outside;
  }
  if (!swarm!.granted.has(resourceId)) return '404 membership.not_found';
  const mine = !isFellow || model.resources.get(resourceId)!.user_id === user;
  return mine ? undefined : '403 swarm.forbidden';
}

/** Usually an existing membership. */
function memberAt(model: Model, at: Target, what: Target) {
  const pairs = [...model.swarms.values()].flatMap(({ record, granted }) =>
    [...granted.keys()].map((resourceId): [string, string] => [record.id, resourceId]),
  );
  const [id, resourceId] = pickTarget(pairs, [[swarmAt(model, at), resourceAt(model, what)]], at)!;
  return { id, swarm: model.swarms.get(id), resourceId, owner: model.resources.get(resourceId)?.user_id };
}

const changeRole = command(
  'changeRole',
  fc.tuple(requester, target, target, memberRole),
  (model, [by, at, what, role]) => {
    const { id, swarm, resourceId, owner } = memberAt(model, at, what);
    const user = userOf(model, by, swarm?.record.user_id);
    const free = swarm?.record.user_id === user && owner === user;
    const expected = () => (free || holds(swarm!, resourceId, role) ? '200' : '403 membership.cannot_widen');
    return {
      user,
      options: { method: 'PUT', path: `/swarms/${id}/resources/${resourceId}`, body: { resource_type: role } },
      expected: memberError(model, swarm, resourceId, user) ?? expected(),
      apply: () => void swarm!.granted.set(resourceId, new Set(rolesOf(role))),
    };
  },
);

const removeMember = command(
  'removeMember',
  fc.tuple(requester, target, target, fc.option(inviteRole, { nil: undefined })),
  (model, [by, at, what, type]) => {
    const { id, swarm, resourceId, owner } = memberAt(model, at, what);
    const user = userOf(model, by, owner);
    const expected = () => (type && !holds(swarm!, resourceId, type) ? '404 membership.not_found' : '204');
    return {
      user,
      options: { method: 'DELETE', path: `/swarms/${id}/resources/${resourceId}${type ? `?type=${type}` : ''}` },
      expected: memberError(model, swarm, resourceId, user) ?? expected(),
      apply() {
        const left = [...swarm!.granted.get(resourceId)!].filter((role) => type && role !== type);
        if (left.length > 0) swarm!.granted.set(resourceId, new Set(left));
        else swarm!.granted.delete(resourceId);
      },
    };
  },
);

const sendInvitation = command(
  'sendInvitation',
  fc.tuple(
    requester,
    target,
    target,
    inviteRole,
    fc.option(fc.constantFrom('please', 'now'), { nil: undefined }),
    fc.nat(9),
  ),
  (model, [by, at, what, role, description, misaddressed]) => {
    const swarmId = swarmAt(model, at);
    const swarm = model.swarms.get(swarmId);
    const user = userOf(model, by, swarm?.record.user_id);
    const resourceId = resourceAt(model, what, ({ user_id }) => user_id !== user);
    const owner = model.resources.get(resourceId)?.user_id;
    const to = misaddressed === 0 || owner === undefined ? model.users[at[0] % 3]! : owner;
    const open = openInvitation(model, swarmId, resourceId, role);
    const body = { to, resource_id: resourceId, resource_type: role, ...(description && { description }) };
    const expected = () => {
      if (to === swarm!.record.user_id || owner !== to) return '400 body.invalid';
      return holds(swarm!, resourceId, role) ? '409 membership.exists' : '201';
    };
    return {
      user,
      options: { method: 'POST', path: `/swarms/${swarmId}/invitations`, body },
      expected: managerError(model, swarm, user) ?? expected(),
      apply(answer) {
        const sent = answer as Invitation;
        expectSent({ sent, before: open?.record, from: swarm!.record.user_id, by: user, body });
        if (open) Object.assign(open, { record: sent, sentBy: user });
        else addInvitation(model, sent, user);
      },
    };
  },
);

/** What a record says of who has sent it: nothing if it was its `from`, or nobody. */
const senderOf = ({ from, by }: { from: string; by: string | undefined }) =>
  by === undefined || by === from ? {} : { sent_by: by };

/** The invitation equals the request, and is from the swarm's owner. If the same one was open, it is that one with a newer time. */
function expectSent(options: {
  sent: Invitation;
  before: Invitation | undefined;
  from: string;
  by: string;
  body: object;
}) {
  const { sent, before, from, by, body } = options;
  const { id, sent_at, swarm_id } = sent;
  expect(sent).toEqual({
    ...body,
    id: before?.id ?? id,
    from,
    ...senderOf({ from, by }),
    swarm_id,
    sent_at,
    status: 'new',
  });
  expect(sent_at >= (before?.sent_at ?? '')).toBe(true);
}

export function addInvitation(model: Model, sent: Invitation, by: string | undefined): void {
  model.invitations.set(sent.id, { record: sent, first: sent.sent_at, sentBy: by });
  model.ever.invitations.push(sent);
}

const answerInvitation = command(
  'answerInvitation',
  fc.tuple(requester, target, fc.constantFrom('accept' as const, 'accept' as const, 'reject' as const)),
  (model, [by, at, status]) => {
    const options = invitationAt(model, at);
    if (!options) return undefined;
    const { id, resource_id } = options;
    const resource = model.resources.get(resource_id);
    const user = userOf(model, by, resource?.user_id);
    const known = model.invitations.get(id);
    const before = known?.record;
    const wanted = status === 'accept' ? 'accepted' : 'rejected';
    const expected = () => {
      if (!before) return '404 invitation.not_found';
      return before.status === 'new' || before.status === wanted ? '200' : '409 invitation.already_answered';
    };
    return {
      user,
      options: { method: 'PUT', path: `/resources/${resource_id}/invitations/${id}`, body: { status } },
      expected: resourceError(model, resource, user) ?? expected(),
      apply(answer) {
        const answered = answer as Invitation;
        expectAnswered({ answered, before: before!, wanted });
        if (before!.status === wanted) return;
        known!.record = answered;
        if (status === 'accept') grant(model.swarms.get(answered.swarm_id)!, resource_id, answered.resource_type);
      },
    };
  },
);

/** A repeated answer returns the same record. The first one sets its time and nothing else. */
function expectAnswered(options: { answered: Invitation; before: Invitation; wanted: 'accepted' | 'rejected' }) {
  const { answered, before, wanted } = options;
  const time = `${wanted}_at` as const;
  const expected = before.status === wanted ? before : { ...before, status: wanted, [time]: answered[time] };
  expect(answered).toEqual(expected);
  expect(answered[time]! >= before.sent_at).toBe(true);
}

const withdrawInvitation = command('withdrawInvitation', fc.tuple(requester, target), (model, [by, at]) => {
  const options = invitationAt(model, at);
  if (!options) return undefined;
  const { id, swarm_id } = options;
  const swarm = model.swarms.get(swarm_id);
  const user = userOf(model, by, swarm?.record.user_id);
  const expected = () => {
    const known = model.invitations.get(id);
    if (!known) return '404 invitation.not_found';
    return known.record.status === 'new' ? '204' : '409 invitation.already_answered';
  };
  return {
    user,
    options: { method: 'DELETE', path: `/swarms/${swarm_id}/invitations/${id}` },
    expected: managerError(model, swarm, user) ?? expected(),
    apply: () => void model.invitations.delete(id),
  };
});

const linkAt = (model: Model, at: Target) => {
  const usable = [...model.links.values()].filter((link) => isUsable(model, link));
  return pickTarget(usable, [...model.links.values()], at);
};

const createLink = command(
  'createLink',
  fc.tuple(requester, target, memberRole, fc.integer({ min: 1, max: 3 })),
  (model, [by, at, resource_type, max_resources]) => {
    const swarmId = swarmAt(model, at);
    const swarm = model.swarms.get(swarmId);
    const user = userOf(model, by, swarm?.record.user_id);
    const body = { name: 'Workshop', resource_type, max_resources };
    return {
      user,
      options: { method: 'POST', path: `/swarms/${swarmId}/links`, body },
      expected: managerError(model, swarm, user) ?? '201',
      apply(answer) {
        const { id: _id, url: _url, created_at: _created, ...made } = answer as JoinLink;
        expect(made).toEqual({ ...body, swarm_id: swarmId, joined: 0 });
        addLink(model, answer as JoinLink);
      },
    };
  },
);

export function addLink(model: Model, made: JoinLink): ModelLink {
  const { id, swarm_id: swarmId, url, resource_type: role, max_resources: places = Infinity } = made;
  const link = { id, swarmId, url, role, places, isEnded: false, joined: new Set<string>(), passes: new Map() };
  model.links.set(id, link);
  return link;
}

const endLink = command('endLink', fc.tuple(requester, target), (model, [by, at]) => {
  const link = linkAt(model, at);
  if (!link) return undefined;
  const swarm = model.swarms.get(link.swarmId);
  const user = userOf(model, by, swarm?.record.user_id);
  return {
    user,
    options: { method: 'DELETE', path: `/swarms/${link.swarmId}/links/${link.id}` },
    expected: managerError(model, swarm, user) ?? '204',
    apply: () => void (link.isEnded = true),
  };
});

const openLink = command('openLink', fc.tuple(fc.nat(2), target), (model, [by, at]) => {
  const link = linkAt(model, at);
  if (!link) return undefined;
  const user = model.users[by]!;
  return {
    user,
    options: { method: 'GET', path: opening(link) },
    expected: isUsable(model, link, user) ? '200' : '404 link.not_found',
    apply(answer) {
      const { id, pass, resource_type, resources_left, swarm } = answer as JoinOffer;
      const { record, granted } = model.swarms.get(link.swarmId)!;
      expect({ id, resource_type, resources_left, swarm }).toEqual({
        id: link.id,
        resource_type: link.role,
        resources_left: link.places - link.joined.size,
        swarm: { ...record, access: 'summary', resources: [], member_count: granted.size },
      });
      link.passes.set(user, pass);
    },
  };
});

const joinByLink = command('joinByLink', fc.tuple(fc.nat(2), target, target), (model, [by, at, what]) => {
  const link = linkAt(model, at);
  if (!link) return undefined;
  const user = [...link.passes.keys(), ...model.users][by]!;
  const swarm = model.swarms.get(link.swarmId);
  const resourceId = resourceAt(model, what, ({ user_id }) => user_id === user);
  const wanted = rolesOf(link.role).filter((role) => !swarm || !holds(swarm, resourceId, role));
  const expected = () => {
    if (!link.passes.has(user) || !isUsable(model, link, user)) return '404 link.not_found';
    if (swarm!.record.user_id === user) return '409 link.own_swarm';
    if (model.resources.get(resourceId)?.user_id !== user) return '400 body.invalid';
    return wanted.length === 0 ? '409 membership.exists' : '201';
  };
  const body = { pass: link.passes.get(user) ?? 'none', resource_id: resourceId };
  return {
    user,
    options: { method: 'POST', path: `/links/${link.id}/resources`, body },
    expected: expected(),
    reads: `/resources/${resourceId}/invitations`,
    apply(_member, read) {
      const { swarmId } = link;
      takeJoined(model, { swarmId, resourceId, to: user, roles: wanted, found: read as Invitation[] });
      link.joined.add(resourceId);
    },
  };
});

/** An invitation by the owner was sent and accepted at once for each role, or an open one was accepted. */
function takeJoined(
  model: Model,
  joined: {
    swarmId: string;
    resourceId: string;
    to: string;
    /** Who has accepted the request. Undefined for a link. */
    by?: string;
    roles: InvitationRole[];
    found: Invitation[];
  },
) {
  const { swarmId, resourceId, to, by, roles } = joined;
  const swarm = model.swarms.get(swarmId)!;
  for (const resource_type of roles) {
    const open = openInvitation(model, swarmId, resourceId, resource_type);
    const isMeant = ({ id, swarm_id, ...record }: Invitation) =>
      open
        ? id === open.record.id
        : swarm_id === swarmId &&
          record.resource_id === resourceId &&
          record.resource_type === resource_type &&
          !model.invitations.has(id);
    const found = joined.found.filter(isMeant);
    expect(found).toHaveLength(1);
    const [{ id: _id, sent_at, accepted_at, ...rest }] = found as [Invitation];
    const from = swarm.record.user_id;
    const sender = senderOf({ from, by: open ? open.sentBy : by });
    const of = { from, to, ...sender, swarm_id: swarmId, resource_id: resourceId };
    const { description } = open?.record ?? {};
    expect(rest).toEqual({ ...of, resource_type, status: 'accepted', ...(description && { description }) });
    expect(accepted_at! >= sent_at).toBe(true);
    if (open) open.record = found[0]!;
    else addInvitation(model, found[0]!, by);
    grant(swarm, resourceId, resource_type);
  }
}

const acceptRequests = command(
  'acceptRequests',
  fc.tuple(requester, target, fc.boolean()),
  (model, [by, at, accepts]) => {
    const id = swarmAt(model, at);
    const swarm = model.swarms.get(id);
    const user = userOf(model, by, swarm?.record.user_id);
    return {
      user,
      options: { method: 'PUT', path: `/swarms/${id}`, body: { public: true, accepts_requests: accepts } },
      expected: swarmError(model, swarm, user) ?? '200',
      apply(answer) {
        const { resources: _members, ...record } = answer as ExtendedSwarm;
        swarm!.record = record;
      },
    };
  },
);

const requestAt = (model: Model, at: Target): ModelRequest | undefined => {
  const all = [...model.requests.values()];
  return pickTarget(
    all.filter(({ record, isWithdrawn }) => record.status === 'new' && !isWithdrawn),
    all,
    at,
  );
};

function deleteRequests(model: Model, isMeant: (record: ModelRequest['record']) => boolean): void {
  for (const [id, { record }] of model.requests) if (isMeant(record)) model.requests.delete(id);
}

const askToJoin = command(
  'askToJoin',
  fc.tuple(fc.nat(2), target, target, memberRole),
  (model, [by, at, what, resource_type]) => {
    const user = model.users[by]!;
    const askable = [...model.swarms.values()].filter(({ record }) => record.public && record.user_id !== user);
    const swarmId = pickTarget(
      askable.map(({ record }) => record.id),
      model.ever.swarms,
      at,
    )!;
    const swarm = model.swarms.get(swarmId);
    const resource_id = resourceAt(model, what, ({ user_id }) => user_id === user);
    const earlier = [...model.requests.values()].filter(
      ({ record, isWithdrawn }) => !isWithdrawn && record.swarm_id === swarmId && record.resource_id === resource_id,
    );
    const expected = () => {
      const relation = swarm ? relationTo(model, swarm, user) : 'stranger';
      if (relation === 'stranger') return '404 swarm.not_found';
      if (relation === 'owner') return '403 swarm.forbidden';
      if (model.resources.get(resource_id)?.user_id !== user) return '400 body.invalid';
      const { record } = swarm!;
      if (!record.public || record.accepts_requests === false || isBlocked(model, swarm!, user))
        return '409 join_request.not_accepted';
      if (holds(swarm!, resource_id, resource_type)) return '409 membership.exists';
      if (earlier.some(({ record }) => record.status === 'new')) return '409 join_request.exists';
      return earlier.some(({ record }) => record.status === 'rejected') ? '409 join_request.too_soon' : '201';
    };
    return {
      user,
      options: { method: 'POST', path: `/swarms/${swarmId}/requests`, body: { resource_id, resource_type } },
      expected: expected(),
      apply(answer) {
        const { id, asked_at, ...made } = answer as JoinRequest;
        const { name: resource_name, machine_type } = model.resources.get(resource_id)!;
        expect(made).toEqual({
          swarm_id: swarmId,
          swarm_name: swarm!.record.name,
          user_id: user,
          resource_id,
          resource_type,
          resource_name,
          machine_type,
          status: 'new',
        });
        model.requests.set(id, { record: { id, asked_at, ...made }, isWithdrawn: false });
      },
    };
  },
);

const answerRequest = command(
  'answerRequest',
  fc.tuple(requester, target, fc.constantFrom('accept' as const, 'accept' as const, 'reject' as const)),
  (model, [by, at, status]) => {
    const known = requestAt(model, at);
    if (!known) return undefined;
    const { record } = known;
    const { id, swarm_id: swarmId, resource_id: resourceId } = record;
    const swarm = model.swarms.get(swarmId)!;
    const user = userOf(model, by, swarm.record.user_id);
    const before = record.status;
    const wanted = status === 'accept' ? 'accepted' : 'rejected';
    const expected = () => {
      if (known.isWithdrawn) return '404 join_request.not_found';
      return before === 'new' || before === wanted ? '200' : '409 join_request.already_answered';
    };
    const missing = rolesOf(record.resource_type).filter((role) => !holds(swarm, resourceId, role));
    return {
      user,
      options: { method: 'PUT', path: `/swarms/${swarmId}/requests/${id}`, body: { status } },
      expected: managerError(model, swarm, user) ?? expected(),
      reads: `/swarms/${swarmId}/invitations`,
      apply(answer, read) {
        const { answered_at, ...answered } = answer as JoinRequest;
        expect(answered).toEqual({ ...record, status: wanted });
        expect(answered_at! >= record.asked_at).toBe(true);
        if (before !== 'new') return;
        record.status = wanted;
        const joined = { swarmId, resourceId, to: record.user_id, roles: missing, found: read as Invitation[] };
        if (status === 'accept') takeJoined(model, { ...joined, by: user });
      },
    };
  },
);

const withdrawRequest = command('withdrawRequest', fc.tuple(requester, target), (model, [by, at]) => {
  const known = requestAt(model, at);
  if (!known) return undefined;
  const { id, user_id, status } = known.record;
  const user = userOf(model, by, user_id);
  const expected = () => {
    if (known.isWithdrawn || user !== user_id) return '404 join_request.not_found';
    return status === 'new' ? '204' : '409 join_request.already_answered';
  };
  return {
    user,
    options: { method: 'DELETE', path: `/requests/${id}` },
    expected: expected(),
    apply: () => void (known.isWithdrawn = true),
  };
});

const blockUser = command('blockUser', fc.tuple(requester, target, fc.boolean()), (model, [by, at, blocks]) => {
  const known = requestAt(model, at);
  if (!known) return undefined;
  const { swarm_id: swarmId, user_id: asker } = known.record;
  const swarm = model.swarms.get(swarmId)!;
  const user = userOf(model, by, swarm.record.user_id);
  return {
    user,
    options: { method: blocks ? 'PUT' : 'DELETE', path: `/swarms/${swarmId}/blocked-users/${asker}` },
    expected: managerError(model, swarm, user) ?? '204',
    apply() {
      if (!blocks) {
        swarm.blocked.delete(asker);
        return;
      }
      swarm.blocked.add(asker);
      for (const { record, isWithdrawn } of model.requests.values()) {
        const isOpen = record.status === 'new' && !isWithdrawn;
        if (isOpen && record.swarm_id === swarmId && record.user_id === asker) record.status = 'rejected';
      }
    },
  };
});

/** A swarm and a user: usually one who is a manager of it, or was asked. */
function managerAt(model: Model, at: Target, who: number) {
  const pairs = [...model.swarms.values()].flatMap(({ record, managers }) =>
    [...managers.keys()].map((name): [string, string] => [record.id, name]),
  );
  const [id, name] = pickTarget(pairs, [[swarmAt(model, at), model.users[who]!]], at)!;
  return { id, swarm: model.swarms.get(id), name };
}
const withUser = fc.tuple(requester, target, fc.nat(2));
/** The error for a user who does not know of the swarm. */
const unknownError = (model: Model, swarm: ModelSwarm | undefined, user: string) =>
  !swarm || relationTo(model, swarm, user) === 'stranger' ? '404 swarm.not_found' : undefined;

const withRole = fc.tuple(requester, target, fc.nat(2), fc.constantFrom(...managerRoles));
const nameManager = command('nameManager', withRole, (model, [by, at, who, role]) => {
  const id = swarmAt(model, at);
  const swarm = model.swarms.get(id);
  const user = userOf(model, by, swarm?.record.user_id);
  const user_id = model.users[who]!;
  const expected = () => {
    if (user_id === user) return '409 manager.own_swarm';
    const known = swarm!.managers.get(user_id);
    if (known) return known === `${role} asked` ? '201' : '409 manager.exists';
    const unanswered = [...model.swarms.values()].filter(
      ({ record, managers }) => record.user_id === user && managers.get(user_id)?.endsWith(' asked'),
    );
    return unanswered.length < 5 ? '201' : '409 manager.too_many_unanswered';
  };
  return {
    user,
    options: { method: 'POST', path: `/swarms/${id}/managers`, body: { user_id, role } },
    expected: swarmError(model, swarm, user) ?? expected(),
    apply: () => void swarm!.managers.set(user_id, `${role} asked`),
  };
});

const agreeToManage = command('agreeToManage', withUser, (model, [by, at, who]) => {
  const { id, swarm, name } = managerAt(model, at, who);
  const user = userOf(model, by, name);
  const expected = () => {
    if (user !== name) return '403 swarm.forbidden';
    return swarm!.managers.has(name) ? '200' : '404 manager.not_found';
  };
  return {
    user,
    options: { method: 'PUT', path: `/swarms/${id}/managers/${name}`, body: { status: 'agreed' } },
    expected: unknownError(model, swarm, user) ?? expected(),
    apply: () =>
      void swarm!.managers.set(
        name,
        swarm!.managers.get(name)!.startsWith('watcher') ? 'watcher agreed' : 'manager agreed',
      ),
  };
});

const removeManager = command('removeManager', withUser, (model, [by, at, who]) => {
  const { id, swarm, name } = managerAt(model, at, who);
  const user = userOf(model, by, name);
  const expected = () => {
    if (user !== name && swarm!.record.user_id !== user) return '403 swarm.forbidden';
    return swarm!.managers.has(name) ? '204' : '404 manager.not_found';
  };
  return {
    user,
    options: { method: 'DELETE', path: `/swarms/${id}/managers/${name}` },
    expected: unknownError(model, swarm, user) ?? expected(),
    apply() {
      const isRemoved = user !== name && swarm!.managers.get(name) === 'manager agreed';
      for (const { record: sent } of isRemoved ? model.invitations.values() : [])
        if (sent.swarm_id === id && sent.to === name && sent.status === 'new') model.invitations.delete(sent.id);
      swarm!.managers.delete(name);
      if (swarm!.offeredTo === name) delete swarm!.offeredTo;
    },
  };
});

const offerSwarm = command('offerSwarm', withUser, (model, [by, at, who]) => {
  const { id, swarm, name } = managerAt(model, at, who);
  const user = userOf(model, by, swarm?.record.user_id);
  return {
    user,
    options: { method: 'PUT', path: `/swarms/${id}/handover`, body: { user_id: name } },
    expected:
      swarmError(model, swarm, user) ??
      (swarm!.managers.get(name) === 'manager agreed' ? '200' : '409 handover.no_manager'),
    apply: () => void (swarm!.offeredTo = name),
  };
});

const takeOverSwarm = command('takeOverSwarm', withUser, (model, [by, at, who]) => {
  const offered = [...model.swarms.values()].filter(({ offeredTo }) => offeredTo !== undefined);
  const swarm = pick(offered, at[0]) ?? model.swarms.get(swarmAt(model, at));
  if (!swarm) return undefined;
  const user = userOf(model, by, swarm.offeredTo ?? model.users[who]);
  const { record } = swarm;
  const expected = () => (record.user_id === user || swarm.offeredTo === user ? '204' : '404 handover.not_found');
  return {
    user,
    options: { method: 'PUT', path: `/swarms/${record.id}/owner`, body: { user_id: user } },
    expected: managerError(model, swarm, user) ?? expected(),
    apply() {
      if (record.user_id === user) return;
      swarm.managers.delete(user);
      swarm.managers.set(record.user_id, 'manager agreed');
      delete swarm.offeredTo;
      record.user_id = user;
      for (const known of model.requests.values()) {
        if (known.record.swarm_id === record.id && known.record.user_id === user && known.record.status === 'new')
          known.isWithdrawn = true;
      }
      for (const { record: sent, sentBy: sender } of model.invitations.values()) {
        if (sent.swarm_id !== record.id || sent.status !== 'new') continue;
        if (sent.to === user) model.invitations.delete(sent.id);
        delete sent.sent_by;
        Object.assign(sent, { from: user, ...senderOf({ from: user, by: sender }) });
      }
    },
  };
});

/** Random sequences of all actions, weighted by their effect. */
export function serviceCommands(options: { maxCommands: number }) {
  const often = (times: number, what: fc.Arbitrary<Command>) => Array.from({ length: times }, () => what);
  const all = [
    ...often(1, createResource),
    ...often(1, updateResource),
    ...often(3, keepTrack),
    ...often(5, moveResource),
    ...often(1, destroyResource),
    ...often(1, createSwarm),
    ...often(1, updateSwarm),
    ...often(1, destroySwarm),
    ...often(2, addMember),
    ...often(3, changeRole),
    ...often(2, removeMember),
    ...often(6, sendInvitation),
    ...often(7, answerInvitation),
    ...often(2, withdrawInvitation),
    ...often(2, createLink),
    ...often(1, endLink),
    ...often(4, openLink),
    ...often(6, joinByLink),
    ...often(1, acceptRequests),
    ...often(6, askToJoin),
    ...often(5, answerRequest),
    ...often(1, withdrawRequest),
    ...often(1, blockUser),
    ...often(4, nameManager),
    ...often(5, agreeToManage),
    ...often(2, removeManager),
    ...often(3, offerSwarm),
    ...often(3, takeOverSwarm),
  ];
  return fc.commands(all, { ...options, size: 'max' });
}
