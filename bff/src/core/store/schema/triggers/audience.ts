/**
 * Counts who sees and receives what the devices of a swarm send, and notes each change of it in the same commit. Of the users who
 * receive, only the first two are noted, because a user gets a notice of the first one who is somebody else. Open pages get an event
 * of each change (`swarm.updated`).
 */
import { audienceLimits } from '../../../limits/part-limits.ts';
import {
  changesOfGuests,
  changesOfLinks,
  changesOfReach,
  changesOfReceivers,
  changesOfRoles,
  isOpenLink,
  isOpenToGuests,
  reachOf,
} from '../../visibility.ts';
import type { Store } from '../tables.ts';
import { timeOf } from './clock.ts';
import { appendSeen, isNotBeingDeleted } from './swarms.ts';
import type { RowName, Trigger } from './trigger.ts';

/** SQL: 1 if the member receives what producers send. */
export const receives = (row: string) => `CASE WHEN ${row}.resource_type = 'producer' THEN 0 ELSE 1 END`;

/** SQL: what the user is in the swarm, beside an owner of devices. */
const roleIn = (swarm: string, user: string) =>
  `coalesce((SELECT role FROM managers WHERE swarm_id = ${swarm} AND user_id = ${user} AND agreed_at IS NOT NULL), 'none')`;

interface Change {
  row: RowName;
  /** The column with the swarm. */
  id?: string;
  /** SQL: which changes have a limit together with it. */
  like: string;
  kind: string;
  user?: string;
  was: string;
  when?: string;
}

/**
 * Notes a change, unless the swarm is being deleted, and deletes the oldest ones like it beyond their limit: who switches the reach again
 * and again does not delete who watched. The row of the notice is locked first: so
 * changes of a swarm are visible in their order.
 */
function noteChange(
  store: Store,
  { row, id = 'swarm_id', like, kind, user = 'NULL', was, when = 'true' }: Change,
): string {
  const swarm = `${row}.${id}`;
  return `INSERT INTO audience_notices (swarm_id, user_id, tell_at)
      SELECT s.id, s.user_id, 0 FROM swarms s WHERE s.id = ${swarm} AND s.user_id <> '' AND ${when}
      ON CONFLICT (swarm_id) DO UPDATE SET user_id = excluded.user_id, tell_at = coalesce(audience_notices.tell_at, 0);
    INSERT INTO audience_changes (swarm_id, at, kind, user_id, was)
      SELECT s.id, ${timeOf(store)}, ${kind}, ${user}, ${was} FROM swarms s
      WHERE s.id = ${swarm} AND s.user_id <> '' AND ${when};
    DELETE FROM audience_changes WHERE swarm_id = ${swarm} AND ${like} AND seq <= (SELECT seq FROM audience_changes
      WHERE swarm_id = ${swarm} AND ${like} ORDER BY seq DESC LIMIT 1 OFFSET ${audienceLimits.changes});`;
}

const has = (row: RowName, column: string) => `CASE WHEN ${row}.${column} > 0 THEN 1 ELSE 0 END`;

/** The user begins or ends to have members, or consumers. `users` and `receivers`: by how many the numbers grow. */
const count = (
  row: RowName,
  users: string,
  receivers: string,
) => `INSERT INTO swarm_sizes (swarm_id, members, users, consumer_users)
    SELECT ${row}.swarm_id, 0, ${users}, ${receivers} WHERE true
    ON CONFLICT (swarm_id) DO UPDATE SET users = swarm_sizes.users + excluded.users,
      consumer_users = swarm_sizes.consumer_users + excluded.consumer_users;`;

/** How many users receive, after the change. */
const receiversOf = (row: RowName) => `(SELECT consumer_users FROM swarm_sizes WHERE swarm_id = ${row}.swarm_id)`;
const beginsToReceive = (store: Store, when: string) =>
  noteChange(store, {
    row: 'new',
    like: changesOfReceivers,
    kind: `'receives'`,
    user: 'new.user_id',
    was: `CAST(${receiversOf('new')} - 1 AS text)`,
    when: `${when} AND ${receiversOf('new')} <= 2`,
  });
const endsToReceive = (store: Store, when: string) =>
  noteChange(store, {
    row: 'new',
    like: changesOfReceivers,
    kind: `'receives_not'`,
    user: 'new.user_id',
    was: `CAST(${receiversOf('new')} + 1 AS text)`,
    when: `${when} AND ${receiversOf('new')} <= 1`,
  });

/** The swarm has no other link by which users join without asking. One that ends by its time is noted with the next one. */
const isOnlyLink = (store: Store) => `NOT EXISTS (SELECT 1 FROM join_links other
  WHERE other.swarm_id = new.swarm_id AND other.id <> new.id AND ${isOpenLink('other', timeOf(store))})`;

/** The swarm of this row has no other link that shows its members to people without an account. */
const isOnlyToGuests = (store: Store, row: RowName) => `NOT EXISTS (SELECT 1 FROM share_links other
  WHERE other.swarm_id = ${row}.swarm_id AND other.id <> ${row}.id AND ${isOpenToGuests('other', timeOf(store))})`;

export const audienceTriggers = (store: Store): Trigger[] => [
  {
    name: 'audience_viewer_joined',
    on: 'AFTER INSERT ON swarm_viewers',
    when: 'new.resources > 0',
    body: `${count('new', '1', has('new', 'consumers'))} ${beginsToReceive(store, 'new.consumers > 0')}`,
  },
  {
    name: 'audience_viewer_changed',
    on: 'AFTER UPDATE OF resources, consumers ON swarm_viewers',
    when: '(new.resources > 0) <> (old.resources > 0) OR (new.consumers > 0) <> (old.consumers > 0)',
    body: `${count(
      'new',
      `${has('new', 'resources')} - ${has('old', 'resources')}`,
      `${has('new', 'consumers')} - ${has('old', 'consumers')}`,
    )}
      ${beginsToReceive(store, 'new.consumers > 0 AND old.consumers = 0')}
      ${endsToReceive(store, 'new.consumers = 0 AND old.consumers > 0')}`,
  },
  {
    name: 'audience_named',
    on: 'AFTER INSERT ON managers',
    when: 'new.agreed_at IS NOT NULL',
    body: `${noteChange(store, { row: 'new', like: changesOfRoles, kind: 'new.role', user: 'new.user_id', was: `'none'` })}
      ${appendSeen(store, 'new')}`,
  },
  {
    name: 'audience_agreed',
    on: 'AFTER UPDATE OF agreed_at ON managers',
    when: 'new.agreed_at IS NOT NULL AND old.agreed_at IS NULL',
    body: `${noteChange(store, { row: 'new', like: changesOfRoles, kind: 'new.role', user: 'new.user_id', was: `'none'` })}
      ${appendSeen(store, 'new')}`,
  },
  // A manager who has taken the swarm over is its owner now.
  {
    name: 'audience_left',
    on: 'AFTER DELETE ON managers',
    when: 'old.agreed_at IS NOT NULL',
    body: `${noteChange(store, {
      row: 'old',
      like: changesOfRoles,
      kind: `'none'`,
      user: 'old.user_id',
      was: 'old.role',
      when: `${isNotBeingDeleted('old')} AND s.user_id <> old.user_id`,
    })}
      ${appendSeen(store, 'old')}`,
  },
  {
    name: 'audience_handed_over',
    on: 'AFTER UPDATE OF user_id ON swarms',
    when: `new.user_id <> '' AND old.user_id <> '' AND new.user_id <> old.user_id`,
    body: `${noteChange(store, { row: 'new', id: 'id', like: changesOfRoles, kind: `'none'`, user: 'old.user_id', was: `'owner'` })}
      ${noteChange(store, { row: 'new', id: 'id', like: changesOfRoles, kind: `'owner'`, user: 'new.user_id', was: roleIn('new.id', 'new.user_id') })}`,
  },
  {
    name: 'audience_reach',
    on: 'AFTER UPDATE OF public, listed, accepts_requests ON swarms',
    when: `(${reachOf('new')}) <> (${reachOf('old')})`,
    body: noteChange(store, { row: 'new', id: 'id', like: changesOfReach, kind: reachOf('new'), was: reachOf('old') }),
  },
  {
    name: 'audience_link_opened',
    on: 'AFTER INSERT ON join_links',
    when: 'new.ended_at IS NULL',
    body: `${noteChange(store, {
      row: 'new',
      like: changesOfLinks,
      kind: `'links'`,
      was: `'links_not'`,
      when: isOnlyLink(store),
    })}
      ${appendSeen(store, 'new')}`,
  },
  {
    name: 'audience_link_ended',
    on: 'AFTER UPDATE OF ended_at ON join_links',
    when: 'new.ended_at IS NOT NULL AND old.ended_at IS NULL',
    body: `${noteChange(store, {
      row: 'new',
      like: changesOfLinks,
      kind: `'links_not'`,
      was: `'links'`,
      when: isOnlyLink(store),
    })}
      ${appendSeen(store, 'new')}`,
  },
  {
    name: 'audience_guests_invited',
    on: 'AFTER INSERT ON share_links',
    when: 'new.swarm_id IS NOT NULL',
    body: `${noteChange(store, {
      row: 'new',
      like: changesOfGuests,
      kind: `'guests'`,
      was: `'guests_not'`,
      when: isOnlyToGuests(store, 'new'),
    })}
      ${appendSeen(store, 'new')}`,
  },
  {
    name: 'audience_guests_ended',
    on: 'AFTER DELETE ON share_links',
    when: 'old.swarm_id IS NOT NULL',
    body: `${noteChange(store, {
      row: 'old',
      like: changesOfGuests,
      kind: `'guests_not'`,
      was: `'guests'`,
      when: isOnlyToGuests(store, 'old'),
    })}
      ${appendSeen(store, 'old')}`,
  },
];
