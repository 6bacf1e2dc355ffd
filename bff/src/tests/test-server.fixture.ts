import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { vi } from 'vitest';
import { createApp, type App, type AppOptions } from '../app.ts';
import type { Config } from '../core/config/config.ts';
import type { Event } from '../contract.ts';
import type { NotedResponse } from '../core/http/request-bindings.ts';
import { createLog } from '../core/log.ts';
import type { Database } from '../core/store/database.ts';
import { isOnPostgres, openTestDatabase, type TestStore } from '../core/store/store.fixture.ts';
import { createIdSource } from '../core/store/new-id.ts';

export const origin = 'http://localhost:3000';
export const password = 'correct horse battery';

export type EntryPoint = 'direct' | 'gateway';
/**
 * The entry points of the spec’s endpoints: with a key, and through the gateway with a session. Behind them, both run the
 * same statements, so the tests of the second store use one.
 */
export const entryPoints: readonly EntryPoint[] = isOnPostgres ? ['direct'] : ['direct', 'gateway'];

export interface TestUser {
  name: string;
  key: string;
  cookie: string;
}

export interface RequestOptions {
  method?: string;
  /** The path after {base_url}, as in the spec. */
  path: string;
  /** An object is sent as JSON; text, bytes and streams are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestServer extends AsyncDisposable {
  app: App;
  db: Database;
  /** The newest lines of the log, of every level. */
  logged: string[];
  /** Advances the clock. */
  wait(milliseconds: number): void;
  now(): Date;
  /** Creates a user with a session and an API key. */
  signUp(name: string): Promise<TestUser>;
  /** Sends a request as this user, or without credentials. */
  request(entryPoint: EntryPoint, user: TestUser | undefined, options: RequestOptions): Promise<Response>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Creates another app, as in another process. `db`: the database of this server in a wrapper. */
  startAnother(db: Database, options?: { isCommand?: boolean; secondFactor?: Config['secondFactor'] }): Promise<App>;
  /** Creates another app on the same database, as after a restart. It gets the requests from then on. */
  restart(): Promise<App & AsyncDisposable>;
  /** The id of the newest event, as a `Last-Event-ID`. */
  newestEvent(): Promise<string>;
  /**
   * The events that these users receive when they reconnect after that event to another app on the same database, as
   * after a restart.
   */
  resume(users: TestUser[], after: string): Promise<Event[][]>;
}

/** The time of the repeatable clock. */
const startedAt = Date.now();
/** A long test sends millions of requests. */
const mostLogged = 20_000;

export const testSecrets = ['a secret of the tests, of 32 and more characters'] as const;

/** The whole server in this process, on a real database; only the clock is replaced. */
export async function createTestServer(
  options: {
    rateLimit?: number;
    quotas?: number;
    trustedProxies?: Config['trustedProxies'];
    signUp?: 'open' | 'closed';
    oidcProviders?: Config['oidcProviders'];
    oidcOnly?: boolean;
    mail?: Config['mail'];
    secondFactor?: Config['secondFactor'];
    opened?: AppOptions['opened'];
    /** Default: the store of this test run. */
    store?: TestStore;
    /** The clock advances only by `wait`, the rounds of the server run only when they are called, and the ids are the same in each run. */
    isRepeatable?: boolean;
  } = {},
): Promise<TestServer> {
  const database = await openTestDatabase(options.store);
  const { db } = database;
  let waited = 0;
  const now = () => new Date((options.isRepeatable ? startedAt : Date.now()) + waited);
  let ids = 0;
  const uniqueId = createIdSource();
  const newId = () =>
    options.isRepeatable ? `019a7c51-5d0e-7c1c-8a4e-${String(ids++).padStart(12, '0')}` : uniqueId();
  const logged: string[] = [];
  const start: TestServer['startAnother'] = (
    database,
    { isCommand = false, secondFactor = options.secondFactor ?? 'optional' } = {},
  ) => {
    // The rounds run when a test calls them. Those of the real time would come in between, on a busy machine.
    if (options.isRepeatable) vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const started = createApp({
      isCommand,
      config: {
        signUp: options.signUp ?? 'open',
        oidcProviders: options.oidcProviders ?? [],
        oidcOnly: options.oidcOnly ?? false,
        mail: options.mail,
        secondFactor,
        rateLimit: options.rateLimit ?? Number.POSITIVE_INFINITY,
        quotas: options.quotas ?? 1,
        trustedProxies: options.trustedProxies ?? [],
      },
      publicUrl: origin,
      secrets: testSecrets,
      db: database,
      siteFolder: undefined,
      ...(options.opened && { opened: options.opened }),
      log: createLog({
        level: 'debug',
        now,
        write(line) {
          if (logged.push(line) > mostLogged) logged.splice(0, mostLogged / 2);
        },
      }),
      now,
      newId,
    });
    return options.isRepeatable ? started.finally(vi.useRealTimers) : started;
  };
  const app = await start(db);
  let running = app;
  const fetch: TestServer['fetch'] = async (path, init) => running.fetch(new Request(`${origin}${path}`, init));

  return {
    app,
    db,
    logged,
    now,
    fetch,
    startAnother: start,
    async restart() {
      await running.close();
      const next = (running = await start(db));
      return { ...next, [Symbol.asyncDispose]: () => next.close() };
    },
    async newestEvent() {
      const sql = 'SELECT name, (SELECT coalesce(max(seq), 0) FROM feed) AS seq FROM feed_name';
      const { name, seq } = (await db.read<{ name: string; seq: number }>({ sql }))[0]!;
      return `${name}-${seq}`;
    },
    async resume(users, after) {
      const next = await start(db);
      const recorders = users.map(() => eventRecorder());
      for (const [index, { key }] of users.entries()) {
        const headers = { 'x-serviceapikey': key, 'last-event-id': after };
        const { outgoing } = recorders[index]!;
        await next.fetch(new Request(`${origin}/service/events`, { headers }), { outgoing });
      }
      for (const { isCaughtUp } of recorders) while (!isCaughtUp()) await nextLoopTick();
      next.endStreams();
      await next.close();
      return recorders.map(({ events }) => events());
    },
    wait: (milliseconds) => void (waited += milliseconds),

    async signUp(name) {
      const signedUp = await fetch('/auth/sign-up', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ username: name, password, name }),
      });
      if (!signedUp.ok) throw new Error(await signedUp.text());
      const cookie = signedUp.headers
        .getSetCookie()
        .map((entry) => entry.split(';')[0])
        .join('; ');
      const { key } = await app.operator.createKey({ user: name, name: 'test' });
      return { name, key, cookie };
    },

    request(entryPoint, user, { method = 'GET', path, body, headers = {} }) {
      const credentials: Record<string, string> =
        entryPoint === 'direct'
          ? { ...(user && { 'x-serviceapikey': user.key }) }
          : { 'sec-fetch-site': 'same-origin', ...(user && { cookie: user.cookie }) };
      const text = body === undefined || isSentAsIs(body) ? undefined : JSON.stringify(body);
      const sent = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(text !== undefined && { 'content-length': String(Buffer.byteLength(text)) }),
        ...credentials,
        ...headers,
      };
      return fetch(`${entryPoint === 'direct' ? '/service' : '/api'}${path}`, {
        method,
        headers: sent,
        ...(body !== undefined && { body: text ?? (body as ReadableStream), duplex: 'half' }),
      });
    },

    async [Symbol.asyncDispose]() {
      await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The part of a response that an event stream uses. Collects its events. */
export function eventRecorder() {
  let text = '';
  let close = () => {};
  const outgoing = {
    write: (lines: Uint8Array | string) => void (text += Buffer.from(lines).toString()),
    writableLength: 0,
    removeHeader() {},
    writeHead() {},
    flushHeaders() {},
    once: (_: 'close', listener: () => void) => void (close = listener),
    end: () => close(),
    destroy: () => close(),
    hasRoom: () => true,
  };
  const data = () => text.split('\n').filter((line) => line.startsWith('data: '));
  return {
    outgoing: outgoing as unknown as NotedResponse,
    /** Whether all missed events have been sent: then the stream sends an id without an event. */
    isCaughtUp: () => /^id: .*\n(event: mark\ndata:\n)?\n/m.test(text),
    events: () => data().map((line) => JSON.parse(line.slice('data: '.length)) as Event),
  };
}

function isSentAsIs(body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
}
