/**
 * Who may do what: every operation by every actor, with a key and through the gateway. An operation or an
 * endpoint without a row fails.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHouse, ways } from './house.fixture.ts';
import type { Asked, House, Person, Way } from './house.fixture.ts';
import { policy } from './service/policy.ts';
import type { Operation } from './service/policy.ts';

const actors = ['owner', 'swarm owner', 'member', 'stranger', 'nobody', 'wrong key'] as const;
type Actor = (typeof actors)[number];

/** Statuses in the order of the actors. */
const table: Record<
  Operation,
  { ask: (id: string) => Asked; statuses: [number, number, number, number, number, number] }
> = {
  createResource: {
    ask: () => ({ method: 'POST', path: '/resources', body: { name: 'a', machine_type: 'pc' } }),
    statuses: [201, 201, 201, 201, 401, 401],
  },
  listResources: { ask: () => ({ path: '/resources' }), statuses: [200, 200, 200, 200, 401, 401] },
  getResource: { ask: (id) => ({ path: `/resources/${id}` }), statuses: [200, 200, 200, 404, 401, 401] },
  updateResource: {
    ask: (id) => ({ method: 'PUT', path: `/resources/${id}`, body: {} }),
    statuses: [200, 403, 403, 404, 401, 401],
  },
  destroyResource: {
    ask: (id) => ({ method: 'DELETE', path: `/resources/${id}` }),
    statuses: [204, 403, 403, 404, 401, 401],
  },
  listSwarmsOfResource: {
    ask: (id) => ({ path: `/resources/${id}/swarms` }),
    statuses: [200, 403, 403, 404, 401, 401],
  },
};

let house: House;
let people: Record<Actor, Person | undefined>;
beforeAll(async () => {
  house = await createHouse();
  const [owner, swarmOwner, member, stranger] = await Promise.all(
    ['owner', 'swarm-owner', 'member', 'stranger'].map((name) => house.person(name)),
  );
  const wrong = {
    name: 'nobody',
    key: `${owner!.key.slice(0, -1)}${owner!.key.endsWith('a') ? 'b' : 'a'}`,
    cookie: 'a=b',
  };
  people = { owner, 'swarm owner': swarmOwner, member, stranger, nobody: undefined, 'wrong key': wrong };
  const at = house.now().toISOString();
  const insertSwarm = `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES (?, ?, 's', '', 0, ?, 1)`;
  await house.db.write([{ sql: insertSwarm, params: ['swarm', 'swarm-owner', at] }]);
  await join(await resourceOf(people.member!), at);
});
afterAll(() => house[Symbol.asyncDispose]());

async function resourceOf(person: Person): Promise<string> {
  const made = await house.ask('direct', person, {
    method: 'POST',
    path: '/resources',
    body: { name: 'a', machine_type: 'pc' },
  });
  return ((await made.json()) as { id: string }).id;
}

async function join(id: string, at: string) {
  const sql = `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('swarm', ?, 'both', ?)`;
  await house.db.write([{ sql, params: [id, at] }]);
}

/** In the swarm with a resource of `member`. */
async function sharedResource(): Promise<string> {
  const id = await resourceOf(people.owner!);
  await join(id, house.now().toISOString());
  return id;
}

describe.each(ways)('%s', (way) => {
  for (const [operation, { ask, statuses }] of Object.entries(table)) {
    test.each(actors.map((actor, index) => ({ actor, status: statuses[index]! })))(
      `${operation} by $actor answers $status`,
      async ({ actor, status }) => {
        const answer = await house.ask(way, people[actor], ask(await sharedResource()));
        expect(answer.status, await answer.text()).toBe(status);
      },
    );
  }

  test('foreign, unknown and malformed ids give the same bytes but for the request id', async () => {
    const foreign = await resourceOf(people.owner!);
    const bodies = await Promise.all(
      [foreign, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10', 'x', '%2f', `${foreign}0`].flatMap((id) =>
        (['GET', 'PUT', 'DELETE'] as const).map((method) =>
          bytes(way, people.stranger!, { method, path: `/resources/${id}` }),
        ),
      ),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  test('a missing and a wrong proof give the same bytes but for the request id', async () => {
    const asked = { path: '/resources' };
    expect(await bytes(way, undefined, asked)).toBe(await bytes(way, people['wrong key'], asked));
  });
});

async function bytes(way: Way, who: Person | undefined, asked: Asked) {
  const answer = await house.ask(way, who, asked);
  const headers = [...answer.headers].filter(([name]) => name !== 'date');
  return `${answer.status} ${JSON.stringify(headers)} ${(await answer.text()).replace(/"request_id":"[^"]*"/, '')}`;
}

test('every operation of the policy has a row', () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(policy).toSorted());
});

test('every endpoint behind a key or a session is shut to whoever has neither', async () => {
  const { endpoints } = house.app;
  expect(endpoints.length).toBeGreaterThan(10);
  for (const { method, path } of endpoints) {
    const concrete = path.replaceAll(/:\w+/g, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10').replace('*', 'x');
    const verb = method === 'ALL' ? 'GET' : method;
    const answer = await house.fetch(concrete, { method: verb, headers: { 'sec-fetch-site': 'same-origin' } });
    expect(answer.status, `${verb} ${concrete}`).toBe(401);
  }
});

test('a cookie opens nothing under /service, a key opens nothing under /api', async () => {
  const { owner } = people;
  const withCookie = await house.fetch('/service/resources', { headers: { cookie: owner!.cookie } });
  const withKey = await house.fetch('/api/resources', { headers: { 'x-serviceapikey': owner!.key } });
  expect([withCookie.status, withKey.status]).toEqual([401, 401]);
  const foreignKey = { cookie: owner!.cookie, 'x-serviceapikey': people.stranger!.key };
  const owned = (await (await house.fetch('/api/resources', { headers: foreignKey })).json()) as { user_id: string }[];
  expect(new Set(owned.map(({ user_id }) => user_id))).toEqual(new Set(['owner']));
});
