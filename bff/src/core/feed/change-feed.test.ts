// stores: SQLite, PostgreSQL
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Value } from '../store/statement.ts';
import { isOnPostgres, openTestDatabase } from '../store/store.fixture.ts';
import type { FeedRow } from '../store/row-types.ts';
import { createChangeFeed, createFeedCursor } from './change-feed.ts';

const reported: unknown[] = [];
const context = await openTestDatabase();
const { db } = context;
const feed = await createChangeFeed({ db, report: (error) => reported.push(error) });
let entries: Partial<FeedRow>[] = [];
feed.subscribe((all = []) => {
  // without what is not set
  entries.push(
    ...all.map(
      ({ seq: _seq, at: _at, ...entry }) =>
        Object.fromEntries(
          Object.entries(entry).filter(([, value]) => value !== null && value !== 0),
        ) as Partial<FeedRow>,
    ),
  );
});
beforeEach(async () => {
  await write(['DELETE FROM invitations'], ['DELETE FROM swarms'], ['DELETE FROM resources']);
  await write(addResource('r1', 'ann'), addResource('r2', 'bob'), addSwarm('s1', 'ann'));
  entries = [];
});
afterAll(async () => {
  feed.close();
  await context[Symbol.asyncDispose]();
});

const at = '2026-03-04T12:00:00.000Z';
type Written = [sql: string, ...params: Value[]];
const addResource = (id: string, user: string): Written => [
  `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
   VALUES ($1, $2, $1, 'pc', $3, $3, 1, $1, $1)`,
  id,
  user,
  at,
];
const addSwarm = (id: string, user: string): Written => [
  `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ($1, $2, 's', '', 0, $3, 1)`,
  id,
  user,
  at,
];
const addMember = (swarm: string, id: string): Written => [
  `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ($1, $2, 'both', $3)`,
  swarm,
  id,
  at,
];
const write = (...all: Written[]) => db.write(all.map(([sql, ...params]) => ({ sql, params })));
/** As many newer entries would do it. */
const purgeAll = () => write(['DELETE FROM feed WHERE seq < (SELECT max(seq) FROM feed)']);
const refOf = async (id: string) =>
  (await db.read<{ ref: number }>({ sql: 'SELECT ref FROM resources WHERE id = $1', params: [id] }))[0]!.ref;
const ofResource = async (kind: FeedRow['kind'], id: string, owner: string) => ({
  kind,
  owner,
  ref: await refOf(id),
  resource_id: id,
});

describe('a feed entry', () => {
  test('is added when a resource is created, updated, moved and destroyed', async () => {
    await write(addResource('r3', 'cat'));
    const created = await ofResource('resource.created', 'r3', 'cat');
    await write(['UPDATE resources SET name = $1 WHERE id = $2', 'new', 'r3']);
    await write(['UPDATE resources SET longitude = 1, latitude = 2 WHERE id = $1', 'r3']);
    await write(['DELETE FROM resources WHERE id = $1', 'r3']);
    const kinds = ['resource.created', 'resource.updated', 'resource.moved', 'resource.destroyed'];
    expect(entries).toEqual(kinds.map((kind) => ({ ...created, kind })));
  });

  test('is added when a member joins or changes its role, and when a user gains access to the members', async () => {
    await write(addMember('s1', 'r1'), addMember('s1', 'r2'));
    const own = { ...(await ofResource('membership.changed', 'r1', 'ann')), swarm_id: 's1' };
    const other = { ...(await ofResource('membership.changed', 'r2', 'bob')), swarm_id: 's1' };
    const viewer = { kind: 'viewer.changed', owner: 'bob', swarm_id: 's1' };
    expect(entries).toHaveLength(3);
    expect(entries).toEqual(expect.arrayContaining([own, other, viewer]));
    entries = [];
    await write([`UPDATE memberships SET resource_type = 'producer' WHERE resource_id = $1`, 'r1']);
    expect(entries).toEqual([own]);
  });

  test('contains the swarms of a destroyed resource, and is followed by the ended memberships', async () => {
    await write(addMember('s1', 'r1'), addMember('s1', 'r2'));
    const member = { ...(await ofResource('membership.changed', 'r2', 'bob')), swarm_id: 's1' };
    const destroyed = { ...(await ofResource('resource.destroyed', 'r2', 'bob')), swarms_before: 's1' };
    entries = [];
    await write(['DELETE FROM resources WHERE id = $1', 'r2']);
    expect(entries[0]).toEqual(destroyed);
    expect(entries).toHaveLength(3);
    expect(entries).toEqual(expect.arrayContaining([member, { kind: 'viewer.changed', owner: 'bob', swarm_id: 's1' }]));
  });

  test('contains all users who could see a destroyed swarm', async () => {
    const invited = `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, sent_at, status, created_at)
      VALUES ('i1', 'ann', 'cat', 's1', 'r9', 'producer', $1, 'new', $1)`;
    await write(addMember('s1', 'r2'), [invited, at]);
    entries = [];
    await write(
      [`UPDATE swarms SET user_id = '' WHERE id = 's1'`],
      ['DELETE FROM swarm_viewers'],
      ['DELETE FROM swarms'],
    );
    const [{ users_before = '', ...destroyed }] = entries as [Partial<FeedRow>];
    expect(destroyed).toEqual({ kind: 'swarm.destroyed', owner: 'ann', swarm_id: 's1' });
    expect(users_before?.split(',').toSorted()).toEqual(['ann', 'bob', 'cat']);
    expect(entries.filter(({ kind }) => kind === 'viewer.changed')).toEqual([]);
  });

  test('covers all members of a large destroyed swarm', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => `m${index}`);
    await write(...many.flatMap((id) => [addResource(id, 'bob'), addMember('s1', id)]));
    entries = [];
    await write([`UPDATE swarms SET user_id = '' WHERE id = 's1'`]);
    expect(entries).toMatchObject([{ kind: 'swarm.destroyed', is_bulk: 1 }]);
    await write([`DELETE FROM memberships WHERE resource_id IN (SELECT resource_id FROM memberships LIMIT 500)`]);
    expect(entries).toHaveLength(1);
  });

  test('covers the resources of a deleted account, except those that other users could see', async () => {
    await write(addResource('r3', 'bob'), addMember('s1', 'r2'), ['INSERT INTO retired_names VALUES ($1)', 'bob']);
    const seen = await ofResource('resource.destroyed', 'r2', 'bob');
    entries = [];
    await write([`DELETE FROM resources WHERE user_id = 'bob'`]);
    expect(entries.filter(({ kind }) => kind === 'resource.destroyed')).toEqual([{ ...seen, swarms_before: 's1' }]);
    await write(['DELETE FROM retired_names']);
  });

  test('is not added for a write that is rolled back; other writes of the commit are not affected', async () => {
    const results = await Promise.allSettled([
      write(addResource('r3', 'cat'), ['INSERT INTO no_such_table VALUES (1)']),
      write(addResource('r4', 'cat')),
      db.write([{ sql: 'DELETE FROM resources' }, { sql: 'SELECT 1 WHERE false', orFail: 'nothing' }]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(entries).toEqual([await ofResource('resource.created', 'r4', 'cat')]);
    await db.write([{ sql: 'DELETE FROM resources' }]);
    expect(entries.length).toBeGreaterThan(1);
  });
});

describe('a subscriber', () => {
  test('receives the entries before the write resolves, and its errors are reported', async () => {
    const order: string[] = [];
    const fault = new Error('a subscriber that throws');
    const ends = [
      feed.subscribe(() => {
        throw fault;
      }),
      feed.subscribe(() => order.push('subscriber')),
    ];
    await write(addResource('r5', 'cat')).then(() => order.push('writer'));
    for (const end of ends) end();
    await write(addResource('r6', 'cat')).then(() => order.push('writer'));
    expect(order).toEqual(['subscriber', 'writer', 'writer']);
    expect(reported).toEqual([fault]);
  });

  test('is told that some entries were purged before they were read', async () => {
    let readFeed = async () => {};
    const onCommit: typeof db.onCommit = (subscriber) => {
      readFeed = subscriber;
      return () => {};
    };
    const lagging = await createChangeFeed({ db: { ...db, onCommit }, report: (error) => reported.push(error) });
    const received: unknown[] = [];
    lagging.subscribe((all) => received.push(all?.map(({ resource_id }) => resource_id)));
    await write(addResource('r7', 'cat'), addResource('r8', 'cat'));
    await purgeAll();
    await readFeed();
    expect([received, lagging.newest]).toEqual([[undefined], feed.newest]);
    await write(addResource('r9', 'cat'));
    await readFeed();
    expect([received, lagging.newest]).toEqual([[undefined, ['r9']], feed.newest]);
  });
});

describe('a cursor', () => {
  /** The ids of the resources in the entries that it gives, by part. */
  async function readerOf() {
    const cursor = await createFeedCursor(db.read);
    return async () => {
      const parts: ((string | null)[] | undefined)[] = [];
      await cursor.takeAll((all) => void parts.push(all?.map(({ resource_id }) => resource_id)));
      return parts;
    };
  }

  test('reads each entry once, in order', async () => {
    const takeAll = await readerOf();
    expect(await takeAll()).toEqual([]);
    await write(addResource('r7', 'cat'), addResource('r8', 'cat'));
    expect(await takeAll()).toEqual([['r7', 'r8']]);
    expect(await takeAll()).toEqual([]);
  });

  test('gives no entry twice to two who take at once', async () => {
    const takeAll = await readerOf();
    await write(addResource('r7', 'cat'));
    expect(await Promise.all([takeAll(), takeAll()])).toEqual([[['r7']], []]);
  });

  test('gives a long commit in parts, and subscribers have all of them before its write resolves', async () => {
    const takeAll = await readerOf();
    const parts: number[] = [];
    const unsubscribe = feed.subscribe((all) => void parts.push(all!.length));
    await write(...Array.from({ length: 2100 }, (_, index) => addResource(`part${index}`, 'cat')));
    unsubscribe();
    expect(parts).toEqual([1000, 1000, 100]);
    expect((await takeAll()).map((part) => part?.length)).toEqual([1000, 1000, 100]);
  });

  test('continues after its last entry, unless the following entries are purged or in the future', async () => {
    const before = feed.newest;
    await write(addResource('r7', 'cat'), addResource('r8', 'cat'));
    expect((await feed.since(before, 10))?.map(({ resource_id }) => resource_id)).toEqual(['r7', 'r8']);
    expect((await feed.since(before, 1))?.map(({ resource_id }) => resource_id)).toEqual(['r7']);
    expect(await feed.since(feed.newest, 10)).toEqual([]);
    expect(await feed.since(feed.newest + 1, 10)).toBeUndefined();
    const late = await readerOf();
    await write(addResource('r9', 'cat'), addResource('r10', 'cat'));
    await purgeAll();
    expect(await feed.since(before, 10)).toBeUndefined();
    expect([await late(), await late()]).toEqual([[undefined], []]);
  });
});

describe('a purge', () => {
  const count = async () => (await db.read<{ count: number }>({ sql: 'SELECT count(*) AS count FROM feed' }))[0]!.count;
  const fill = (rows: number, time: string): Written => [
    `INSERT INTO ${isOnPostgres ? 'feed_pending' : 'feed'} (at, kind) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
     SELECT $2, 'key.changed' FROM n`,
    rows,
    time,
  ];
  test('deletes the entries before a time, except the newest', async () => {
    await write(['DELETE FROM feed'], fill(2500, '2026-01-01T00:00:00.000Z'));
    await feed.purge({ before: '2026-01-01T00:00:00.000Z' });
    expect(await count()).toBe(2500);
    await feed.purge({ before: '2026-01-02T00:00:00.000Z' });
    expect(await count()).toBe(1);
    await feed.purge({ before: '2026-01-02T00:00:00.000Z' });
    // Cursors are compared with it.
    expect(await count()).toBe(1);
  });

  test('looks at the oldest entries only, as many as one statement deletes', async () => {
    await write(['DELETE FROM feed'], fill(1000, '2026-01-03T00:00:00.000Z'), fill(10, '2026-01-01T00:00:00.000Z'));
    await feed.purge({ before: '2026-01-02T00:00:00.000Z' });
    expect(await count()).toBe(1010);
    await feed.purge({ before: '2026-01-04T00:00:00.000Z' });
    expect(await count()).toBe(1);
  });

  test('of a commit deletes a few of the entries that are too many, and more if it adds many', async () => {
    const now = new Date().toISOString();
    await write(['DELETE FROM feed'], fill(50_150, now));
    expect(await count()).toBe(50_000);
    let most = 0;
    for (let commit = 0; commit < 30; commit++) {
      await write(fill(1000, now));
      most = Math.max(most, await count());
    }
    expect(most).toBeLessThan(60_000);
    for (let commit = 0; commit < 60; commit++) await write(['SELECT 1']);
    expect(await count()).toBe(50_000);
  });
});
