/** The members of a swarm: added, removed, and their roles. */
import { z } from '@hono/zod-openapi';
import { consentEnd, invitationRoles, type MemberRole } from '../../../contract.ts';
import { validBody } from '../../../core/sent-body.ts';
import { ignore, named, ofSwarm, role, shown, type KindsOf, type ItemsOfAction, type UseCases } from './kind.ts';

export const memberKinds = (
  useCases: UseCases,
): KindsOf<'add_member' | 'change_role' | 'narrow_role' | 'remove_member' | 'extend_member' | 'offer_end'> => ({
  add_member: {
    about: z.strictObject({ ...ofSwarm, resource_type: role, ...shown }),
    item: named,
    run: ({ userId, about: { swarm, ...terms }, item: { id } }) =>
      useCases
        .addMember({ userId, swarmId: swarm.id, sentBody: validBody({ resource_id: id, ...terms }) })
        .catch(ignore('membership.exists')),
    before: (items) => rolesBefore(useCases, items, [items.about.resource_type, 'both']),
    inverse: ({ userId, about: { swarm, resource_type, shown_by_links }, item: { id }, before }) =>
      useCases.restoreRole({
        userId,
        swarmId: swarm.id,
        id,
        before: before.resource_type,
        after: [null, resource_type].includes(before.resource_type) ? resource_type : 'both',
        hides: shown_by_links === true && before.shown_by_links === false,
      }),
  },
  change_role: {
    about: z.strictObject({ ...ofSwarm, resource_type: role }),
    item: named,
    run: ({ userId, about: { swarm, resource_type }, item: { id } }) =>
      useCases.updateMember({ userId, swarmId: swarm.id, id, sentBody: validBody({ resource_type }) }),
    before: (items) => rolesBefore(useCases, items, [items.about.resource_type]),
    inverse: ({ userId, about: { swarm, resource_type }, item: { id }, before }) =>
      useCases.restoreRole({
        userId,
        swarmId: swarm.id,
        id,
        before: before.resource_type,
        after: resource_type,
      }),
  },
  narrow_role: {
    about: z.strictObject({ ...ofSwarm, resource_type: z.enum(invitationRoles) }),
    item: named,
    run: ({ userId, about: { swarm, resource_type }, item: { id } }) =>
      useCases.updateMember({ userId, swarmId: swarm.id, id, sentBody: validBody({ resource_type }) }),
  },
  remove_member: {
    about: z.strictObject(ofSwarm),
    item: named,
    run: ({ userId, about: { swarm }, item: { id } }) =>
      useCases.removeMember({ userId, swarmId: swarm.id, id }).catch(ignore('membership.not_found')),
    // A user whose last device has left no longer sees a private swarm.
    doneIfRepeated: ['swarm.not_found'],
  },
  extend_member: {
    about: z.strictObject({ ...ofSwarm, ends_at: consentEnd }),
    item: named,
    run: ({ userId, about: { swarm, ends_at }, item: { id } }) =>
      useCases.extendMember({ userId, swarmId: swarm.id, id, from: ends_at }),
  },
  offer_end: {
    about: z.strictObject({ ...ofSwarm, ends_at: consentEnd }),
    item: named,
    run: ({ userId, about: { swarm, ends_at }, item: { id } }) =>
      useCases.offerLaterEnd({ userId, swarmId: swarm.id, id, endsAt: ends_at }),
    // Its owner has accepted it.
    doneIfRepeated: ['membership.exists'],
  },
});

/** What a change of roles replaces. Null for a member that has one of these roles already. */
async function rolesBefore(
  useCases: UseCases,
  { userId, about, items }: ItemsOfAction<'add_member'>,
  enough: readonly MemberRole[],
) {
  const ids = items.map(({ id }) => id);
  const roles = await useCases.rolesBefore({ userId, swarmId: about.swarm.id, ids });
  return roles.map((role) => (role?.resource_type && enough.includes(role.resource_type) ? null : role));
}
