/**
 * Keeps what follows from the members of a swarm: its size, its entry in the directory, who sees its members, how many
 * devices of each kind each user has in it, and the name that a former member still knows.
 */
import type { Store } from '../tables.ts';
import { receives } from './audience.ts';
import { timeOf } from './clock.ts';
import { feedOf } from './feed-entries.ts';
import { bulkFrom, membersOf, isNotBeingDeleted } from './swarms.ts';
import type { RowName, Trigger } from './trigger.ts';
import { endless, lastEnd, laterEnd, setOwner } from './swarm-viewers.ts';

const appendMember = (store: Store, row: RowName, when = 'true') =>
  `INSERT INTO ${feedOf(store)} (kind, owner, ref, resource_id, swarm_id)
       SELECT 'membership.changed', user_id, ref, id, ${row}.swarm_id FROM resources
         WHERE id = ${row}.resource_id AND (${when});`;

const tallyUp = (row: RowName) => `INSERT INTO member_tallies
         SELECT ${row}.swarm_id, user_id, machine_type, ${row}.resource_type, 1 FROM resources
           WHERE id = ${row}.resource_id
         ON CONFLICT (swarm_id, user_id, machine_type, resource_type)
         DO UPDATE SET resources = member_tallies.resources + 1;`;
const tallyDown = (row: RowName) => `UPDATE member_tallies SET resources = member_tallies.resources - 1 FROM resources r
         WHERE r.id = ${row}.resource_id AND member_tallies.swarm_id = ${row}.swarm_id
           AND member_tallies.user_id = r.user_id AND member_tallies.machine_type = r.machine_type
           AND member_tallies.resource_type = ${row}.resource_type;
       DELETE FROM member_tallies WHERE swarm_id = ${row}.swarm_id AND resources = 0;`;

/** How often a device is expected may follow from its swarms: its presence is computed again. */
const expectAgain = (event: 'INSERT' | 'DELETE'): Trigger => {
  const row = event === 'DELETE' ? 'old' : 'new';
  return {
    name: `member_expected_${event.toLowerCase()}`,
    on: `AFTER ${event} ON memberships`,
    when: `(SELECT expected_every FROM swarms WHERE id = ${row}.swarm_id) IS NOT NULL`,
    body: `UPDATE presence SET due_at = 0 WHERE ref = (SELECT ref FROM resources WHERE id = ${row}.resource_id) AND heard_at > 0;`,
  };
};

/**
 * SQL: the accepted invitations of a member. `status <> 'new'` lets the query use the partial index `invitations_answered`, and `|| ''`
 * keeps SQLite from using one by the status, in which it would walk all members of the swarm.
 */
export const acceptedOf = (row: RowName) =>
  `resource_id = ${row}.resource_id AND swarm_id = ${row}.swarm_id AND status || '' = 'accepted' AND status <> 'new'`;

export const membershipTriggers = (store: Store): Trigger[] => [
  expectAgain('INSERT'),
  expectAgain('DELETE'),
  {
    name: 'member_joined',
    on: 'AFTER INSERT ON memberships',
    body: `INSERT INTO swarm_viewers (swarm_id, user_id, resources, consumers, since, endless, ends_at, shown)
          SELECT new.swarm_id, user_id, 1, ${receives('new')}, ${timeOf(store)}, ${endless('new')}, new.ends_at, new.shown_by_links
            FROM resources WHERE id = new.resource_id
          ON CONFLICT (swarm_id, user_id) DO UPDATE SET resources = swarm_viewers.resources + 1,
            consumers = swarm_viewers.consumers + excluded.consumers, endless = swarm_viewers.endless + excluded.endless,
            ends_at = ${laterEnd('swarm_viewers.ends_at', 'excluded.ends_at')}, shown = swarm_viewers.shown + excluded.shown;
        ${tallyUp('new')}
        INSERT INTO swarm_sizes (swarm_id, members, consumers) SELECT new.swarm_id, 1, ${receives('new')} WHERE true
          ON CONFLICT (swarm_id) DO UPDATE SET members = swarm_sizes.members + 1,
            consumers = swarm_sizes.consumers + excluded.consumers;
        UPDATE directory SET members = ${membersOf('new.swarm_id')},
          active_at = CASE WHEN active_at < new.member_since THEN new.member_since ELSE active_at END
          WHERE swarm_id = new.swarm_id;
        ${appendMember(store, 'new')}`,
  },
  {
    name: 'member_ends',
    on: 'AFTER INSERT ON memberships',
    when: 'new.ends_at IS NOT NULL',
    body: setOwner('new'),
  },
  {
    name: 'member_role_changed',
    on: 'AFTER UPDATE OF resource_type ON memberships',
    when: 'new.resource_type <> old.resource_type',
    body: `${tallyDown('old')} ${tallyUp('new')}
        UPDATE swarm_viewers SET consumers = consumers + ${receives('new')} - ${receives('old')} WHERE swarm_id = new.swarm_id
          AND user_id = (SELECT user_id FROM resources WHERE id = new.resource_id) AND ${receives('new')} <> ${receives('old')};
        UPDATE swarm_sizes SET consumers = consumers + ${receives('new')} - ${receives('old')}
          WHERE swarm_id = new.swarm_id AND ${receives('new')} <> ${receives('old')};`,
  },
  {
    name: 'member_changed',
    on: 'AFTER UPDATE OF resource_type, ends_at, shown_by_links ON memberships',
    body: appendMember(store, 'new'),
  },
  {
    name: 'member_end_changed',
    on: 'AFTER UPDATE OF ends_at ON memberships',
    when: 'new.ends_at IS DISTINCT FROM old.ends_at',
    body: `${setOwner('new')}
        UPDATE swarm_viewers SET endless = endless + ${endless('new')} - ${endless('old')}, ends_at = ${lastEnd()}
        WHERE swarm_id = new.swarm_id AND user_id = (SELECT user_id FROM resources WHERE id = new.resource_id);`,
  },
  {
    name: 'member_shown_changed',
    on: 'AFTER UPDATE OF shown_by_links ON memberships',
    when: 'new.shown_by_links <> old.shown_by_links',
    body: `UPDATE swarm_viewers SET shown = shown + new.shown_by_links - old.shown_by_links WHERE swarm_id = new.swarm_id
          AND user_id = (SELECT user_id FROM resources WHERE id = new.resource_id);`,
  },
  // An invitation keeps the name that the member's owner has seen last. A former owner of the swarm who does not see it any more keeps the
  // name at the handover. The invitations of a swarm that is being deleted are deleted too.
  {
    name: 'member_left',
    on: 'AFTER DELETE ON memberships',
    body: `UPDATE swarm_viewers SET resources = resources - 1, consumers = consumers - ${receives('old')},
            endless = endless - ${endless('old')}, shown = shown - old.shown_by_links WHERE swarm_id = old.swarm_id
          AND user_id = (SELECT user_id FROM resources WHERE id = old.resource_id);
        DELETE FROM swarm_viewers WHERE swarm_id = old.swarm_id AND resources = 0
          AND user_id <> (SELECT user_id FROM swarms WHERE id = old.swarm_id)
          AND user_id NOT IN (SELECT user_id FROM managers WHERE swarm_id = old.swarm_id AND agreed_at IS NOT NULL);
        UPDATE swarm_viewers SET ends_at = ${lastEnd()} WHERE swarm_id = old.swarm_id AND ends_at = old.ends_at
          AND old.ends_at > ${timeOf(store)} AND user_id = (SELECT user_id FROM resources WHERE id = old.resource_id);
        ${tallyDown('old')}
        ${appendMember(store, 'old', `${isNotBeingDeleted('old')} OR ${membersOf('old.swarm_id')} < ${bulkFrom}`)}
        UPDATE swarm_sizes SET members = members - 1, consumers = consumers - ${receives('old')} WHERE swarm_id = old.swarm_id;
        UPDATE directory SET members = ${membersOf('old.swarm_id')} WHERE swarm_id = old.swarm_id;
        UPDATE invitations SET last_known_name = swarms.name FROM swarms
          WHERE swarms.id = old.swarm_id AND swarms.user_id <> ''
            AND ${acceptedOf('old')}
            AND (last_known_name IS NULL OR EXISTS (SELECT 1 FROM swarm_viewers viewer
              WHERE viewer.swarm_id = old.swarm_id AND viewer.user_id = invitations."from"));`,
  },
];
