import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp, type App, type AppOptions } from '../app.ts';
import { createLog, createReport } from '../core/log.ts';
import type { AnsweredRequest } from '../core/http/request-bindings.ts';
import { attach, listen, stop } from '../core/http/server.ts';
import { createUnsentBytes, type UnsentLimits } from '../core/http/unsent-bytes.ts';
import type { Measurements } from '../core/measurements.ts';
import { createIdSource } from '../core/store/new-id.ts';
import { openStore } from '../core/store/open.ts';
import type { Database } from '../core/store/database.ts';
import { showUnavailable } from './process.fixture.ts';
import { createFileWithTables, isOnPostgres, openTestDatabase } from '../core/store/store.fixture.ts';

export interface HttpTestServer extends AsyncDisposable {
  url: string;
  secret: string;
  db: Database;
  /** All log lines, of every level. */
  logged: string[];
  /** Advances the clock. */
  wait(milliseconds: number): void;
  measure(): Promise<Measurements>;
  /** The bytes of responses that clients have not read. */
  unsent(): number;
  tidy: App['tidy'];
  presence: App['presence'];
  audience: App['audience'];
  /** The number of open connections. */
  connections(): Promise<number>;
  /** The name and the bytes of every file of the data folder and the web app. */
  storedFiles(): Promise<{ name: string; bytes: Uint8Array }[]>;
  siteFiles(): Promise<{ name: string; bytes: Uint8Array }[]>;
}

/** The whole server on its own port, built like in main.ts, with the web app if that is built. */
export async function startHttpServer(
  options: {
    opened?: AppOptions['opened'];
    quotas?: number;
    /** Default: no limits. */
    rateLimit?: number;
    /** What the messages of all users may have. Default: no limit. */
    messageBytes?: number;
    endsUnreadAfterMs?: number;
    unsentLimits?: UnsentLimits;
    onAnswered?: (request: AnsweredRequest) => void;
    corsOrigins?: string[];
    onConnection?: (socket: Socket) => void;
  } = {},
): Promise<HttpTestServer> {
  const {
    opened = {},
    quotas = 1,
    rateLimit = Number.POSITIVE_INFINITY,
    messageBytes = Number.POSITIVE_INFINITY,
    corsOrigins = [],
    onAnswered,
    onConnection,
    unsentLimits,
    ...listening
  } = options;
  const folder = await mkdtemp(join(tmpdir(), 'swarmdeck-'));
  const web = join(import.meta.dirname, '../../../web');
  const site = existsSync(join(web, 'dist/index.html')) ? join(web, 'dist') : undefined;
  const secret = 'a secret of the tests, of 32 and more characters';
  const path = join(folder, 'swarmdeck.db');
  const database = isOnPostgres ? await openTestDatabase() : await openFile(path);
  const { db } = database;
  const logged: string[] = [];
  let waited = 0;
  const now = () => new Date(Date.now() + waited);
  const server = await listen({ port: 0, host: '127.0.0.1' }, listening);
  if (onConnection) server.on('connection', onConnection);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = createLog({
    level: 'debug',
    now,
    write(line) {
      logged.push(line);
      showUnavailable(line);
    },
  });
  const unsent = createUnsentBytes(unsentLimits);
  const app = await createApp({
    config: { signUp: 'open', rateLimit, quotas, messageBytes, trustedProxies: [], corsOrigins },
    publicUrl: url,
    secrets: [secret],
    db,
    siteFolder: site,
    opened,
    unsent: unsent.measure,
    log,
    now,
    newId: createIdSource(),
  });
  await app.start();
  attach({
    newId: () => crypto.randomUUID(),
    server,
    app,
    publicUrl: url,
    report: createReport(log),
    onAnswered,
    unsent,
  });
  return {
    url,
    secret,
    db,
    logged,
    wait: (milliseconds) => void (waited += milliseconds),
    measure: app.measure,
    unsent: unsent.measure,
    tidy: app.tidy,
    presence: app.presence,
    audience: app.audience,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    storedFiles: () => filesOf(folder),
    // The sources of the web app if it is not built.
    siteFiles: () => filesOf(site ?? join(web, 'src')),
    async [Symbol.asyncDispose]() {
      const stopped = stop(server);
      app.endStreams();
      await stopped;
      await app.close();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

async function openFile(path: string) {
  createFileWithTables(path);
  const db = await openStore({ url: pathToFileURL(path).href });
  return { db, [Symbol.asyncDispose]: () => db.close() };
}

async function filesOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ name, parentPath }) => ({ name, bytes: await readFile(join(parentPath, name)) })),
  );
}

/** Sends requests like a page of this server: with its origin and, after sign-in, its cookie. */
export interface Browser {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  cookie: string;
}

/** `password`: what is refused until it is confirmed is confirmed with it, and sent again, as the app does. */
export function browse(url: string, { password }: { password?: string } = {}): Browser {
  async function once(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        origin: url,
        ...(browser.cookie && { cookie: browser.cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      if (set.startsWith('__Host-swarmdeck.session=')) browser.cookie = set.split(';')[0] ?? '';
    }
    return answer;
  }
  const browser: Browser = {
    cookie: '',
    async send(method, path, body, headers = {}) {
      const answer = await once(method, path, body, headers);
      const isAsked = answer.status === 403 && (await answer.clone().text()).includes('session.confirm');
      if (!isAsked || password === undefined) return answer;
      await once('POST', '/auth/confirm', { password }, {});
      return once(method, path, body, headers);
    },
  };
  return browser;
}
