/** Lets managers and watchers see the members of a swarm while they have agreed, and tells the owner and them about it. */
import type { Store } from '../tables.ts';
import { timeOf } from './clock.ts';
import { appendEntry } from './feed-entries.ts';
import { isNotBeingDeleted, ownerOf } from './swarms.ts';
import type { RowName, Trigger } from './trigger.ts';

const entryOf = (row: RowName) => ({
  owner: ownerOf(row),
  recipient: `${row}.user_id`,
  swarm_id: `${row}.swarm_id`,
});

const agreed = (store: Store, event: 'INSERT' | 'UPDATE'): Trigger => ({
  name: `manager_${event.toLowerCase()}`,
  on: `AFTER ${event === 'INSERT' ? event : 'UPDATE OF agreed_at, offered_at'} ON managers`,
  body: `INSERT INTO swarm_viewers (swarm_id, user_id, resources, since)
            SELECT new.swarm_id, new.user_id, 0, ${timeOf(store)} WHERE new.agreed_at IS NOT NULL
            ON CONFLICT DO NOTHING;
          ${appendEntry(store, 'manager.changed', entryOf('new'))}`,
});

export const managerTriggers = (store: Store): Trigger[] => [
  agreed(store, 'INSERT'),
  agreed(store, 'UPDATE'),
  {
    name: 'manager_delete',
    on: 'AFTER DELETE ON managers',
    when: isNotBeingDeleted('old'),
    body: `DELETE FROM swarm_viewers WHERE swarm_id = old.swarm_id AND user_id = old.user_id AND resources = 0
          AND user_id <> (SELECT user_id FROM swarms WHERE id = old.swarm_id);
        ${appendEntry(store, 'manager.changed', entryOf('old'))}`,
  },
];
