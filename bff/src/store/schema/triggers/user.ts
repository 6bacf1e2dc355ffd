/** Keeps the names of ended accounts from being used again, and tells all processes when an account is disabled or enabled. */
import type { Store } from '../tables.ts';
import { appendEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

export const userTriggers = (store: Store): Trigger[] => [
  {
    name: 'retired_names_stay',
    on: 'BEFORE INSERT ON "user"',
    when: 'EXISTS (SELECT 1 FROM retired_names WHERE name = new.username)',
    body:
      store === 'sqlite'
        ? `SELECT RAISE(ABORT, 'UNIQUE constraint failed: user.username');`
        : `RAISE unique_violation USING MESSAGE = 'the user name is retired';`,
  },
  // Nobody gets what was offered to another user of this name.
  {
    name: 'user_created',
    on: 'AFTER INSERT ON "user"',
    body: `DELETE FROM managers WHERE user_id = new.username; DELETE FROM resource_offers WHERE to_user = new.username;`,
  },
  // The entry makes all processes read the user's keys again.
  {
    name: 'user_disabled',
    on: 'AFTER UPDATE OF disabled_at ON "user"',
    body: `${appendEntry(store, 'key.changed', { owner: 'new.username' })}
        ${appendEntry(store, 'account.enabled', { owner: 'new.username' }, { when: 'new.disabled_at IS NULL' })}`,
  },
];
