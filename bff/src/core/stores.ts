/** The records of the service: a store for each of its nouns. */
import type { LongReads } from './limits/long-reads.ts';
import type { Quotas } from './limits/quotas.ts';
import type { Database } from './store/database.ts';
import { createInvitations } from './invitations/invitations.store.ts';
import { createMembers } from './members/members.store.ts';
import { createResources } from './resources/resources.store.ts';
import { createSwarms } from './swarms/swarms.store.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(options: {
  db: Database;
  /** `{base_url}` of the spec, from the configured public address. */
  baseUrl: string;
  quotas: Quotas;
  now: () => Date;
  readsOf: LongReads;
  /** Called when the rest of a destroyed swarm is left to delete. */
  onLeft: () => void;
}) {
  const members = createMembers(options);
  return {
    resources: createResources(options),
    swarms: createSwarms({ ...options, members }),
    members,
    invitations: createInvitations(options),
  };
}
