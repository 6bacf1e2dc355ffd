/** Tells all processes which user begins to see the members of a swarm, or does not see them any more. */
import type { Store } from '../tables.ts';
import { appendEntry, appendsEntry } from './feed-entries.ts';
import { isNotBeingDeleted } from './swarms.ts';
import type { Trigger } from './trigger.ts';

export const swarmViewerTriggers = (store: Store): Trigger[] => [
  appendsEntry(store, {
    name: 'viewer_joined',
    on: 'AFTER INSERT ON swarm_viewers',
    kind: 'viewer.changed',
    values: { owner: 'new.user_id', swarm_id: 'new.swarm_id' },
  }),
  {
    name: 'viewer_left',
    on: 'AFTER DELETE ON swarm_viewers',
    when: isNotBeingDeleted('old'),
    body: appendEntry(store, 'viewer.changed', { owner: 'old.user_id', swarm_id: 'old.swarm_id' }),
  },
];
