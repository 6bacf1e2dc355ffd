import type { QueryClient } from '@tanstack/react-query';
import type { GatewayEvent } from '@swarmdeck/bff/contract';
import {
  boardChanged,
  everySwarmChanged,
  memberDeviceChanged,
  membersChanged,
  swarmChanged,
  swarmGone,
} from './swarms-changed.api.ts';

type SwarmEvent = Pick<GatewayEvent, 'type' | 'data'>;
const idsOf = ({ data }: SwarmEvent) => data as Partial<Record<'id' | 'swarm_id' | 'resource_id', string>>;

/** Brings what is shown of swarms up to events of the stream. Many of one kind about one swarm are read once. */
export function applySwarmEvents(client: QueryClient, events: readonly SwarmEvent[]): void {
  for (const alike of Map.groupBy(events, aboutOf).values()) {
    const [event] = alike;
    if (event) applySwarmEvent(client, event, alike.length === 1);
  }
}

function aboutOf(event: SwarmEvent): string {
  const { id, swarm_id } = idsOf(event);
  const [noun] = event.type.split('.');
  if (noun === 'swarm') return `${event.type} ${id}`;
  return noun === 'resource' ? event.type : `${noun} ${swarm_id}`;
}

/** What concerns no swarm changes nothing. */
function applySwarmEvent(client: QueryClient, event: SwarmEvent, alone: boolean): void {
  const { id, swarm_id, resource_id } = idsOf(event);
  const { type } = event;
  switch (type) {
    case 'reset':
      return everySwarmChanged(client);
    case 'swarm.created':
    case 'swarm.updated':
      return id === undefined ? undefined : swarmChanged(client, id);
    case 'swarm.destroyed':
      return id === undefined ? undefined : swarmGone(client, id);
    case 'membership.changed':
      if (!swarm_id || !resource_id) return undefined;
      return membersChanged(client, { swarm_id, ...(alone && { resource_id }) });
    case 'invitation.sent':
    case 'invitation.received':
    case 'invitation.updated':
    case 'invitation.withdrawn':
      return swarm_id === undefined ? undefined : boardChanged(client, swarm_id);
    case 'resource.updated':
    case 'resource.destroyed':
      return memberDeviceChanged(client);
    default:
      return undefined;
  }
}
