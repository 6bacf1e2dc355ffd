/** A data folder with an account of many devices, created by the operator's commands before a server runs on it. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const owner = { username: 'bench', password: 'correct horse battery' };
const here = join(import.meta.dirname, '../..');

/** `root`: the checkout whose commands are used. `expectedEvery`: in seconds. Returns a key of the owner. */
export async function storeFleet(options: {
  root?: string;
  data: string;
  count: number;
  expectedEvery?: number;
  keepsTracks?: boolean;
}) {
  const { root = here, data, count, expectedEvery, keepsTracks = false } = options;
  const user = owner.username;
  // The commands create no database.
  const { server } = await startServer({ root, data });
  server.kill('SIGTERM');
  await once(server, 'exit');
  await command(root, data, ['user', 'add', user, '--password-stdin'], owner.password);
  const key = await command(root, data, ['key', 'create', '--user', user]);
  const file = join(data, 'fleet.csv');
  const lines = ['name,machine_type,description,longitude,latitude', ...fleetRows(count)];
  const columns = [
    ...(expectedEvery === undefined ? [] : [['expected_every', String(expectedEvery)]]),
    ...(keepsTracks ? [['keep_track', 'true']] : []),
  ];
  const more = (index: number) => columns.map(([head, cell]) => `,${index === 0 ? head : cell}`).join('');
  writeFileSync(file, lines.map((line, index) => line + more(index)).join('\n'));
  await command(root, data, ['import', '--user', user, file]);
  rmSync(file);
  return { key };
}

/** A server that reports its event loop delays on request (loop-delay.ts). `port`: 0 takes a free one. */
export async function startServer(options: {
  root?: string;
  data: string;
  port?: number;
  execArgv?: string[];
  env?: Record<string, string>;
}): Promise<{ server: ChildProcess; origin: string }> {
  const { root = here, data, port = 0, execArgv = [], env = {} } = options;
  const settings = { DATA_DIR: data, PORT: String(port), RATE_LIMIT: 'off', QUOTAS: 'off', LOG_LEVEL: 'warn' };
  const server = fork(join(root, 'bff/src/main.ts'), {
    env: { ...process.env, ...settings, ...env },
    execArgv: ['--import', join(import.meta.dirname, 'loop-delay.ts'), ...execArgv],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  for await (const line of createInterface({ input: server.stdout! })) {
    const found = /Swarmdeck is at (\S+)/.exec(line);
    if (found) return { server, origin: found[1]! };
  }
  throw new Error('the server did not start');
}

/** Repeats the stations' positions, each time slightly shifted. */
function fleetRows(count: number): string[] {
  const lines = readFileSync(join(here, 'e2e/data/stations.csv'), 'utf8').trim().split('\n').slice(1);
  const stations = lines.map((line) => line.split(',').slice(-2).map(Number) as [number, number]);
  let seed = 7;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, (_, index) => {
    const [longitude, latitude] = stations[Math.floor(random() * stations.length)]!;
    const beside = (degrees: number, most: number) => Math.max(-most, Math.min(most, degrees + random() - 0.5));
    const type = ['pc', 'bug', 'smartphone'][index % 3];
    const name = index % 1000 === 0 ? `Lighthouse ${index}` : `Sensor ${index}`;
    return `${name},${type},,${beside(longitude, 180).toFixed(6)},${beside(latitude, 85).toFixed(6)}`;
  });
}

async function command(root: string, data: string, args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'bff/src/cli.ts'), ...args], {
    env: { ...process.env, DATA_DIR: data, QUOTAS: 'off' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code}`);
  return output.trim();
}
