// stores: SQLite, PostgreSQL in the long run
import type { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device, DevicePage, Member } from '../../contract.ts';
import { describeOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { createTestViews, noon, type TestViews } from '../screens.fixture.ts';

let context: TestViews;
beforeAll(async () => {
  context = await createTestViews();
});
beforeEach(() => context.clear());
afterAll(() => context[Symbol.asyncDispose]());

const namesOf = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name);

describe('the list of devices', () => {
  test('is empty for a new user, with every count at zero', async () => {
    expect(await context.devices()).toEqual({
      items: [],
      next: null,
      total: 0,
      at: noon,
      facets: {
        all: 0,
        machine_type: { pc: 0, bug: 0, smartphone: 0 },
        presence: { online: 0, offline: 0, silent: 0, never: 0 },
        no_swarm: 0,
        unplaced: 0,
        swarms: [],
      },
    });
  });

  test('has each device as in the service, with its swarms and its last change', async () => {
    await context.addSwarm({ id: 's1', name: 'Zoo', user_id: 'bob' });
    await context.addSwarm({ id: 's2', name: 'Ark', user_id: 'bob' });
    const position = { longitude: 8.5492, latitude: 0.1 + 0.2 };
    const changed_at = '2026-03-04T13:00:00.000Z';
    const [bare] = await context.add({ name: 'a' });
    const [full] = await context.add({
      name: 'b',
      description: 'x',
      position,
      changed_at,
      presence: 'silent',
      swarms: ['s1', 's2'],
    });
    const { user_id, machine_type } = full!;
    expect((await context.devices()).items).toEqual([
      {
        id: bare!.id,
        user_id,
        machine_type,
        name: 'a',
        created_at: bare!.created_at,
        changed_at: bare!.created_at,
        presence: { state: 'never' },
        swarms: [],
      },
      {
        id: full!.id,
        user_id,
        machine_type,
        name: 'b',
        description: 'x',
        position,
        created_at: full!.created_at,
        modified_at: changed_at,
        changed_at,
        presence: { state: 'silent', heard_at: changed_at },
        swarms: [
          { id: 's2', name: 'Ark', resource_type: 'producer' },
          { id: 's1', name: 'Zoo', resource_type: 'producer' },
        ],
      },
    ]);
  });

  test('is of one device also how often it is expected, and which swarm sets it, for those who see the swarm', async () => {
    await context.addSwarm({ id: 's1', name: 'Zoo', user_id: 'bob' });
    await context.addSwarm({ id: 's2', name: 'Ark', user_id: 'bob' });
    await context.add({ name: 'theirs', user_id: 'dan', swarms: ['s1'] });
    const [device] = await context.add({ name: 'a', swarms: ['s1', 's2'] });
    const { id } = device!;
    const expected = async (user: string) => {
      const answer = await context.get(`/devices/${id}?audience=visible`, user);
      return ((await answer.json()) as Device).expected;
    };
    expect(await expected('ann')).toBeUndefined();
    await context.run(`UPDATE swarms SET expected_every = CASE id WHEN 's1' THEN 3600 ELSE 60 END`);
    const ofArk = { every: 60, swarm: { id: 's2', name: 'Ark' } };
    expect(await expected('ann')).toEqual(ofArk);
    expect(await expected('bob')).toEqual(ofArk);
    // Sees the device, but not the swarm that sets the time.
    expect(await expected('dan')).toBeUndefined();
    expect((await context.devices()).items[0]).not.toHaveProperty('expected');
    await context.run(`UPDATE memberships SET ends_at = '2020-01-01T00:00:00.000Z' WHERE swarm_id = 's2'`);
    const ofZoo = { every: 3600, swarm: { id: 's1', name: 'Zoo' } };
    for (const user of ['ann', 'dan']) expect(await expected(user)).toEqual(ofZoo);
    await context.run('UPDATE resources SET expected_every = 300 WHERE id = $1', [id]);
    for (const user of ['ann', 'dan']) expect(await expected(user)).toEqual({ every: 300 });
    await context.run('UPDATE resources SET expected_every = 0 WHERE id = $1', [id]);
    expect(await expected('ann')).toBeUndefined();
  });

  test('of many devices is whole, compressed or not', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `dünn ${String(index).padStart(3, '0')}`);
    await context.add(...names.map((name) => ({ name })));
    const path = '/devices?limit=1000';
    const plain = await (await context.get(path)).text();
    expect(namesOf(JSON.parse(plain) as DevicePage)).toEqual(names);
    const packed = await context.get(path, 'ann', { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(plain);
  });

  test('is sorted by name, by last change and by creation', async () => {
    await context.add(
      { name: 'b', created_at: '2026-01-01T00:00:00.000Z', changed_at: '2026-01-09T00:00:00.000Z' },
      { name: 'C', created_at: '2026-01-03T00:00:00.000Z', changed_at: '2026-01-03T00:00:00.000Z' },
      { name: 'a', created_at: '2026-01-02T00:00:00.000Z', changed_at: '2026-01-05T00:00:00.000Z' },
    );
    expect(namesOf(await context.devices())).toEqual(['a', 'b', 'C']);
    expect(namesOf(await context.devices('sort=-changed'))).toEqual(['b', 'a', 'C']);
    expect(namesOf(await context.devices('sort=-created'))).toEqual(['C', 'a', 'b']);
  });

  test('can start at a row or around a device, in every order and with filters, and has the number of rows before', async () => {
    const types = ['pc', 'bug', 'smartphone'] as const;
    const time = (at: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
    await context.add(
      ...Array.from({ length: 90 }, (_, at) => ({
        name: `n${(at * 7) % 30}`,
        machine_type: types[at % 3]!,
        created_at: time((at * 11) % 90),
        changed_at: time(100 + ((at * 13) % 90)),
      })),
    );
    for (const query of ['sort=name', 'sort=-changed', 'sort=-created', 'machine_type=bug', 'q=n1&sort=-created']) {
      const { items: all, next } = await context.devices(`${query}&limit=200`);
      expect(next).toBeNull();
      for (const at of [0, 3, 9, all.length - 1]) {
        const first = Math.max(0, at - 5);
        const around = await context.devices(`${query}&limit=10&around=${all[at]!.id}`);
        expect(around).toMatchObject({ offset: first, items: all.slice(first, first + 10), total: all.length });
        const from = await context.devices(`${query}&limit=10&offset=${at}`);
        expect(from).toMatchObject({ offset: at, items: all.slice(at, at + 10) });
        if (from.next === null) continue;
        const following = await context.devices(`${query}&limit=10&cursor=${from.next}`);
        expect(following.items).toEqual(all.slice(at + 10, at + 20));
      }
    }
    const { items: phones } = await context.devices('machine_type=smartphone&limit=1');
    expect(await context.devices(`machine_type=bug&limit=10&around=${phones[0]!.id}`)).toMatchObject({ offset: 0 });
    expect(await context.devices('limit=10&offset=1000')).toMatchObject({
      offset: 1000,
      items: [],
      next: null,
      total: 90,
    });
    expect((await context.get('/devices?offset=-1')).status).toBe(400);
  });

  test('finds by name, description and the start of an id, ignoring case, without wildcards', async () => {
    await context.add({ name: '100% Ärger_1' }, { name: 'b', description: 'On the ROOF\nwest' }, { name: 'c' });
    expect(namesOf(await context.devices('q=ÄRGER_1'))).toEqual(['100% Ärger_1']);
    expect(namesOf(await context.devices('q=0%25 '))).toEqual(['100% Ärger_1']);
    expect((await context.devices('q=_')).total).toBe(0);
    expect(namesOf(await context.devices('q=roof'))).toEqual(['b']);
    const { id } = (await context.devices('q=c')).items[0]!;
    expect(namesOf(await context.devices(`q=${id.toUpperCase()}`))).toEqual(['c']);
    expect((await context.devices(`q=${id.slice(0, 8)}`)).total).toBe(3);
    expect((await context.devices(`q=${id.slice(0, 3)}`)).total).toBe(0);
  });

  test('is filtered by a box, also across the antimeridian; a device without a position is in no box', async () => {
    await context.add(
      { name: 'fiji', position: { longitude: 178, latitude: -18 } },
      { name: 'samoa', position: { longitude: -172, latitude: -13 } },
      { name: 'bern', position: { longitude: 7, latitude: 46 } },
      { name: 'nowhere' },
    );
    expect(namesOf(await context.devices('bbox=170,-20,-170,0'))).toEqual(['fiji', 'samoa']);
    expect(namesOf(await context.devices('bbox=0,-20,178,50'))).toEqual(['bern', 'fiji']);
    expect((await context.devices('bbox=-180,-90,180,90')).total).toBe(3);
  });

  test('has devices by their ids, only own ones', async () => {
    await context.addSwarm({ id: 's1', name: 'Zoo', user_id: 'bob' });
    const [a, b] = await context.add({ name: 'a', swarms: ['s1'] }, { name: 'b' }, { name: 'c' });
    const [other] = await context.add({ name: 'd', user_id: 'bob', swarms: ['s1'] });
    const { items } = await context.devices();
    const byId = async (...ids: string[]): Promise<unknown> =>
      (await context.get(`/devices/by-id?ids=${ids.join(',')}`)).json();
    expect(await byId(b!.id, a!.id, other!.id, 'gone')).toEqual(items.slice(0, 2));
    expect(await byId('gone')).toEqual([]);
    const ofSwarm = await context.get(
      `/devices/by-id?audience=swarm:s1&ids=${[a, b, other].map((each) => each!.id).join(',')}`,
    );
    expect(namesOf({ items: (await ofSwarm.json()) as Device[] })).toEqual(['a', 'd']);
    for (const ids of ['', 'a,,b', 'a b', Array.from({ length: 101 }, () => a!.id).join(',')]) {
      expect((await context.get(`/devices/by-id?ids=${ids}`)).status).toBe(400);
    }
  });

  test('are sorted by their distance, also across the antimeridian, those without a position last', async () => {
    const at = (longitude: number, latitude = 0) => ({ position: { latitude, longitude } });
    await context.add(
      { name: 'far', ...at(0) },
      { name: 'none' },
      { name: 'west', ...at(-179) },
      { name: 'east', ...at(178) },
    );
    await context.add({ name: 'pole', ...at(0, 89) });
    const sorted = ['east', 'west', 'pole', 'far', 'none'];
    expect(namesOf(await context.devices('sort=near&near=0,179.2'))).toEqual(sorted);
    const { next } = await context.devices('sort=near&near=0,179.2&limit=3&counts=later');
    expect(namesOf(await context.devices(`sort=near&near=0,179.2&cursor=${next}`))).toEqual(sorted.slice(3));
    for (const near of ['', '1', '91,0', '0,181', '1,2,3', 'a,b'])
      expect(await context.refusal(`/devices?sort=near&near=${near}`)).toMatchObject({
        errors: [{ pointer: '?near' }],
      });
  });

  test('are filtered and sorted by when they were heard, those that were never heard last', async () => {
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
    const [a, b] = await context.add(
      { name: 'a', presence: 'silent', changed_at: at(1) },
      { name: 'b', presence: 'online', changed_at: at(2) },
      { name: 'c', changed_at: at(3) },
    );
    expect(namesOf(await context.devices('sort=-heard'))).toEqual(['b', 'a', 'c']);
    expect(namesOf(await context.devices('presence=silent,never'))).toEqual(['a', 'c']);
    const { next } = await context.devices('sort=-heard&limit=1');
    expect(namesOf(await context.devices(`sort=-heard&cursor=${next}`))).toEqual(['a', 'c']);
    expect(await context.refusal('/devices?presence=dead')).toMatchObject({ code: 'query.invalid' });
    // A change of the state is in the feed; being heard is not.
    const { version } = await context.map();
    const set =
      'UPDATE presence SET heard_at = heard_at + 1, state = $2 WHERE ref = (SELECT ref FROM resources WHERE id = $1)';
    await context.run(set, [b!.id, 'online']);
    expect((await context.map()).version).toBe(version);
    await context.run(set, [a!.id, 'online']);
    expect((await context.map()).version).not.toBe(version);
    expect(namesOf(await context.devices('presence=online'))).toEqual(['a', 'b']);
  });

  test('counts the matches of each chip, ignoring the filters of its own group', async () => {
    await context.addSwarm({ id: 's1', name: 'Zoo' });
    await context.addSwarm({ id: 's2', name: 'Ark', user_id: 'bob' });
    const position = { longitude: 1, latitude: 1 };
    await context.add(
      { name: 'a', machine_type: 'pc', swarms: ['s1'], position, presence: 'online' },
      { name: 'b', machine_type: 'bug', swarms: ['s1', 's2'], presence: 'offline' },
      { name: 'c', machine_type: 'bug', position },
    );
    const { total, facets } = await context.devices('limit=0&machine_type=bug&swarm=s1');
    expect(total).toBe(1);
    expect(facets).toEqual({
      all: 3,
      machine_type: { pc: 1, bug: 1, smartphone: 0 },
      presence: { online: 0, offline: 1, silent: 0, never: 0 },
      no_swarm: 1,
      unplaced: 1,
      swarms: [
        { id: 's2', name: 'Ark', count: 1 },
        { id: 's1', name: 'Zoo', count: 1 },
      ],
    });
    const none = await context.devices('limit=0&machine_type=smartphone');
    expect(none.facets.swarms.map(({ count }) => count)).toEqual([0, 0]);
  });

  test('has only counts with a limit of 0', async () => {
    await context.add({}, {});
    expect(await context.devices('limit=0')).toMatchObject({ items: [], next: null, total: 2 });
  });

  test('reports the invalid parameters', async () => {
    const problem = await context.refusal('/devices?limit=-1&placed=x');
    expect(problem).toMatchObject({ status: 400, code: 'query.invalid' });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['?placed', '?limit']);
  });
});

describe('access to devices', () => {
  // Ann owns the swarm `hers`, has a device in Bob's `shared`, and no access to Bob's `secret`.
  beforeEach(async () => {
    await context.addSwarm({ id: 'hers', user_id: 'ann' });
    await context.addSwarm({ id: 'shared', user_id: 'bob' });
    await context.addSwarm({ id: 'secret', user_id: 'bob' });
    const position = { longitude: 1, latitude: 1 };
    await context.add(
      { name: 'ann-1', swarms: ['shared'], position },
      { name: 'ann-2' },
      { name: 'bob-1', user_id: 'bob', swarms: ['shared', 'secret', 'hers'], position },
      { name: 'bob-2', user_id: 'bob', swarms: ['secret'], position },
      { name: 'cat-1', user_id: 'cat', swarms: ['hers'] },
      { name: 'cat-2', user_id: 'cat' },
    );
  });

  test.each([
    ['own', 'ann', ['ann-1', 'ann-2']],
    ['visible', 'ann', ['ann-1', 'ann-2', 'bob-1', 'cat-1']],
    ['visible', 'bob', ['ann-1', 'bob-1', 'bob-2', 'cat-1']],
    ['visible', 'cat', ['bob-1', 'cat-1', 'cat-2']],
    ['visible', 'dan', []],
    ['swarm:hers', 'ann', ['bob-1', 'cat-1']],
    ['swarm:shared', 'ann', ['ann-1', 'bob-1']],
    ['swarm:shared', 'bob', ['ann-1', 'bob-1']],
    ['swarm:hers', 'cat', ['bob-1', 'cat-1']],
  ])('%s of %s: each device once', async (audience, user, names) => {
    const page = await context.devices(`audience=${audience}`, user);
    expect(namesOf(page)).toEqual(names);
    expect(page.total).toBe(names.length);
    expect(page.facets.all).toBe(names.length);
    expect((await context.map(`zoom=3&audience=${audience}`, user)).total).toBe(names.length);
  });

  test.each([
    ['swarm:secret', 'ann'],
    ['swarm:shared', 'cat'],
    ['swarm:hers', 'dan'],
    ['swarm:nothing', 'ann'],
  ])('%s does not exist for %s, in list and map', async (audience, user) => {
    const unknown = await context.refusal('/devices?audience=swarm:unknown', user);
    expect(unknown).toMatchObject({ status: 404, code: 'swarm.not_found' });
    expect(await context.refusal(`/devices?audience=${audience}`, user)).toEqual(unknown);
    expect(await context.refusal(`/map?zoom=1&audience=${audience}`, user)).toEqual(unknown);
  });

  test('a hidden membership is in no row and no chip, and matches no filter', async () => {
    const page = await context.devices('audience=visible&q=bob-1');
    expect(page.items[0]?.swarms.map(({ id }) => id)).toEqual(['hers', 'shared']);
    expect(page.facets.swarms.map(({ id }) => id)).toEqual(['hers', 'shared']);
    expect((await context.devices('audience=visible&swarm=secret')).total).toBe(0);
    expect((await context.map('zoom=1&audience=visible&swarm=secret')).total).toBe(0);
    expect(namesOf(await context.devices('audience=visible&swarm=none'))).toEqual(['ann-2']);
    expect((await context.devices('audience=visible&q=bob-1&not_in=secret')).total).toBe(1);
    expect((await context.devices('audience=visible&q=bob-1&not_in=shared')).total).toBe(0);
  });
});

describeOnSqlite('concurrent searches', () => {
  const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);
  let busy: TestViews;
  let indexThread: Worker;
  beforeAll(async () => {
    const threads: Worker[] = [];
    const note = (worker: Worker) => threads.push(worker);
    process.on('worker', note);
    busy = await createTestViews();
    await busy.addSwarm({ id: 's1' });
    await busy.add(...users.map((user_id) => ({ user_id, name: 'one', swarms: ['s1'] })));
    await busy.run(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
      SELECT 'r' || i, 'ann', 'n', 'pc', '${noon}', '${noon}', 1, 'n', 'word' || (i % 200) || 'x' FROM n`);
    await busy.run(
      `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT 's1', id, 'producer', '${noon}' FROM resources WHERE user_id = 'ann'`,
    );
    await busy.devices('limit=1');
    process.off('worker', note);
    indexThread = threads.at(-1)!;
  });
  afterAll(() => busy[Symbol.asyncDispose]());

  const search = async (user: string, number: number, signal?: AbortSignal) => {
    const path = `/devices?audience=swarm:s1&limit=1&q=word${number}x`;
    const answer = await busy.get(path, user, {}, signal);
    return { status: answer.status, total: ((await answer.json()) as DevicePage).total };
  };

  async function expectIdleThread() {
    let last = indexThread.performance.eventLoopUtilization();
    await expect
      .poll(
        () => {
          const now = indexThread.performance.eventLoopUtilization();
          const { utilization } = indexThread.performance.eventLoopUtilization(now, last);
          last = now;
          return utilization;
        },
        { interval: 100 },
      )
      .toBeLessThan(0.5);
  }

  test('of one user all succeed, and the index thread is idle afterwards', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, number) => search('ann', number)));
    expect(answers).toEqual(answers.map(() => ({ status: 200, total: 10 })));
    await expectIdleThread();
  });

  test('of twenty users all succeed, and the index thread is idle afterwards', async () => {
    const answers = await Promise.all(
      users.flatMap((user, number) => Array.from({ length: 10 }, (_, each) => search(user, number * 10 + each))),
    );
    expect(answers).toEqual(answers.map(() => ({ status: 200, total: 10 })));
    await expectIdleThread();
  });

  test('are dropped when their clients disconnect', async () => {
    const client = new AbortController();
    const dropped = Promise.all(Array.from({ length: 200 }, (_, number) => search('ann', 300 + number, client.signal)));
    client.abort();
    for (const { status } of await dropped) expect(status).toBe(400);
    await expectIdleThread();
    expect((await search('ann', 7)).total).toBe(10);
  });
});

describe('one device of an audience', () => {
  const device = async (id: string, query: string) =>
    (await (await context.get(`/devices/${id}?${query}`)).json()) as Device & Member;

  test('is the same as in the list, with its role in a swarm', async () => {
    await context.addSwarm({ id: 's1', name: 'Ring' });
    const [added] = await context.add({ swarms: ['s1'], position: { longitude: 7.4474, latitude: 46.948 } });
    const { items } = await context.devices('audience=swarm:s1');
    expect(await device(added!.id, 'audience=swarm:s1')).toEqual(items[0]);
    expect(items[0]).toMatchObject({ resource_type: 'producer' });
    const { resource_type: _role, member_since: _since, ...visible } = items[0] as Member;
    expect(await device(added!.id, 'audience=visible')).toEqual(visible);
  });

  test('is not found if the user cannot see it', async () => {
    await context.addSwarm({ id: 's1' });
    const [alone, strange] = await context.add({}, { user_id: 'bob' });
    for (const path of [`${alone!.id}?audience=swarm:s1`, `${strange!.id}?audience=visible`, 'x?audience=own']) {
      expect(await context.refusal(`/devices/${path}`)).toMatchObject({ code: 'resource.not_found' });
    }
  });
});
