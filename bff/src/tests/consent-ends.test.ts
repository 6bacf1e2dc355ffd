/**
 * Three processes on one database: memberships end while their devices send, move and receive. No message and no position of the end or
 * later reaches anybody by a process, whichever process accepted it, and nothing that others send then reaches the devices.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../.tools/free-port.ts';
import { startPostgres, type PostgresServer } from '../../../.tools/postgres.ts';
import type { CreatedApiKey, JoinLink, JoinOffer, MessageSent, Resource, Swarm } from '../contract.ts';
import { join, listen, type Listener, type TestUser } from './events.fixture.ts';
import { deviceClient, type DeviceClient, type Receiver } from './messages.fixture.ts';
import { long, patience, recordFigure, startServer, temporaryDataDir } from './process.fixture.ts';
import { opening } from './service-client.fixture.ts';

const secret = 'a secret that all processes share, of 32 and more characters';
const devicesOfRound = long ? 40 : 6;
const rounds = long ? 250 : 2;

let postgres: PostgresServer;
let origins: string[];
const cleanup = new AsyncDisposableStack();
beforeAll(async () => {
  postgres = await startPostgres();
  origins = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const PORT = String(await freePort());
      const folder = cleanup.use(temporaryDataDir());
      const env = { DATABASE_URL: postgres.url, SECRET: secret, PUBLIC_URL: 'http://devices.example.org', PORT };
      cleanup.use(await startServer({ ...folder, env }));
      return `http://127.0.0.1:${PORT}`;
    }),
  );
}, patience);
afterAll(async () => {
  await cleanup.disposeAsync();
  await postgres.stop();
});

const originOf = (n: number) => origins[n % origins.length]!;

/** A device with a key, which is sent to this process. */
async function deviceOf(user: TestUser, origin: string): Promise<DeviceClient> {
  const { id } = await user.request<Resource>('POST', '/resources', { name: 'Sensor', machine_type: 'bug' });
  const made = await user.browser.send('POST', `/api/devices/${id}/keys`, { name: 'k' });
  return deviceClient(origin, { key: ((await made.json()) as CreatedApiKey).key, device: id });
}

/** Sends and moves by all processes until it may not any more. Returns what was accepted. */
async function sendUntilEnd({ key, device }: DeviceClient, swarm: string): Promise<MessageSent[]> {
  const accepted: MessageSent[] = [];
  for (let n = 0; ; n += 1) {
    const { post } = deviceClient(originOf(n), { key, device });
    const position = { longitude: 8, latitude: (n % 1000) / 100 };
    const [sent] = await Promise.all([
      post({ payload: `of ${device}`, swarm_id: swarm }),
      fetch(`${originOf(n + 1)}/service/resources/${device}`, {
        method: 'PUT',
        headers: { 'x-serviceapikey': key, 'content-type': 'application/json' },
        body: JSON.stringify({ position }),
      }),
    ]);
    if (sent.status !== 201) return accepted;
    accepted.push((await sent.json()) as MessageSent);
  }
}

interface Ended {
  swarm: string;
  device: DeviceClient;
  receiver: Receiver;
  endsAt: string;
}

/** The watched devices move a last time, so that all streams have what was sent before. */
async function lastMove(ola: TestUser, device: string, listeners: readonly Listener[], round: number) {
  await ola.request('PUT', `/resources/${device}`, { description: `round ${round}` });
  const isLast = ({ type, data }: Listener['events'][number]) =>
    type === 'resource.updated' && data.id === device && data.description === `round ${round}`;
  await Promise.all(listeners.map((listener) => listener.until(isLast)));
}

test(
  `${rounds * devicesOfRound} ends under load: nothing of the end or later is sent, delivered or shown`,
  async () => {
    const [ann, ola] = [await join(originOf(0), 'ann'), await join(originOf(1), 'ola')];
    const steady = await deviceOf(ola, originOf(0));
    const witnesses = await Promise.all(origins.map((origin) => deviceOf(ola, origin)));
    const devices = await Promise.all(Array.from({ length: devicesOfRound }, (_, n) => deviceOf(ann, originOf(n))));
    const receivers = await Promise.all([...devices, ...witnesses].map((device) => device.receive()));
    const seenBy = receivers.slice(devices.length);
    const listeners = await Promise.all(
      origins.map((origin) => listen(`${origin}/service/events`, { 'x-serviceapikey': ola.key })),
    );
    let [accepted, received, moved] = [0, 0, 0];

    for (let round = 0; round < rounds; round += 1) {
      const swarm = await ola.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
      const add = ({ device: resource_id }: DeviceClient, resource_type: string) =>
        ola.request('POST', `/swarms/${swarm.id}/resources`, { resource_id, resource_type });
      await add(steady, 'producer');
      for (const witness of witnesses) await add(witness, 'consumer');
      const link = await ola.request<JoinLink>('POST', `/swarms/${swarm.id}/links`, {
        name: 'l',
        resource_type: 'both',
      });
      const { id, pass } = await ann.request<JoinOffer>('GET', opening(link));
      const ends = await Promise.all(
        devices.map(async (device, n): Promise<Ended> => {
          const endsAt = new Date(Date.now() + 2000 + n * 10).toISOString();
          await ann.request('POST', `/links/${id}/resources`, { pass, resource_id: device.device, ends_at: endsAt });
          return { swarm: swarm.id, device, receiver: receivers[n]!, endsAt };
        }),
      );
      let isOver = false;
      const load = (async () => {
        while (!isOver) await steady.send('load', { swarm_id: swarm.id });
      })();
      const sent = await Promise.all(ends.map(({ device }) => sendUntilEnd(device, swarm.id)));
      isOver = true;
      await load;
      const last = await steady.send(`last ${round}`, { swarm_id: swarm.id });
      await Promise.all(
        seenBy.map((witness) =>
          witness.until((messages) => messages.some(({ message_id }) => message_id === last.message_id)),
        ),
      );
      await lastMove(ola, steady.device, listeners, round);

      for (const [n, { device, receiver, endsAt }] of ends.entries()) {
        const times = sent[n]!.map(({ sent_at }) => sent_at);
        accepted += times.length;
        expect(times.filter((at) => at >= endsAt)).toEqual([]);
        for (const { messages } of seenBy)
          expect(messages.filter(({ from, sent_at }) => from === device.device && sent_at >= endsAt)).toEqual([]);
        const got = receiver.messages.filter(({ swarm_id }) => swarm_id === swarm.id);
        received += got.length;
        expect(got.filter(({ sent_at }) => sent_at >= endsAt)).toEqual([]);
        for (const { events } of listeners) {
          const moves = events.flatMap(({ type, data }) =>
            type === 'resource.updated' && data.id === device.device ? [data] : [],
          );
          moved += moves.length;
          expect(moves.filter(({ modified_at }) => modified_at! >= endsAt)).toEqual([]);
        }
      }
      for (const { messages } of receivers) messages.length = 0;
      for (const { events } of listeners) events.length = 0;
      await ola.request('DELETE', `/swarms/${swarm.id}`);
    }
    recordFigure(
      `${rounds * devicesOfRound} ends: ${accepted} messages accepted, ${received} received, ${moved} moves shown; 0 of the end or later`,
    );
    expect(accepted).toBeGreaterThan(0);
    expect(received).toBeGreaterThan(0);
    expect(moved).toBeGreaterThan(0);
    for (const stream of [...receivers, ...listeners]) stream.close();
  },
  patience,
);
