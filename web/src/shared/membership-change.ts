import type { Action } from '@swarmdeck/bff/contract';
import { t } from '../text/text.ts';

/** What a pending action does with a membership: "Removing…". `leaves`: the user's own device, from another user's swarm. */
export function membershipChange({ kind }: Pick<Action, 'kind'>, { leaves }: { leaves: boolean }): string {
  if (kind === 'add_member' || kind === 'join') return t.members.adding;
  if (kind === 'change_role' || kind === 'narrow_role') return t.members.narrowing;
  if (kind === 'extend_member') return t.members.extending;
  return leaves ? t.members.leave.leaving : t.members.removing_short;
}
