import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../contract.ts';
import { Problem as Refusal } from '../problem.ts';
import { createLimits } from '../limits/limit-tables.ts';
import { noQuotas } from '../limits/quotas.ts';
import type { GatewaySession } from './gateway-env.ts';
import { createKeyTable, secret, type KeyTable } from './gateway-keys.fixture.ts';
import { createGateway, userOf } from './gateway.ts';
import { testBindings } from '../../tests/bindings.fixture.ts';
import type { NotedResponse, ServiceBindings } from '../http/request-bindings.ts';
import { createGatewayKeys } from './gateway-keys.store.ts';
import { createSeal } from '../store/seal.ts';

let table: KeyTable;
let gateway: ReturnType<typeof createGateway>;
let served: { request: Request; bindings: ServiceBindings }[];
let answer: () => Response;
let session: GatewaySession | undefined;
let newest: number;
/** The clock stands still, so that no request is earned back. */
const at = new Date();

beforeAll(async () => {
  table = await createKeyTable();
  await table.addUser('ann');
  const screens = new Hono().get('/devices', async (c) => c.json({ asked_by: userOf(c) }));
  const limits = createLimits({ factor: 1, now: () => at });
  gateway = createGateway({
    db: table.db,
    readsOf: () => table.db,
    now: () => at,
    keys: {
      list: async () => [],
      ofDevices: async () => ({ items: [], total: 0 }),
      ofDevice: async () => [],
      mint: () => Promise.reject(new Error('not called')),
      mintForDevices: () => Promise.reject(new Error('not called')),
      revoke: async () => false,
    },
    sessions: {
      check: async () => session,
      ended: async (ids) => [...ids],
      list: async () => [],
      end: async () => false,
      endOthers: async () => {},
    },
    requireConfirmed: () => {
      throw new Error('not asked');
    },
    secondFactors: { has: async () => false, requireFirst: async () => {} },
    clearedSessionCookie: 'session=; Max-Age=0',
    rate: limits.rates.screens,
    slots: limits.slots.screens,
    onEnded: async () => {},
    recordEdit: async () => {},
    quotas: noQuotas,
    streams: { open: (c) => c.body('a stream'), count: () => 0 },
    events: {
      subscribe: () => ({ started: Promise.resolve(), stop: () => {} }),
      cursorLine: () => '',
    },
    feed: { newestId: () => `p-${newest}`, oldestId: () => 'p-0' },
    watching: () => () => {},
    messages: {
      watch: () => ({ started: Promise.resolve(), stop: () => {} }),
      ofSwarm: async () => ({ items: [], next: null }),
    },
    requireResource: () => Promise.reject(new Error('not asked')),
    deviceAddresses: () => ({}),
    actions: { subscribe: () => () => {} },
    requireOwnPage(request) {
      if (request.headers.get('sec-fetch-site') === 'cross-site') throw new Refusal('origin.refused');
    },
    gatewayKeys: createGatewayKeys({
      db: table.db,
      feed: table.feed,
      secrets: [secret],
      now: table.now,
      mint: table.mint,
    }),
    service(request, bindings) {
      served.push({ request, bindings });
      return answer();
    },
    screens,
    uncounted: new Hono().get('/own-rate', (c) => c.text('own')),
    report: (error) => {
      if (!(error instanceof Refusal)) throw error;
    },
  });
});
afterAll(() => table[Symbol.asyncDispose]());
beforeEach(() => {
  newest = 1;
  served = [];
  answer = () => new Response('served');
  session = {
    userName: 'ann',
    sessionId: 's1',
    way: 'password',
    isLimited: false,
    confirmedAt: 0,
    expiresAt: new Date('2026-04-01T00:00:00Z'),
  };
});

const request = (path: string, init: RequestInit = {}) => new Request(`http://localhost:4500${path}`, init);
/** The user's gateway key, decrypted. */
async function gatewayKey() {
  const sql = "SELECT sealed FROM held_keys WHERE user_id = 'ann'";
  const [row] = await table.db.read<{ sealed: Uint8Array }>({ sql });
  return createSeal([secret]).unseal({ sealed: row!.sealed, owner: 'ann' });
}
const through = async (request: Request) => gateway.fetch(request, testBindings());

describe('the gateway', () => {
  it.each(['/api/devices', '/api/resources'])('notes the newest event before %s reads its data', async (path) => {
    const outgoing = { hasRoom: () => true } as NotedResponse;
    answer = () => {
      newest += 1;
      return new Response();
    };
    await gateway.fetch(request(path), testBindings({ outgoing }));
    expect(outgoing.lastEventId).toBe('p-1');
  });

  it('forwards the unchanged request to the service, with the user’s API key beside it', async () => {
    const incoming = request('/api/resources?x=1', { method: 'POST', body: '{"name":"Lamp"}' });
    const sent = await through(incoming);
    expect(await sent.text()).toBe('served');
    expect(served).toHaveLength(1);
    expect(served[0]!.request).toBe(incoming);
    expect(served[0]!.bindings).toEqual({
      requestId: expect.any(Function),
      clientAddress: expect.any(Function),
      outgoing: undefined,
      session: {
        id: expect.any(String),
        apiKey: await gatewayKey(),
        recheckAccess: expect.any(Function),
        requireConfirmed: expect.any(Function),
        onEdited: expect.any(Function),
      },
    });
    expect(await served[0]!.request.text()).toBe('{"name":"Lamp"}');
  });

  it('replaces a key in the request with its own', async () => {
    await through(request('/api/resources', { headers: { 'x-serviceapikey': 'swb_stolen' } }));
    expect(served[0]!.bindings.session?.apiKey).toBe(await gatewayKey());
  });

  it('forwards the response unchanged, as a stream', async () => {
    let more: (chunk: string) => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        more = (chunk) => controller.enqueue(new TextEncoder().encode(chunk));
      },
    });
    const given = new Response(body, { status: 200, headers: { etag: 'W/"7"' } });
    answer = () => given;
    const taken = await through(request('/api/resources'));
    expect(taken).toBe(given);
    const reader = taken.body!.getReader();
    more('[');
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('[');
    await reader.cancel();
  });

  it('handles its own paths also when they are percent-encoded', async () => {
    for (const path of ['/api/events', '/api/%65vents']) {
      expect(await (await through(request(path))).text(), path).toBe('a stream');
    }
    expect(served).toEqual([]);
    await through(request('/api/%72esources'));
    expect(served).toHaveLength(1);
  });

  it('refuses requests without a session', async () => {
    session = undefined;
    for (const path of ['/api/resources', '/api/devices', '/api/account', '/api', '/api/nothing']) {
      const refused = await through(request(path, { headers: { 'x-serviceapikey': 'swb_any' } }));
      expect(refused.status).toBe(401);
      expect(((await refused.json()) as Problem).code).toBe('session.missing');
    }
    expect(served).toEqual([]);
  });

  it('refuses cross-site writes', async () => {
    for (const path of ['/api/resources', '/api/account', '/api/account/keys']) {
      const refused = await through(request(path, { method: 'DELETE', headers: { 'sec-fetch-site': 'cross-site' } }));
      expect(refused.status).toBe(403);
    }
    expect(served).toEqual([]);
  });

  it('handles the screens itself and passes them the user', async () => {
    expect(await (await through(request('/api/devices'))).json()).toEqual({ asked_by: 'ann' });
    expect(served).toEqual([]);
  });

  it('limits a user’s requests that it handles itself, also of event streams, but not of those with a rate of their own', async () => {
    session = { ...session!, userName: 'eve' };
    await table.addUser('eve');
    const statusOf = async (path: string) => (await through(request(path))).status;
    for (let count = 0; count < 400; count += 1)
      expect(await statusOf(count % 2 ? '/api/events' : '/api/devices')).toBe(200);
    const paths = ['/api/events', '/api/devices', '/api/account/sessions', '/api/own-rate', '/api/resources'];
    expect(await Promise.all(paths.map(statusOf))).toEqual([429, 429, 429, 200, 200]);
  });

  it('does not forward account paths, and lists the allowed methods of a path', async () => {
    const methods = { '': 'GET, HEAD, DELETE', '/keys': 'GET, HEAD, POST', '/keys/k1': 'DELETE', '/nothing': null };
    for (const [path, allow] of Object.entries(methods)) {
      const refused = await through(request(`/api/account${path}`, { method: 'PUT' }));
      expect([path, refused.status, refused.headers.get('allow')]).toEqual([path, allow ? 405 : 404, allow]);
    }
    const screen = await through(request('/api/devices', { method: 'PUT' }));
    expect([screen.status, screen.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(served).toEqual([]);
  });

  it('adds the cookie of a renewed session to every response', async () => {
    session = { ...session!, setCookie: 'session=renewed' };
    for (const path of ['/api/resources', '/api/devices', '/api/account', '/api/account/nothing']) {
      expect((await through(request(path))).headers.getSetCookie()).toEqual(['session=renewed']);
    }
  });

  it('creates another gateway key if its own was deleted, without signing the user out', async () => {
    await through(request('/api/resources'));
    await table.db.write([{ sql: 'DELETE FROM api_keys' }]);
    expect((await through(request('/api/resources'))).status).toBe(200);
    const [before, after] = served.map(({ bindings }) => bindings.session!.apiKey);
    expect(after).not.toBe(before);
    expect([await table.opens(before!), await table.opens(after!)]).toEqual([false, true]);
  });
});
