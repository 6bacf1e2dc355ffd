/**
 * Tells subscribers what happens to a device, counts the devices of each user, and keeps what depends on a device: the
 * tallies of its swarms, when its presence is computed again, and what ends with it.
 */
import { columnsOf, fieldNames } from '../../resource-fields.ts';
import type { Store } from '../tables.ts';
import { receives } from './audience.ts';
import { appendEntry, appendsEntry, feedOf } from './feed-entries.ts';
import { endless, lastEnd } from './swarm-viewers.ts';
import type { RowName, Trigger } from './trigger.ts';
import { countDown, countUp } from './usage.ts';

const entryOf = (row: RowName) => ({ owner: `${row}.user_id`, ref: `${row}.ref`, resource_id: `${row}.id` });

export const resourceTriggers = (store: Store): Trigger[] => [
  store === 'sqlite'
    ? {
        name: 'resources_created',
        on: 'AFTER INSERT ON resources',
        body: `${countUp('resources', 'new')} ${appendEntry(store, 'resource.created', entryOf('new'))}`,
      }
    : createdTogether,
  {
    name: 'resource_tallied_again',
    on: 'AFTER UPDATE OF machine_type, user_id ON resources',
    when: 'new.machine_type <> old.machine_type OR new.user_id <> old.user_id',
    body: `UPDATE member_tallies SET resources = member_tallies.resources - 1 FROM memberships m
          WHERE m.resource_id = old.id AND member_tallies.swarm_id = m.swarm_id
            AND member_tallies.user_id = old.user_id AND member_tallies.machine_type = old.machine_type
            AND member_tallies.resource_type = m.resource_type;
        DELETE FROM member_tallies WHERE resources = 0
          AND swarm_id IN (SELECT swarm_id FROM memberships WHERE resource_id = old.id);
        INSERT INTO member_tallies SELECT swarm_id, new.user_id, new.machine_type, resource_type, 1
          FROM memberships WHERE resource_id = new.id ORDER BY swarm_id
          ON CONFLICT (swarm_id, user_id, machine_type, resource_type)
          DO UPDATE SET resources = member_tallies.resources + 1;`,
  },
  // The entry depends on the columns that the statement sets, because a value may be set again. Every update sets
  // `changed_at`, so that an update of a name has two entries.
  appendsEntry(store, {
    name: 'resource_updated',
    on: `AFTER UPDATE OF ${fieldNames
      .filter((name) => name !== 'position')
      .flatMap(columnsOf)
      .join(', ')} ON resources`,
    kind: 'resource.updated',
    values: entryOf('new'),
  }),
  appendsEntry(store, {
    name: 'resource_moved',
    on: `AFTER UPDATE OF ${columnsOf('position').join(', ')}, changed_at ON resources`,
    kind: 'resource.moved',
    values: entryOf('new'),
  }),
  {
    name: 'resource_destroyed',
    on: 'BEFORE DELETE ON resources',
    body: endOf(store),
  },
  // To its former owner, a device that is handed over is gone. It stays in the swarms of the new one, who has allowed no link to show it.
  {
    name: 'resource_given',
    on: 'BEFORE UPDATE OF user_id ON resources',
    when: 'new.user_id <> old.user_id',
    body: `UPDATE memberships SET shown_by_links = 0 WHERE resource_id = old.id AND shown_by_links = 1;
        ${endOf(store, 'AND swarm_id NOT IN (SELECT id FROM swarms WHERE user_id = new.user_id)')}`,
  },
  {
    name: 'resource_taken',
    on: 'AFTER UPDATE OF user_id ON resources',
    when: 'new.user_id <> old.user_id',
    body: `${countUp('resources', 'new')} ${appendEntry(store, 'resource.created', entryOf('new'))}
        ${moveMembers(store)}`,
  },
  // The presence is computed again when the state may change: `due_at` of 0 is at once.
  {
    name: 'resource_expected',
    on: 'AFTER UPDATE OF expected_every ON resources',
    when: 'new.expected_every IS DISTINCT FROM old.expected_every',
    body: 'UPDATE presence SET due_at = 0 WHERE ref = new.ref AND heard_at > 0;',
  },
];

/** What follows when the owner of a device has it no more. `which`: of its memberships, only these end. */
const endOf = (store: Store, which = '') => `${appendDestroyed(store)}
        DELETE FROM silences WHERE ref = old.ref;
        DELETE FROM memberships WHERE resource_id = old.id ${which};
        UPDATE join_requests SET status = 'withdrawn', ended_at = asked_at WHERE resource_id = old.id AND status = 'new';
        ${countDown('resources', 'old')}`;

/** The memberships of a device that has another owner, who owns their swarms and sees these already, count for this one. */
const moveMembers = (
  store: Store,
) => `UPDATE memberships SET user_id = new.user_id WHERE resource_id = old.id AND ends_at IS NOT NULL;
        UPDATE swarm_viewers SET resources = swarm_viewers.resources - 1,
          consumers = swarm_viewers.consumers - ${receives('m')}, endless = swarm_viewers.endless - ${endless('m')},
          ends_at = ${lastEnd()} FROM memberships m
          WHERE m.resource_id = old.id AND swarm_viewers.swarm_id = m.swarm_id AND swarm_viewers.user_id = old.user_id;
        UPDATE swarm_viewers SET resources = swarm_viewers.resources + 1, consumers = swarm_viewers.consumers + ${receives('m')},
          endless = swarm_viewers.endless + ${endless('m')}, ends_at = ${lastEnd()}
          FROM memberships m
          WHERE m.resource_id = old.id AND swarm_viewers.swarm_id = m.swarm_id AND swarm_viewers.user_id = new.user_id;
        DELETE FROM swarm_viewers WHERE user_id = old.user_id AND resources = 0
          AND swarm_id IN (SELECT swarm_id FROM memberships WHERE resource_id = old.id)
          AND NOT EXISTS (SELECT 1 FROM managers WHERE managers.swarm_id = swarm_viewers.swarm_id
            AND managers.user_id = old.user_id AND agreed_at IS NOT NULL);
        INSERT INTO ${feedOf(store)} (kind, owner, ref, resource_id, swarm_id)
          SELECT 'membership.changed', new.user_id, new.ref, new.id, swarm_id FROM memberships WHERE resource_id = new.id;`;

/** In PostgreSQL, because a batch creates many resources. */
const createdTogether: Trigger = {
  name: 'resources_created',
  on: 'AFTER INSERT ON resources',
  rows: 'NEW TABLE AS created',
  body: `INSERT INTO usage SELECT user_id, 'resources', count(*) FROM created GROUP BY user_id ORDER BY user_id
       ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + excluded.amount;
     INSERT INTO feed_pending (kind, owner, ref, resource_id)
       SELECT 'resource.created', user_id, ref, id FROM created ORDER BY ref;`,
};

/**
 * The memberships end while the resource still exists. Nobody but the owner sees a resource that is in no swarm: when the
 * account has ended, nobody needs an entry for each.
 */
function appendDestroyed(store: Store): string {
  return appendEntry(
    store,
    'resource.destroyed',
    {
      ...entryOf('old'),
      swarms_before: `(SELECT string_agg(swarm_id, ',') FROM memberships WHERE resource_id = old.id)`,
    },
    {
      when: `NOT EXISTS (SELECT 1 FROM retired_names WHERE name = old.user_id)
            OR EXISTS (SELECT 1 FROM memberships WHERE resource_id = old.id)`,
    },
  );
}
