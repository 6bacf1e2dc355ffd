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
  type JoinOffer,
  type MemberRole,
  type Resource,
  type ResourceCreate,
  type ResourceUpdate,
  type SwarmMember,
  type SwarmSummary,
} from '../contract.ts';
import type { SentBody } from '../http/json-body.ts';
import { Problem, type FieldFault } from '../http/problem.ts';
import { idFormat, linkLimits } from '../limits/field-rules.ts';
import { fieldNames, fieldsOf, type FieldName, type ResourceFields } from '../store/resource-fields.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { StorageError } from '../store/storage-error.ts';
import type { Claim, Once } from './idempotency.store.ts';
import type { Invitations } from './invitations.store.ts';
import type { JoinLinks } from './join-links.store.ts';
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

type VersionOf<Found> = (found: Found) => number | undefined;
const withoutKey: Once = (_sent, act) => act(() => []);

export type UseCases = ReturnType<typeof createUseCases>;

export function createUseCases({
  resources,
  swarms,
  members,
  invitations,
  links,
  now,
  newId,
}: {
  resources: Resources;
  swarms: Swarms;
  members: Members;
  invitations: Invitations;
  links: JoinLinks;
  now: () => Date;
  newId: () => string;
}) {
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

  /** The member, if the user owns the swarm or the resource. */
  async function findMember(request: {
    userId: string;
    swarmId: string;
    id: string;
    operation: OperationOn<SwarmRule>;
  }) {
    const { userId, swarmId, id, operation } = request;
    // In this order: the deletion of a swarm also deletes its members.
    const member = idFormat.test(id) ? await members.find({ id: swarmId, resourceId: id }) : undefined;
    const { swarm } = await swarms.require({ userId, id: swarmId, operation });
    if (!member) throw new Problem('membership.not_found');
    if (swarm.user_id !== userId && member.user_id !== userId) throw new Problem('swarm.forbidden');
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

  /** The invitation, if the user owns its swarm. Without `swarmId`, it is that of the invitation. */
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

  /** Returns `<id> <sent_at>`. The caller has checked that the user owns the swarm. */
  async function send(options: { from: string; swarmId: string; body: InvitationSend; claim: Claim }): Promise<string> {
    const sent = await invitations.send({ id: newId(), ...options });
    if (sent === 'no swarm') throw new Problem('swarm.not_found');
    if (sent === 'has role') throw new Problem('membership.exists');
    if (sent === 'no resource') throw new Problem('body.invalid', { errors: [notTheirs] });
    return `${sent.id} ${sent.sent_at}`;
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

    async sendInvitation(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<InvitationSend>;
      once?: Once;
    }): Promise<Invitation> {
      const { userId: from, swarmId: swarm_id, sent, once = withoutKey } = request;
      await swarms.require({ userId: from, id: swarm_id, operation: 'sendInvitation' });
      const body = sent.check(sent.fields['to'] === from ? [toYourself] : []);
      const stored = await once(sent, (claim) => send({ from, swarmId: swarm_id, body, claim }));
      const [id, sent_at] = stored.split(' ') as [string, string];
      const { to, resource_id, resource_type, description } = body;
      return {
        ...{ id, from, to, swarm_id, resource_id, resource_type },
        ...(description !== undefined && { description }),
        ...{ sent_at, status: 'new' },
      };
    },

    /** Sends an invitation of any state again. */
    async resendInvitation({ userId, id }: { userId: string; id: string }) {
      const found = await sentInvitation({ userId, id, operation: 'sendInvitation' });
      const { swarm_id: swarmId, to, resource_id, resource_type, description } = found;
      const body = { to, resource_id, resource_type, ...(description !== undefined && { description }) };
      await send({ from: userId, swarmId, body, claim: () => [] });
    },

    /** Repeated with the same answer, it changes nothing. */
    async answerInvitation(request: {
      userId: string;
      id: string;
      resourceId?: string;
      sent: SentBody<{ status: 'accept' | 'reject' }>;
    }): Promise<Invitation> {
      const { sent } = request;
      for (;;) {
        const invitation = await toAnswer(request);
        const { status } = sent.check(readOnlyFaults('invitation', sent, invitation));
        const state = status === 'accept' ? 'accepted' : 'rejected';
        if (invitation.status === state) return invitation;
        if (invitation.status !== 'new') throw new Problem('invitation.already_answered');
        const answered = await invitations.answer({ invitation, status });
        if (answered) return answered;
      }
    },

    async withdrawInvitation(request: { userId: string; id: string; swarmId?: string }) {
      for (;;) {
        const found = await sentInvitation({ ...request, operation: 'withdrawInvitation' });
        const { id, swarm_id: swarmId, status } = found;
        if (status !== 'new') throw new Problem('invitation.already_answered');
        if (await invitations.withdraw({ id, swarmId, actor: request.userId })) return;
      }
    },

    async createJoinLink(request: {
      userId: string;
      swarmId: string;
      sent: SentBody<JoinLinkCreate>;
      once?: Once;
    }): Promise<JoinLink> {
      const { userId, swarmId, sent, once = withoutKey } = request;
      await swarms.require({ userId, id: swarmId, operation: 'createJoinLink' });
      const body = sent.check();
      const stored = await once(sent, async (claim) => {
        const { expires_at } = body;
        if (expires_at !== undefined && expires_at <= now().toISOString()) {
          throw new Problem('body.invalid', { errors: [notInFuture] });
        }
        const id = newId();
        const created = await links.create({ id, swarmId, userId, body, claim });
        if (created === 'no swarm') throw new Problem('swarm.not_found');
        if (created === 'too many') throw new Problem('link.too_many', { detail: tooManyLinks });
        return `${id} ${created.at}`;
      });
      const [id, at] = stored.split(' ') as [string, string];
      return links.newLink({ id, swarmId, body, at });
    },

    /** Repeated, it changes nothing. */
    async endJoinLink({ userId, swarmId, id }: { userId: string; swarmId: string; id: string }) {
      await swarms.require({ userId, id: swarmId, operation: 'endJoinLink' });
      if (!(await links.end({ id, swarmId }))) throw new Problem('link.not_found');
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
      const swarm = link && (await swarms.find(link.swarm_id));
      if (!swarm) throw new Problem('link.not_found');
      if (swarm.user_id === userId) throw new Problem('link.own_swarm');
      const { id: swarmId, user_id: from } = swarm;
      const role = await once(sent, async (claim) => {
        for (;;) {
          const [held, open] = await Promise.all([
            members.find({ id: swarmId, resourceId }),
            invitations.openOf({ swarmId, resourceId }),
          ]);
          const roles = rolesOf(link.resource_type)
            .filter((wanted) => !held || !covers(held.resource_type, wanted))
            .map((wanted) => ({ role: wanted, id: open.get(wanted) ?? newId(), isOpen: open.has(wanted) }));
          if (held?.user_id === userId && roles.length === 0) throw new Problem('membership.exists');
          const place = links.takePlace({ id: linkId, resourceId });
          const joining = { linkId, place, swarmId, from, to: userId, resourceId, roles, claim };
          const joined = await invitations.join(joining);
          if (joined === 'no link') throw new Problem('link.not_found');
          if (joined === 'no resource') throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
          // Otherwise an invitation was sent or answered meanwhile.
          if (typeof joined === 'object') return joined.role;
        }
      });
      const member = { resource_id: resourceId, resource_type: role as MemberRole, user_id: userId };
      return { swarmId, member: members.memberOf(member) };
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
        if (await swarms.destroy({ id, version: versionOf?.(swarm) })) return;
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
const notTheirs = { pointer: '/resource_id', code: 'resource.not_theirs', detail: 'is not a resource of that user' };

const notInFuture = { pointer: '/expires_at', code: 'field.out_of_range', detail: 'must be in the future' };
const tooManyLinks = `A swarm can have up to ${linkLimits.open} links that have not ended. End some first.`;

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
