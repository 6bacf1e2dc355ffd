/** Lets managers and watchers see the members of a swarm while they have agreed, and tells the owner and them about it. */
import type { Store } from '../tables.ts';
import { timeOf } from './clock.ts';
import { appendEntry } from './feed-entries.ts';
import { appendSeen, isNotBeingDeleted, ownerOf } from './swarms.ts';
import { endless, laterEnd, lastEnd } from './swarm-viewers.ts';
import type { RowName, Trigger } from './trigger.ts';

const entryOf = (row: RowName) => ({
  owner: ownerOf(row),
  recipient: `${row}.user_id`,
  swarm_id: `${row}.swarm_id`,
});

/** From when the user has agreed on. */
const agreed = (store: Store, event: 'INSERT' | 'UPDATE'): Trigger => ({
  name: `manager_${event.toLowerCase()}`,
  on: `AFTER ${event === 'INSERT' ? event : 'UPDATE OF agreed_at, offered_at, ends_at'} ON managers`,
  body: `INSERT INTO swarm_viewers (swarm_id, user_id, resources, since, endless, ends_at)
            SELECT new.swarm_id, new.user_id, 0, ${timeOf(store)}, ${endless('new')}, new.ends_at
              WHERE new.agreed_at IS NOT NULL ${event === 'UPDATE' ? 'AND old.agreed_at IS NULL' : ''}
            ON CONFLICT (swarm_id, user_id) DO UPDATE SET endless = swarm_viewers.endless + excluded.endless,
              ends_at = ${laterEnd('swarm_viewers.ends_at', 'excluded.ends_at')};
          ${appendEntry(store, 'manager.changed', entryOf('new'))}`,
});

export const managerTriggers = (store: Store): Trigger[] => [
  agreed(store, 'INSERT'),
  agreed(store, 'UPDATE'),
  {
    name: 'manager_end_changed',
    on: 'AFTER UPDATE OF ends_at ON managers',
    when: 'new.agreed_at IS NOT NULL AND old.agreed_at IS NOT NULL AND new.ends_at IS DISTINCT FROM old.ends_at',
    body: `UPDATE swarm_viewers SET endless = endless + ${endless('new')} - ${endless('old')}, ends_at = ${lastEnd()}
        WHERE swarm_id = new.swarm_id AND user_id = new.user_id;
        ${appendSeen(store, 'new')}`,
  },
  {
    name: 'manager_delete',
    on: 'AFTER DELETE ON managers',
    when: isNotBeingDeleted('old'),
    body: `DELETE FROM swarm_viewers WHERE swarm_id = old.swarm_id AND user_id = old.user_id AND resources = 0
          AND user_id <> (SELECT user_id FROM swarms WHERE id = old.swarm_id);
        UPDATE swarm_viewers SET endless = endless - ${endless('old')}, ends_at = ${lastEnd()}
          WHERE swarm_id = old.swarm_id AND user_id = old.user_id AND old.agreed_at IS NOT NULL;
        ${appendEntry(store, 'manager.changed', entryOf('old'))}`,
  },
];
