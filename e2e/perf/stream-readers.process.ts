/**
 * A process that holds streams open, so that reading costs the measured server nothing. The parent sends `open` to open
 * streams and `count` for the events since the previous `count`. Latencies are measured on one stream in twenty.
 */
import { connect, type Socket } from 'node:net';
import type { RequestOptions, Counted, Wanted } from './stream-readers.ts';

const sockets = new Set<Socket>();
let counted = { events: 0, bytes: 0, latencies: [] as number[] };

function openOne({ path, headers }: Wanted, port: number, read: boolean) {
  return new Promise<void>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const sampled = sockets.size % 20 === 0;
    sockets.add(socket);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`);
    socket.once('data', (head: Buffer) => {
      if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(head.toString('latin1'));
      if (read) socket.on('data', (chunk: Buffer) => take(chunk, sampled));
      else socket.pause();
      resolve();
    });
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
}

function take(chunk: Buffer, sampled: boolean) {
  counted.bytes += chunk.length;
  for (let at = chunk.indexOf('\ndata: '); at !== -1; at = chunk.indexOf('\ndata: ', at + 7)) {
    counted.events += 1;
    if (!sampled) continue;
    const from = chunk.indexOf('"at":"', at);
    if (from === -1 || from + 30 > chunk.length) continue;
    counted.latencies.push(Date.now() - Date.parse(chunk.toString('latin1', from + 6, from + 30)));
  }
}

async function openAll({ open, port, read }: Extract<RequestOptions, { open: unknown }>) {
  for (let from = 0; from < open.length; from += 100) {
    await Promise.all(open.slice(from, from + 100).map((one) => openOne(one, port, read)));
  }
  process.send!({ open: sockets.size });
}

process.on('message', (asked: RequestOptions) => {
  if ('open' in asked) {
    void openAll(asked);
  } else if ('count' in asked) {
    process.send!({ open: sockets.size, ...counted } satisfies Counted);
    counted = { events: 0, bytes: 0, latencies: [] };
  } else {
    for (const socket of sockets) socket.destroy();
    process.exit(0);
  }
});
