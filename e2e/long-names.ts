import { harbourFleet } from './fleet.ts';
import type { User } from './user.ts';

/** A name without a break opportunity. */
const endless = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Creates devices, swarms, and sent and received invitations that have this name in every text field. */
export async function bearLongNames({ user, owner }: { user: User; owner: User }) {
  await user.addMany(harbourFleet().slice(0, 40));
  const device = await user.add({
    name: endless,
    machine_type: 'smartphone',
    description: `${endless} ${endless}`,
    position: { longitude: 13.4, latitude: 52.5 },
  });
  const swarm = await user.createSwarm({ name: endless, description: `${endless} ${endless}`, public: true });
  await user.join(swarm, { resource_id: device.id, resource_type: 'both' });
  const theirs = await owner.createSwarm({ name: `${endless} 2`, description: endless, public: true });
  await owner.invite(theirs, {
    to: user.name,
    resource_id: device.id,
    resource_type: 'producer',
    description: `${endless} ${endless}`,
  });
  const invited = await owner.add({ name: endless, machine_type: 'bug' });
  await user.invite(swarm, {
    to: owner.name,
    resource_id: invited.id,
    resource_type: 'consumer',
    description: endless,
  });
  await user.sendAs(device, { [endless]: `${endless} ${endless}` });
  await user.createKey('k'.repeat(60));
  return { device: device.id, swarm: swarm.id };
}
