/** Tells both sides about each change of a request to join. */
import type { Store } from '../tables.ts';
import { appendEntry, appendsEntry } from './feed-entries.ts';
import { isNotBeingDeleted, ownerOf } from './swarms.ts';
import type { RowName, Trigger } from './trigger.ts';

/** `owner` is who answers, and `recipient` who asks. */
const entryOf = (row: RowName) => ({
  owner: ownerOf(row),
  recipient: `${row}.user_id`,
  record_id: `${row}.id`,
  resource_id: `${row}.resource_id`,
  swarm_id: `${row}.swarm_id`,
});

export const joinRequestTriggers = (store: Store): Trigger[] => [
  appendsEntry(store, {
    name: 'request_sent',
    on: 'AFTER INSERT ON join_requests',
    kind: 'join_request.changed',
    values: entryOf('new'),
  }),
  {
    name: 'request_ended',
    on: 'AFTER UPDATE OF status ON join_requests',
    body: `${appendEntry(store, 'join_request.changed', entryOf('new'), { when: `new.status <> 'withdrawn'` })}
        ${appendEntry(store, 'join_request.withdrawn', entryOf('new'), { when: `new.status = 'withdrawn'` })}`,
  },
  // The account of the user has ended. The requests of a swarm that is being deleted are deleted with it.
  {
    name: 'request_deleted',
    on: 'AFTER DELETE ON join_requests',
    when: `old.status = 'new'`,
    body: appendEntry(store, 'join_request.withdrawn', entryOf('old'), { when: isNotBeingDeleted('old') }),
  },
];
