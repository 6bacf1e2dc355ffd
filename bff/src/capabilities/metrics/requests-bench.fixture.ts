/** A server with three ports: requests are neither counted nor logged, counted, and both. Reports its processor time. */
import { createWriteStream } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnsweredRequest } from '../../core/http/request-bindings.ts';
import { attach, listen } from '../../core/http/server.ts';
import { createOutput, createRequestLine } from '../../core/log.ts';
import { createMetrics } from './metrics.ts';
import { openStore } from '../../core/store/open.ts';
import { serveBench } from '../../tests/bench-server.fixture.ts';

const folder = process.argv[2]!;
const db = await openStore({ url: pathToFileURL(join(folder, 'swarmdeck.db')).href });
const { app, url } = await serveBench({ db });
const metrics = createMetrics({ version: '0' });
const file = createWriteStream(join(folder, 'log'));
const output = createOutput((text) => file.write(text));
const line = createRequestLine({ which: 'all', level: 'info', now: () => new Date(), write: output.writeSoon })!;

async function serve(onAnswered: (request: AnsweredRequest) => void): Promise<string> {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  attach({ server, app, publicUrl: url, report: () => {}, newId: () => crypto.randomUUID(), onAnswered });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpu: user + system });
});
const counted = await serve(metrics.count);
const logged = await serve((request) => {
  metrics.count(request);
  line(request);
});
process.send!({ plain: url, counted, logged });
