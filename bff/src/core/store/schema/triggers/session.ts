/** Tells all processes when a session is renewed or ends. */
import type { Store } from '../tables.ts';
import { appendsEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

export const sessionTriggers = (store: Store): Trigger[] => [
  appendsEntry(store, {
    name: 'session_renewed',
    on: 'AFTER UPDATE ON session',
    kind: 'session.changed',
    values: { record_id: 'new.id' },
  }),
  appendsEntry(store, {
    name: 'session_ended',
    on: 'AFTER DELETE ON session',
    kind: 'session.changed',
    values: { record_id: 'old.id' },
  }),
];
