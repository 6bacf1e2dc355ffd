// stores: SQLite, PostgreSQL in the long run
/** A search through long texts does not delay other users. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DevicePage, DirectoryPage, InboxSummary, InvitationItem, InvitationPage } from '../../contract.ts';
import type { Query } from '../../core/store/statement.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { importAll } from '../../tests/many-devices.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let cleo: ServiceClient;
const deviceCount = 500;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben] = [await signUpClient(server, 'ann', 'gateway'), await signUpClient(server, 'ben', 'gateway')];
  const bodies = Array.from({ length: deviceCount }, (_, index) => ({
    name: `Buoy ${index}`,
    machine_type: 'bug' as const,
    description: 'wide waters',
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

test('a search in an inbox is read in slices, with the same result', async () => {
  const swarms = await Promise.all(['North', 'South', 'East'].map((name) => ben.swarm({ name })));
  const time = `'2026-01-01T00:00:' || substr(CAST(100 + ref % 60 AS text), 2) || '.000Z'`;
  for (const { id } of swarms) {
    const sql = `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, status, sent_at, created_at,
        accepted_at, rejected_at)
      SELECT $1 || id, 'ben', 'cleo', $1, id, 'producer', CASE ref % 3 WHEN 0 THEN 'new' WHEN 1 THEN 'accepted' ELSE 'rejected' END,
        ${time}, ${time}, CASE ref % 3 WHEN 1 THEN ${time} END, CASE ref % 3 WHEN 2 THEN ${time} END
      FROM resources WHERE user_id = 'cleo'`;
    await server.db.write([{ sql, params: [id] }]);
  }
  const pages = async (query: string) => {
    const items: InvitationItem[] = [];
    for (let next: string | null = ''; next !== null;) {
      const cursor = next && `&cursor=${next}`;
      const page: InvitationPage = await cleo.get(`/inbox?limit=1000${query}${cursor}`);
      items.push(...page.items);
      ({ next } = page);
    }
    return items;
  };
  const all = await pages('');
  expect(all).toHaveLength(3 * 2100);
  for (const q of isOnPostgres ? ['199', 'south'] : ['gauge', '199', 'south', 'nothing']) {
    const expected = all.filter(({ device, swarm }) => `${device!.name} ${swarm.name}`.toLowerCase().includes(q));
    const query = `&q=${encodeURIComponent(q)}`;
    expect(await pages(query)).toEqual(expected);
    const { counts } = await cleo.get<InvitationPage>(`/inbox?limit=0${query}`);
    const count = (status: string) => expected.filter((item) => item.status === status).length;
    const [open, accepted, rejected] = ['new', 'accepted', 'rejected'].map(count);
    expect(counts).toEqual({ new: open, accepted, rejected, stale: open });
    const summary = await cleo.get<InboxSummary>(`/inbox/summary?${query}`);
    const inSwarm = (name: string) => expected.filter(({ swarm }) => swarm.name === name).length;
    expect(summary).toMatchObject({
      total: expected.length,
      devices: new Set(expected.map(({ resource_id }) => resource_id)).size,
      swarms: ['East', 'North', 'South']
        .filter((name) => inSwarm(name) > 0)
        .map((name) => ({ name, producer: inSwarm(name), consumer: 0 })),
    });
  }

  let statements = 0;
  const read = onLongRead(({ sql }) => void (statements += sql.includes('strpos(r.name_folded') ? 1 : 0));
  const { total } = await cleo.get<InvitationPage>('/inbox?limit=10&q=nothing');
  expect(total).toBe(0);
  // For the page and for the counts.
  expect(statements).toBeGreaterThan(4);
  read.mockClear();
  await cleo.get('/inbox/summary?q=nothing');
  const slices = read.mock.calls.filter(([{ sql }]) => sql.includes('GROUP BY i.swarm_id, i.resource_id'));
  expect(slices.length).toBeGreaterThan(1);
});

test('a search in the directory is read in slices, with the same result', async () => {
  const time = '2026-01-01T00:00:00.000Z';
  const ids = Array.from({ length: 300 }, (_, index) => `ring-${String(index).padStart(3, '0')}`);
  const into = (sql: string) =>
    server.db.write([{ sql: `INSERT INTO ${sql} FROM elements($1)`, params: [JSON.stringify(ids)] }]);
  await into(`swarms (id, user_id, name, description, public, listed, created_at, version)
    SELECT value, 'ben', value, '', 1, 1, '${time}', 1`);
  await into(`directory (swarm_id, user_id, name_key, search_text, members, active_at)
    SELECT value, 'ben', value, 'ring ' || value, 0, '${time}'`);
  let statements = 0;
  onLongRead(({ sql }) => void (statements += sql.includes('strpos(d.search_text') ? 1 : 0));
  for (const [sort, order] of [
    ['name', ids],
    ['-members', ids.toReversed()],
  ] as const) {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/directory?q=ring-%20ring&limit=70&sort=${sort}${cursor && `&cursor=${cursor}`}`;
      const page: DirectoryPage = await cleo.get(path);
      if (cursor === '') expect(page.total).toBe(ids.length);
      found.push(...page.items.map(({ name }) => name));
      cursor = page.next;
    }
    expect(found).toEqual(order);
  }
  statements = 0;
  expect(await cleo.get<DirectoryPage>('/directory?q=nothing')).toMatchObject({ items: [], total: 0 });
  // Two at least for the page, and for the total.
  expect(statements).toBeGreaterThan(3);
});
