/** Tells a user's browsers about each change of an action that they show. */
import type { Store } from '../tables.ts';
import { appendEntry, appendsEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

export const actionTriggers = (store: Store): Trigger[] => [
  ...['INSERT', 'UPDATE OF state, total, done, runs_at, is_dismissed, undone_by, retried_by'].map((event) =>
    appendsEntry(store, {
      name: `action_${event.slice(0, 6).toLowerCase()}`,
      on: `AFTER ${event} ON actions`,
      kind: 'action.changed',
      values: { owner: 'new.user_id', record_id: 'new.id' },
    }),
  ),
  // No client shows an action that was dismissed. A thousand old ones are deleted together, and as many entries would be a
  // reset for each client that resumes.
  {
    name: 'action_delete',
    on: 'AFTER DELETE ON actions',
    when: 'old.is_dismissed = 0',
    body: appendEntry(store, 'action.changed', { owner: 'old.user_id', record_id: 'old.id' }),
  },
];
