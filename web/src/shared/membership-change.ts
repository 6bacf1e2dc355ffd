import type { Action } from '@swarmdeck/bff/contract';
import { isPostponed } from '../data/actions/shown-actions.ts';
import { t } from '../text/text.ts';

/** What a pending action does with a membership: "Removing…". `leaves`: the user's own device, from another user's swarm. */
export function membershipChange(action: Action, { leaves }: { leaves: boolean }): string {
  const { kind } = action;
  if (isPostponed(action)) {
    const { postponed } = t.invitations;
    return leaves && kind === 'remove_member' ? `${t.members.leave.action} · ${postponed}` : postponed;
  }
  if (kind === 'add_member' || kind === 'join') return t.members.adding;
  if (kind === 'change_role' || kind === 'narrow_role') return t.members.narrowing;
  if (kind === 'extend_member') return t.members.extending;
  return leaves ? t.members.leave.leaving : t.members.removing_short;
}
