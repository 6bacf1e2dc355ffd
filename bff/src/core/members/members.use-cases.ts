/** What users do to the members of a swarm. See `use-cases.ts`. */
import type { MemberRole, SwarmMember } from '../../contract.ts';
import { dayMs } from '../limits/durations.ts';
import type { SentBody } from '../sent-body.ts';
import { Problem } from '../problem.ts';
import { idFormat } from '../limits/field-rules.ts';
import { countRetries } from '../limits/retries.ts';
import { withoutKey, type Once } from '../endpoint/idempotency.store.ts';
import { earlierEnd, endFaults } from './consent-ends.ts';
import { covers } from './member-roles.ts';
import type { OperationOn } from '../endpoint/policy.ts';
import type { SwarmRule } from '../endpoint/rules.ts';
import { readOnlyFaults } from '../endpoint/read-only-fields.ts';
import { notYours } from '../resources/resources.store.ts';
import type { Stores } from '../stores.ts';

export type MemberUseCases = ReturnType<typeof createMemberUseCases>;

export function createMemberUseCases({
  swarms,
  members,
  now,
}: Pick<Stores, 'swarms' | 'members'> & { now: () => Date }) {
  /** The member, if the user owns or manages the swarm, or owns the resource. */
  async function findMember(request: {
    userId: string;
    swarmId: string;
    id: string;
    operation: OperationOn<SwarmRule>;
  }) {
    const { userId, swarmId, id, operation } = request;
    // The member is read before the swarm, because the deletion of a swarm also deletes its members.
    const member = idFormat.test(id) ? await members.find({ id: swarmId, resourceId: id, viewer: userId }) : undefined;
    const about = member ? member.user_id : userId;
    const { swarm } = await swarms.require({ userId, id: swarmId, operation, about });
    if (!member) throw new Problem('membership.not_found');
    return { swarm, member };
  }

  return {
    /** Returns the member with the role that it has now. */
    async addMember(request: {
      userId: string;
      swarmId: string;
      sentBody: SentBody<{ resource_id: string; resource_type: MemberRole; shown_by_links?: boolean | undefined }>;
      once?: Once;
    }): Promise<SwarmMember> {
      const { userId, swarmId, sentBody, once = withoutKey } = request;
      await swarms.require({ userId, id: swarmId, operation: 'addMember' });
      const { shown_by_links: isShown, ...device } = sentBody.check();
      const role = await once(sentBody, async (claim) => {
        const terms = isShown === undefined ? {} : { shown_by_links: isShown ? 1 : 0 };
        const added = await members.add({ swarmId, ...device, terms, userId, claim });
        if (added === 'not allowed') throw new Problem('swarm.not_found');
        if (added === 'no resource') throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
        if (added === 'has role') throw new Problem('membership.exists');
        return added.role;
      });
      return members.joined({ swarmId, resourceId: device.resource_id, role, userId });
    },

    async updateMember(request: {
      userId: string;
      swarmId: string;
      id: string;
      sentBody: SentBody<{
        resource_type?: MemberRole | undefined;
        ends_at?: string | null | undefined;
        shown_by_links?: boolean | undefined;
      }>;
    }): Promise<SwarmMember> {
      const { userId, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        const { swarm, member } = await findMember({ ...request, operation: 'updateMember' });
        const body = sentBody.check(readOnlyFaults('member', sentBody, member));
        const { resource_id, resource_type: from, user_id, ends_at: end, ends_at_most: most } = member;
        const wasShown = member.shown_by_links ?? false;
        if (body.shown_by_links !== undefined && user_id !== userId) sentBody.check([onlyByOwner]);
        const { resource_type: to = from, ends_at = end ?? null, shown_by_links: isShown = wasShown } = body;
        const isGiver = user_id === userId;
        if (!(isGiver && swarm.user_id === userId) && !covers(from, to)) throw new Problem('membership.cannot_widen');
        const endChanges = ends_at !== (end ?? null);
        // The other side only makes it shorter, and the owner of the device cannot take that back.
        if (endChanges) sentBody.check(endFaults({ ends_at }, { now: now(), most: isGiver ? most : end }));
        const ends_at_most = endChanges && !isGiver ? ends_at : (most ?? null);
        const change = {
          // Setting the same role is no change, which would be in the activity log of both owners.
          ...(to !== from && { role: to }),
          ...(endChanges && { end: { from: end ?? null, to: ends_at, most: ends_at_most } }),
          ...(isShown !== wasShown && { shown: isShown }),
        };
        const membership = { swarmId: swarm.id, resourceId: resource_id, owner: user_id, actor: userId, was: from };
        if (Object.keys(change).length === 0 || (await members.change({ ...membership, ...change })))
          return members.memberOf({ resource_id, resource_type: to, user_id, ends_at, ends_at_most });
      }
    },

    /** A member that ends at `from` stays a day longer, or as long as the swarm offers. Executed again, it changes nothing more. */
    async extendMember(request: { userId: string; swarmId: string; id: string; from: string }) {
      const { userId, from } = request;
      for (const retry = countRetries(); ; retry()) {
        const { swarm, member } = await findMember({ ...request, operation: 'updateMember' });
        const { resource_id: resourceId, resource_type: was, user_id: owner, ends_at, ends_at_most: most } = member;
        if (ends_at !== from) return;
        const later = new Date(Date.parse(from) + dayMs).toISOString();
        const to = earlierEnd(later, owner === userId ? most : from)!;
        if (to <= from)
          throw new Problem('body.invalid', { errors: endFaults({ ends_at: later }, { now: now(), most: from }) });
        const membership = { swarmId: swarm.id, resourceId, owner, actor: userId, was };
        if (await members.change({ ...membership, end: { from, to, most: most ?? null } })) return;
      }
    },

    endingMembers: members.ownEnding,

    async removeMember(request: { userId: string; swarmId: string; id: string; type?: 'producer' | 'consumer' }) {
      const { userId, type } = request;
      for (const retry = countRetries(); ; retry()) {
        const { swarm, member } = await findMember({ ...request, operation: 'removeMember' });
        const { resource_id: resourceId, resource_type: role, user_id: owner } = member;
        if (type && !covers(role, type)) throw new Problem('membership.not_found');
        const common = { swarmId: swarm.id, resourceId, owner, actor: userId };
        const isDone =
          type && role !== type
            ? await members.change({ ...common, was: role, role: type === 'producer' ? 'consumer' : 'producer' })
            : await members.remove({ ...common, role });
        if (isDone) return;
      }
    },

    /** The roles of the user's resources in the user's swarm. Null if one of both is not the user's. */
    async rolesBefore({ userId, swarmId, ids }: { userId: string; swarmId: string; ids: string[] }) {
      const roles = await members.ownRoles({ userId, swarmId, ids });
      return ids.map((id) => roles.get(id) ?? null);
    },

    /**
     * Gives a resource the role that it had before (null: it was no member). `hides`: links showed it only since then.
     * @throws `action.changed_since` if its role is not `after`
     */
    async restoreRole(request: {
      userId: string;
      swarmId: string;
      id: string;
      after: MemberRole;
      before: MemberRole | null;
      hides?: boolean;
    }) {
      const { userId, swarmId, id: resourceId, after, before, hides } = request;
      await swarms.require({ userId, id: swarmId, operation: 'addMember' });
      const roles = await members.ownRoles({ userId, swarmId, ids: [resourceId] });
      const current = roles.get(resourceId)?.resource_type;
      if (current === before) return;
      const change = { swarmId, resourceId, owner: userId, actor: userId };
      const isDone =
        current === after &&
        (before === null
          ? await members.remove({ ...change, role: after })
          : await members.change({ ...change, was: after, role: before, ...(hides && { shown: false }) }));
      if (!isDone) throw new Problem('action.changed_since');
    },
  };
}

const onlyByOwner = {
  pointer: '/shown_by_links',
  code: 'resource.not_yours',
  detail: 'can only be set by the owner of the resource',
};
