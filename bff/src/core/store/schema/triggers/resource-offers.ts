/** Tells the owner of a device and the user to whom it is offered about each change of the offer. */
import type { Store } from '../tables.ts';
import { appendsEntry } from './feed-entries.ts';
import type { RowName, Trigger } from './trigger.ts';

const entryOf = (row: RowName) => ({
  owner: `${row}.user_id`,
  recipient: `${row}.to_user`,
  resource_id: `${row}.resource_id`,
});

export const resourceOfferTriggers = (store: Store): Trigger[] => [
  appendsEntry(store, {
    name: 'resource_offered',
    on: 'AFTER INSERT ON resource_offers',
    kind: 'handover.changed',
    values: entryOf('new'),
  }),
  appendsEntry(store, {
    name: 'resource_offer_ended',
    on: 'AFTER DELETE ON resource_offers',
    kind: 'handover.changed',
    values: entryOf('old'),
  }),
];
