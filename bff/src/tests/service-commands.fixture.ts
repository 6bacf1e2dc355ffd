import fc from 'fast-check';
import { expect } from 'vitest';
import type { Invitation, InvitationRole, MemberRole, Problem, Resource, Swarm } from '../contract.ts';
import type { Asked } from './house.fixture.ts';
import { grant, holds, maySeeResource, openInvitation, relationTo, rolesOf } from './service-model.fixture.ts';
import type { ModelSwarm, World } from './service-model.fixture.ts';

/** The service under test, and the checks after every step. */
export interface Real {
  ask(person: string, asked: Asked): Promise<Response>;
  afterEach(world: World): Promise<void>;
}
type Command = fc.AsyncCommand<World, Real>;

/** A request, the model's result (`204`, `404 swarm.not_found`), and its effect on the model. */
interface Step {
  person: string;
  asked: Asked;
  says: string;
  done?: (answer: unknown) => void;
}

function command<Args>(name: string, args: fc.Arbitrary<Args>, plan: (world: World, args: Args) => Step | undefined) {
  return args.map((args): Command => ({
    check: () => true,
    toString: () => `${name}(${JSON.stringify(args)})`,
    async run(world, real) {
      const step = plan(world, args);
      if (!step) return;
      const { person, asked, says, done } = step;
      const answer = await real.ask(person, asked);
      const text = await answer.text();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const said = answer.ok ? String(answer.status) : `${answer.status} ${(body as Problem).code}`;
      expect(`${person}: ${asked.method} ${asked.path} -> ${said}`).toBe(
        `${person}: ${asked.method} ${asked.path} -> ${says}`,
      );
      if (answer.ok) done?.(body);
      await real.afterEach(world);
    },
  }));
}

/** The item at an index modulo the length; undefined if the list is empty. */
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];
const any = fc.nat(11);
/** Usually an existing, suitable object, sometimes any that ever existed. */
const aim = fc.tuple(any, fc.nat(5));
type Aim = [which: number, well: number];
const aimed = <T>(fitting: readonly T[], ever: readonly T[], [which, well]: Aim): T | undefined =>
  (well > 0 ? pick(fitting, which) : undefined) ?? pick(ever, which);
const swarmAt = (world: World, at: Aim) => aimed([...world.swarms.keys()], world.ever.swarms, at)!;
const resourceAt = (world: World, at: Aim, fits: (resource: Resource) => boolean = () => true) => {
  const fitting = [...world.resources.values()].filter(fits).map(({ id }) => id);
  return aimed(fitting, world.ever.resources, at)!;
};
const invitationAt = (world: World, at: Aim) => {
  const open = [...world.invitations.values()].map(({ record }) => record).filter(({ status }) => status === 'new');
  return aimed(open, world.ever.invitations, at);
};
/** A random user, or more often one with the permission. */
const who = fc.oneof(
  { weight: 3, arbitrary: fc.constant<number | 'right'>('right') },
  { weight: 1, arbitrary: fc.nat(2) },
);
const personOf = ({ people }: World, who: number | 'right', right: string | undefined) =>
  who === 'right' ? (right ?? people[0]!) : people[who]!;
const inviteRole = fc.constantFrom<InvitationRole>('consumer', 'producer');
const memberRole = fc.constantFrom<MemberRole>('consumer', 'producer', 'both');

const swarmSays = {
  owner: undefined,
  member: '403 swarm.forbidden',
  recipient: '403 swarm.forbidden',
  public: '403 swarm.forbidden',
  stranger: '404 swarm.not_found',
};

/** The error for a user who is not the swarm's owner. */
function shut(world: World, swarm: ModelSwarm | undefined, person: string): string | undefined {
  return swarm ? swarmSays[relationTo(world, swarm, person)] : '404 swarm.not_found';
}

function shutResource(world: World, resource: Resource | undefined, person: string): string | undefined {
  if (!resource || !maySeeResource(world, resource, person)) return '404 resource.not_found';
  return resource.user_id === person ? undefined : '403 resource.forbidden';
}

const createResource = command('createResource', fc.nat(2), (world, owner) => ({
  person: world.people[owner]!,
  asked: { method: 'POST', path: '/resources', body: { name: 'Sensor', machine_type: 'bug' } },
  says: '201',
  done: (made) => keepResource(world, made as Resource),
}));

export function keepResource(world: World, resource: Resource): void {
  world.resources.set(resource.id, resource);
  world.ever.resources.push(resource.id);
}

const updateResource = command('updateResource', fc.tuple(who, aim), (world, [by, at]) => {
  const id = resourceAt(world, at);
  const resource = world.resources.get(id);
  const person = personOf(world, by, resource?.user_id);
  return {
    person,
    asked: { method: 'PUT', path: `/resources/${id}`, body: { description: 'moved' } },
    says: shutResource(world, resource, person) ?? '200',
    done: (updated) => void world.resources.set(id, updated as Resource),
  };
});

const destroyResource = command('destroyResource', fc.tuple(who, aim), (world, [by, at]) => {
  const id = resourceAt(world, at);
  const resource = world.resources.get(id);
  const person = personOf(world, by, resource?.user_id);
  return {
    person,
    asked: { method: 'DELETE', path: `/resources/${id}` },
    says: shutResource(world, resource, person) ?? '204',
    done() {
      world.resources.delete(id);
      for (const { granted } of world.swarms.values()) granted.delete(id);
      for (const { record } of world.invitations.values()) {
        // The time is in the sender's list.
        if (record.resource_id === id && record.status === 'new')
          Object.assign(record, { status: 'rejected', rejected_at: '' });
      }
    },
  };
});

const createSwarm = command(
  'createSwarm',
  fc.tuple(fc.nat(2), fc.boolean(), fc.array(fc.tuple(aim, memberRole), { maxLength: 2 })),
  (world, [owner, open, members]) => {
    const person = world.people[owner]!;
    const resources = members.map(([at, resource_type]) => ({
      resource_id: resourceAt(world, at, ({ user_id }) => user_id === person),
      resource_type,
    }));
    const own = resources.every(({ resource_id }) => world.resources.get(resource_id)?.user_id === person);
    return {
      person,
      asked: { method: 'POST', path: '/swarms', body: { name: 'Ring', description: '', public: open, resources } },
      says: own ? '201' : '400 body.invalid',
      done(made) {
        const swarm = keepSwarm(world, made as Swarm);
        for (const { resource_id, resource_type } of resources) grant(swarm, resource_id, resource_type);
      },
    };
  },
);

export function keepSwarm(world: World, made: Swarm): ModelSwarm {
  const { resources: _members, ...record } = made;
  const swarm = { record, granted: new Map() };
  world.swarms.set(record.id, swarm);
  world.ever.swarms.push(record.id);
  return swarm;
}

const updateSwarm = command('updateSwarm', fc.tuple(who, aim, fc.boolean()), (world, [by, at, open]) => {
  const id = swarmAt(world, at);
  const swarm = world.swarms.get(id);
  const person = personOf(world, by, swarm?.record.user_id);
  return {
    person,
    asked: { method: 'PUT', path: `/swarms/${id}`, body: { public: open } },
    says: shut(world, swarm, person) ?? '200',
    done: () => void (swarm!.record.public = open),
  };
});

const destroySwarm = command('destroySwarm', fc.tuple(who, aim), (world, [by, at]) => {
  const id = swarmAt(world, at);
  const swarm = world.swarms.get(id);
  const person = personOf(world, by, swarm?.record.user_id);
  return {
    person,
    asked: { method: 'DELETE', path: `/swarms/${id}` },
    says: shut(world, swarm, person) ?? '204',
    done() {
      world.swarms.delete(id);
      for (const { record } of world.invitations.values())
        if (record.swarm_id === id) world.invitations.delete(record.id);
    },
  };
});

const addMember = command('addMember', fc.tuple(who, aim, aim, memberRole), (world, [by, at, what, role]) => {
  const id = swarmAt(world, at);
  const swarm = world.swarms.get(id);
  const person = personOf(world, by, swarm?.record.user_id);
  const resourceId = resourceAt(world, what, ({ user_id }) => user_id === person);
  const says = () => {
    if (world.resources.get(resourceId)?.user_id !== person) return '400 body.invalid';
    return holds(swarm!, resourceId, role) ? '409 membership.exists' : '201';
  };
  return {
    person,
    asked: {
      method: 'POST',
      path: `/swarms/${id}/resources`,
      body: { resource_id: resourceId, resource_type: role },
    },
    says: shut(world, swarm, person) ?? says(),
    done: () => grant(swarm!, resourceId, role),
  };
});

/** The error for a user who may not change this membership. */
function shutMember(world: World, swarm: ModelSwarm | undefined, resourceId: string, person: string) {
  if (!swarm || relationTo(world, swarm, person) !== 'member') {
    const outside = shut(world, swarm, person);
    if (outside) return outside;
  }
  if (!swarm!.granted.has(resourceId)) return '404 membership.not_found';
  const mine = swarm!.record.user_id === person || world.resources.get(resourceId)!.user_id === person;
  return mine ? undefined : '403 swarm.forbidden';
}

/** Usually an existing membership. */
function memberAt(world: World, at: Aim, what: Aim) {
  const pairs = [...world.swarms.values()].flatMap(({ record, granted }) =>
    [...granted.keys()].map((resourceId): [string, string] => [record.id, resourceId]),
  );
  const [id, resourceId] = aimed(pairs, [[swarmAt(world, at), resourceAt(world, what)]], at)!;
  return { id, swarm: world.swarms.get(id), resourceId, owner: world.resources.get(resourceId)?.user_id };
}

const changeRole = command('changeRole', fc.tuple(who, aim, aim, memberRole), (world, [by, at, what, role]) => {
  const { id, swarm, resourceId, owner } = memberAt(world, at, what);
  const person = personOf(world, by, swarm?.record.user_id);
  const free = swarm?.record.user_id === person && owner === person;
  const says = () => (free || holds(swarm!, resourceId, role) ? '200' : '403 membership.cannot_widen');
  return {
    person,
    asked: { method: 'PUT', path: `/swarms/${id}/resources/${resourceId}`, body: { resource_type: role } },
    says: shutMember(world, swarm, resourceId, person) ?? says(),
    done: () => void swarm!.granted.set(resourceId, new Set(rolesOf(role))),
  };
});

const removeMember = command('removeMember', fc.tuple(who, aim, aim), (world, [by, at, what]) => {
  const { id, swarm, resourceId, owner } = memberAt(world, at, what);
  const person = personOf(world, by, owner);
  return {
    person,
    asked: { method: 'DELETE', path: `/swarms/${id}/resources/${resourceId}` },
    says: shutMember(world, swarm, resourceId, person) ?? '204',
    done: () => void swarm!.granted.delete(resourceId),
  };
});

const sendInvitation = command(
  'sendInvitation',
  fc.tuple(who, aim, aim, inviteRole, fc.option(fc.constantFrom('please', 'now'), { nil: undefined }), fc.nat(9)),
  (world, [by, at, what, role, description, misaddressed]) => {
    const swarmId = swarmAt(world, at);
    const swarm = world.swarms.get(swarmId);
    const person = personOf(world, by, swarm?.record.user_id);
    const resourceId = resourceAt(world, what, ({ user_id }) => user_id !== person);
    const owner = world.resources.get(resourceId)?.user_id;
    const to = misaddressed === 0 || owner === undefined ? world.people[at[0] % 3]! : owner;
    const open = openInvitation(world, swarmId, resourceId, role);
    const body = { to, resource_id: resourceId, resource_type: role, ...(description && { description }) };
    const says = () => {
      if (to === person || owner !== to) return '400 body.invalid';
      return holds(swarm!, resourceId, role) ? '409 membership.exists' : '201';
    };
    return {
      person,
      asked: { method: 'POST', path: `/swarms/${swarmId}/invitations`, body },
      says: shut(world, swarm, person) ?? says(),
      done(answer) {
        const sent = answer as Invitation;
        expectSent({ sent, before: open?.record, person, body });
        if (open) open.record = sent;
        else keepInvitation(world, sent);
      },
    };
  },
);

/** The invitation equals the request. If the same one was open, it is that one with a newer time. */
function expectSent(options: { sent: Invitation; before: Invitation | undefined; person: string; body: object }) {
  const { sent, before, person, body } = options;
  const { id, sent_at, swarm_id } = sent;
  expect(sent).toEqual({ ...body, id: before?.id ?? id, from: person, swarm_id, sent_at, status: 'new' });
  expect(sent_at >= (before?.sent_at ?? '')).toBe(true);
}

export function keepInvitation(world: World, sent: Invitation): void {
  world.invitations.set(sent.id, { record: sent, first: sent.sent_at });
  world.ever.invitations.push(sent);
}

const answerInvitation = command(
  'answerInvitation',
  fc.tuple(who, aim, fc.constantFrom('accept' as const, 'accept' as const, 'reject' as const)),
  (world, [by, at, status]) => {
    const asked = invitationAt(world, at);
    if (!asked) return undefined;
    const { id, resource_id } = asked;
    const resource = world.resources.get(resource_id);
    const person = personOf(world, by, resource?.user_id);
    const known = world.invitations.get(id);
    const before = known?.record;
    const wanted = status === 'accept' ? 'accepted' : 'rejected';
    const says = () => {
      if (!before) return '404 invitation.not_found';
      return before.status === 'new' || before.status === wanted ? '200' : '409 invitation.already_answered';
    };
    return {
      person,
      asked: { method: 'PUT', path: `/resources/${resource_id}/invitations/${id}`, body: { status } },
      says: shutResource(world, resource, person) ?? says(),
      done(answer) {
        const answered = answer as Invitation;
        expectAnswered({ answered, before: before!, wanted });
        if (before!.status === wanted) return;
        known!.record = answered;
        if (status === 'accept') grant(world.swarms.get(answered.swarm_id)!, resource_id, answered.resource_type);
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

const withdrawInvitation = command('withdrawInvitation', fc.tuple(who, aim), (world, [by, at]) => {
  const asked = invitationAt(world, at);
  if (!asked) return undefined;
  const { id, swarm_id } = asked;
  const swarm = world.swarms.get(swarm_id);
  const person = personOf(world, by, swarm?.record.user_id);
  const says = () => {
    const known = world.invitations.get(id);
    if (!known) return '404 invitation.not_found';
    return known.record.status === 'new' ? '204' : '409 invitation.already_answered';
  };
  return {
    person,
    asked: { method: 'DELETE', path: `/swarms/${swarm_id}/invitations/${id}` },
    says: shut(world, swarm, person) ?? says(),
    done: () => void world.invitations.delete(id),
  };
});

/** Random sequences of all actions, weighted by their effect. */
export function serviceCommands(options: { maxCommands: number }) {
  const often = (times: number, what: fc.Arbitrary<Command>) => Array.from({ length: times }, () => what);
  const all = [
    ...often(1, createResource),
    ...often(1, updateResource),
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
  ];
  return fc.commands(all, { ...options, size: 'max' });
}
