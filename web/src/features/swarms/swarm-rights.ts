import type { InvitationRole, Member, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { memberRoles } from '@swarmdeck/bff/field-rules';

/** Whether the user owns the swarm or manages it for its owner. */
export const managesSwarm = ({ relation }: Pick<SwarmItem, 'relation'>) =>
  relation === 'owner' || relation === 'manager';

interface RightsOnMemberOptions {
  swarm: Pick<SwarmItem, 'user_id' | 'relation'>;
  member: Pick<Member, 'user_id' | 'resource_type' | 'ends_at' | 'ends_at_most'>;
  /** The user owns the device. */
  mine: boolean;
}

/** What the user may do to a member as the owner or a manager of the swarm, or the owner of the device. */
export function rightsOnMember({ swarm, member, mine }: RightsOnMemberOptions): {
  changeTo: MemberRole[];
  reduceTo: InvitationRole[];
  invite: InvitationRole | null;
  remove: boolean;
  /** The latest end that the user may set is `latest`; undefined for any. */
  end: { latest: string | undefined } | null;
  /** The user may offer the owner of the device a later end. */
  offersEnd: boolean;
} {
  const { user_id, resource_type: role, ends_at, ends_at_most } = member;
  const manages = managesSwarm(swarm);
  const ofOwner = user_id === swarm.user_id;
  const free = mine && ofOwner;
  return {
    changeTo: free ? memberRoles.filter((known) => known !== role) : [],
    reduceTo: !free && (mine || manages) && role === 'both' ? ['producer', 'consumer'] : [],
    invite: manages && !ofOwner && role !== 'both' ? (role === 'producer' ? 'consumer' : 'producer') : null,
    remove: manages || mine,
    end: mine ? { latest: ends_at_most } : manages ? { latest: ends_at } : null,
    offersEnd: manages && !ofOwner && ends_at !== undefined,
  };
}
