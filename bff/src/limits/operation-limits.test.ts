import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addAllToSwarm, addDevices, writeInParts } from '../tests/many-devices.fixture.ts';
import { createServiceClient } from '../tests/service-client.fixture.ts';
import { createTestServer, origin, type TestServer, type TestUser } from '../tests/test-server.fixture.ts';
import { actionLimits, limits, linkLimits, managerLimits, messageLimits, requestLimits } from './field-rules.ts';
import { quotasOf } from './quotas.ts';
import { limitsOf, operationLimits, type OperationLimits } from './operation-limits.ts';

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
  return [...server.app.endpoints, ...server.app.signInEndpoints]
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({
      method,
      path,
      operation: path.startsWith('/service/') ? idOf({ method, path }) : `${method} ${path}`,
    }));
}

test('every endpoint has a row, and every row an endpoint', async () => {
  const names = (await allEndpoints()).map(({ operation }) => operation);
  // Whether a server has tiles is a setting.
  const tile = 'GET /api/tiles/:z/:x/:y';
  expect(Object.keys(operationLimits).toSorted()).toEqual([...new Set([...names, tile])].toSorted());
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
    expect(answer.status, operation).not.toBe(500);
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
};

test('a user with much data is read where the table says, in statements of so many rows', async () => {
  const values = await userWithMany();
  const read = vi.spyOn(server.db, 'read');
  for (const { operation, method, path } of await allEndpoints()) {
    if (method !== 'GET') continue;
    const { runs, rows } = limitsOf(operation);
    const filled = path
      .replace('/actions/:id', `/actions/${values.action}`)
      .replaceAll(/:(\w+)/g, (_, name: string) => values[name as keyof typeof values] ?? 'none');
    const headers = path.startsWith('/service') ? { 'x-serviceapikey': ann.key } : { cookie: ann.cookie };
    const ask = () =>
      server.fetch(`${filled}?${queries[operation] ?? ''}`, {
        method: path.endsWith('/events') ? 'HEAD' : 'GET',
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
      if (answer.ok && runs === 'reader') expect(isElsewhere, operation).toBe(true);
      if (runs === 'main' || runs === 'chunks') expect(hasLong, operation).toBe(false);
      // Of 1,200 records each: not one for each of them.
      expect(calls.length, operation).toBeLessThanOrEqual(60);
    });
  }
});

/** The rows of the table, without the spaces that align its columns. */
function printed(): string[] {
  return Object.entries<OperationLimits>(operationLimits).map(([operation, { body, runs, rows }]) => {
    const sent = body ? `${body.bytes / 1024} KiB | ${body.items}` : ' | ';
    return `| \`${operation}\` | ${sent} | ${runs} | ${rows} |`.replaceAll(/ +/g, ' ');
  });
}

/** What a user may store, as the page says it. */
const storedLimits: Record<string, number> = {
  ...quotasOf(1),
  'actions that have not ended': actionLimits.open,
  'items of these actions': actionLimits.items,
  'bytes of these actions': actionLimits.bytes,
  'ended actions': actionLimits.ended,
  'bytes of ended actions': actionLimits.bytes,
  'bytes of messages': quotasOf(1).swarms * messageLimits.sharedBytes,
  'open links of a swarm': linkLimits.open,
  'managers of a swarm': managerLimits.ofSwarm,
  'open requests to join': requestLimits.open,
  'blocked users of a swarm': requestLimits.blocked,
};

test('deploy/README.md has the tables', async () => {
  const readme = await readFile(new URL('../../deploy/README.md', import.meta.url), 'utf8');
  const rowsOf = (title: string) => {
    const section = readme.split('\n## ').find((text) => text.startsWith(title))!;
    const lines = section.split('\n').filter((line) => line.startsWith('|'));
    return lines.slice(2).map((line) => line.replaceAll(/ +/g, ' '));
  };
  expect(rowsOf('What a request may send and read')).toEqual(printed());
  expect(rowsOf('What a user may store')).toEqual(
    Object.entries(storedLimits).map(([what, most]) => `| ${what} | ${most.toLocaleString('en')} |`),
  );
});
