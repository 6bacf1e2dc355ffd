/**
 * `npm run bench -- list`: a list of 100,000 from inside and outside: how long the event loop is held up, what memory
 * and the database's log grow to, with readers that are fast, or take 10 kB a second while others write.
 * Prints a table; asserts nothing.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Inside } from './loop-delay.ts';

const count = Number(process.env['COUNT'] ?? 100_000);
const seconds = Number(process.env['SECONDS'] ?? 10);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const env = { ...process.env, DATA_DIR: folder, PORT: '0', RATE_LIMIT: 'off', QUOTAS: 'off', LOG_LEVEL: 'warn' };

const server = fork(join(root, 'bff/src/main.ts'), {
  env,
  execArgv: ['--import', join(import.meta.dirname, 'loop-delay.ts')],
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const origin = await addressOf();
const key = await createKey();
const headers = { 'x-serviceapikey': key, 'content-type': 'application/json' };
const list = `${origin}/service/resources`;

const file = join(folder, 'fleet.csv');
const rows = Array.from({ length: count }, (_, index) => `Buoy ${index},bug,moored,${(index % 3600) / 10 - 180},52.9`);
writeFileSync(file, ['name,machine_type,description,longitude,latitude', ...rows].join('\n'));
const began = performance.now();
await command(['import', '--user', 'bench', file]);
const imported = (performance.now() - began) / 1000;
const first = (await (await fetch(list, { headers })).json()) as { id: string }[];

console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`);
console.log(`${first.length} devices, imported in ${imported.toFixed(1)} s\n`);
console.log(
  '| what | turns of the event loop, CPU ms: p99, max | held up, ms: p99, max | heap, MB | RSS, MB | log, MB | |',
);
console.log('|---|---|---|---|---|---|---|');

await row('nothing', async () => {
  await wait(3000);
  return '';
});
await row('10 lists, one after the other', async () => {
  const started = performance.now();
  let bytes = 0;
  for (let turn = 0; turn < 10; turn++) bytes += await readWhole();
  return `${(bytes / 1e7).toFixed(1)} MB each in ${((performance.now() - started) / 10).toFixed(0)} ms`;
});
await row('10 lists at once', async () => {
  const started = performance.now();
  await Promise.all(Array.from({ length: 10 }, readWhole));
  return `all in ${(performance.now() - started).toFixed(0)} ms`;
});
await row(`20 readers of 10 kB/s for ${seconds} s, 20 writers`, async () => {
  const slow = await Promise.all(Array.from({ length: 20 }, () => request()));
  const reading = slow.map(readSlowly);
  const writes = await write();
  for (const answer of slow) answer.destroy();
  await Promise.all(reading);
  return writes;
});
await row(`20 writers for ${seconds} s and no reader`, write);

server.kill('SIGTERM');
await once(server, 'exit');
rmSync(folder, { recursive: true });

async function row(what: string, act: () => Promise<string>) {
  const before = await inside();
  let log = 0;
  const watching = setInterval(() => (log = Math.max(log, statSync(join(folder, 'swarmdeck.db-wal')).size)), 100);
  const note = await act();
  clearInterval(watching);
  const after = await inside();
  const both = ({ p99, max }: { p99: number; max: number }) => `${p99.toFixed(1)}, ${max.toFixed(1)}`;
  const grown = (of: 'heap' | 'rss') => `${before[of].toFixed(0)}, then ${after[of].toFixed(0)}`;
  const columns = [
    what,
    both(after.turns),
    both(after.held),
    grown('heap'),
    grown('rss'),
    (log / 1e6).toFixed(1),
    note,
  ];
  console.log(`| ${columns.join(' | ')} |`);
}

async function inside(): Promise<Inside> {
  server.send('how are you');
  const [answer] = (await once(server, 'message')) as [Inside];
  return answer;
}

/** Changes the devices of the list, and has them read one at a time as well. */
async function write(): Promise<string> {
  const body = JSON.stringify({ description: 'adrift' });
  const urls = Array.from({ length: 1000 }, (_, index) => `/service/resources/${first[index * 97]!.id}`);
  const requests = urls.map((path) => ({ method: 'PUT' as const, path, body }));
  const one = `${list}/${first[0]!.id}`;
  const [writes, reads] = await Promise.all([
    autocannon({ url: origin, connections: 20, duration: seconds, headers, requests }),
    autocannon({ url: one, connections: 2, duration: seconds, headers }),
  ]);
  if (writes.non2xx + writes.errors + reads.non2xx + reads.errors > 0) throw new Error('requests failed');
  const rate = Math.round(writes.requests.total / writes.duration);
  return `${rate} PUT/s; GET p99 ${reads.latency.p99} ms, max ${reads.latency.max} ms`;
}

async function request(): Promise<IncomingMessage> {
  const [answer] = (await once(get(list, { headers, agent: false }), 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return answer;
}

async function readWhole(): Promise<number> {
  let bytes = 0;
  for await (const chunk of await request()) bytes += (chunk as Buffer).length;
  return bytes;
}

async function readSlowly(answer: IncomingMessage) {
  while (!answer.destroyed) {
    answer.read(1024);
    await wait(100);
  }
}

async function addressOf(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const found = /Swarmdeck is at (\S+)/.exec(line);
    if (found) return found[1]!;
  }
  throw new Error('the server did not start');
}

async function createKey(): Promise<string> {
  await command(['user', 'add', 'bench', '--password-stdin'], 'correct horse battery');
  return (await command(['key', 'create', '--user', 'bench'])).trim();
}

async function command(args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'bff/src/cli.ts'), ...args], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code}`);
  return output;
}
