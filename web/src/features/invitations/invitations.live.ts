import type { QueryClient } from '@tanstack/react-query';
import type { GatewayEvent, Invitation, Resource, Swarm } from '@swarmdeck/bff/contract';
import { answeringCountQuery } from './inbox-count.api.ts';
import { applyAnswered, applyChange, applyWithdrawn, askForNews, forgetAll } from './invitation-cache.api.ts';

/**
 * What one event of the stream means for inbox, history and badge. What the lists hold is changed where it stands;
 * what they cannot know (a new invitation comes without its swarm's card) makes them ask for their newest rows.
 */
export function applyInvitationEvent(client: QueryClient, event: GatewayEvent): void {
  switch (event.type) {
    case 'invitation.sent':
    case 'invitation.received':
      askForNews(client);
      break;
    case 'invitation.updated':
      if (waits(client) || !applyAnswered({ client, answered: [event.data as Invitation] })) askForNews(client);
      break;
    case 'invitation.withdrawn': {
      const { id } = event.data as { id: string };
      if (waits(client) || !applyWithdrawn({ client, ids: new Set([id]) })) askForNews(client);
      break;
    }
    case 'resource.updated':
      renameDevice(client, event.data as Resource);
      break;
    case 'resource.destroyed':
      if (waits(client)) askForNews(client);
      else dropDevice(client, (event.data as { id: string }).id);
      break;
    case 'swarm.updated':
      changeSwarm(client, event.data as Omit<Swarm, 'resources'>);
      break;
    case 'swarm.destroyed':
    case 'membership.changed':
      // who is in a swarm is counted on the server, and what was open for a destroyed one is withdrawn
      askForNews(client);
      break;
    case 'reset':
      forgetAll(client);
      break;
    default:
  }
}

/** What is answered here and waits with Undo keeps its place: if it is refused, it comes back there with the reason. */
const waits = (client: QueryClient) => (client.getQueryData(answeringCountQuery.queryKey) ?? 0) > 0;

function renameDevice(client: QueryClient, { id, name, machine_type, position }: Resource) {
  const device = { name, machine_type, ...(position && { position }) };
  applyChange({ client, change: (item) => (item.resource_id === id && item.device ? { ...item, device } : item) });
}

function dropDevice(client: QueryClient, id: string) {
  applyChange({ client, change: (item) => (item.resource_id === id ? { ...item, device: null } : item) });
}

function changeSwarm(client: QueryClient, { id, name, description, public: isPublic }: Omit<Swarm, 'resources'>) {
  applyChange({
    client,
    change: (item) =>
      item.swarm_id === id ? { ...item, swarm: { ...item.swarm, name, description, public: isPublic } } : item,
  });
}
