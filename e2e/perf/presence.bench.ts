/**
 * `npm run bench -- presence`: COUNT (100000) devices each send a request within each EVERY (60) seconds, in which they are
 * expected: first with a key of their owner, by which no device is heard, then with keys of their own, ROUNDS (2) times.
 * Measured are the processor time of the server, another user's reads, and on SQLite the size of the database. Prints a
 * table; asserts nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreatedDeviceKeys } from '@swarmdeck/bff/contract';
import type { Inside } from './loop-delay.ts';
import { machine, percentile, post, processorSeconds, send, signUp, sleep } from './harness.ts';
import { owner, startServer, storeFleet } from './stored-fleet.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const every = Number(process.env['EVERY'] ?? 60);
const rounds = Number(process.env['ROUNDS'] ?? 2);
const connections = 32;
const keysAtOnce = 500;
/** In ms: requests are sent together this often. */
const stepMs = 20;

const data = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const { key } = await storeFleet({ data, count, expectedEvery: Math.max(60, every) });
const { server, origin } = await startServer({ data });
const port = Number(new URL(origin).port);
const browser = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
const signedIn = await send('POST', `${origin}/auth/sign-in/username`, browser, owner);
const cookie = signedIn.headers.getSetCookie().map((entry) => entry.split(';')[0]);
const session = { ...browser, cookie: cookie.join('; ') };
const listed = await send('GET', `${origin}/service/resources`, { 'x-serviceapikey': key });
const all = ((await listed.json()) as { id: string }[]).map(({ id }) => id);
const devices: { id: string; key: string }[] = [];
for (let from = 0; from < all.length; from += keysAtOnce) {
  const resource_ids = all.slice(from, from + keysAtOnce);
  const made = (await (
    await post(`${origin}/api/devices/keys`, session, { resource_ids })
  ).json()) as CreatedDeviceKeys;
  devices.push(...made.items.map((item) => ({ id: item.device.id, key: item.key })));
}
const other = await signUp(origin, 'other');
const lamp = await post(`${origin}/service/resources`, other.key, { name: 'Lamp', machine_type: 'pc' });
const { id: read } = (await lamp.json()) as { id: string };

const sizeMB = () =>
  readdirSync(data).reduce(
    (sum, name) => sum + (name.startsWith('swarmdeck.db') ? statSync(join(data, name)).size : 0),
    0,
  ) / 1e6;

/** The devices in turn, evenly over the time. Requests of a connection do not wait for the responses of those before. */
async function load(keyOf: (device: { key: string }) => string): Promise<number> {
  let answers = 0;
  const sockets = Array.from({ length: connections }, () =>
    connect(port, '127.0.0.1')
      .setEncoding('latin1')
      .on('data', (text: string) => (answers += text.split('HTTP/1.1 200').length - 1)),
  );
  let sent = 0;
  for (const from = performance.now(); sent < count; await sleep(stepMs)) {
    const due = Math.min(count, ((performance.now() - from) / (every * 1000)) * count);
    for (; sent < due; sent++) {
      const device = devices[sent]!;
      const head = `GET /service/resources/${device.id} HTTP/1.1\r\nhost: bench\r\nx-serviceapikey: ${keyOf(device)}\r\n\r\n`;
      sockets[sent % connections]!.write(head);
    }
  }
  await sleep(1000);
  sockets.forEach((socket) => socket.destroy());
  return answers;
}

/** Of the event loop of the server, since it was asked before: the 99th percentile and the longest, in ms. */
async function turns(): Promise<Inside['turns']> {
  server.send('how are you');
  return ((await once(server, 'message')) as [Inside])[0].turns;
}

async function row(what: string, act: () => Promise<number>) {
  const reader = fork(join(import.meta.dirname, 'point-reads.process.ts'), [
    `${origin}/service/resources/${read}`,
    other.key['x-serviceapikey']!,
  ]);
  await once(reader, 'message');
  await turns();
  const [used, from, size] = [processorSeconds(server.pid!), performance.now(), sizeMB()];
  const answers = await act();
  const share = ((processorSeconds(server.pid!) - used) * 100_000) / (performance.now() - from);
  const responded = once(reader, 'message');
  reader.send('stop');
  const [times] = (await responded) as [number[]];
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
  const { p99: often, max } = await turns();
  const turn = `${often.toFixed(0)}, ${max.toFixed(0)}`;
  const cells = [what, answers, `${share.toFixed(0)} %`, p50, p99, turn, size.toFixed(1), sizeMB().toFixed(1)];
  console.log(`| ${cells.join(' | ')} |`);
}

console.log(`${machine()}, ${count} devices, each every ${every} s\n`);
console.log(
  '| | answers | of a core | another user’s GET: p50 | p99, ms | turns of the server: p99, longest, ms | database before | after, MB |',
);
console.log('|---|---|---|---|---|---|---|---|');
await row('nothing', async () => sleep(5000).then(() => 0));
await row('with the key of the owner: none is heard', () => load(() => key));
await row('with their own keys: all become online', () => load((device) => device.key));
for (let round = 1; round <= rounds; round++)
  await row(`the same again, ${round}: all stay online`, () => load((device) => device.key));
server.kill('SIGTERM');
await once(server, 'exit');
rmSync(data, { recursive: true });
