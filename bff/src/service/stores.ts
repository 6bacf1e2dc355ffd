/** The records of the service: a store for each noun. */
import type { LongReads } from '../core/limits/long-reads.ts';
import type { Quotas } from '../core/limits/quotas.ts';
import type { Database } from '../core/store/database.ts';
import type { Secrets } from '../core/store/secret.ts';
import { createHandovers } from '../capabilities/handovers/handovers.store.ts';
import { createInvitations } from '../core/invitations/invitations.store.ts';
import { createJoinLinks } from '../capabilities/join-links/join-links.store.ts';
import { createJoinRequests } from '../capabilities/join-requests/join-requests.store.ts';
import { createManagers } from '../capabilities/managers/managers.store.ts';
import { createMembers } from '../core/members/members.store.ts';
import { createResources } from '../core/resources/resources.store.ts';
import { createShareLinks } from '../capabilities/share-links/share-links.store.ts';
import { createSwarms } from '../core/swarms/swarms.store.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(options: {
  db: Database;
  /** `{base_url}` of the spec, from the configured public address. */
  baseUrl: string;
  /** The codes of links are made with them. */
  secrets: Secrets;
  quotas: Quotas;
  now: () => Date;
  /** How many look at a link that shows a device or a swarm. */
  viewersOf: (link: string) => number;
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
    links: createJoinLinks({ ...options, pageUrl: new URL('/join/', options.baseUrl).href }),
    shareLinks: createShareLinks({ ...options, pageUrl: new URL('/view', options.baseUrl).href }),
    managers: createManagers(options),
    handovers: createHandovers(options),
    requests: createJoinRequests(options),
  };
}
