/** Clients that send their requests a byte at a time, or stop in the middle: others are served as before. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createOwner } from '../../tests/durability.fixture.ts';
import {
  createSender,
  long,
  patience,
  recordFigure,
  startServer,
  temporaryDataDir,
} from '../../tests/process.fixture.ts';

const connections = long ? 2000 : 200;
/** The kernel keeps 511 connections that the server has not accepted. */
const atOnce = 100;

test('slow connections delay nobody, and a stop closes them', async () => {
  using folder = temporaryDataDir();
  await using server = await startServer(folder);
  const send = createSender(server.origin);
  const { headers } = (await createOwner({ send, name: 'ann' })).entryPoints[0]!;
  const device = { method: 'POST', path: '/service/resources', headers, body: { name: 'Buoy', machine_type: 'bug' } };
  const { hostname, port } = new URL(server.origin);

  const head = `POST /service/resources HTTP/1.1\r\nhost: ${hostname}:${port}\r\n`;
  const wholeHead = `${head}x-serviceapikey: ${headers['x-serviceapikey']}\r\ncontent-type: application/json\r\n`;
  /** One half stops in the head of its request, the other one in the body. */
  const starts = [head, `${wholeHead}content-length: 1000\r\n\r\n{"name":"`];
  const before = memoryOf(server.pid);
  const slow: Socket[] = [];
  while (slow.length < connections) {
    const some = Array.from({ length: atOnce }, () => connect(Number(port), hostname));
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    slow.push(...some);
  }
  let closed = 0;
  for (const [index, socket] of slow.entries()) {
    socket.on('error', () => {}).on('close', () => (closed += 1));
    socket.resume().write(starts[index % 2]!);
  }

  const times: number[] = [];
  for (let count = 0; count < 100; count++) {
    for (const socket of slow) if (socket.writable) socket.write('x');
    const began = performance.now();
    expect(await send(device)).toMatchObject({ status: 201 });
    times.push(performance.now() - began);
  }
  const memory = Math.round((memoryOf(server.pid) - before) / 1024);
  const slowest = Math.round(Math.max(...times));
  recordFigure(`${connections} slow connections: ${memory} MB more, the slowest of 100 writes ${slowest} ms`);

  if (long) await expect.poll(() => closed, { timeout: patience }).toBe(connections);
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  await expect.poll(() => closed).toBe(connections);
});

/** In KiB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
