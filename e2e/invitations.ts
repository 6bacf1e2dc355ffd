import type { InvitationRole, Resource, Swarm } from '@swarmdeck/bff/contract';
import type { User } from './user.ts';

const position = { longitude: 13.4, latitude: 52.5 };

/** The user's devices, and one invitation for each, the last one newest. */
export async function inviteDevices({ user, owner, names }: { user: User; owner: User; names: string[] }) {
  const swarm = await owner.createSwarm({
    name: 'River levels',
    description: 'Water levels of the Havel, every ten minutes.',
    public: true,
  });
  const devices: Resource[] = [];
  for (const name of names) {
    const device = await user.add({ name, machine_type: 'bug', position });
    await invite({ user, owner, swarm, device });
    devices.push(device);
  }
  return { swarm, devices };
}

interface Invited {
  user: User;
  owner: User;
  swarm: Swarm;
  device: Resource;
  resource_type?: InvitationRole;
  ends_at?: string;
}

export const invite = ({ user, owner, swarm, device, ...more }: Invited) =>
  owner.invite(swarm, {
    resource_type: 'consumer',
    ...more,
    to: user.name,
    resource_id: device.id,
    description: 'The readings upstream would reach it first.',
  });
