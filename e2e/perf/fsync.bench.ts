/**
 * `npm run bench -- fsync`: what a slow disk does to users who only read. The server with its writer in a thread, as it
 * is, against the same with the writer inline; a sync of 0 and of 100 ms. Prints a table; asserts nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';

const seconds = Number(process.env['SECONDS'] ?? 5);
const script = join(import.meta.dirname, '../../bff/src/tests/slow-disk.fixture.ts');

async function measure({ mode, delay }: { mode: 'thread' | 'inline'; delay: number }) {
  const server = fork(script, [mode, String(delay)]);
  const [{ url, key }] = (await once(server, 'message')) as [{ url: string; key: string }];
  const headers = { 'x-serviceapikey': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Buoy', machine_type: 'bug', position: { longitude: 12.3, latitude: 52.9 } });
  const made = await fetch(`${url}/service/resources`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  const path = `${url}/service/resources`;
  const load = (duration: number) =>
    Promise.all([
      autocannon({ url: `${path}/${id}`, connections: 10, duration, headers }),
      autocannon({ url: path, method: 'POST', connections: 20, duration, headers, body }),
    ]);

  await load(1);
  await askForLoop();
  const [reads, writes] = await load(seconds);
  const loop = await askForLoop();
  server.disconnect();
  await once(server, 'exit');
  const failed = [reads, writes].reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (failed > 0) throw new Error(`${mode}, ${delay} ms: ${failed} requests failed`);
  return { loop, reads, writes };

  async function askForLoop() {
    server.send('loop');
    const [delays] = (await once(server, 'message')) as [{ p99: number; max: number }];
    return delays;
  }
}

console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${seconds} s each\n`);
console.log('20 connections write and 10 read at the same time.\n');
console.log('| sync takes | writer | event loop held up, ms: p99, max | GET ms: p50, p99, max | GET /s | POST /s |');
console.log('|---|---|---|---|---|---|');
for (const delay of [0, 100]) {
  for (const mode of ['inline', 'thread'] as const) {
    const { loop, reads, writes } = await measure({ mode, delay });
    const { p50, p99, max } = reads.latency;
    const rate = (result: typeof reads) => Math.round(result.requests.total / result.duration);
    const held = `${loop.p99.toFixed(1)}, ${loop.max.toFixed(1)}`;
    console.log(`| ${delay} ms | ${mode} | ${held} | ${p50}, ${p99}, ${max} | ${rate(reads)} | ${rate(writes)} |`);
  }
}
