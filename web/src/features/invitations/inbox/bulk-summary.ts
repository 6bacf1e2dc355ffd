import type { InvitationItem, InvitationRole, SwarmCard } from '@swarmdeck/bff/contract';

export interface SwarmSummary {
  swarm: SwarmCard;
  items: { id: string; resource_id: string; device: InvitationItem['device']; roles: InvitationRole[] }[];
}

export interface BulkSummary {
  swarms: SwarmSummary[];
  /** The number of distinct devices. */
  devices: number;
  /** The sum of the members of these swarms. */
  members: number;
}

/** Summarises invitations: the swarms in the order of the list, each with its devices and the offered roles. */
export function summarise(items: readonly InvitationItem[]): BulkSummary {
  const swarms = new Map<string, { swarm: SwarmCard; devices: Map<string, SwarmSummary['items'][number]> }>();
  const devices = new Set<string>();
  let members = 0;
  for (const { id, resource_id, resource_type, swarm, device } of items) {
    let group = swarms.get(swarm.id);
    if (!group) {
      group = { swarm, devices: new Map() };
      swarms.set(swarm.id, group);
      members += swarm.member_count;
    }
    const known = group.devices.get(resource_id);
    if (!known) group.devices.set(resource_id, { id, resource_id, device, roles: [resource_type] });
    else if (!known.roles.includes(resource_type)) known.roles.push(resource_type);
    devices.add(resource_id);
  }
  const listed = [...swarms.values()].map(({ swarm, devices }) => ({ swarm, items: [...devices.values()] }));
  return { swarms: listed, devices: devices.size, members };
}

/** The role that a device gets. Two invitations to one swarm give it both roles. */
export function roleOf(roles: readonly InvitationRole[]): InvitationRole | 'both' {
  return roles.length > 1 ? 'both' : (roles[0] ?? 'consumer');
}
