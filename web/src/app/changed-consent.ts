import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { StartOptions } from '../data/actions/action-store.ts';
import { read } from '../data/client.ts';
import { isGone } from '../data/problem.ts';

/**
 * Whether what an Accept would agree to is not what the user was shown any more. What is gone or answered has not changed: the server
 * says so when the Accept is sent.
 */
export async function hasConsentChanged({ kind, about, items, shown = [] }: StartOptions): Promise<boolean> {
  if (kind !== 'answer' || about.answer !== 'accept') return false;
  const left = new Set(items.map(({ id }) => id));
  for (const item of shown.filter(({ id }) => left.has(id))) {
    const now = await readInvitation(item.id);
    if (now?.status === 'new' && (consentOf(now) !== consentOf(item) || membersOf(now) > membersOf(item))) return true;
  }
  return false;
}

async function readInvitation(id: string): Promise<InvitationItem | undefined> {
  try {
    return await read('/api/inbox/:id', { id });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** What the row of an invitation and its consent say, besides the number of members: fewer see no more than was accepted. */
function consentOf({ swarm, ...item }: InvitationItem): string {
  const { from, resource_type, is_later_end, ends_at, member_ends_at, other_role_ends_at } = item;
  const { name, user_id, public: isPublic } = swarm;
  const ends = [is_later_end, ends_at, member_ends_at, other_role_ends_at];
  return JSON.stringify([name, user_id, isPublic, from, resource_type, ...ends]);
}

const membersOf = ({ swarm }: InvitationItem) => swarm.member_count ?? 0;
