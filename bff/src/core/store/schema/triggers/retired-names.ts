/** Tells all processes that an account has ended: its streams close, and its keys are not accepted any more. */
import type { Store } from '../tables.ts';
import { appendEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

export const retiredNameTriggers = (store: Store): Trigger[] => [
  {
    name: 'account_ended',
    on: 'AFTER INSERT ON retired_names',
    body: `DELETE FROM blocked_users WHERE user_id = new.name; ${appendEntry(store, 'account.ended', { owner: 'new.name' })}
        ${appendEntry(store, 'key.changed', { owner: 'new.name' })}`,
  },
];
