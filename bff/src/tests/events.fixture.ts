import { expect } from 'vitest';
import type { CreatedApiKey, GatewayEvent } from '../contract.ts';
import { browse, type Browser } from './http-server.fixture.ts';

/** A client of a stream: with a key, or as a browser with a session. */
export interface Listener {
  status: number;
  headers: Headers;
  /** In order of arrival. */
  events: GatewayEvent[];
  /** The `Last-Event-ID` of a client. */
  lastId(): string;
  /** The lines that are not events. */
  lines: string[];
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  /** Waits for the first matching event. Rejects if the stream ends before. */
  until(isMeant: (event: GatewayEvent) => boolean): Promise<GatewayEvent>;
  close(): void;
}

/** In ms. An event that is lost is told before the test times out. */
const longestWait = 30_000;

export async function listen(url: string, headers: Record<string, string>): Promise<Listener> {
  const abort = new AbortController();
  const answer = await fetch(url, { headers, signal: abort.signal });
  const events: GatewayEvent[] = [];
  const lines: string[] = [];
  let lastId = '';
  let nextId = '';
  let over = false;
  let changed = Promise.withResolvers<void>();

  function take(line: string) {
    // An incomplete event is ignored: its id counts only with the final empty line.
    if (line.startsWith('id: ')) nextId = line.slice(4);
    if (line === '') lastId = nextId;
    if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)) as GatewayEvent);
    else lines.push(line);
    changed.resolve();
    changed = Promise.withResolvers();
  }

  async function read() {
    let rest = '';
    try {
      for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + text).split('\n');
        rest = parts.pop()!;
        parts.forEach(take);
      }
    } catch {
      // Closed by the server, or by this client.
    }
    over = true;
    changed.resolve();
  }

  return {
    status: answer.status,
    headers: answer.headers,
    events,
    lines,
    lastId: () => lastId,
    ended: read(),
    close: () => abort.abort(),
    async until(isMeant) {
      const types = () => events.map(({ type }) => type).join(', ');
      const timeout = AbortSignal.timeout(longestWait);
      const late = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()));
      for (let from = 0; ; await Promise.race([changed.promise, late])) {
        for (; from < events.length; from++) if (isMeant(events[from]!)) return events[from]!;
        if (over) throw new Error(`the stream ended after ${types()}`);
        if (timeout.aborted) throw new Error(`no such event in ${longestWait / 1000} s, only ${types()}`);
      }
    },
  };
}

/** Waits until the server ends the stream; the test times out otherwise. */
export const expectEnd = ({ ended }: Listener): Promise<void> => ended;

export interface TestUser {
  name: string;
  key: string;
  browser: Browser;
  /** Sends a request to the service with the key, with the path of the spec. Returns the body of the response. */
  request<T = unknown>(method: string, path: string, body?: object): Promise<T>;
  /** `direct`: the stream of the service. `gateway`: that of a browser, with this query. */
  listen(entryPoint: 'direct' | 'gateway', options?: { after?: string; query?: string }): Promise<Listener>;
}

export async function join(url: string, name: string): Promise<TestUser> {
  const password = 'a good password';
  const browser = browse(url, { password });
  const signedUp = { username: name, password, name };
  expect((await browser.send('POST', '/auth/sign-up', signedUp)).status).toBe(201);
  const made = await browser.send('POST', '/api/account/keys', { name: 'test' });
  const { key } = (await made.json()) as CreatedApiKey;
  return {
    name,
    key,
    browser,
    async request<T>(method: string, path: string, body?: object) {
      const answer = await fetch(`${url}/service${path}`, {
        method,
        headers: { 'x-serviceapikey': key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    listen(entryPoint, { after, query = '' } = {}) {
      const proof = entryPoint === 'direct' ? { 'x-serviceapikey': key } : { cookie: browser.cookie };
      const path = entryPoint === 'direct' ? '/service/events' : `/api/events${query}`;
      return listen(`${url}${path}`, { ...proof, ...(after !== undefined && { 'last-event-id': after }) });
    },
  };
}
