import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addAllToSwarm, addDevices, writeInParts } from '../../tests/many-devices.fixture.ts';
import { createServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';
import * as fieldRules from './field-rules.ts';
import * as partLimits from './part-limits.ts';
import { limits } from './field-rules.ts';
import * as limitTables from './limit-tables.ts';
import { limitsOf, operationLimits } from './operation-limits.ts';
import * as operationRules from './operation-limits.ts';

let server: TestServer;
let ann: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  ann = await server.signUp('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

interface Endpoint {
  operation: string;
  method: string;
  path: string;
}

/** The endpoints of service, gateway, screens, actions and sign-in. */
async function allEndpoints(): Promise<Endpoint[]> {
  const document = (await (await server.fetch('/service/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const idOf = ({ method, path }: { method: string; path: string }) =>
    document.paths[path.replace('/service', '').replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!.operationId;
  return [...server.app.endpoints, ...server.app.signInEndpoints, ...server.app.guestEndpoints]
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({
      method,
      path,
      operation: path.startsWith('/service/') ? idOf({ method, path }) : `${method} ${path}`,
    }));
}

test('every endpoint has a row, and every row an endpoint', async () => {
  const names = (await allEndpoints()).map(({ operation }) => operation);
  const optional = Object.keys(operationLimits).filter((name) => limitsOf(name).isOptional);
  expect(Object.keys(operationLimits).toSorted()).toEqual([...new Set([...names, ...optional])].toSorted());
});

test('no endpoint reads more of a body than its row allows', async () => {
  const unending = { chunk: Buffer.alloc(16 * 1024, ' '), sent: 0 };
  for (const { operation, method, path } of await allEndpoints()) {
    if (method === 'GET') continue;
    unending.sent = 0;
    const body = new ReadableStream({
      pull(stream) {
        unending.sent += unending.chunk.length;
        stream.enqueue(unending.chunk);
      },
    });
    const concrete = path.replaceAll(/:\w+/g, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10');
    const answer = await server.fetch(concrete, {
      method,
      body,
      duplex: 'half',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        origin,
        ...(path.startsWith('/service') ? { 'x-serviceapikey': ann.key } : { cookie: ann.cookie }),
      },
    });
    expect(answer.status, operation).toBeLessThan(500);
    if (limitsOf(operation).body) expect(answer.status, operation).toBeGreaterThanOrEqual(400);
    // Without a length, a body counts as a small one. Two chunks may be in the stream.
    const read = limitsOf(operation).body ? limits.bodyBytes : 0;
    expect(unending.sent, operation).toBeLessThanOrEqual(read + 2 * unending.chunk.length);
  }
});

const many = 1200;
const ids = Array.from({ length: many }, (_, index) => `019a7c51-5d0e-7c1c-8a4e-${String(index).padStart(12, '0')}`);

/** A user with many records of each kind. Returns the values of the parameters of paths. */
async function userWithMany() {
  const { db } = server;
  const client = createServiceClient('ann', (asked) => server.request('gateway', ann, asked));
  await addDevices({ db, userId: 'ann', count: many });
  const swarm = await client.swarm();
  await addAllToSwarm({ db, userId: 'ann', swarmId: swarm.id });
  const device = await client.device();
  const at = `'2026-01-02T03:04:05.678Z'`;
  const into = (table: string, columns: string, values: string, params: string[] = [], some = ids) =>
    writeInParts({
      db,
      sql: `INSERT INTO ${table} (${columns}) SELECT ${values} FROM elements($1)`,
      ids: some,
      params,
    });
  await into(
    'swarms',
    'id, user_id, name, description, public, created_at, version',
    `value, 'ann', 'Ring', 'x', 0, ${at}, 1`,
  );
  const ofMember = 'swarm_id, resource_id, resource_type, member_since';
  await into('memberships', ofMember, `value, $2, 'both', ${at}`, [device.id], ids.slice(0, 999));
  await into(
    'invitations',
    'id, swarm_id, status, sent_at, rejected_at, created_at, resource_type, resource_id, "from", "to"',
    `value, $2, 'rejected', ${at}, ${at}, ${at}, 'producer', $3, 'ann', 'ann'`,
    [swarm.id, device.id],
  );
  await into(
    'join_requests',
    `id, swarm_id, status, asked_at, resource_type, resource_id, swarm_name, user_id, resource_name, resource_folded,
      machine_type`,
    `value, $2, 'new', ${at}, 'both', value, 's', 'ann', 'n', 'n', 'pc'`,
    [swarm.id],
  );
  await into('managers', 'swarm_id, user_id, asked_at, agreed_at', `value, 'ann', ${at}, NULL`);
  await into(
    'actions',
    'id, user_id, kind, about, state, total, done, wait, created_at, ended_at',
    `value, 'ann', 'delete', '{}', 'ended', 1, 1, 0, ${at}, ${at}`,
  );
  await into('action_parts', 'action_id, part, items', `value, 0, '[{"id":"a","name":"b"}]'`);
  return {
    swarm_id: swarm.id,
    resource_id: device.id,
    link_id: 'none',
    invitation_id: ids[0]!,
    name: 'ann',
    id: device.id,
    action: ids[0]!,
  };
}

const queries: Record<string, string> = {
  'GET /api/map': 'audience=visible&zoom=3',
  'GET /api/wall': 'audience=visible',
  'GET /api/devices': 'audience=visible',
  'GET /api/devices/:id': 'audience=visible',
  'GET /api/devices/by-id': 'ids=none',
  getSwarmValues: 'resource_ids=:resource_id&keys=level',
};

test('a user with much data is read where the table says, in statements of so many rows', async () => {
  const values = await userWithMany();
  const read = vi.spyOn(server.db, 'read');
  const notAnswered = new Set<string>();
  for (const { operation, method, path } of await allEndpoints()) {
    // The streams of events are opened in tests/jobs.test.ts.
    if (method !== 'GET' || path.endsWith('/events')) continue;
    const { runs, rows } = limitsOf(operation);
    const filled = `${path.replace('/actions/:id', '/actions/:action')}?${queries[operation] ?? ''}`.replaceAll(
      /:(\w+)/g,
      (_, name: string) => values[name as keyof typeof values] ?? 'none',
    );
    const headers = path.startsWith('/service') ? { 'x-serviceapikey': ann.key } : { cookie: ann.cookie };
    const ask = () =>
      server.fetch(filled, {
        headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      });
    let isElsewhere = false;
    // What the server reads in the background, such as webhooks that are due, may be among the reads of one request.
    await vi.waitFor(async () => {
      read.mockClear();
      let answer = await ask();
      // The index is being built.
      while (answer.status === 202) answer = await ask();
      await answer.text();
      const calls = [...read.mock.calls];
      const results = (await Promise.all(read.mock.results.map(({ value }) => value))) as object[][];
      const onMain = results.filter((_, index) => !calls[index]![0].isLong).map((rows) => rows.length);
      expect(Math.max(0, ...onMain), operation).toBeLessThanOrEqual(rows);
      const hasLong = calls.some(([{ isLong }]) => isLong);
      isElsewhere ||= hasLong;
      if (!answer.ok) notAnswered.add(operation);
      else if (runs === 'reader') expect(isElsewhere, operation).toBe(true);
      if (runs === 'main' || runs === 'chunks') expect(hasLong, operation).toBe(false);
      // Of 1,200 records each: not one for each of them.
      expect(calls.length, operation).toBeLessThanOrEqual(60);
    });
  }
  // A user who is no operator, and has no code, provider or identity.
  expect([...notAnswered].filter((operation) => !/^GET \/(api\/operator|auth)\//.test(operation))).toEqual([
    'openJoinLink',
  ]);
});

/** Files of the product outside of limits/ whose text matches. */
function filesWith(pattern: RegExp): string[] {
  const root = new URL('../../', import.meta.url);
  return globSync('**/*.ts', { cwd: root, exclude: ['core/limits/**'] })
    .filter((file) => !/\.(test|fixture|process)\.ts$/.test(file))
    .filter((file) => pattern.test(readFileSync(new URL(file, root), 'utf8')));
}

test('what counts by user is made in limits/ only, from its tables', () => {
  expect(filesWith(/\bcreate(?:Rate|Budget|Slots)\(/)).toEqual([]);
});

test('what counts or remembers is no state of a module: it would be one for all apps of a process', () => {
  expect(filesWith(/^(?:export )?(?:const|let) \w+.* = new (?:Counts|SetsByKey|BoundedMap)\b/m)).toEqual([]);
});

test('a refusal because of a limit is made in limits/ only, except that of responses that are not read', () => {
  expect(filesWith(/new Problem\('rate\.exceeded'/)).toEqual(['core/http/unsent-bytes.ts']);
});

test('the size of what a process remembers is in limits/', () => {
  const root = new URL('../../', import.meta.url);
  const sizes = globSync('**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|fixture|process)\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(new URL(file, root), 'utf8').matchAll(/new BoundedMap<.*>\(\s*([\w.]+)/g)].map(
        ([, size]) => `${file}: ${size}`,
      ),
    );
  expect(sizes.length).toBeGreaterThan(8);
  // The operator sets that of the tiles; in refusals.ts, the name has been read from the table.
  expect(sizes.filter((size) => !/: (memoryTable|\w+Memory|pushLimits)\./.test(size)).toSorted()).toEqual([
    'capabilities/presence/refusals.ts: most',
    'capabilities/tiles/tile-loader.ts: limits.capacity',
  ]);
});

test('limits/README.md names every limit', async () => {
  const text = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const named = new Set(
    text
      .split('## What is bounded')[1]!
      .match(/`\w+/g)!
      .map((name) => name.slice(1)),
  );
  const isLimit = (value: unknown) =>
    typeof value === 'number' ||
    (typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each !== 'string'));
  const ofCapabilities: object[] = await Promise.all(
    globSync(join(import.meta.dirname, '../../capabilities/*/limits.ts')).map(
      async (file) => (await import(file)) as object,
    ),
  );
  const tables = Object.assign({}, fieldRules, partLimits, operationRules, limitTables, ...ofCapabilities) as object;
  const known = Object.entries(tables)
    .filter(([, value]) => isLimit(value) && !(value instanceof RegExp) && !Array.isArray(value))
    .map(([name]) => name);
  expect(known.filter((name) => !named.has(name))).toEqual([]);
});
