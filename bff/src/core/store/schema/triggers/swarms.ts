/**
 * Tells subscribers what happens to a swarm, counts the swarms of each user, lets the owner see the members, and keeps the
 * directory up to date. A swarm that is deleted is hidden first, by an empty `user_id`: its rows are deleted in batches.
 */
import type { Store } from '../tables.ts';
import { timeOf } from './clock.ts';
import { appendEntry } from './feed-entries.ts';
import type { RowName, Trigger } from './trigger.ts';
import { countDown, countUp } from './usage.ts';

/**
 * The deletion of a swarm with this many members or more is one entry, after which subscribers read the whole swarm again.
 */
export const bulkFrom = 500;

/** SQL: the owner of a row's swarm. */
export const ownerOf = (row: RowName) => `(SELECT user_id FROM swarms WHERE id = ${row}.swarm_id)`;

/** SQL: the row's swarm is not being deleted. */
export const isNotBeingDeleted = (row: RowName) => `coalesce(${ownerOf(row)}, '') <> ''`;

/** An event for everybody who sees the swarm of this row: somebody else sees it now, or no longer. */
export const appendSeen = (store: Store, row: RowName) =>
  appendEntry(
    store,
    'swarm.updated',
    { owner: ownerOf(row), swarm_id: `${row}.swarm_id` },
    { when: isNotBeingDeleted(row) },
  );

/** SQL: the number of members. */
export const membersOf = (swarm: string) => `coalesce((SELECT members FROM swarm_sizes WHERE swarm_id = ${swarm}), 0)`;

/** For everybody who could know of the swarm. `isBulk`: so many members go with it that they get no entries. */
const appendDestroyed = (store: Store, { isBulk, when }: { isBulk: string; when: string }) =>
  appendEntry(
    store,
    'swarm.destroyed',
    {
      owner: 'old.user_id',
      swarm_id: 'old.id',
      users_before: `(SELECT string_agg(user_id, ',') FROM (SELECT user_id FROM swarm_viewers WHERE swarm_id = old.id
          UNION SELECT user_id FROM managers WHERE swarm_id = old.id
          UNION SELECT "to" FROM invitations WHERE swarm_id = old.id
          UNION SELECT user_id FROM join_requests WHERE swarm_id = old.id AND status = 'new') known)`,
      is_bulk: isBulk,
    },
    { when },
  );

export const swarmTriggers = (store: Store): Trigger[] => [
  {
    name: 'swarm_created',
    on: 'AFTER INSERT ON swarms',
    body: `${appendEntry(store, 'swarm.created', { owner: 'new.user_id', swarm_id: 'new.id' })}
        INSERT INTO swarm_viewers (swarm_id, user_id, resources, since, endless) VALUES (new.id, new.user_id, 0, ${timeOf(store)}, 1);
        ${countUp('swarms', 'new')}`,
  },
  {
    name: 'swarm_updated',
    on: 'AFTER UPDATE OF user_id, name, description, public, accepts_requests, expected_every ON swarms',
    when: `new.user_id <> ''`,
    body: appendEntry(store, 'swarm.updated', { owner: 'new.user_id', swarm_id: 'new.id' }),
  },
  {
    name: 'swarm_unlisted',
    on: 'AFTER UPDATE OF listed ON swarms',
    when: 'new.listed = 0 AND old.listed = 1',
    body: 'DELETE FROM directory WHERE swarm_id = new.id;',
  },
  // The owner is empty from now on if the swarm is being deleted.
  {
    name: 'swarm_owner_changed',
    on: 'AFTER UPDATE OF user_id ON swarms',
    body: `UPDATE directory SET user_id = new.user_id WHERE swarm_id = new.id;
        UPDATE swarm_viewers SET endless = endless + CASE WHEN user_id = new.user_id THEN 1 ELSE -1 END
          WHERE swarm_id = new.id AND user_id IN (old.user_id, new.user_id) AND old.user_id <> new.user_id;
        DELETE FROM share_links WHERE swarm_id = new.id AND user_id <> new.user_id;
        ${countDown('swarms', 'old')}
        ${countUp('swarms', 'new', { when: `new.user_id <> ''` })}
        ${appendDestroyed(store, {
          isBulk: `CASE WHEN ${membersOf('new.id')} >= ${bulkFrom} THEN 1 ELSE 0 END`,
          when: `new.user_id = '' AND old.user_id <> ''`,
        })}`,
  },
  {
    name: 'swarm_destroyed',
    on: 'BEFORE DELETE ON swarms',
    body: `${appendDestroyed(store, { isBulk: '1', when: `old.user_id <> ''` })} ${countDown('swarms', 'old')}
        DELETE FROM swarm_silences WHERE swarm_id = old.id;`,
  },
];
