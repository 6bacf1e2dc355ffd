/**
 * Tells both sides about each change of an invitation, counts the open ones of each sender, keeps the swarm's name for those
 * who reject, and marks the second invitation of each pair, which lists show as one.
 */
import type { Store } from '../tables.ts';
import { appendEntry, appendsEntry } from './feed-entries.ts';
import { isNotBeingDeleted } from './swarms.ts';
import type { RowName, Trigger } from './trigger.ts';
import { countDown, countUp } from './usage.ts';

const entryOf = (row: RowName) => ({
  owner: `${row}."from"`,
  recipient: `${row}."to"`,
  record_id: `${row}.id`,
  resource_id: `${row}.resource_id`,
  swarm_id: `${row}.swarm_id`,
});

export const invitationTriggers = (store: Store): Trigger[] => [
  {
    name: 'invitation_sent',
    on: 'AFTER INSERT ON invitations',
    body: `${countUp('invitations', 'new', { owner: 'from', when: `new.status = 'new'` })}
        ${appendEntry(store, 'invitation.sent', entryOf('new'))}`,
  },
  appendsEntry(store, {
    name: 'invitation_sent_again',
    on: 'AFTER UPDATE OF sent_at ON invitations',
    kind: 'invitation.sent',
    values: entryOf('new'),
  }),
  {
    name: 'invitation_answered',
    on: 'AFTER UPDATE OF status ON invitations',
    body: `${countDown('invitations', 'old', { owner: 'from', when: `old.status = 'new' AND new.status <> 'new'` })}
        UPDATE invitations SET last_known_name = (SELECT name FROM swarms WHERE id = new.swarm_id)
          WHERE id = new.id AND new.status = 'rejected';
        ${appendEntry(store, 'invitation.updated', entryOf('new'))}`,
  },
  // The open invitations of a swarm that is handed over are its new owner's.
  {
    name: 'invitation_handed_over',
    on: 'AFTER UPDATE OF "from" ON invitations',
    body: `${countDown('invitations', 'old', { owner: 'from' })} ${countUp('invitations', 'new', { owner: 'from' })}
        ${appendEntry(store, 'invitation.updated', entryOf('new'))}`,
  },
  {
    name: 'invitation_withdrawn',
    on: 'AFTER DELETE ON invitations',
    when: `old.status = 'new'`,
    body: `${countDown('invitations', 'old', { owner: 'from' })}
        ${appendEntry(store, 'invitation.withdrawn', entryOf('old'), { when: isNotBeingDeleted('old') })}`,
  },

  { name: 'invitation_pair_sent', on: 'AFTER INSERT ON invitations', body: markPairs('new', 'open') },
  {
    name: 'invitation_pair_changed',
    on: 'AFTER UPDATE OF sent_at, status ON invitations',
    body: `${markPairs('new', 'open')} ${markPairs('new', 'answered')}`,
  },
  {
    name: 'invitation_pair_ended',
    on: 'AFTER DELETE ON invitations',
    when: `old.resource_type = 'producer'`,
    body: `${markPairs('old', 'open')} ${markPairs('old', 'answered')}`,
  },
];

/**
 * Marks the second invitations of pairs: sent by the same user at the same time with the same message, and answered at the
 * same time or both open. Answering or sending only one of them ends the pair.
 */
function markPairs(row: RowName, which: 'open' | 'answered'): string {
  const isOpen = which === 'open';
  const status = isOpen ? `= 'new'` : `<> 'new'`;
  const answeredTogether = 'AND other.status = invitations.status AND other.changed_at = invitations.changed_at';
  return `UPDATE invitations SET is_second = 1 - is_second
    WHERE swarm_id = ${row}.swarm_id AND resource_id = ${row}.resource_id AND resource_type = 'consumer'
      AND status ${status} AND (is_second = 1) <> EXISTS (
        SELECT 1 FROM invitations other WHERE other.swarm_id = invitations.swarm_id
          AND other.resource_id = invitations.resource_id AND other.resource_type = 'producer'
          AND other.status ${status} ${isOpen ? '' : answeredTogether} AND other."from" = invitations."from"
          AND other.sent_at = invitations.sent_at AND other.sent_by IS NOT DISTINCT FROM invitations.sent_by
          AND other.description IS NOT DISTINCT FROM invitations.description);`;
}
