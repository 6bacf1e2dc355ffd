import type { InvitationRole, MemberRole, ResourceCreate, SwarmCreate } from '../contract.ts';
import { Problem } from '../problem.ts';
import type { Service } from '../service/service.ts';
import type { Statement } from '../store/statement.ts';
import { airports, type Airport } from './airports.ts';
import { pastOf } from './demo-weather.ts';

/** A device or a swarm. */
interface Owned {
  id: string;
  user_id: string;
}

type DemoOwned = Owned & Pick<ResourceCreate, 'machine_type'>;

/** The first of the user's devices record their values, and have those of 30 days. They are producers of the first swarm. */
const withValues = 10;
/** The last of the user's devices have no position, so that the user can place them. */
const unplaced = 2;

/**
 * Creates the demo data of a user: devices of the user and of two partners between two seas, swarms with every role, and
 * received and sent invitations in every state.
 * @throws Problem `user.not_found` if the user was deleted meanwhile
 */
export async function createDemoData(options: {
  stores: ReturnType<Service['storesWithoutQuotas']>;
  /** With the clock of when the values begin: what is recorded was sent by members, to a swarm that was there. */
  pastStores: ReturnType<Service['storesWithoutQuotas']>;
  addPast: Service['values']['addPast'];
  heardThen: (ids: readonly string[], at: number) => Promise<void>;
  /** In ms. */
  now: number;
  newId: () => string;
  /** Records the user's own objects, in the write that creates them. */
  remember: (kind: 'resource' | 'swarm', id: string) => Statement;
  user: string;
  /** The user names of the harbour and of the gauge office. */
  partners: readonly [string, string];
}): Promise<void> {
  const { stores, pastStores, addPast, heardThen, now, newId, remember, user, partners } = options;
  const [harbour, office] = partners;
  const claimOf = (owner: string, kind: 'resource' | 'swarm', id: string) => () =>
    owner === user ? [remember(kind, id)] : [];

  async function devices(owner: string, which: (index: number) => boolean): Promise<DemoOwned[]> {
    const own = airports.filter((_, index) => which(index % 10));
    return startAll(own, async (station, index) => {
      const placed = owner !== user || index < own.length - unplaced;
      const id = newId();
      const keepsValues = owner === user && index < withValues;
      const body = deviceAt(station, { placed, keepsValues });
      const created = await (keepsValues ? pastStores : stores).resources.create({
        id,
        userId: owner,
        body,
        claim: claimOf(owner, 'resource', id),
      });
      if (!created) throw new Problem('user.not_found');
      return { id, user_id: owner, machine_type: body.machine_type };
    });
  }

  async function swarm(owner: string, body: SwarmCreate, { swarms } = stores): Promise<Owned> {
    const id = newId();
    const created = await swarms.create({ id, userId: owner, body, claim: claimOf(owner, 'swarm', id) });
    if (created === 'no user') throw new Problem('user.not_found');
    return { id, user_id: owner };
  }

  async function add(to: Owned, added: Owned[], resource_type: MemberRole, { members } = stores) {
    const common = { swarmId: to.id, resource_type, userId: to.user_id, claim: () => [] };
    await startAll(added, ({ id }) => members.add({ ...common, resource_id: id }));
  }

  async function invite(
    to: Owned,
    device: Owned,
    resource_type: InvitationRole,
    description?: string,
  ): Promise<string> {
    const id = newId();
    const body = { to: device.user_id, resource_id: device.id, ...(description && { description }) };
    const from = to.user_id;
    const roles = [{ id, role: resource_type }];
    await stores.invitations.send({ from, actor: from, swarmId: to.id, body, roles, claim: () => [] });
    return id;
  }

  async function answered(to: Owned, invited: Owned[], role: InvitationRole, status: 'accept' | 'reject' = 'accept') {
    await startAll(invited, async (device) => {
      const id = await invite(to, device, role);
      const invitation = { id, to: device.user_id, swarm_id: to.id, resource_id: device.id, resource_type: role };
      await stores.invitations.answer({ answered: [invitation], status });
    });
  }

  const own = await devices(user, (index) => index % 5 < 2);
  const docks = await devices(harbour, (index) => index === 2 || index === 4 || index === 7);
  const gauges = await devices(office, (index) => index === 3 || index === 8 || index === 9);

  const ofWeather = {
    name: 'Harbour weather',
    description: 'Wind, water and visibility on every quay.',
    public: true,
  };
  const weather = await swarm(user, ofWeather, pastStores);
  const quay = await swarm(user, { name: 'Quay sensors', description: 'Bilge floats, gate and crane terminals.' });
  const river = await swarm(harbour, {
    name: 'River levels',
    description: 'Water levels between the two seas, every ten minutes.',
    public: true,
  });
  const air = await swarm(office, {
    name: 'Air quality north',
    description: 'Particulates and ozone, from the Belt to the Elbe.',
    public: true,
  });
  const fleet = await swarm(office, { name: 'Fleet south', description: 'Vans on the road and their phones.' });

  await add(weather, own.slice(0, withValues), 'producer', pastStores);
  await add(weather, own.slice(10, 13), 'consumer');
  await add(weather, own.slice(13, 15), 'both');
  await add(quay, own.slice(15, 21), 'producer');
  await add(quay, own.slice(21, 22), 'consumer');
  await add(river, docks.slice(0, 18), 'producer');
  await add(air, gauges.slice(0, 16), 'producer');
  await add(air, gauges.slice(16, 19), 'consumer');
  await add(fleet, gauges.slice(25), 'both');
  // One after the other: each takes some time of the main thread.
  for (const [index, device] of own.slice(0, withValues).entries()) {
    const points = pastOf(device, { now, hasGap: index % 5 === 2 });
    await addPast({ id: device.id, points });
    await heardThen([device.id], points.at(-1)!.at);
  }

  await answered(weather, docks.slice(0, 10), 'producer');
  await answered(weather, gauges.slice(0, 7), 'consumer');
  await answered(weather, docks.slice(9, 10), 'consumer');
  await answered(river, [own[0]!, ...own.slice(22, 25)], 'producer');
  await answered(river, [own[0]!, own[25]!], 'consumer');

  await answered(quay, gauges.slice(7, 11), 'producer');
  await answered(air, own.slice(26, 28), 'producer');
  await answered(air, own.slice(27, 28), 'consumer');
  await answered(fleet, own.slice(28, 30), 'consumer');
  await answered(weather, [docks[23]!, gauges[23]!], 'producer', 'reject');
  await answered(fleet, [own[36]!], 'consumer', 'reject');
  await answered(air, [own[37]!], 'producer', 'reject');

  await invite(weather, docks[20]!, 'producer', 'Wind from your pier, please.');
  await invite(weather, gauges[20]!, 'producer', 'For the pilots’ board.');
  await invite(weather, docks[21]!, 'producer');
  await invite(weather, gauges[21]!, 'consumer', 'Wind from your pier, please.');
  await invite(river, own[22]!, 'consumer', 'It could hear the others, too.');
  await invite(quay, gauges[24]!, 'producer');
  await invite(air, own[35]!, 'producer');
  await invite(fleet, own[33]!, 'consumer');
  await invite(fleet, own[34]!, 'consumer', 'For the vans that pass there.');
  await invite(weather, docks[22]!, 'producer', 'For the pilots’ board.');
  await invite(air, own[32]!, 'producer');
  await invite(river, own[31]!, 'producer');
  await invite(river, own[30]!, 'consumer', 'The readings upstream would reach it first.');
}

/** Starts the actions in this order and waits for all of them: their writes share a commit. */
const startAll = <Item, Result>(items: Item[], action: (item: Item, index: number) => Promise<Result>) =>
  Promise.all(items.map(action));

function deviceAt(
  [name, machine_type, code, longitude, latitude]: Airport,
  { placed, keepsValues }: { placed: boolean; keepsValues: boolean },
): ResourceCreate {
  const description = `Weather station at ${code}`;
  return {
    name,
    machine_type,
    description,
    ...(placed && { position: { longitude, latitude } }),
    ...(keepsValues && { keep_values: 'sent_at' }),
  };
}
