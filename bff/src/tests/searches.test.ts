/** A search through long texts does not delay other users. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DevicePage } from '../contract.ts';
import type { Query } from '../store/statement.ts';
import { isOnPostgres } from '../store/store.fixture.ts';
import { importAll } from './many-devices.fixture.ts';
import { signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let cleo: ServiceClient;
const deviceCount = 500;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben] = [await signUpClient(server, 'ann', 'gateway'), await signUpClient(server, 'ben', 'gateway')];
  const bodies = Array.from({ length: deviceCount }, (_, index) => ({
    ...{ name: `Buoy ${index}`, machine_type: 'bug' as const, description: 'wide waters' },
  }));
  await importAll({ operator: server.app.operator, user: 'ann', devices: bodies });
  cleo = await signUpClient(server, 'cleo', 'gateway');
  const many = Array.from({ length: 2100 }, (_, index) => ({ name: `Gauge ${index}`, machine_type: 'pc' as const }));
  await importAll({ operator: server.app.operator, user: 'cleo', devices: many });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Calls `each` before each long read, and waits for it. */
function onLongRead(each: (query: Query) => Promise<void> | void) {
  const { read } = server.db;
  return vi.spyOn(server.db, 'read').mockImplementation(async <R>(query: Query) => {
    if (query.isLong) await each(query);
    return read<R>(query);
  });
}

test('an export with a search is read in parts, and others take turns between them', async () => {
  // Its key is known from then on.
  await ben.request({ path: '/activity' });
  const order: string[] = [];
  let other: Promise<Response> | undefined;
  const turns = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  };
  onLongRead(async ({ sql, params = [] }) => {
    if (params.includes('ben')) return void order.push('ben');
    if (sql.includes('FROM elements')) order.push('cleo');
    if (other) return undefined;
    other = ben.request({ path: '/activity' });
    // On PostgreSQL several users read at once. On SQLite the other request is in the queue after some turns.
    await (isOnPostgres ? other : turns());
    return undefined;
  });
  const file = await cleo.request({ path: '/export?q=gauge' });
  expect((await file.text()).trim().split('\r\n')).toHaveLength(2101);
  expect((await other!).status).toBe(200);
  expect(order.filter((user) => user === 'cleo').length).toBeGreaterThan(2);
  expect(order.indexOf('ben')).toBeLessThan(order.lastIndexOf('cleo'));
});

test('a list of the devices of a long action has all of them', async () => {
  const sql = 'SELECT id FROM actions WHERE user_id = $1';
  const [{ id } = {}] = await server.db.read<{ id: string }>({ sql, params: ['cleo'] });
  expect(await cleo.get<DevicePage>(`/devices?limit=0&action=${id}`)).toMatchObject({ total: 2100 });
  expect(await cleo.get<DevicePage>(`/devices?limit=0&action=${id}&q=gauge%207`)).toMatchObject({ total: 561 });
  expect(await ann.get<DevicePage>(`/devices?limit=0&action=${id}`)).toMatchObject({ total: 0 });
});

test('an export with a search has all matches in their order', async () => {
  const file = await ann.request({ path: '/export?q=waters' });
  const names = (await file.text())
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[1]);
  expect(names).toEqual(Array.from({ length: deviceCount }, (_, index) => `Buoy ${index}`));
  const one = await ann.request({ path: '/export?format=geojson&q=buoy%20499' });
  expect(((await one.json()) as { features: object[] }).features).toHaveLength(1);
});

test.each(['waters', 'buoy 499', 'buoy 49', 'nothing'])(
  'a list with the search "%s" does not search in the database again',
  async (q) => {
    const read = onLongRead(({ sql }) => expect(sql).not.toContain('strpos'));
    const path = `/devices?limit=20&sort=-created&q=${encodeURIComponent(q)}`;
    const { items, total, facets } = await ann.get<DevicePage>(path);
    const expected = { waters: deviceCount, 'buoy 499': 1, 'buoy 49': 15, nothing: 0 }[q]!;
    expect(total).toBe(expected);
    expect(items).toHaveLength(Math.min(20, expected));
    expect(facets.no_swarm).toBe(expected);
    if (expected === 0) return;
    expect(items[0]!.name).toBe('Buoy 499');
    expect(read).toHaveBeenCalled();
  },
);
