/** A whole server in this process with its own port, for benchmarks: with the real clock and without limits. */
import type { AddressInfo } from 'node:net';
import { createApp, type App } from '../app.ts';
import { createLog } from '../core/log.ts';
import { attach, listen } from '../core/http/server.ts';
import type { Database } from '../core/store/database.ts';
import { createIdSource } from '../core/store/new-id.ts';

export const benchUser = { name: 'bench', password: 'correct horse battery' };

export async function serveBench({
  db,
  siteFolder,
}: {
  db: Database;
  siteFolder?: string;
}): Promise<{ app: App; url: string }> {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = () => new Date();
  const app = await createApp({
    config: {
      signUp: 'open',
      rateLimit: Number.POSITIVE_INFINITY,
      quotas: Number.POSITIVE_INFINITY,
      trustedProxies: [],
    },
    publicUrl: url,
    secrets: ['a secret of the bench, of 32 and more characters'],
    db,
    siteFolder,
    log: createLog({ level: 'warn', now, write: (line) => process.stderr.write(line) }),
    now,
    newId: createIdSource(),
  });
  attach({
    newId: () => crypto.randomUUID(),
    server,
    app,
    publicUrl: url,
    report: (error, request) => request!.status >= 500 && process.emitWarning(String(error)),
  });
  return { app, url };
}
