import type { EventStreams } from '../http/event-streams.ts';
import type { ActivityLog } from './activity.store.ts';
import type { Hub } from './events.hub.ts';
import type { Invitations } from './invitations.store.ts';
import type { JoinLinks } from './join-links.store.ts';
import type { JoinRequests } from './join-requests.store.ts';
import type { ListCache } from './list-responses.ts';
import type { Managers } from './managers.store.ts';
import type { Members } from './members.store.ts';
import type { UseCases } from './use-cases.ts';
import type { Resources } from './resources.store.ts';
import type { Swarms } from './swarms.store.ts';

/** The parts of the service that its endpoints use. */
export interface RouteDependencies {
  useCases: UseCases;
  resources: Resources;
  swarms: Swarms;
  members: Members;
  invitations: Invitations;
  links: JoinLinks;
  managers: Managers;
  requests: JoinRequests;
  listCache: ListCache;
  activity: ActivityLog;
  hub: Hub;
  streams: EventStreams;
  baseUrl: string;
  newId: () => string;
}
