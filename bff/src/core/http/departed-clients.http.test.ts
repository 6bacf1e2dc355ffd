// stores: SQLite, PostgreSQL in the long run
/** Clients that leave before they are answered: nothing waits for them, and their user has the slots of their requests again. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, hourMs } from '../limits/durations.ts';
import { join, type TestUser } from '../../tests/events.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { addAllToSwarm, addDevices } from '../../tests/many-devices.fixture.ts';

let server: HttpTestServer;
let users = 0;
// A user has one slot, and long lists of 1,677 bytes in a second.
beforeAll(async () => void (server = await startHttpServer({ rateLimit: 1e-4 })));
afterAll(() => server[Symbol.asyncDispose]());

/** Whoever waits so long has the tokens of all rates again. The bytes of lists are counted by a clock that is not moved. */
const refillRates = () => server.wait(hourMs);

/** A user with lists of one long read each, who has to wait for the next one after that of `path`. */
async function owner(path = '/export') {
  server.wait(dayMs);
  const user = await join(server.url, `owner-${users++}`);
  await addDevices({ db: server.db, userId: user.name, count: 250, description: 'x'.repeat(200) });
  const send = async (method: string, path: string, body: object) => {
    refillRates();
    return user.request<{ id: string }>(method, path, body);
  };
  const swarm = await send('POST', '/swarms', { name: 'Ring', description: '' });
  await addAllToSwarm({ db: server.db, userId: user.name, swarmId: swarm.id });
  const device = await send('POST', '/resources', { name: 'Lamp', machine_type: 'pc' });
  const member = { resource_id: device.id, resource_type: 'both' };
  await send('POST', `/swarms/${swarm.id}/resources`, member);
  await send('POST', `/resources/${device.id}/messages`, { payload: 'x' });
  refillRates();
  const url = `${server.url}/service${path.replace('%swarm', swarm.id)}`;
  const read = await (await fetch(url, { headers: { 'x-serviceapikey': user.key } })).text();
  expect(read.length).toBeGreaterThan(40_000);
  return { user, swarm: swarm.id, device: device.id, read };
}

const waiting = async () => (await server.measure()).queues.reader?.waiting;
async function statusOf({ key }: TestUser, path: string) {
  refillRates();
  const answer = await fetch(`${server.url}/service${path}`, { headers: { 'x-serviceapikey': key } });
  await answer.arrayBuffer();
  return answer.status;
}

test.each([
  ['GET', '/resources'],
  ['GET', '/resources', { accept: 'application/geo+json' }],
  ['GET', '/export'],
  ['GET', '/swarms'],
  ['GET', '/swarms/%swarm'],
  ['PUT', '/swarms/%swarm'],
  ['GET', '/swarms/%swarm/resources'],
  ['GET', '/resources/%device/swarms'],
  ['GET', '/resources/%device/messages/sent'],
])(
  'who leaves frees the slot of the request at once: %s %s',
  async (method, path, more: Record<string, string> = {}) => {
    const { user, swarm, device } = await owner();
    const headers = { 'x-serviceapikey': user.key, 'content-type': 'application/json', ...more };
    const url = `${server.url}/service${path.replace('%swarm', swarm).replace('%device', device)}`;
    refillRates();
    const asked = request(url, { method, headers, agent: false }).on('error', () => {});
    asked.end(method === 'PUT' ? JSON.stringify({ description: 'changed' }) : undefined);
    await expect.poll(waiting).toBe(1);
    expect(await statusOf(user, `/resources/${device}`)).toBe(429);
    asked.destroy();
    // It would have to wait for half a minute.
    await expect.poll(waiting).toBe(0);
    expect(await statusOf(user, `/resources/${device}`)).toBe(200);
  },
);

test('who leaves with pipelined requests frees the slot of the one that runs', async () => {
  const { user, device } = await owner();
  refillRates();
  const { hostname, port } = new URL(server.url);
  const asked = connect(Number(port), hostname).on('error', () => {});
  asked.write(`GET /service/export HTTP/1.1\r\nhost: ${hostname}\r\nx-serviceapikey: ${user.key}\r\n\r\n`.repeat(3));
  await expect.poll(waiting).toBe(1);
  expect(await statusOf(user, `/resources/${device}`)).toBe(429);
  asked.destroy();
  await expect.poll(waiting).toBe(0);
  expect(await statusOf(user, `/resources/${device}`)).toBe(200);
});

test('a swarm that is put back as it was read is compared in the turn of its user, and is unchanged if the client leaves before', async () => {
  const { user, swarm, read } = await owner('/swarms/%swarm');
  const headers = { 'x-serviceapikey': user.key, 'content-type': 'application/json' };
  refillRates();
  const asked = request(`${server.url}/service/swarms/${swarm}`, { method: 'PUT', headers, agent: false });
  asked.on('error', () => {}).end(JSON.stringify({ ...(JSON.parse(read) as object), description: 'changed' }));
  await expect.poll(waiting).toBe(1);
  asked.destroy();
  await expect.poll(waiting).toBe(0);
  const sql = 'SELECT description FROM swarms WHERE id = $1';
  expect(await server.db.read({ sql, params: [swarm] })).toEqual([{ description: '' }]);
});
