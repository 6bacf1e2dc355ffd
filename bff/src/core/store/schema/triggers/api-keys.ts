/** Tells all processes when a key ends, and counts the device keys of each user. */
import type { Store } from '../tables.ts';
import { appendEntry, appendsEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';
import { countDown, countUp } from './usage.ts';

export const apiKeyTriggers = (store: Store): Trigger[] => [
  appendsEntry(store, {
    name: 'key_expires',
    on: 'AFTER UPDATE OF expires_at ON api_keys',
    kind: 'key.changed',
    values: { owner: 'new.user_id', record_id: 'new.id' },
  }),
  {
    name: 'device_key_created',
    on: 'AFTER INSERT ON api_keys',
    when: 'new.resource_id IS NOT NULL',
    body: countUp('device_keys', 'new'),
  },
  // No entry for the keys of devices whose account has ended: they are deleted after it, and the entry of `account_ended`
  // (retired-names.ts) was for all of them. The account's own keys are deleted before it, each with an entry.
  {
    name: 'key_ended',
    on: 'AFTER DELETE ON api_keys',
    body: `${appendEntry(
      store,
      'key.changed',
      { owner: 'old.user_id', record_id: 'old.id' },
      { when: 'NOT EXISTS (SELECT 1 FROM retired_names WHERE name = old.user_id)' },
    )}
        ${countDown('device_keys', 'old', { when: 'old.resource_id IS NOT NULL' })}`,
  },
];
