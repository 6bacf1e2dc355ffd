/** Tells all processes when a link that shows a device or a swarm ends, or gets another end: its viewers see nothing more after that. */
import type { Store } from '../tables.ts';
import { appendsEntry } from './feed-entries.ts';
import type { Trigger } from './trigger.ts';

export const shareLinkTriggers = (store: Store): Trigger[] => [
  appendsEntry(store, {
    name: 'share_link_changed',
    on: 'AFTER UPDATE OF expires_at ON share_links',
    kind: 'share_link.changed',
    values: { owner: 'new.user_id', record_id: 'new.id' },
  }),
  appendsEntry(store, {
    name: 'share_link_ended',
    on: 'AFTER DELETE ON share_links',
    kind: 'share_link.changed',
    values: { owner: 'old.user_id', record_id: 'old.id' },
  }),
];
