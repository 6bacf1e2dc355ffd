/**
 * Swarms with very many members: every response has each of them once, is generated while it is read, and does not
 * block other requests.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ListedMember, Problem, Resource, Swarm, SwarmDetails } from '../../contract.ts';
import { dayMs } from '../limits/durations.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { createLongReads } from '../limits/long-reads.ts';
import { noQuotas } from '../limits/quotas.ts';
import { createServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, entryPoints, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';
import { long } from '../../tests/process.fixture.ts';
import { textOf } from '../endpoint/list-chunks.ts';
import { createResources } from '../resources/resources.store.ts';
import { createMembers } from './members.store.ts';

const many = long ? 100_000 : 5000;
/** More than a thousand members as JSON. */
const partBytes = 300_000;

let server: TestServer;
let user: TestUser;
let own: Resource;
let swarm: Swarm;
beforeAll(async () => {
  server = await createTestServer();
  user = await server.signUp('ann');
  const ann = createServiceClient('ann', (asked) => server.request('direct', user, asked));
  own = await ann.device();
  swarm = await ann.swarm({ resources: [{ resource_id: own.id, resource_type: 'both' }] });
  server.wait(1000);
  await server.db.write(joining({ from: 1, to: many - 1 }));
}, 600_000);
afterAll(() => server[Symbol.asyncDispose]());

/** Devices of a hundred users, seven at a time, in another order than their ids. */
function joining({ from, to }: { from: number; to: number }) {
  const numbers = 'WITH RECURSIVE numbers(n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)';
  const id = `printf('019a7c51-5d0e-7c1c-8a4e-%012d', (n * 7919) % 1000003)`;
  const at = `strftime('%Y-%m-%dT%H:%M:%fZ', $3, '+' || ((n / 7) / 1000.0) || ' seconds')`;
  const params = [from, to, server.now().toISOString()];
  return [
    {
      sql: `${numbers} INSERT INTO resources
              (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
            SELECT ${id}, 'person-' || CAST(n % 100 AS integer), 'Sensor', 'pc', ${at}, ${at}, 1, 'sensor', 'sensor' FROM numbers`,
      params,
    },
    {
      sql: `${numbers} INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
            SELECT $4, ${id}, iif(n % 2, 'producer', 'consumer'), ${at} FROM numbers`,
      params: [...params, swarm.id],
    },
  ];
}

const idsOf = (members: readonly { resource_id: string }[]) => new Set(members.map(({ resource_id }) => resource_id));

test('the parts of long lists are read in turns of their users', async () => {
  const users = new Set<string>();
  const options = {
    db: server.db,
    readsOf({ user: reader }: { user: string }) {
      users.add(reader);
      return server.db;
    },
    quotas: noQuotas,
    baseUrl: '',
    now: server.now,
  };
  await textOf(createMembers(options).list({ id: swarm.id, type: undefined, requester: { user: 'ann' } }));
  await textOf(createResources(options).list({ user: 'person-1' }, 'json'));
  expect([...users]).toEqual(['ann', 'person-1']);
});

test('the members in a list of swarms are charged to its reader, by their text', async () => {
  const charged: [string, number][] = [];
  const budget = { correct: (...charge: [string, number]) => void charged.push(charge), msUntilLeft: () => 0 };
  const { db, now } = server;
  const readsOf = createLongReads({ db, queue: createFairQueue({ mostWaiting: 1, budget }) });
  const members = createMembers({ db, readsOf, quotas: noQuotas, baseUrl: '', now });
  const texts = await members.ofSwarms({ ids: [swarm.id], count: many, requester: { user: 'ann' } });
  expect(charged).toEqual([['ann', Buffer.byteLength(texts.get(swarm.id)!)]]);
});

describe.each(entryPoints)('%s', (entryPoint) => {
  const request = (path: string) => server.request(entryPoint, user, { path });
  const get = async <T>(path: string) => (await (await request(path)).json()) as T;

  test('a swarm has each member once, by time of joining', async () => {
    const { access, ...whole } = await get<SwarmDetails>(`/swarms/${swarm.id}`);
    expect(access).toBe('full');
    expect(whole.resources).toHaveLength(many);
    expect(idsOf(whole.resources).size).toBe(many);
    expect(whole.resources[0]!.resource_id).toBe(own.id);
    expect(await get<Swarm[]>('/swarms')).toEqual([whole]);
    expect(await get<Swarm[]>(`/resources/${own.id}/swarms`)).toEqual([whole]);
  });

  test('the list of members has each once, in order, also with a role filter', async () => {
    const listed = await get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
    expect(idsOf(listed).size).toBe(many);
    const order = listed.map(({ member_since, resource_id }) => `${member_since} ${resource_id}`);
    expect(order).toEqual(order.toSorted());
    for (const type of ['producer', 'consumer'] as const) {
      const some = await get<ListedMember[]>(`/swarms/${swarm.id}/resources?type=${type}`);
      expect(some).toEqual(listed.filter(({ resource_type }) => resource_type === type || resource_type === 'both'));
    }
  });

  test('a response is generated while it is read, without blocking other requests', async () => {
    const read = vi.spyOn(server.db, 'read');
    /** Those of the swarm: a busy machine has more of the server's timers in this time. */
    const reads = () => read.mock.calls.filter(([{ params = [] }]) => params.includes(swarm.id)).length;
    const answer = await request(`/swarms/${swarm.id}`);
    const reader = answer.body!.getReader();
    let bytes = (await reader.read()).value!.byteLength;
    const soFar = reads();
    expect((await request(`/resources/${own.id}`)).status).toBe(200);
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      expect(part.value.byteLength).toBeLessThan(partBytes);
      bytes += part.value.byteLength;
    }
    expect(bytes).toBeGreaterThan(many * 150);
    expect(reads()).toBeGreaterThan(2 * soFar);
  });
});

test('a PUT with thousands of resources does not read the members', async () => {
  const read = vi.spyOn(server.db, 'read');
  const body = { resources: Array<number>(5000).fill(1) };
  const answer = await server.request('direct', user, { method: 'PUT', path: `/swarms/${swarm.id}`, body });
  const { errors } = (await answer.json()) as Problem;
  expect(errors).toMatchObject([{ pointer: '/resources', code: 'field.out_of_range' }]);
  expect(read.mock.calls.map(([query]) => query.sql).filter((sql) => sql.includes('memberships'))).toEqual([]);
});

test('a permanent member is in a response once, while others join and leave', async () => {
  const answer = await server.request('direct', user, { path: `/swarms/${swarm.id}/resources` });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value!;
  const [gone] = await server.db.read<{ resource_id: string }>({
    sql: 'SELECT resource_id FROM memberships WHERE swarm_id = $1 ORDER BY member_since DESC, resource_id DESC LIMIT 1',
    params: [swarm.id],
  });
  const left = await server.request('direct', user, {
    method: 'DELETE',
    path: `/swarms/${swarm.id}/resources/${gone!.resource_id}`,
  });
  expect(left.status).toBe(204);
  server.wait(dayMs);
  await server.db.write(joining({ from: many, to: many + 9 }));
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  const listed = idsOf(JSON.parse(text) as ListedMember[]);
  expect(JSON.parse(text)).toHaveLength(listed.size);
  expect(listed.size).toBe(many - 1 + 10);
  expect(listed.has(gone!.resource_id)).toBe(false);
});

test('the deletion of such a swarm keeps its devices', async () => {
  const ended = await server.request('direct', user, { method: 'DELETE', path: `/swarms/${swarm.id}` });
  expect(ended.status).toBe(204);
  for (const table of ['memberships', 'swarm_viewers', 'member_tallies', 'swarms']) {
    const left = () => server.db.read({ sql: `SELECT 1 FROM ${table} LIMIT 1` });
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 300_000 });
  }
  expect(await server.db.read({ sql: 'SELECT count(*) AS count FROM resources' })).toEqual([{ count: many + 10 }]);
});
