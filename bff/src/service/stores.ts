import type { Invitations } from './invitations/invitations.store.ts';
import type { JoinLinks } from './join-links/join-links.store.ts';
import type { JoinRequests } from './join-requests/join-requests.store.ts';
import type { Managers } from './managers/managers.store.ts';
import type { Members } from './members/members.store.ts';
import type { Resources } from './resources/resources.store.ts';
import type { Swarms } from './swarms/swarms.store.ts';

/** The records of the service. */
export interface Stores {
  resources: Resources;
  swarms: Swarms;
  members: Members;
  invitations: Invitations;
  links: JoinLinks;
  managers: Managers;
  requests: JoinRequests;
}
