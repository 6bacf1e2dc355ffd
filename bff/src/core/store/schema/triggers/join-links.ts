/** Tells the owner and the managers of a swarm about each change of its links. */
import type { Store } from '../tables.ts';
import { appendsEntry } from './feed-entries.ts';
import { ownerOf } from './swarms.ts';
import type { Trigger } from './trigger.ts';

const link = { owner: ownerOf('new'), swarm_id: 'new.swarm_id', record_id: 'new.id' };

export const joinLinkTriggers = (store: Store): Trigger[] => [
  appendsEntry(store, {
    name: 'link_created',
    on: 'AFTER INSERT ON join_links',
    kind: 'link.changed',
    values: link,
  }),
  appendsEntry(store, {
    name: 'link_changed',
    on: 'AFTER UPDATE ON join_links',
    kind: 'link.changed',
    values: link,
  }),
];
