/**
 * `npm run bench -- reconnect`: all devices connect at once after a restart, by HTTP and by MQTT, with the limits of a server that
 * is not configured, while a stranger at the same address sends wrong keys with right checksums: how many are refused, and until
 * when all are in. `DEVICES` (2,000), `WRONG` (40 a second), `AGAINST=<clone>`. Prints a table; asserts nothing.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { each, machine, percentile, post, send, signUp, sleep, startSwarmdeck, type Swarmdeck } from './harness.ts';
import { connectPacket } from './mqtt-packets.ts';

const count = Number(process.env['DEVICES'] ?? 2000);
const wrongPerSecond = Number(process.env['WRONG'] ?? 40);
/** The other one first, because this one may update its database. */
const clones = [process.env['AGAINST'] ?? [], ''].flat();
/** Wrong keys that are there before the devices: more than an address may send at once. */
const before = 60;
const keysAtOnce = 500;

interface Device {
  id: string;
  key: string;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A key that is formed rightly, and does not exist. */
function wrongKey(): string {
  const start = `swb_${Array.from({ length: 30 }, () => alphabet[randomInt(62)]).join('')}`;
  let rest = crc32(start);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return start + digits;
}

const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const devices: Device[] = [];

async function createDevices({ origin }: Swarmdeck) {
  const ann = await signUp(origin, 'bench-ann');
  const ids = await each(Array.from({ length: count }), async () => {
    const made = await post(`${origin}/service/resources`, ann.key, { name: 'Sensor', machine_type: 'bug' });
    return ((await made.json()) as { id: string }).id;
  });
  for (let from = 0; from < count; from += keysAtOnce) {
    const body = { resource_ids: ids.slice(from, from + keysAtOnce) };
    const made = await post(`${origin}/api/devices/keys`, ann.session, body);
    const { items } = (await made.json()) as { items: { device: { id: string }; key: string }[] };
    devices.push(...items.map(({ device, key }) => ({ id: device.id, key })));
  }
  return ann;
}

async function mqttPort({ origin }: Swarmdeck, session: Record<string, string>): Promise<number> {
  const answer = await send('GET', `${origin}/api/devices/${devices[0]!.id}/keys`, session);
  return Number(new URL(((await answer.json()) as { mqtt: string }).mqtt).port);
}

/** Each returns the status of the response, or the code of CONNACK; 0 is success in both. */
const ways = {
  HTTP:
    ({ origin }: Swarmdeck) =>
    async ({ id, key }: Device) => {
      const answer = await fetch(`${origin}/service/resources/${id}`, { headers: { 'x-serviceapikey': key } });
      await answer.arrayBuffer();
      return answer.status === 200 ? 0 : answer.status;
    },
  MQTT: (_: Swarmdeck, port: number) => async (device: Device) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(connectPacket(device));
    const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
    if (!Buffer.isBuffer(answer)) return -1;
    if (answer[3] !== 0) socket.destroy();
    // It stays connected.
    else open.push(socket);
    return answer[3]!;
  },
};
const open: { destroy(): void }[] = [];

const countsOf = (codes: number[]) =>
  [...Map.groupBy(codes, (code) => code)].map(([code, all]) => `${all.length} × ${code}`).join(', ') || 'none';

console.log(`${machine()}, ${count} devices, ${wrongPerSecond} wrong keys a second\n`);
const ann = await (async () => {
  await using server = await startSwarmdeck({ folder, clone: clones[0]! });
  return await createDevices(server);
})();

console.log('| server | way | in | refused | until half, all are in | the wrong keys |\n|---|---|---|---|---|---|');
for (const clone of clones) {
  for (const way of ['HTTP', 'MQTT'] as const) {
    await using server = await startSwarmdeck({ clone, folder, env: { RATE_LIMIT: 'on' } });
    const reach = ways[way](server, await mqttPort(server, ann.session));
    const wrong: Promise<number>[] = [];
    const sendWrong = () => wrong.push(reach({ id: devices[wrong.length % count]!.id, key: wrongKey() }));
    for (let n = 0; n < before; n++) sendWrong();
    const stranger = setInterval(sendWrong, 1000 / wrongPerSecond);
    const from = performance.now();
    const times: number[] = [];
    const codes = await Promise.all(
      devices.map(async (device) => {
        const code = await reach(device);
        times.push(performance.now() - from);
        return code;
      }),
    );
    await sleep(1000);
    clearInterval(stranger);
    const refused = codes.filter((code) => code !== 0);
    const [half, all] = [percentile(times, 0.5), Math.max(...times)].map(Math.round);
    const name = clone || 'this one';
    console.log(
      `| ${name} | ${way} | ${count - refused.length} | ${countsOf(refused)} | ${half}, ${all} ms | ${countsOf(await Promise.all(wrong))} |`,
    );
    for (const socket of open.splice(0)) socket.destroy();
  }
}
rmSync(folder, { recursive: true });
