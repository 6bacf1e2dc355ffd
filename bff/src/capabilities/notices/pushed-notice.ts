import type { PushedNotice } from '../../contract.ts';
import type { DeliveryRow } from './deliveries.store.ts';

/** Notices that should wake a phone that sleeps. */
export const urgentKinds: ReadonlySet<string> = new Set([
  'resource.silent',
  'swarm.silent',
  'member.ending',
  'invitation.sent',
  'invitation.end_offered',
  'account.signed_in_new',
]);

/** Whether the notice is about an invitation that its user can answer. */
export const asksForAnswer = ({ kind }: DeliveryRow): boolean =>
  kind === 'invitation.sent' || kind === 'invitation.end_offered';

/** What a browser gets of a notice. `invitation`: the id of the one that it is about, while it is open. */
export function pushedNoticeOf(
  row: DeliveryRow,
  { language, showsNames, invitation }: { language: string; showsNames: boolean; invitation: string | undefined },
): PushedNotice {
  const { user_id, resource_id, resource_name, swarm_id, swarm_name, amount } = row;
  return {
    kind: row.kind as PushedNotice['kind'],
    // In a notice about one device, the amount is how often it fell silent.
    amount: resource_id === null ? (amount ?? 1) : 1,
    language,
    user_id,
    ...(resource_id !== null && { resource_id }),
    ...(swarm_id !== null && { swarm_id }),
    ...(invitation && { invitation_id: invitation }),
    ...(showsNames && resource_name !== null && { resource_name }),
    ...(showsNames && swarm_name !== null && { swarm_name }),
  };
}
