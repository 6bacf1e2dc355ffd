/**
 * What users do to records. An endpoint and a kind of action are two callers of the same function: it checks the policy
 * at that moment, then the body, and throws the problems of the endpoint. It begins again if the record changes between
 * its read and its write. `versionOf` returns the version that a write expects; undefined for any. `once`: the write of a
 * request with an idempotency key.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  invitation as invitationSchema,
  type Invitation,
  type InvitationRole,
  type InvitationSend,
  type JoinLink,
  type JoinLinkCreate,
  type BlockedUser,
  type JoinOffer,
  type Manager,
  type JoinRequest,
  type JoinRequestSend,
  type MemberRole,
  type Offer,
  type Resource,
  type ResourceCreate,
  type ResourceUpdate,
  type SwarmMember,
  type SwarmSummary,
} from '../contract.ts';
import type { SentBody } from '../http/json-body.ts';
import { Problem, type FieldFault } from '../http/problem.ts';
import { idFormat, linkLimits, managerLimits, requestLimits } from '../limits/field-rules.ts';
import { baseRates, createRate, requireTurn } from '../limits/rate.ts';
import { fieldNames, fieldsOf, type FieldName, type ResourceFields } from '../store/resource-fields.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { StorageError } from '../store/storage-error.ts';
import type { Claim, Once } from './idempotency.store.ts';
import type { Invitations } from './invitations.store.ts';
import type { JoinLinks } from './join-links.store.ts';
import type { Managers } from './managers.store.ts';
import type { JoinRequests } from './join-requests.store.ts';
import type { Members } from './members.store.ts';
import type { OperationOn, SwarmRule } from './policy.ts';
import { notYours, type Resources, type StoredResource } from './resources.store.ts';
import type { Swarms } from './swarms.store.ts';

/** The fields that the service sets. */
const readOnlyOf = {
  resource: ['id', 'user_id', 'created_at', 'modified_at'],
  swarm: ['id', 'user_id', 'created_at', 'modified_at', 'resources'],
  member: ['resource_id', 'user_id', 'url', 'member_since'],
  invitation: Object.keys(invitationSchema.shape).filter((field) => field !== 'status'),
};

/**
 * Read-only fields of a PUT are accepted if they equal the stored ones, so that clients can read, change and put back a
 * record.
 */
export function readOnlyFaults(
  noun: keyof typeof readOnlyOf,
  { fields }: SentBody<unknown>,
  stored: object,
): FieldFault[] {
  const storedFields = stored as Record<string, unknown>;
  return readOnlyOf[noun]
    .filter((name) => fields[name] !== undefined && !isDeepStrictEqual(fields[name], storedFields[name]))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'field.read_only',
      detail: 'is set by the service and differs from the stored value',
    }));
}

/** Fields of a resource with new values; null: none. */
export type ResourceChange = Pick<ResourceUpdate, FieldName>;

/** What is stored of a resource before it is deleted. */
export interface DeletedResource {
  record: Resource;
  /** In swarms of the same owner. */
  roles: { swarm_id: string; resource_type: MemberRole }[];
}

/** An invitation for one role, or for both. */
type RolesSend<Role = MemberRole> = Omit<InvitationSend, 'resource_type'> & { resource_type: Role };

type VersionOf<Found> = (found: Found) => number | undefined;
const withoutKey: Once = (_sent, act) => act(() => []);

export type UseCases = ReturnType<typeof createUseCases>;

export function createUseCases({
  resources,
  swarms,
  members,
  invitations,
  links,
  managers,
  rateLimit,
  requests,
  now,
  newId,
}: {
  resources: Resources;
  swarms: Swarms;
  members: Members;
  invitations: Invitations;
  links: JoinLinks;
  managers: Managers;
  /** The factor of all rate limits; Infinity for none. */
  rateLimit: number;
  requests: JoinRequests;
  now: () => Date;
  newId: () => string;
}) {
  const perHour = baseRates.managers_per_hour * rateLimit;
  const named = createRate({ perSecond: perHour / 3600, burst: perHour, now });
  const toUpdate = (userId: string, id: string) => resources.require({ userId, id, operation: 'updateResource' });

  /** Returns `<id> <created_at>`. */
  async function createResource(request: Parameters<Resources['create']>[0]): Promise<string> {
    const created = await resources.create(request);
    if (!created) throw new Problem('key.invalid');
    return created;
  }

  /** Creates a resource with this id, unless the user has one. */
  async function createOnce(request: { id: string; userId: string; body: ResourceCreate; created_at?: string }) {
    await createResource(request).catch(async (error: unknown) => {
      const isConflict = error instanceof StorageError && error.kind === 'constraint';
      if (!isConflict || (await resources.find(request.id))?.record.user_id !== request.userId) throw error;
    });
  }

  /** The member, if the user owns or manages the swarm, or owns the resource. */
  async function findMember(request: {
    userId: string;
    swarmId: string;
    id: string;
    operation: OperationOn<SwarmRule>;
  }) {
    const { userId, swarmId, id, operation } = request;
    // In this order: the deletion of a swarm also deletes its members.
    const member = idFormat.test(id) ? await members.find({ id: swarmId, resourceId: id }) : undefined;
    const { swarm, relation } = await swarms.require({ userId, id: swarmId, operation });
    if (!member) throw new Problem('membership.not_found');
    if (relation === 'member' && member.user_id !== userId) throw new Problem('swarm.forbidden');
    return { swarm, member };
  }

  /** The invitation, if it is for the user's resource. Without `resourceId`, it is that of the invitation. */
  async function toAnswer({ userId, id, resourceId }: { userId: string; id: string; resourceId?: string }) {
    // In this order: the deletion of a resource first answers its invitations, then deletes it.
    const found = await invitations.find(id);
    const ofResource = resourceId ?? found?.resource_id;
    if (ofResource !== undefined) {
      await resources.require({ userId, id: ofResource, operation: 'answerInvitation' });
    }
    if (!found || found.resource_id !== ofResource) throw new Problem('invitation.not_found');
    return found;
  }

  /** The invitation, if the user owns or manages its swarm. Without `swarmId`, it is that of the invitation. */
  async function sentInvitation(request: {
    userId: string;
    id: string;
    swarmId?: string;
    operation: OperationOn<SwarmRule>;
  }): Promise<Invitation> {
    const { userId, id, operation } = request;
    // In this order: the deletion of a swarm also deletes its invitations.
    const found = await invitations.find(id);
    const swarmId = request.swarmId ?? found?.swarm_id;
    if (swarmId !== undefined) await swarms.require({ userId, id: swarmId, operation });
    if (!found || found.swarm_id !== swarmId) throw new Problem('invitation.not_found');
    return found;
  }

  /**
   * Returns `<id> <sent_at>`, or undefined if the swarm or the user's relation to it has changed. For both roles, it sends an
   * invitation for each that the resource does not have.
   */
  async function send(options: {
    swarm: SwarmRow;
    userId: string;
    body: RolesSend;
    claim: Claim;
  }): Promise<string | undefined> {
    const { swarm, userId: actor, body, claim } = options;
    const { id: swarmId, user_id: from } = swarm;
    const { resource_type, resource_id: resourceId } = body;
    for (;;) {
      const held = resource_type === 'both' ? await members.find({ id: swarmId, resourceId }) : undefined;
      const roles = rolesOf(resource_type)
        .filter((role) => !held || !covers(held.resource_type, role))
        .map((role) => ({ role, id: newId() }));
      const sent =
        roles.length === 0 ? 'has role' : await invitations.send({ swarmId, from, actor, body, roles, claim });
      if (sent === 'no swarm' || sent === 'no manager') return undefined;
      // Otherwise it has joined meanwhile.
      if (sent === 'has role' && roles.length < 2) throw new Problem('membership.exists');
      if (sent === 'no resource') throw new Problem('body.invalid', { errors: [notTheirs] });
      if (sent !== 'has role') return `${sent.id} ${sent.sent_at}`;
    }
  }

  /** An invitation and the one for the other role: those that still exist. @throws `invitation.not_found` if none does */
  async function findPair(
    ids: readonly (string | undefined)[],
    find: (id: string) => Promise<Invitation>,
  ): Promise<[Invitation, ...Invitation[]]> {
    const found: Invitation[] = [];
    let problem: unknown;
    for (const id of ids) {
      if (id === undefined) continue;
      try {
        found.push(await find(id));
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'invitation.not_found')) throw error;
        problem ??= error;
      }
    }
    const [first, ...others] = found;
    if (!first) throw problem;
    const { swarm_id, resource_id } = first;
    return [first, ...others.filter((other) => other.swarm_id === swarm_id && other.resource_id === resource_id)];
  }

  /** The roles among those of `role` that the resource does not have, each with the id of its invitation. */
  async function missingRoles(request: { swarmId: string; resourceId: string; role: MemberRole }) {
    const { swarmId, resourceId, role } = request;
    const [held, open] = await Promise.all([
      members.find({ id: swarmId, resourceId }),
      invitations.openOf({ swarmId, resourceId }),
    ]);
    const roles = rolesOf(role)
      .filter((wanted) => !held || !covers(held.resource_type, wanted))
      .map((wanted) => ({ role: wanted, id: open.get(wanted) ?? newId(), isOpen: open.has(wanted) }));
    return { held, roles };
  }

  /** The request, if the user may answer those of its swarm. Without `swarmId`, it is that of the request. */
  async function receivedRequest({ userId, id, swarmId }: { userId: string; id: string; swarmId?: string }) {
    // In this order: the deletion of a swarm also deletes its requests.
    const found = await requests.find(id);
    const of = swarmId ?? found?.swarm_id;
    const swarm =
      of === undefined ? undefined : await swarms.require({ userId, id: of, operation: 'answerJoinRequest' });
    if (!found || !swarm || found.swarm_id !== of) throw new Problem('join_request.not_found');
    return { found, swarm: swarm.swarm };
  }

  return {
    createResource,
    createOnce,

    /** `skipsIfEqual`: a resource that would stay as it is keeps its version. */
    async updateResource(request: {
      userId: string;
      id: string;
      sent: SentBody<ResourceUpdate>;
      versionOf?: VersionOf<StoredResource>;
      skipsIfEqual?: boolean;
    }): Promise<StoredResource> {
      const { userId, id, sent, versionOf, skipsIfEqual } = request;
      for (;;) {
        const found = await toUpdate(userId, id);
        if (skipsIfEqual && !differs(found.record, sent.fields)) return found;
        const body = sent.check(readOnlyFaults('resource', sent, found.record));
        const { id: _id, user_id: _user, created_at: _created, modified_at: modifiedAt, ...change } = body;
        const version = versionOf?.(found);
        const written = await resources.update({ id, userId, change, version, modifiedAt });
        if (written) return written;
      }
    },

    async destroyResource(request: { userId: string; id: string; versionOf?: VersionOf<StoredResource> }) {
      const { userId, id, versionOf } = request;
      for (;;) {
        const found = await resources.require({ userId, id, operation: 'destroyResource' });
        if (await resources.destroy({ id, userId, version: versionOf?.(found) })) return;
      }
    },

    async sendInvitation<Role extends MemberRole>(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<RolesSend<Role>>;
      once?: Once;
    }): Promise<Omit<Invitation, 'resource_type'> & { resource_type: Role }> {
      const { userId, swarmId: swarm_id, sent, once = withoutKey } = request;
      /** A manager's invitation is the owner's. */
      let from: string;
      const check = async () => {
        const { swarm } = await swarms.require({ userId, id: swarm_id, operation: 'sendInvitation' });
        from = swarm.user_id;
        const faults = sent.fields['to'] !== from ? [] : from === userId ? [toYourself] : [toOwner];
        return { swarm, body: sent.check(faults) };
      };
      let checked = await check();
      const stored = await once(sent, async (claim) => {
        for (;;) {
          const done = await send({ ...checked, userId, claim });
          if (done !== undefined) return done;
          checked = await check();
        }
      });
      const [id, sent_at] = stored.split(' ') as [string, string];
      const { to, resource_id, resource_type, description } = checked.body;
      return {
        ...{ id, from: from!, to, swarm_id, resource_id, resource_type },
        ...(description !== undefined && { description }),
        ...{ sent_at, status: 'new' },
      };
    },

    /** Sends an invitation of any state again. `isPair`: for both roles. */
    async resendInvitation({ userId, id, isPair }: { userId: string; id: string; isPair: boolean }) {
      for (;;) {
        const found = await sentInvitation({ userId, id, operation: 'sendInvitation' });
        const { swarm_id, to, resource_id, description } = found;
        const { swarm } = await swarms.require({ userId, id: swarm_id, operation: 'sendInvitation' });
        // The recipient owns the swarm since it was handed over.
        if (to === swarm.user_id) throw new Problem('body.invalid', { errors: [to === userId ? toYourself : toOwner] });
        const label = await invitations.labelOf(id);
        const body = {
          ...{ to, resource_id, resource_type: isPair ? ('both' as const) : found.resource_type },
          ...(description !== undefined && { description }),
          ...(label !== null && { label }),
        };
        if ((await send({ swarm, userId, body, claim: () => [] })) !== undefined) return;
      }
    },

    /**
     * Repeated with the same answer, it changes nothing. With `otherId`, it answers two invitations together; if one was
     * answered or withdrawn meanwhile, the one that is left.
     */
    async answerInvitation(request: {
      userId: string;
      id: string;
      otherId?: string | undefined;
      resourceId?: string;
      sent: SentBody<{ status: 'accept' | 'reject' }>;
    }): Promise<Invitation> {
      const { id, otherId, sent } = request;
      for (;;) {
        const pair = await findPair([id, otherId], (each) => toAnswer({ ...request, id: each }));
        const { status } = sent.check(readOnlyFaults('invitation', sent, pair[0]));
        const state = status === 'accept' ? 'accepted' : 'rejected';
        const [first, ...others] = pair.filter((each) => each.status === 'new');
        const same = pair.find((each) => each.status === state);
        if (!first && same) return same;
        if (!first) throw new Problem('invitation.already_answered');
        const answered = await invitations.answer({ answered: [first, ...others], status });
        if (answered) return answered;
      }
    },

    /** `otherId`: as for an answer. */
    async withdrawInvitation(request: { userId: string; id: string; otherId?: string | undefined; swarmId?: string }) {
      const { userId, id, otherId } = request;
      for (;;) {
        const pair = await findPair([id, otherId], (each) =>
          sentInvitation({ ...request, id: each, operation: 'withdrawInvitation' }),
        );
        const ids = pair.filter(({ status }) => status === 'new').map((each) => each.id);
        if (ids.length === 0) throw new Problem('invitation.already_answered');
        if (await invitations.withdraw({ ids, swarmId: pair[0].swarm_id, actor: userId })) return;
      }
    },

    async createJoinLink(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<JoinLinkCreate>;
      once?: Once;
    }): Promise<JoinLink> {
      const { userId, swarmId, sent, once = withoutKey } = request;
      const check = () => swarms.require({ userId, id: swarmId, operation: 'createJoinLink' });
      await check();
      const body = sent.check();
      const stored = await once(sent, async (claim) => {
        const { expires_at } = body;
        if (expires_at !== undefined && expires_at <= now().toISOString()) {
          throw new Problem('body.invalid', { errors: [notInFuture] });
        }
        const id = newId();
        for (;;) {
          const created = await links.create({ id, swarmId, userId, body, claim });
          if (created === 'too many') throw new Problem('link.too_many', { detail: tooManyLinks });
          if (created !== 'no manager') return `${id} ${created.at}`;
          await check();
        }
      });
      const [id, at] = stored.split(' ') as [string, string];
      return links.newLink({ id, swarmId, body, at });
    },

    /** Repeated, it changes nothing. */
    async endJoinLink({ userId, swarmId, id }: { userId: string; swarmId: string; id: string }) {
      for (;;) {
        await swarms.require({ userId, id: swarmId, operation: 'endJoinLink' });
        const ended = await links.end({ id, swarmId, userId });
        if (ended === 'no link') throw new Problem('link.not_found');
        if (ended === true) return;
      }
    },

    /** Asks a user to manage the swarm. Asking again changes nothing. The result does not reveal whether the user exists. */
    async nameManager(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<{ user_id: string }>;
      once?: Once;
    }): Promise<Manager> {
      const { userId: owner, swarmId, sent, once = withoutKey } = request;
      const check = () => swarms.require({ userId: owner, id: swarmId, operation: 'nameManager' });
      await check();
      const { user_id: userId } = sent.check();
      if (userId === owner) throw new Problem('manager.own_swarm');
      const asked_at = await once(sent, async (claim) => {
        for (;;) {
          const known = await managers.find({ swarmId, userId });
          if (known?.status === 'agreed') throw new Problem('manager.exists');
          if (known) return known.asked_at;
          requireTurn(named, owner);
          const asked = await managers.ask({ swarmId, owner, userId, claim });
          if (typeof asked === 'object') return asked.at;
          await check();
          if (asked === 'too many') throw new Problem('manager.too_many', { detail: tooManyManagers });
          if (asked === 'too many unanswered') throw new Problem('manager.too_many_unanswered');
        }
      });
      return { swarm_id: swarmId, user_id: userId, status: 'asked', asked_at };
    },

    /** Repeated, it changes nothing. */
    async agreeToManage(request: {
      userId: string;
      swarmId: string;
      id: string;
      sent: SentBody<{ status: 'agreed' }>;
    }): Promise<Manager> {
      const { userId, swarmId, id, sent } = request;
      for (;;) {
        await swarms.require({ userId, id: swarmId, operation: 'agreeToManage' });
        if (id !== userId) throw new Problem('swarm.forbidden');
        sent.check();
        const manager = await managers.find({ swarmId, userId });
        if (!manager) throw new Problem('manager.not_found');
        if (manager.status === 'agreed') return manager;
        await managers.agree({ swarmId, userId });
      }
    },

    /** By the owner, or by this user, who declines or steps down. */
    async removeManager({ userId, swarmId, id }: { userId: string; swarmId: string; id: string }) {
      for (;;) {
        const { swarm, relation } = await swarms.require({ userId, id: swarmId, operation: 'removeManager' });
        if (relation !== 'owner' && id !== userId) throw new Problem('swarm.forbidden');
        const manager = await managers.find({ swarmId, userId: id });
        if (!manager) throw new Problem('manager.not_found');
        if (await managers.remove({ manager, owner: swarm.user_id, actor: userId })) return;
      }
    },

    /** Offering it again to the same manager changes nothing. */
    async offerSwarm(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<{ user_id: string }>;
    }): Promise<Manager> {
      const { userId: owner, swarmId, sent } = request;
      for (;;) {
        await swarms.require({ userId: owner, id: swarmId, operation: 'offerSwarm' });
        const { user_id: userId } = sent.check();
        const manager = await managers.find({ swarmId, userId });
        if (manager?.status !== 'agreed') throw new Problem('handover.no_manager');
        if (manager.offered_at !== undefined) return manager;
        requireTurn(named, owner);
        await managers.offer({ swarmId, owner, userId });
      }
    },

    /** By the owner, or by the manager to whom it is offered. */
    async endSwarmOffer({ userId, swarmId }: { userId: string; swarmId: string }) {
      for (;;) {
        const { swarm, relation } = await swarms.require({ userId, id: swarmId, operation: 'endSwarmOffer' });
        const offered = (await managers.ofSwarm(swarmId)).find(({ offered_at }) => offered_at !== undefined);
        if (relation !== 'owner' && offered?.user_id !== userId) throw new Problem('swarm.forbidden');
        if (!offered) throw new Problem('handover.not_found');
        const owner = swarm.user_id;
        if (await managers.endOffer({ swarmId, owner, userId: offered.user_id, actor: userId })) return;
      }
    },

    /** Repeated, it changes nothing. */
    async takeOverSwarm(request: { userId: string; swarmId: string; sent: SentBody<{ user_id: string }> }) {
      const { userId, swarmId, sent } = request;
      for (;;) {
        const { swarm } = await swarms.require({ userId, id: swarmId, operation: 'takeOverSwarm' });
        if (sent.check().user_id !== userId) throw new Problem('swarm.forbidden');
        if (swarm.user_id === userId) return;
        const owner = swarm.user_id;
        const isOffered = (await managers.find({ swarmId, userId }))?.offered_at !== undefined;
        if (isOffered && (await managers.takeOver({ swarmId, owner, userId }))) return;
        if (!(await managers.hasAccount(owner))) throw new Problem('swarm.not_found');
        // Another request may have taken the swarm over, or deleted it, since this one read it.
        if (!isOffered && (await swarms.find(swarmId))?.user_id === owner) throw new Problem('handover.not_found');
      }
    },

    /** The swarms that owners ask the user to manage or to own. */
    async offersTo(userId: string): Promise<Offer[]> {
      const offers: Offer[] = [];
      for (const { swarm_id, ...more } of await managers.offersTo(userId)) {
        const swarm = await swarms.find(swarm_id);
        if (swarm) offers.push({ ...more, swarm: JSON.parse(await swarms.summary(swarm)) as SwarmSummary });
      }
      return offers;
    },

    /** A forged code, and one of a link that cannot be used, are the same problem. */
    async openJoinLink({ userId, code }: { userId: string; code: string }): Promise<JoinOffer> {
      const link = await links.ofCode(code);
      const swarm = link && (await swarms.find(link.swarm_id));
      if (!swarm) throw new Problem('link.not_found');
      const { id, resource_type, expires_at, max_resources, joined } = link;
      return {
        ...{ id, pass: links.passOf({ id, userId }), resource_type },
        ...(expires_at !== null && { expires_at }),
        ...(max_resources !== null && { resources_left: max_resources - joined }),
        swarm: JSON.parse(await swarms.summary(swarm)) as SwarmSummary,
      };
    },

    /** The resource joins as if the swarm's owner had invited it. Returns the member with the role that it has now. */
    async joinByLink(request: {
      userId: string;
      linkId: string;
      sent: SentBody<{ pass: string; resource_id: string }>;
      once?: Once;
    }): Promise<{ swarmId: string; member: SwarmMember }> {
      const { userId, linkId, sent, once = withoutKey } = request;
      const { pass, resource_id: resourceId } = sent.check();
      const link = await links.ofPass({ id: linkId, userId, pass });
      if (!link) throw new Problem('link.not_found');
      const { swarm_id: swarmId } = link;
      const ownerNow = async () => {
        const swarm = await swarms.find(swarmId);
        if (!swarm) throw new Problem('link.not_found');
        if (swarm.user_id === userId) throw new Problem('link.own_swarm');
        return swarm.user_id;
      };
      let from = await ownerNow();
      const role = await once(sent, async (claim) => {
        for (;;) {
          const { held, roles } = await missingRoles({ swarmId, resourceId, role: link.resource_type });
          if (held?.user_id === userId && roles.length === 0) throw new Problem('membership.exists');
          const by = [links.takePlace({ id: linkId, resourceId })];
          const joining = { linkId, by, swarmId, from, to: userId, resourceId, roles, claim };
          const joined = await invitations.join(joining);
          if (joined === 'no link') throw new Problem('link.not_found');
          if (joined === 'no resource') throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
          if (joined === 'no swarm') from = await ownerNow();
          // Otherwise an invitation was sent or answered meanwhile.
          if (typeof joined === 'object') return joined.role;
        }
      });
      const member = { resource_id: resourceId, resource_type: role as MemberRole, user_id: userId };
      return { swarmId, member: members.memberOf(member) };
    },

    async askToJoin(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<JoinRequestSend>;
      once?: Once;
    }): Promise<JoinRequest> {
      const { userId, swarmId, sent, once = withoutKey } = request;
      const { swarm } = await swarms.require({ userId, id: swarmId, operation: 'askToJoin' });
      const body = sent.check();
      const { message, ...device } = body;
      const text = await once(sent, async (claim) => {
        const resource = (await resources.find(device.resource_id))?.record;
        if (resource?.user_id !== userId) throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
        const made: JoinRequest = {
          ...{ id: newId(), swarm_id: swarmId, swarm_name: swarm.name, user_id: userId, ...device },
          ...{ resource_name: resource.name, machine_type: resource.machine_type },
          ...{ asked_at: now().toISOString(), status: 'new' },
        };
        const stored = JSON.stringify([made]);
        const asked = { ...made, ...(message !== undefined && { message }) };
        const written = await requests.send({ request: asked, stored, claim });
        if (written === 'no resource') throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
        if (written !== 'sent') throw notSent[written]();
        return stored;
      });
      const [made] = JSON.parse(text) as [JoinRequest];
      return { ...made, ...(message !== undefined && { message }) };
    },

    /**
     * Accepting makes the resource a member, as if it had been invited and its owner had accepted. Repeated with the same
     * answer, it changes nothing.
     */
    async answerJoinRequest(request: {
      userId: string;
      id: string;
      swarmId?: string;
      sent: SentBody<{ status: 'accept' | 'reject' }>;
    }): Promise<JoinRequest> {
      const { userId: actor, id, sent } = request;
      for (;;) {
        const { found, swarm } = await receivedRequest({ ...request, userId: actor });
        const { status } = sent.check();
        const state = status === 'accept' ? 'accepted' : 'rejected';
        if (found.status === state) return found;
        if (found.status !== 'new') throw new Problem('join_request.already_answered');
        if (status === 'reject') {
          await requests.reject({ id, swarmId: found.swarm_id, actor });
          continue;
        }
        const { swarm_id: swarmId, resource_id: resourceId, user_id: to, resource_type: role } = found;
        const { roles } = await missingRoles({ swarmId, resourceId, role });
        const by = requests.accepting({ id, swarmId, actor });
        const joining = { by, swarmId, from: swarm.user_id, to, resourceId, roles, claim: () => [] };
        // Otherwise something has changed meanwhile.
        await invitations.join(joining);
      }
    },

    /** Only the user who asks. */
    async withdrawJoinRequest({ userId, id }: { userId: string; id: string }) {
      for (;;) {
        const found = await requests.find(id);
        if (found?.user_id !== userId) throw new Problem('join_request.not_found');
        if (found.status !== 'new') throw new Problem('join_request.already_answered');
        if (await requests.withdraw({ id, actor: userId })) return;
      }
    },

    async listBlockedUsers({ userId, swarmId }: { userId: string; swarmId: string }): Promise<BlockedUser[]> {
      await swarms.require({ userId, id: swarmId, operation: 'listBlockedUsers' });
      return requests.blocked(swarmId);
    },

    /** The user may not ask to join this swarm any more. Open requests are rejected. Repeated, it changes nothing. */
    async blockUser({ userId: actor, swarmId, blocked }: { userId: string; swarmId: string; blocked: string }) {
      for (;;) {
        await swarms.require({ userId: actor, id: swarmId, operation: 'blockUser' });
        const failed = await requests.block({ swarmId, userId: blocked, actor });
        if (failed === 'no request') throw new Problem('join_request.not_found');
        if (failed === 'too many') throw new Problem('join_request.too_many', { detail: tooManyBlocked });
        if (failed === undefined) return;
      }
    },

    /** Repeated, it changes nothing. */
    async unblockUser({ userId: actor, swarmId, blocked }: { userId: string; swarmId: string; blocked: string }) {
      for (;;) {
        await swarms.require({ userId: actor, id: swarmId, operation: 'unblockUser' });
        if (await requests.unblock({ swarmId, userId: blocked, actor })) return;
      }
    },

    /** Returns the member with the role that it has now. */
    async addMember(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<{ resource_id: string; resource_type: MemberRole }>;
      once?: Once;
    }): Promise<SwarmMember> {
      const { userId, swarmId, sent, once = withoutKey } = request;
      await swarms.require({ userId, id: swarmId, operation: 'addMember' });
      const body = sent.check();
      const role = await once(sent, async (claim) => {
        const added = await members.add({ swarmId, ...body, userId, claim });
        if (added === 'no swarm') throw new Problem('swarm.not_found');
        if (added === 'no resource') throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
        if (added === 'has role') throw new Problem('membership.exists');
        return added.role;
      });
      const { resource_id } = body;
      return members.memberOf({ resource_id, resource_type: role as MemberRole, user_id: userId });
    },

    async updateMember(request: {
      userId: string;
      swarmId: string;
      id: string;
      sent: SentBody<{ resource_type: MemberRole }>;
    }): Promise<SwarmMember> {
      const { userId, sent } = request;
      for (;;) {
        const { swarm, member } = await findMember({ ...request, operation: 'updateMember' });
        const body = sent.check(readOnlyFaults('member', sent, member));
        const free = swarm.user_id === userId && member.user_id === userId;
        if (!free && !covers(member.resource_type, body.resource_type)) throw new Problem('membership.cannot_widen');
        const { resource_id, resource_type: from, user_id, url } = member;
        const { resource_type: to } = body;
        // Not a change: it would be in the activity log of both owners.
        const isChange = to !== from;
        const change = { swarmId: swarm.id, resourceId: resource_id, from, to, actor: userId };
        if (!isChange || (await members.changeRole(change))) return { resource_id, resource_type: to, user_id, url };
      }
    },

    async removeMember(request: { userId: string; swarmId: string; id: string; type?: 'producer' | 'consumer' }) {
      const { userId, type } = request;
      for (;;) {
        const { swarm, member } = await findMember({ ...request, operation: 'removeMember' });
        const { resource_id: resourceId, resource_type: role } = member;
        if (type && !covers(role, type)) throw new Problem('membership.not_found');
        const common = { swarmId: swarm.id, resourceId, actor: userId };
        const isDone =
          type && role !== type
            ? await members.changeRole({ ...common, from: role, to: type === 'producer' ? 'consumer' : 'producer' })
            : await members.remove({ ...common, role });
        if (isDone) return;
      }
    },

    async destroySwarm(request: { userId: string; id: string; versionOf?: VersionOf<SwarmRow> }) {
      const { userId, id, versionOf } = request;
      for (;;) {
        const { swarm } = await swarms.require({ userId, id, operation: 'destroySwarm' });
        if (await swarms.destroy({ id, userId, version: versionOf?.(swarm) })) return;
      }
    },

    /** The values that each change will replace. Null if it changes nothing, or not a resource of the user. */
    async fieldsBefore({ userId, changes }: { userId: string; changes: { id: string; change: ResourceChange }[] }) {
      const found = await resources.findAll(changes.map(({ id }) => id));
      return changes.map(({ id, change }) => {
        const record = found.get(id);
        return record?.user_id === userId && differs(record, change) ? pick(fieldsOf(record), change) : null;
      });
    },

    /**
     * Changes fields that have the value of `after` back to that of `before`.
     * @throws `action.changed_since` if one has neither
     */
    async restoreFields(request: { userId: string; id: string; after: ResourceChange; before: ResourceChange }) {
      const { userId, id, after, before } = request;
      for (;;) {
        const { record, version } = await toUpdate(userId, id);
        const isLike = (fields: ResourceChange) => (name: FieldName) => !differs(record, { [name]: fields[name] });
        const changed = fieldNames.filter((name) => !isLike(before)(name));
        const left = changed.filter(isLike(after));
        const change = Object.fromEntries(left.map((name) => [name, before[name]]));
        const isDone =
          left.length === 0 || (await resources.update({ id, userId, change, version, modifiedAt: undefined }));
        if (isDone && left.length < changed.length) throw new Problem('action.changed_since');
        if (isDone) return;
      }
    },

    /** Deletes a resource that nobody has changed since it was created. @throws `action.changed_since` */
    async destroyUnchanged({ userId, id }: { userId: string; id: string }) {
      const found = await resources.find(id);
      if (found?.record.user_id !== userId) return;
      if (found.version !== 1 || !(await resources.destroy({ id, userId, version: 1 }))) {
        throw new Problem('action.changed_since');
      }
    },

    async resourcesBefore({ userId, ids }: { userId: string; ids: string[] }): Promise<(DeletedResource | null)[]> {
      const found = await resources.findAll(ids);
      const roles = Map.groupBy(await members.rolesInOwn({ userId, ids }), ({ resource_id }) => resource_id);
      return ids.map((id) => {
        const record = found.get(id);
        if (record?.user_id !== userId) return null;
        return {
          record,
          roles: (roles.get(id) ?? []).map(({ swarm_id, resource_type }) => ({ swarm_id, resource_type })),
        };
      });
    },

    /** Creates a deleted resource again, with its id and its roles in those of the swarms that still exist. */
    async restoreResource({ userId, before: { record, roles } }: { userId: string; before: DeletedResource }) {
      const { id, user_id: _user, created_at, modified_at: _modified, ...body } = record;
      await createOnce({ id, userId, body, created_at });
      for (const role of roles) {
        const { swarm_id: swarmId, resource_type } = role;
        await members.add({ swarmId, resource_id: id, resource_type, userId, claim: () => [] });
      }
    },

    /** The roles of the user's resources in the user's swarm. Null if one of both is not the user's. */
    async rolesBefore({ userId, swarmId, ids }: { userId: string; swarmId: string; ids: string[] }) {
      const roles = await members.ownRoles({ userId, swarmId, ids });
      return ids.map((id) => {
        const resource_type = roles.get(id);
        return resource_type === undefined ? null : { resource_type };
      });
    },

    /**
     * Gives a resource the role that it had before (null: it was no member).
     * @throws `action.changed_since` if its role is not `after`
     */
    async restoreRole(request: {
      userId: string;
      swarmId: string;
      id: string;
      after: MemberRole;
      before: MemberRole | null;
    }) {
      const { userId, swarmId, id: resourceId, after, before } = request;
      await swarms.require({ userId, id: swarmId, operation: 'addMember' });
      const current = (await members.ownRoles({ userId, swarmId, ids: [resourceId] })).get(resourceId);
      if (current === before) return;
      const change = { swarmId, resourceId, actor: userId };
      const isDone =
        current === after &&
        (before === null
          ? await members.remove({ ...change, role: after })
          : await members.changeRole({ ...change, from: after, to: before }));
      if (!isDone) throw new Problem('action.changed_since');
    },
  };
}

const toYourself = { pointer: '/to', code: 'invitation.to_yourself', detail: 'is your own user name' };
const toOwner = { pointer: '/to', code: 'invitation.to_owner', detail: 'owns the swarm' };
const notTheirs = { pointer: '/resource_id', code: 'resource.not_theirs', detail: 'is not a resource of that user' };

const notInFuture = { pointer: '/expires_at', code: 'field.out_of_range', detail: 'must be in the future' };
const tooManyLinks = `A swarm can have up to ${linkLimits.open} links that have not ended. End some first.`;

const tooManyManagers = `A swarm can have up to ${managerLimits.ofSwarm} managers. Remove some first.`;

const tooMany = (detail: string) => () => new Problem('join_request.too_many', { detail });
const notSent = {
  'no user': () => new Problem('key.invalid'),
  'not accepted': () => new Problem('join_request.not_accepted'),
  'has role': () => new Problem('membership.exists'),
  exists: () => new Problem('join_request.exists'),
  'too soon': () => new Problem('join_request.too_soon'),
  'too many open': tooMany(`An account can have up to ${requestLimits.open} open requests. Take some back first.`),
  'too many in swarm': tooMany('This swarm has too many open requests. Try again later.'),
  'too many today': tooMany(
    `An account can send up to ${requestLimits.aDayToSwarm} requests to a swarm in a day, and ${requestLimits.aDay} in all.`,
  ),
};
const tooManyBlocked = `A swarm can block up to ${requestLimits.blocked} users. Unblock some first.`;

const rolesOf = (role: MemberRole): InvitationRole[] => (role === 'both' ? ['producer', 'consumer'] : [role]);

/** Whether the role `current` includes the role `next`. */
function covers(current: MemberRole, next: MemberRole): boolean {
  return current === 'both' || current === next;
}

/** The fields that `change` has, of `fields`. */
const pick = (fields: ResourceFields, change: ResourceChange): ResourceChange =>
  Object.fromEntries(fieldNames.flatMap((name) => (change[name] === undefined ? [] : [[name, fields[name]]])));

function differs(record: Resource, change: { [Name in FieldName]?: unknown }): boolean {
  const stored = fieldsOf(record);
  return fieldNames.some((name) => change[name] !== undefined && !isDeepStrictEqual(change[name], stored[name]));
}
