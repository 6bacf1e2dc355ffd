/**
 * `npm run cluster [-- N]`: N server processes (3 by default) on one PostgreSQL database, behind a small proxy that sends
 * each request to the next one. `DATABASE_URL`: default: a temporary database, which is deleted at the end.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { startPostgres } from './postgres.ts';
import { root } from './run.ts';

const count = Number(process.argv[2] ?? 3);
const port = Number(process.env.PORT ?? 3000);
const postgres = process.env.DATABASE_URL ? undefined : await startPostgres({ isDurable: true });
const databaseUrl = process.env.DATABASE_URL ?? postgres?.url;
const secret = process.env.SECRET ?? randomBytes(32).toString('hex');

const ports = await Promise.all(Array.from({ length: count }, freePort));
const servers = ports.map((own, index) =>
  spawn(process.execPath, [join(root, 'bff/src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SECRET: secret,
      PORT: String(own),
      PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
      TRUSTED_PROXIES: 'loopback',
      DATA_DIR: join(root, `data/cluster-${index + 1}`),
    },
  }),
);

let next = 0;
/** A process that does not answer is skipped; only a request whose body has not been read can go to another one. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, attemptsLeft: number) {
  const { method, url, headers, socket } = incoming;
  const target = ports[next++ % count];
  const forwarded = request(
    {
      host: '127.0.0.1',
      port: target,
      method,
      path: url,
      headers: { ...headers, 'x-forwarded-for': socket.remoteAddress },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  forwarded.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' && attemptsLeft > 0) forward(incoming, outgoing, attemptsLeft - 1);
    else if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(503, { 'retry-after': '1' }).end();
  });
  forwarded.on('socket', (connection) => {
    if (connection.connecting) connection.once('connect', () => incoming.pipe(forwarded));
    else incoming.pipe(forwarded);
  });
  outgoing.on('close', () => forwarded.destroy());
}

const proxy = createServer((incoming, outgoing) => forward(incoming, outgoing, count)).listen(port, '127.0.0.1', () =>
  console.log(`Swarmdeck is at http://localhost:${port}, in ${count} processes (ports ${ports.join(', ')})`),
);

async function stop() {
  proxy.close();
  proxy.closeAllConnections();
  const ended = servers.map((server) => new Promise((resolve) => server.once('exit', resolve)));
  for (const server of servers) server.kill('SIGTERM');
  await Promise.all(ended);
  await postgres?.stop();
  process.exit(0);
}
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
