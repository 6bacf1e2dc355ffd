// stores: SQLite, PostgreSQL
/** Changes while the indexes are read. Reads return the rows of the moment of the call, but later. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeviceFilters, MapView } from '../../contract.ts';
import { openReader } from '../../core/store/open.ts';
import type { AsyncReader } from '../../core/store/database.ts';
import type { Query } from '../../core/store/statement.ts';
import { createIndexQueries, type IndexQueries, type IndexResults } from './index-queries.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { createTestViews, type TestViews } from '../screens.fixture.ts';

let context: TestViews;
let reader: AsyncReader;
beforeAll(async () => {
  context = await createTestViews();
  reader = await openReader({ url: context.db.url });
});
afterAll(async () => {
  await reader.close();
  await context[Symbol.asyncDispose]();
});
beforeEach(() => context.clear());

type Delay = (sql: string) => Promise<void>;

/** Index queries whose reads wait for `delay` between taking their snapshot and returning it. */
function queriesWith(delay: Delay): Promise<IndexQueries> {
  const delayed = async <R>(sql: string, rows: Promise<R[]>) => {
    await rows.catch(() => {});
    await delay(sql);
    return rows;
  };
  return createIndexQueries({
    name: 'i',
    reader: {
      read: (query) => delayed(query.sql, reader.read(query)),
      tuples: (query) => delayed(query.sql, reader.tuples(query)),
      publishChanges: () => reader.publishChanges(),
    },
  });
}

/** Holds one read of SQL that includes `part`. */
function hold(part: string) {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isUsed = false;
  const delay: Delay = async (sql) => {
    if (isUsed || !sql.includes(part)) return;
    isUsed = true;
    started.resolve();
    await released.promise;
  };
  return {
    delay,
    started: started.promise,
    /** Lets all other work run before the read returns. */
    async release() {
      await setTimeout(20);
      released.resolve();
    },
  };
}

async function countsOf(
  queries: IndexQueries,
  { user = 'ann', ...filters }: Partial<DeviceFilters> & { user?: string } = {},
) {
  const result = await queries.answer(
    {
      type: 'list',
      user,
      filters: { audience: 'own', ...filters },
      timeoutMs: 60_000,
      sort: 'name',
      limit: 0,
      cursor: undefined,
    },
    new AbortController().signal,
  );
  return (result as { answer: IndexResults['list'] }).answer;
}
async function totalOf(...asked: Parameters<typeof countsOf>) {
  return (await countsOf(...asked)).total;
}
async function viewOf(queries: IndexQueries, audience = 'own'): Promise<MapView> {
  const result = await queries.answer(
    {
      type: 'map',
      user: 'ann',
      filters: { audience },
      bbox: [-180, -90, 180, 90],
      zoom: 22,
      gzip: false,
      timeoutMs: 60_000,
    },
    new AbortController().signal,
  );
  return JSON.parse((result as { answer: string }).answer) as MapView;
}
const positionsOf = async (queries: IndexQueries, audience?: string) =>
  (await viewOf(queries, audience)).features.map(({ geometry }) => geometry.coordinates);

const position = { longitude: 8, latitude: 47 };
const wanted = 'elements(';
const move = (id: string, longitude: number) =>
  context.run('UPDATE resources SET longitude = $1 WHERE id = $2', [longitude, id]);

describe('a change while an index is read', () => {
  test('is not lost if its device was read before it, during the build', async () => {
    const read = hold('SELECT r.ref, r.machine_type');
    const queries = await queriesWith(read.delay);
    const [device] = await context.add({ position });
    const first = positionsOf(queries);
    await read.started;
    await move(device!.id, 9);
    await queries.maintain();
    const second = positionsOf(queries);
    await read.release();
    await first;
    expect(await second).toEqual([[9, 47]]);
  });

  test('is not overwritten by an older row of its device', async () => {
    const read = hold(wanted);
    const queries = await queriesWith(read.delay);
    const [device] = await context.add({ position });
    await totalOf(queries);
    await move(device!.id, 9);
    const first = totalOf(queries);
    await read.started;
    await move(device!.id, 10);
    const second = positionsOf(queries);
    await read.release();
    await first;
    expect(await second).toEqual([[10, 47]]);
  });

  test('of a device that is about to enter the index is not lost', async () => {
    const read = hold(wanted);
    const queries = await queriesWith(read.delay);
    await context.addSwarm({ id: 's1' });
    const [device] = await context.add({ position, user_id: 'bob' });
    expect(await positionsOf(queries, 'swarm:s1')).toEqual([]);
    await context.run(
      `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('s1', $1, 'producer', '')`,
      [device!.id],
    );
    const first = positionsOf(queries, 'swarm:s1');
    await read.started;
    await move(device!.id, 9);
    const second = positionsOf(queries, 'swarm:s1');
    await read.release();
    await first;
    expect(await second).toEqual([[9, 47]]);
  });

  test('is in the result of a search that other queries share, from the first query on', async () => {
    const read = hold('FROM swarm_viewers');
    const queries = await queriesWith(read.delay);
    const [device] = await context.add({ name: 'x' }, { name: 'x' });
    const first = totalOf(queries, { q: 'x' });
    await read.started;
    await context.run(`UPDATE resources SET name_folded = 'y' WHERE id = $1`, [device!.id]);
    const second = totalOf(queries, { q: 'x' });
    await read.release();
    await first;
    expect(await second).toBe(1);
  });

  test('is in the results of two concurrent queries of a cached search', async () => {
    const read = hold(wanted);
    const queries = await queriesWith(read.delay);
    const [device] = await context.add({ name: 'x' }, { name: 'x' });
    expect(await totalOf(queries, { q: 'x' })).toBe(2);
    await context.run(`UPDATE resources SET name_folded = 'y' WHERE id = $1`, [device!.id]);
    const both = [totalOf(queries, { q: 'x' }), totalOf(queries, { q: 'x' })];
    await read.started;
    await read.release();
    expect(await Promise.all(both)).toEqual([1, 1]);
  });

  test('that takes away the access to devices drops them', async () => {
    const read = hold('FROM memberships here');
    const queries = await queriesWith(read.delay);
    await context.addSwarm({ id: 's1', user_id: 'bob' });
    const devices = await context.add({ position, swarms: ['s1'] }, { position, user_id: 'bob', swarms: ['s1'] });
    const first = totalOf(queries, { audience: 'visible' });
    await read.started;
    await context.run('DELETE FROM memberships WHERE resource_id = $1', [devices[0]!.id]);
    const second = totalOf(queries, { audience: 'visible' });
    await read.release();
    expect([await first, await second]).toEqual([1, 1]);
  });

  test('is applied by the next query if reading it fails', async () => {
    let isAway = false;
    const queries = await queriesWith(async (sql) => {
      if (isAway && sql.includes(wanted)) throw new Error('away');
    });
    const [device] = await context.add({ position });
    await totalOf(queries);
    await move(device!.id, 9);
    isAway = true;
    await expect(totalOf(queries)).rejects.toThrow('away');
    await queries.maintain().catch(() => {});
    isAway = false;
    expect(await positionsOf(queries)).toEqual([[9, 47]]);
  });
});

describe('a destroyed swarm of many members', () => {
  /** Writes of it have one entry in the feed, and none for each member. */
  const many = 500;
  const views = async (queries: IndexQueries) =>
    Promise.all(
      ['own', 'visible'].map(async (audience) => {
        const { version, total } = await viewOf(queries, audience);
        return { index: version.slice(0, version.lastIndexOf('-')), total };
      }),
    );
  const devicesOf = (user_id: string, { count = 1, swarms = ['s1'] } = {}) =>
    context.add(...Array.from({ length: count }, () => ({ user_id, swarms })));
  /** As `destroy` does it: the memberships are deleted later. */
  const destroy = async () => {
    await context.run(`UPDATE swarms SET user_id = '' WHERE id = 's1'`);
    await context.run(`DELETE FROM swarm_viewers WHERE swarm_id = 's1'`);
  };
  beforeEach(async () => {
    await context.addSwarm({ id: 's1', user_id: 'bob' });
    await devicesOf('bob', { count: many });
    await devicesOf('ann', { swarms: [] });
  });

  test('costs a user who was only invited nothing', async () => {
    const queries = await queriesWith(async () => {});
    const [device] = await devicesOf('ann', { swarms: [] });
    await context.run(
      `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, sent_at, status, created_at)
        VALUES ('i1', 'bob', 'ann', 's1', $1, 'producer', '', 'new', '')`,
      [device!.id],
    );
    const before = await views(queries);
    await destroy();
    expect(await views(queries)).toEqual(before);
  });

  test('leaves the lists of its viewers, who still see what they see in other swarms', async () => {
    const queries = await queriesWith(async () => {});
    await devicesOf('ann');
    await context.addSwarm({ id: 's2', user_id: 'bob' });
    await devicesOf('ann', { swarms: ['s2'] });
    await devicesOf('bob', { count: 3, swarms: ['s1', 's2'] });
    const [own, visible] = await views(queries);
    expect([own!.total, visible!.total]).toEqual([3, many + 6]);
    await destroy();
    expect(await views(queries)).toEqual([own, { index: visible!.index, total: 6 }]);
  });

  test.each(['during the build', 'while rows are read again'])('leaves them %s', async (when) => {
    const read = hold(when === 'during the build' ? 'FROM memberships here' : wanted);
    const queries = await queriesWith(read.delay);
    await devicesOf('ann');
    if (when !== 'during the build') {
      expect(await totalOf(queries, { audience: 'visible' })).toBe(many + 2);
      await devicesOf('bob');
    }
    const first = totalOf(queries, { audience: 'visible' });
    await read.started;
    await destroy();
    const second = totalOf(queries, { audience: 'visible' });
    await read.release();
    await first;
    expect(await second).toBe(2);
  });
});

describe('many memberships that end in one moment', () => {
  const amount = 2500;
  const swarm = 's1';

  test('cost the indexes of others nothing, and are applied before the next result, a part in a turn', async () => {
    const times = { now: '2019-01-01T00:00:00.000Z' };
    const reads: { sql: string; rows: number }[] = [];
    const atTime = <Q extends { sql: string }>(query: Q) => ({
      ...query,
      sql: query.sql.replaceAll('time_now()', `'${times.now}'`),
    });
    const queries = await createIndexQueries({
      name: 'i',
      reader: {
        async read<R>(query: Query) {
          const rows = await reader.read<R>(atTime(query));
          reads.push({ sql: query.sql, rows: rows.length });
          return rows;
        },
        tuples: (query) => reader.tuples(atTime(query)),
        publishChanges: () => reader.publishChanges(),
      },
    });
    const indexOf = async (audience: string) => {
      const { version, total } = await viewOf(queries, audience);
      return { index: version.slice(0, version.lastIndexOf('-')), total };
    };
    await context.addSwarm({ id: swarm, user_id: 'bob' });
    await context.add({}, { swarms: [swarm] });
    const ending = await context.add(...Array.from({ length: amount }, () => ({ user_id: 'bob', swarms: [swarm] })));
    await context.run(
      `UPDATE memberships SET ends_at = '2020-01-01T00:00:00.000Z' WHERE resource_id IN (SELECT value FROM elements($1))`,
      [JSON.stringify(ending.map(({ id }) => id))],
    );
    const audiences = ['own', 'visible', `swarm:${swarm}`];
    const before = await Promise.all(audiences.map(indexOf));
    expect(before.map(({ total }) => total)).toEqual([2, amount + 2, amount + 1]);
    reads.length = 0;
    times.now = '2021-01-01T00:00:00.000Z';
    // The clock is looked at once a second, or with a change.
    await context.add({ swarms: [swarm] });
    const after = await Promise.all(audiences.map(indexOf));
    expect(after).toEqual(before.map(({ index }, n) => ({ index, total: [3, 3, 2][n] })));
    expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(1000);
  });
});

test('names are read with the access of their moment, after the index', async () => {
  const read = hold('r.name, r.machine_type');
  let isHolding = false;
  const queries = await queriesWith(async (sql) => {
    if (isHolding) await read.delay(sql);
  });
  const [device] = await context.add({ position, user_id: 'bob', swarms: [] });
  await context.addSwarm({ id: 's1' });
  await context.run(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('s1', $1, 'producer', '')`,
    [device!.id],
  );
  expect(await positionsOf(queries, 'swarm:s1')).toEqual([[8, 47]]);
  isHolding = true;
  const view = viewOf(queries, 'swarm:s1');
  await read.started;
  // The index changes while the names are read: the view stays the one of its version.
  await context.add({ position: { longitude: 9, latitude: 47 }, user_id: 'bob', swarms: ['s1'] });
  await queries.maintain();
  await read.release();
  const { features, total } = await view;
  expect([features.length, total]).toEqual([1, 1]);
  expect((await viewOf(queries, 'swarm:s1')).total).toBe(2);
});

test('every result contains the writes before its query, with reads that return late and out of order', async () => {
  const turns = fc.array(fc.nat({ max: 6 }), { minLength: 20, maxLength: 20 });
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant('add' as const), name: fc.constantFrom('x', 'y') }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('move' as const), name: fc.constantFrom('x', 'y') }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('count' as const), name: fc.constantFrom('x', undefined) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('maintain' as const), name: fc.constant(undefined) }) },
  );
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), turns, async (steps, delays) => {
        let reads = 0;
        const queries = await queriesWith(async () => {
          for (let turn = delays[reads++ % delays.length]!; turn > 0; turn--) {
            await setImmediate();
          }
        });
        const written = { x: 0, y: 0 };
        let moves = 0;
        const results: Promise<void>[] = [];
        for (const { act, name } of steps) {
          if (act === 'add') {
            written[name] += 1;
            await context.add({ name, position: { longitude: 4 * (written.x + written.y), latitude: 0 } });
          } else if (act === 'move') {
            moves += 1;
            await context.run('UPDATE resources SET latitude = $1 WHERE name = $2', [moves, name]);
          } else if (act === 'count') {
            const least = name === 'x' ? written.x : written.x + written.y;
            const total = totalOf(queries, name ? { q: name } : {});
            results.push(total.then((count) => expect(count).toBeGreaterThanOrEqual(least)));
          } else results.push(queries.maintain());
        }
        await Promise.all(results);
        const { version: _, ...view } = await viewOf(queries);
        const { version: __, ...expected } = await viewOf(await queriesWith(async () => {}));
        expect(view).toEqual(expected);
        expect(await totalOf(queries, { q: 'x' })).toBe(written.x);
      })
      .afterEach(() => context.clear()),
    { numRuns: process.env['SWARMDECK_LONG'] === '1' ? 500 : isOnPostgres ? 8 : 20 },
  );
});
