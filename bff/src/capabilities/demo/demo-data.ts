import type { InvitationRole, MemberRole, ResourceCreate, SwarmCreate } from '../../contract.ts';
import { startInTicks } from '../../core/limits/loop-ticks.ts';
import { Problem } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import type { Statement } from '../../core/store/statement.ts';
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

type DemoStores = ReturnType<Service['storesWithoutQuotas']>;

interface DemoDeps {
  stores: DemoStores;
  /** With the clock of when the values begin: what is recorded was sent by members, to a swarm that was there. */
  pastStores: DemoStores;
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
}

/**
 * Creates the demo data of a user: devices of the user and of two partners between two seas, swarms with every role, and
 * received and sent invitations in every state.
 * @throws Problem `user.not_found` if the user was deleted meanwhile
 */
export async function createDemoData(deps: DemoDeps): Promise<void> {
  const devices = await createDevices(deps);
  const swarms = await createSwarms(deps);
  await addOwnMembers(deps, devices, swarms);
  await addPastValues(deps, devices.own.slice(0, withValues));
  await sendAnsweredInvitations(deps, devices, swarms);
  await sendOpenInvitations(deps, devices, swarms);
}

/** The devices of the user, of the harbour and of the gauge office. */
type DemoDevices = Awaited<ReturnType<typeof createDevices>>;

async function createDevices(deps: DemoDeps) {
  const [harbour, office] = deps.partners;
  return {
    own: await createDevicesOf(deps, deps.user, (index) => index % 5 < 2),
    docks: await createDevicesOf(deps, harbour, (index) => index === 2 || index === 4 || index === 7),
    gauges: await createDevicesOf(deps, office, (index) => index === 3 || index === 8 || index === 9),
  };
}

async function createDevicesOf(
  deps: DemoDeps,
  owner: string,
  isIncluded: (index: number) => boolean,
): Promise<DemoOwned[]> {
  const { stores, pastStores, newId, user } = deps;
  const stations = airports.filter((_, index) => isIncluded(index % 10));
  return startAll(stations, async (station, index) => {
    const placed = owner !== user || index < stations.length - unplaced;
    const id = newId();
    const keepsValues = owner === user && index < withValues;
    const body = deviceAt(station, { placed, keepsValues });
    const { resources } = keepsValues ? pastStores : stores;
    const created = await resources.create({ id, userId: owner, body, claim: claimOf(deps, owner, 'resource', id) });
    if (!created) throw new Problem('user.not_found');
    return { id, user_id: owner, machine_type: body.machine_type };
  });
}

type DemoSwarms = Awaited<ReturnType<typeof createSwarms>>;

async function createSwarms(deps: DemoDeps) {
  const { pastStores, user, partners } = deps;
  const [harbour, office] = partners;
  return {
    weather: await createSwarm(deps, {
      owner: user,
      stores: pastStores,
      name: 'Harbour weather',
      description: 'Wind, water and visibility on every quay.',
      public: true,
    }),
    quay: await createSwarm(deps, {
      owner: user,
      name: 'Quay sensors',
      description: 'Bilge floats, gate and crane terminals.',
    }),
    river: await createSwarm(deps, {
      owner: harbour,
      name: 'River levels',
      description: 'Water levels between the two seas, every ten minutes.',
      public: true,
    }),
    air: await createSwarm(deps, {
      owner: office,
      name: 'Air quality north',
      description: 'Particulates and ozone, from the Belt to the Elbe.',
      public: true,
    }),
    fleet: await createSwarm(deps, {
      owner: office,
      name: 'Fleet south',
      description: 'Vans on the road and their phones.',
    }),
  };
}

async function createSwarm(
  deps: DemoDeps,
  { owner, stores = deps.stores, ...body }: SwarmCreate & { owner: string; stores?: DemoStores },
): Promise<Owned> {
  const id = deps.newId();
  const created = await stores.swarms.create({ id, userId: owner, body, claim: claimOf(deps, owner, 'swarm', id) });
  if (created === 'no user') throw new Problem('user.not_found');
  return { id, user_id: owner };
}

/** The members that belong to the owner of the swarm. */
async function addOwnMembers(
  deps: DemoDeps,
  { own, docks, gauges }: DemoDevices,
  { weather, quay, river, air, fleet }: DemoSwarms,
): Promise<void> {
  const { stores, pastStores } = deps;
  await addMembers(pastStores, weather, { devices: own.slice(0, withValues), role: 'producer' });
  await addMembers(stores, weather, { devices: own.slice(10, 13), role: 'consumer' });
  await addMembers(stores, weather, { devices: own.slice(13, 15), role: 'both' });
  await addMembers(stores, quay, { devices: own.slice(15, 21), role: 'producer' });
  await addMembers(stores, quay, { devices: own.slice(21, 22), role: 'consumer' });
  await addMembers(stores, river, { devices: docks.slice(0, 18), role: 'producer' });
  await addMembers(stores, air, { devices: gauges.slice(0, 16), role: 'producer' });
  await addMembers(stores, air, { devices: gauges.slice(16, 19), role: 'consumer' });
  await addMembers(stores, fleet, { devices: gauges.slice(25), role: 'both' });
}

async function addMembers(
  { members }: DemoStores,
  swarm: Owned,
  { devices, role }: { devices: Owned[]; role: MemberRole },
): Promise<void> {
  const common = { swarmId: swarm.id, resource_type: role, userId: swarm.user_id, claim: () => [] };
  await startAll(devices, ({ id }) => members.add({ ...common, resource_id: id }));
}

/** One device after the other: each takes some time of the main thread. */
async function addPastValues({ addPast, heardThen, now }: DemoDeps, devices: DemoOwned[]): Promise<void> {
  for (const [index, device] of devices.entries()) {
    const points = pastOf(device, { now, hasGap: index % 5 === 2 });
    await addPast({ id: device.id, points });
    await heardThen([device.id], points.at(-1)!.at);
  }
}

async function sendAnsweredInvitations(
  deps: DemoDeps,
  { own, docks, gauges }: DemoDevices,
  { weather, quay, river, air, fleet }: DemoSwarms,
): Promise<void> {
  const accepted = (swarm: Owned, role: InvitationRole, devices: Owned[]) =>
    inviteAndAnswer(deps, swarm, { devices, role, answer: 'accept' });
  const rejected = (swarm: Owned, role: InvitationRole, devices: Owned[]) =>
    inviteAndAnswer(deps, swarm, { devices, role, answer: 'reject' });

  await accepted(weather, 'producer', docks.slice(0, 10));
  await accepted(weather, 'consumer', gauges.slice(0, 7));
  await accepted(weather, 'consumer', docks.slice(9, 10));
  await accepted(river, 'producer', [own[0]!, ...own.slice(22, 25)]);
  await accepted(river, 'consumer', [own[0]!, own[25]!]);
  await accepted(quay, 'producer', gauges.slice(7, 11));
  await accepted(air, 'producer', own.slice(26, 28));
  await accepted(air, 'consumer', own.slice(27, 28));
  await accepted(fleet, 'consumer', own.slice(28, 30));
  await rejected(weather, 'producer', [docks[23]!, gauges[23]!]);
  await rejected(fleet, 'consumer', [own[36]!]);
  await rejected(air, 'producer', [own[37]!]);
}

async function inviteAndAnswer(
  deps: DemoDeps,
  swarm: Owned,
  { devices, role, answer }: { devices: Owned[]; role: InvitationRole; answer: 'accept' | 'reject' },
): Promise<void> {
  await startAll(devices, async (device) => {
    const id = await invite(deps, swarm, { device, role });
    const invitation = { id, to: device.user_id, swarm_id: swarm.id, resource_id: device.id, resource_type: role };
    await deps.stores.invitations.answer({ answered: [invitation], status: answer });
  });
}

async function sendOpenInvitations(
  deps: DemoDeps,
  { own, docks, gauges }: DemoDevices,
  { weather, quay, river, air, fleet }: DemoSwarms,
): Promise<void> {
  const open = (swarm: Owned, role: InvitationRole, device: Owned, description?: string) =>
    invite(deps, swarm, { device, role, ...(description !== undefined && { description }) });

  await open(weather, 'producer', docks[20]!, 'Wind from your pier, please.');
  await open(weather, 'producer', gauges[20]!, 'For the pilots’ board.');
  await open(weather, 'producer', docks[21]!);
  await open(weather, 'consumer', gauges[21]!, 'Wind from your pier, please.');
  await open(river, 'consumer', own[22]!, 'It could hear the others, too.');
  await open(quay, 'producer', gauges[24]!);
  await open(air, 'producer', own[35]!);
  await open(fleet, 'consumer', own[33]!);
  await open(fleet, 'consumer', own[34]!, 'For the vans that pass there.');
  await open(weather, 'producer', docks[22]!, 'For the pilots’ board.');
  await open(air, 'producer', own[32]!);
  await open(river, 'producer', own[31]!);
  await open(river, 'consumer', own[30]!, 'The readings upstream would reach it first.');
}

/** Returns the id of the invitation. */
async function invite(
  { stores, newId }: DemoDeps,
  swarm: Owned,
  { device, role, description }: { device: Owned; role: InvitationRole; description?: string },
): Promise<string> {
  const id = newId();
  const body = { to: device.user_id, resource_id: device.id, ...(description !== undefined && { description }) };
  const from = swarm.user_id;
  await stores.invitations.send({
    from,
    actor: from,
    swarmId: swarm.id,
    body,
    roles: [{ id, role }],
    claim: () => [],
  });
  return id;
}

/** What is written with a new device or swarm: the user's own ones are remembered as parts of the demo. */
const claimOf =
  ({ user, remember }: DemoDeps, owner: string, kind: 'resource' | 'swarm', id: string) =>
  () =>
    owner === user ? [remember(kind, id)] : [];

/** Starts the actions in this order, one in a tick, and waits for all of them. */
const startAll = <Item, Result>(items: Item[], action: (item: Item, index: number) => Promise<Result>) =>
  startInTicks([...items.entries()], ([index, item]) => action(item, index));

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
