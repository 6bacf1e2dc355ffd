// stores: SQLite, PostgreSQL
/**
 * A model of who receives what: devices send, join, leave, are narrowed and destroyed, and streams are lost and resumed, in
 * a random order. Each receiver gets exactly the messages of the model, in one order.
 */
import { expect, test } from 'vitest';
import type { MemberRole, Message, Resource, Swarm } from '../../contract.ts';
import { createRandom } from '../../tests/durability.fixture.ts';
import { join } from '../../tests/events.fixture.ts';
import { startHttpServer } from '../../tests/http-server.fixture.ts';
import { expectInvariants } from '../../tests/invariants.fixture.ts';
import { deviceClient, type DeviceClient, type Receiver } from '../../tests/messages.fixture.ts';
import { long, seed } from '../../tests/process.fixture.ts';

const steps = long ? 4000 : 150;

interface Sent {
  text: string;
  from: string;
  to: string | undefined;
  swarms: string[];
}
interface Device {
  client: DeviceClient;
  receiver: Receiver;
  expected: string[];
  /** Everything of the log before is not for it any more. */
  cursor: number;
}

test(`each receiver gets exactly what the model says (seed ${seed})`, async () => {
  await using server = await startHttpServer();
  const random = createRandom(seed);
  const ann = await join(server.url, 'ann');
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const devices = new Map<string, Device>();
  /** By swarm, the roles of its members. */
  const swarms = new Map<string, Map<string, MemberRole>>();
  const log: Sent[] = [];

  async function newDevice() {
    const body = { name: 'Sensor', machine_type: 'bug' };
    const { id } = await ann.request<Resource>('POST', '/resources', body);
    const client = deviceClient(server.url, { key: ann.key, device: id });
    const receiver = await client.receive();
    await receiver.caughtUp;
    devices.set(id, { client, receiver, expected: [], cursor: log.length });
    return id;
  }
  async function newSwarm() {
    const { id } = await ann.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
    swarms.set(id, new Map());
    return id;
  }
  const sends = (role: MemberRole | undefined) => role === 'producer' || role === 'both';
  const receives = (role: MemberRole | undefined) => role === 'consumer' || role === 'both';
  const isFor = (id: string, { from, to }: Sent) => from !== id && (to === undefined || to === id);

  /** A message from a witness to another one: when it has arrived, everything before has been given out. */
  const own = await newSwarm();
  const [source, witness] = [await newDevice(), await newDevice()];
  await ann.request('POST', `/swarms/${own}/resources`, { resource_id: source, resource_type: 'producer' });
  await ann.request('POST', `/swarms/${own}/resources`, { resource_id: witness, resource_type: 'consumer' });
  swarms.delete(own);
  const [sourceOf, witnessOf] = [source, witness].map((id) => devices.get(id)!) as [Device, Device];
  for (const id of [source, witness]) devices.delete(id);
  let marks = 0;
  async function settle() {
    const mark = `mark ${marks++}`;
    await sourceOf.client.send(mark);
    await witnessOf.receiver.until((messages) => messages.at(-1)?.payload === mark);
  }

  const actions: Record<string, () => Promise<unknown>> = {
    async send() {
      const id = pick([...devices.keys()]);
      const inSwarm = random() < 0.3 ? pick([...swarms.keys()]) : undefined;
      const to = random() < 0.2 ? pick([...devices.keys()]) : undefined;
      const text = `message ${log.length}`;
      const allowed = [...swarms].filter(
        ([swarm, roles]) =>
          sends(roles.get(id)) &&
          (inSwarm === undefined || inSwarm === swarm) &&
          (to === undefined || (to !== id && receives(roles.get(to)))),
      );
      const body = { payload: text, ...(inSwarm && { swarm_id: inSwarm }), ...(to && { to }) };
      const answer = await devices.get(id)!.client.post(body);
      expect(answer.status === 201, `${text}: ${answer.status}`).toBe(allowed.length > 0);
      if (allowed.length === 0) return;
      const sent = { text, from: id, to, swarms: allowed.map(([swarm]) => swarm) };
      expect(((await answer.json()) as { swarms: string[] }).swarms.toSorted()).toEqual(sent.swarms.toSorted());
      log.push(sent);
      for (const [each, device] of devices) {
        if (isFor(each, sent) && allowed.some(([, roles]) => receives(roles.get(each)))) device.expected.push(text);
      }
    },
    async join() {
      const [id, [swarm, roles]] = [pick([...devices.keys()]), pick([...swarms])];
      const role = pick(['producer', 'consumer', 'both'] as const);
      const before = roles.get(id);
      if (before !== undefined && (before === 'both' || before === role)) return;
      await ann.request('POST', `/swarms/${swarm}/resources`, { resource_id: id, resource_type: role });
      roles.set(id, before === undefined ? role : 'both');
    },
    async leave() {
      const [id, [swarm, roles]] = [pick([...devices.keys()]), pick([...swarms])];
      if (!roles.has(id)) return;
      await ann.request('DELETE', `/swarms/${swarm}/resources/${id}`);
      roles.delete(id);
    },
    async narrow() {
      const [id, [swarm, roles]] = [pick([...devices.keys()]), pick([...swarms])];
      if (roles.get(id) !== 'both') return;
      const role = pick(['producer', 'consumer'] as const);
      await ann.request('PUT', `/swarms/${swarm}/resources/${id}`, { resource_type: role });
      roles.set(id, role);
    },
    async resume() {
      const [id, device] = pick([...devices]);
      await settle();
      await device.receiver.until(({ length }) => length >= device.expected.length);
      expect(device.receiver.messages.map(({ payload }) => payload)).toEqual(device.expected);
      device.receiver.close();
      const last = device.receiver.messages.at(-1)?.payload;
      const cursor = Math.max(device.cursor, log.findIndex(({ text }) => text === last) + 1);
      const after = device.receiver.lastId();
      const others = ['send', 'send', 'send', 'join', 'leave'];
      for (let n = random() < 0.5 ? 5 : 0; n > 0; n--) await act(pick(others));
      // With its rights of now, also what it was not live for.
      device.expected = log
        .slice(cursor)
        .filter((sent) => isFor(id, sent) && sent.swarms.some((swarm) => receives(swarms.get(swarm)?.get(id))))
        .map(({ text }) => text);
      device.receiver = await device.client.receive({ after });
      await device.receiver.caughtUp;
      await device.receiver.until(({ length }) => length >= device.expected.length);
      device.cursor = log.length;
    },
    async destroyDevice() {
      if (random() < 0.7) return;
      const [id, { receiver }] = pick([...devices]);
      await ann.request('DELETE', `/resources/${id}`);
      await receiver.ended;
      devices.delete(id);
      for (const roles of swarms.values()) roles.delete(id);
      // Its messages are deleted soon.
      const rows = { sql: 'SELECT 1 FROM messages WHERE sender_id = $1', params: [id] };
      await expect.poll(() => server.db.read(rows)).toEqual([]);
      for (const sent of log) if (sent.from === id) sent.swarms = [];
      await newDevice();
    },
    async destroySwarm() {
      if (random() < 0.7) return;
      const swarm = pick([...swarms.keys()]);
      await ann.request('DELETE', `/swarms/${swarm}`);
      swarms.delete(swarm);
      await newSwarm();
    },
  };

  for (let n = 0; n < 3; n++) await newSwarm();
  for (let n = 0; n < 6; n++) await newDevice();
  const weights = { send: 10, join: 5, leave: 2, narrow: 2, resume: 2, destroyDevice: 1, destroySwarm: 1 };
  const choices = Object.entries(weights).flatMap(([name, weight]) => Array<string>(weight).fill(name));
  /** A receiver that joins afterwards gets nothing of before. */
  async function act(name: string) {
    await actions[name]!();
    await settle();
  }
  for (let step = 0; step < steps; step++) await act(pick(choices));
  for (const device of devices.values()) {
    await device.receiver.until(({ length }) => length >= device.expected.length);
    expect(device.receiver.messages.map(({ payload }: Message) => payload)).toEqual(device.expected);
  }
  await expectInvariants(server.db);
  expect(log.length).toBeGreaterThan(steps / 10);
  for (const { receiver } of [sourceOf, witnessOf, ...devices.values()]) receiver.close();
});
