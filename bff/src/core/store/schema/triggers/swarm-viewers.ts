/** Tells all processes which user begins to see the members of a swarm, or does not see them any more. */
import type { Store } from '../tables.ts';
import { appendEntry, appendsEntry } from './feed-entries.ts';
import { isNotBeingDeleted } from './swarms.ts';
import type { RowName, Trigger } from './trigger.ts';

/** SQL: 1 if the row of `memberships` or `managers` has no end. */
export const endless = (row: string) => `CASE WHEN ${row}.ends_at IS NULL THEN 1 ELSE 0 END`;

/** SQL: the later one of two ends. Null is none. */
export const laterEnd = (one: string, other: string) =>
  `CASE WHEN ${one} IS NULL OR ${one} < ${other} THEN ${other} ELSE ${one} END`;

/** SQL: the last end of the rights that the user of this row of `swarm_viewers` has in the swarm. */
export const lastEnd = () => `(SELECT max(ends_at) FROM (
    SELECT named.ends_at FROM managers named WHERE named.swarm_id = swarm_viewers.swarm_id
      AND named.user_id = swarm_viewers.user_id AND named.agreed_at IS NOT NULL
    UNION ALL SELECT max(own.ends_at) FROM memberships own WHERE own.swarm_id = swarm_viewers.swarm_id
      AND own.user_id = swarm_viewers.user_id AND own.ends_at IS NOT NULL) ends)`;

/** SQL: the member of this row gets its owner, which `lastEnd` needs. */
export const setOwner = (
  row: RowName,
) => `UPDATE memberships SET user_id = (SELECT user_id FROM resources WHERE id = ${row}.resource_id)
        WHERE swarm_id = ${row}.swarm_id AND resource_id = ${row}.resource_id;`;

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
