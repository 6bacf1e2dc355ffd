import type { QueryClient } from '@tanstack/react-query';
import type { GatewayEvent, Invitation, InvitationItem, Resource, Swarm } from '@swarmdeck/bff/contract';
import { applyAnswered, applyChange, applyWithdrawn, isAnswering, isReadAround } from './invitation-cache.api.ts';

/**
 * What events of the stream mean for inbox, history and badge. What the lists hold is changed where it stands; what
 * they cannot know (a new invitation comes without its swarm's card) makes them `ask` for their newest rows.
 */
export function applyInvitationEvents({
  client,
  events,
  ask,
}: {
  client: QueryClient;
  events: readonly GatewayEvent[];
  ask: () => void;
}): void {
  const answered = new Map<string, Invitation>();
  const withdrawn = new Set<string>();
  /** Null: destroyed. */
  const devices = new Map<string, Resource | null>();
  const swarms = new Map<string, SwarmFields>();
  const times = new Set<string>();

  for (const { type, data, at } of events) {
    switch (type) {
      case 'invitation.updated':
        answered.set((data as Invitation).id, data as Invitation);
        times.add(at);
        break;
      case 'invitation.withdrawn':
        withdrawn.add((data as { id: string }).id);
        times.add(at);
        break;
      case 'resource.updated':
        devices.set((data as Resource).id, data as Resource);
        break;
      case 'resource.destroyed':
        devices.set((data as { id: string }).id, null);
        break;
      case 'swarm.updated':
        swarms.set((data as SwarmFields).id, data as SwarmFields);
        break;
      case 'invitation.sent':
      case 'invitation.received':
      // who is in a swarm is counted on the server, and what was open for a destroyed one is withdrawn
      case 'swarm.destroyed':
      case 'membership.changed':
        ask();
        break;
      default:
    }
  }

  if (devices.size > 0 || swarms.size > 0) {
    applyChange({ client, change: (item) => withSwarm(withDevice(item, devices, client), swarms) });
  }
  // what is answered here keeps its place: if it is refused, it comes back there with the reason
  const here = [...answered.keys(), ...withdrawn].filter((id) => isAnswering(client, id));
  for (const id of here) {
    answered.delete(id);
    withdrawn.delete(id);
  }
  const known = [
    here.length === 0,
    applyAnswered({ client, answered: [...answered.values()] }),
    applyWithdrawn({ client, ids: withdrawn }),
  ];
  if (known.includes(false) || (times.size > 0 && isReadAround(client, [...times]))) ask();
}

type SwarmFields = Omit<Swarm, 'resources'>;

function withDevice(item: InvitationItem, devices: ReadonlyMap<string, Resource | null>, client: QueryClient) {
  const resource = devices.get(item.resource_id);
  if (resource === undefined || item.device === null) return item;
  if (resource === null) return isAnswering(client, item.id) ? item : { ...item, device: null };
  const { name, machine_type, position } = resource;
  return { ...item, device: { name, machine_type, ...(position && { position }) } };
}

function withSwarm(item: InvitationItem, swarms: ReadonlyMap<string, SwarmFields>): InvitationItem {
  const swarm = swarms.get(item.swarm_id);
  if (!swarm) return item;
  const { name, description, public: isPublic } = swarm;
  return { ...item, swarm: { ...item.swarm, name, description, public: isPublic } };
}
