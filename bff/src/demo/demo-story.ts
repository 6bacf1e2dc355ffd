import type { InvitationRole, MemberRole, ResourceCreate, SwarmCreate } from '../contract.ts';
import { airports } from './airports.ts';
import type { Airport } from './airports.ts';

/** The actions of the demo, which become one write. Each returns the id of what it creates. */
export interface Acts {
  /** Sets the time of the following actions. */
  at(moment: Date): void;
  createResource(act: { userId: string; body: ResourceCreate }): string;
  touchResource(act: { id: string; userId: string }): void;
  createSwarm(act: { userId: string; body: SwarmCreate }): string;
  addMember(act: { swarmId: string; resource_id: string; resource_type: MemberRole; userId: string }): void;
  sendInvitation(act: {
    from: string;
    to: string;
    swarmId: string;
    resource_id: string;
    resource_type: InvitationRole;
    description?: string;
  }): string;
  answerInvitation(act: {
    id: string;
    to: string;
    swarm_id: string;
    resource_id: string;
    status: 'accept' | 'reject';
  }): void;
}

interface Device {
  id: string;
  user_id: string;
}
interface Swarm {
  id: string;
  user_id: string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The last of the user's devices have no position, so that the user can place them. */
const unplaced = 2;

/**
 * Creates the demo data of a user, up to the current time: two partners, devices of all three between two seas, swarms
 * with every role, and received and sent invitations in every state. Returns the ids of the user's own objects.
 */
export function playDemo(options: {
  acts: Acts;
  user: string;
  /** The user names of the harbour and of the gauge office. */
  partners: readonly [string, string];
  now: Date;
}): { resources: string[]; swarms: string[] } {
  const { acts, user, partners, now } = options;
  const [harbour, office] = partners;
  const ago = (milliseconds: number) => acts.at(new Date(now.getTime() - milliseconds));

  function devices(owner: string, which: (index: number) => boolean): Device[] {
    const own = airports.filter((_, index) => which(index % 10));
    return own.map((station, index) => {
      const placed = owner !== user || index < own.length - unplaced;
      return { id: acts.createResource({ userId: owner, body: deviceAt(station, placed) }), user_id: owner };
    });
  }

  function swarm(owner: string, body: SwarmCreate): Swarm {
    return { id: acts.createSwarm({ userId: owner, body }), user_id: owner };
  }

  function add(to: Swarm, members: Device[], resource_type: MemberRole) {
    for (const { id } of members)
      acts.addMember({ swarmId: to.id, resource_id: id, resource_type, userId: to.user_id });
  }

  function invite(to: Swarm, { id, user_id }: Device, resource_type: InvitationRole, description?: string): string {
    const { id: swarmId, user_id: from } = to;
    const message = description === undefined ? {} : { description };
    return acts.sendInvitation({ from, to: user_id, swarmId, resource_id: id, resource_type, ...message });
  }

  function answered(to: Swarm, invited: Device[], role: InvitationRole, status: 'accept' | 'reject' = 'accept') {
    for (const device of invited) {
      const id = invite(to, device, role);
      acts.answerInvitation({ id, to: device.user_id, swarm_id: to.id, resource_id: device.id, status });
    }
  }

  ago(40 * day);
  const own = devices(user, (index) => index % 5 < 2);
  const docks = devices(harbour, (index) => index === 2 || index === 4 || index === 7);
  const gauges = devices(office, (index) => index === 3 || index === 8 || index === 9);

  ago(39 * day);
  const weather = swarm(user, {
    name: 'Harbour weather',
    description: 'Wind, water and visibility on every quay.',
    public: true,
  });
  const quay = swarm(user, { name: 'Quay sensors', description: 'Bilge floats, gate and crane terminals.' });
  const river = swarm(harbour, {
    name: 'River levels',
    description: 'Water levels between the two seas, every ten minutes.',
    public: true,
  });
  const air = swarm(office, {
    name: 'Air quality north',
    description: 'Particulates and ozone, from the Belt to the Elbe.',
    public: true,
  });
  const fleet = swarm(office, { name: 'Fleet south', description: 'Vans on the road and their phones.' });

  ago(38 * day);
  add(weather, own.slice(0, 10), 'producer');
  add(weather, own.slice(10, 13), 'consumer');
  add(weather, own.slice(13, 15), 'both');
  add(quay, own.slice(15, 21), 'producer');
  add(quay, own.slice(21, 22), 'consumer');
  add(river, docks.slice(0, 18), 'producer');
  add(air, gauges.slice(0, 16), 'producer');
  add(air, gauges.slice(16, 19), 'consumer');
  add(fleet, gauges.slice(25), 'both');

  ago(21 * day);
  answered(weather, docks.slice(0, 10), 'producer');
  answered(weather, gauges.slice(0, 7), 'consumer');
  answered(weather, docks.slice(9, 10), 'consumer');
  answered(river, [own[0]!, ...own.slice(22, 25)], 'producer');
  answered(river, [own[0]!, own[25]!], 'consumer');

  ago(12 * day);
  answered(quay, gauges.slice(7, 11), 'producer');
  answered(air, own.slice(26, 28), 'producer');
  answered(air, own.slice(27, 28), 'consumer');
  answered(fleet, own.slice(28, 30), 'consumer');
  answered(weather, [docks[23]!, gauges[23]!], 'producer', 'reject');
  answered(fleet, [own[36]!], 'consumer', 'reject');

  ago(16 * day);
  invite(weather, docks[20]!, 'producer', 'Wind from your pier, please.');
  ago(15 * day);
  invite(weather, gauges[20]!, 'producer', 'For the pilots’ board.');
  ago(6 * day);
  invite(weather, docks[21]!, 'producer');
  answered(air, [own[37]!], 'producer', 'reject');
  ago(2 * day);
  invite(weather, gauges[21]!, 'consumer', 'Wind from your pier, please.');
  invite(river, own[22]!, 'consumer', 'It could hear the others, too.');
  ago(day);
  invite(quay, gauges[24]!, 'producer');
  invite(air, own[35]!, 'producer');
  ago(5 * hour);
  invite(fleet, own[33]!, 'consumer');
  invite(fleet, own[34]!, 'consumer', 'For the vans that pass there.');
  ago(3 * hour);
  invite(weather, docks[22]!, 'producer', 'For the pilots’ board.');
  invite(air, own[32]!, 'producer');
  ago(12 * minute);
  invite(river, own[31]!, 'producer');
  ago(10 * minute);
  invite(river, own[30]!, 'consumer', 'The readings upstream would reach it first.');

  // From seconds to days ago, with increasing intervals.
  [...own, ...docks, ...gauges].forEach(({ id, user_id }, index) => {
    ago(6000 * 1.2 ** (index % 64));
    acts.touchResource({ id, userId: user_id });
  });

  return { resources: own.map(({ id }) => id), swarms: [weather.id, quay.id] };
}

function deviceAt([name, machine_type, code, longitude, latitude]: Airport, placed: boolean): ResourceCreate {
  const description = `Weather station at ${code}`;
  return { name, machine_type, description, ...(placed && { position: { longitude, latitude } }) };
}
