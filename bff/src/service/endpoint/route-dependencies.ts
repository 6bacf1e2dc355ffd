import type { EventStreams } from '../../http/event-streams.ts';
import type { ActivityLog } from '../activity/activity.store.ts';
import type { Hub } from '../events/events.hub.ts';
import type { ListCache } from './list-responses.ts';
import type { Stores } from '../stores.ts';
import type { UseCases } from '../use-cases.ts';

/** The parts of the service that its endpoints use. */
export interface RouteDependencies extends Stores {
  useCases: UseCases;
  listCache: ListCache;
  activity: ActivityLog;
  hub: Hub;
  streams: EventStreams;
  baseUrl: string;
  newId: () => string;
}
