import type { QueryClient } from '@tanstack/react-query';
import type { GatewayEvent } from '@swarmdeck/bff/contract';
import {
  boardChanged,
  everySwarmChanged,
  memberDeviceChanged,
  membersChanged,
  swarmChanged,
  swarmGone,
} from './swarms.api.ts';

/** Brings what is shown of swarms up to an event of the stream. What concerns no swarm changes nothing. */
export function applySwarmEvent(client: QueryClient, { type, data }: Pick<GatewayEvent, 'type' | 'data'>): void {
  const { id, swarm_id, resource_id } = data as Partial<Record<'id' | 'swarm_id' | 'resource_id', string>>;
  switch (type) {
    case 'reset':
      return everySwarmChanged(client);
    case 'swarm.created':
    case 'swarm.updated':
      return id === undefined ? undefined : swarmChanged(client, id);
    case 'swarm.destroyed':
      return id === undefined ? undefined : swarmGone(client, id);
    case 'membership.changed':
      return swarm_id && resource_id ? membersChanged(client, { swarm_id, resource_id }) : undefined;
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
