// stores: SQLite, PostgreSQL
import { expect, test } from 'vitest';
import type { Reads } from '../caller.ts';
import { createTestViews, type TestViews } from '../screens.fixture.ts';
import { allRanks, readSwarmItem, readSwarmPage } from './swarm-list.store.ts';

/** Devices of ann, or of so many owners in turn. Each has changed later than the one before. */
async function addDevices({ db, add, run }: TestViews, count: number, owners?: number) {
  await add({ id: 'model' });
  const columns = Object.keys((await db.read({ sql: 'SELECT * FROM resources' }))[0]!)
    .filter((name) => !['ref', 'id', 'user_id', 'changed_at'].includes(name))
    .join(', ');
  const owner = owners === undefined ? `'ann'` : `'owner-' || (CAST(n.value AS integer) % ${owners})`;
  const numbers = JSON.stringify(Array.from({ length: count }, (_, n) => String(n).padStart(5, '0')));
  await run(
    `INSERT INTO resources (id, user_id, changed_at, ${columns}) SELECT 'device-' || n.value, ${owner}, '2026-01-01T00:00:00.000Z-' || n.value, ${columns}
      FROM elements($1) n JOIN resources r ON r.id = 'model'`,
    [numbers],
  );
}

const join = ({ run }: TestViews, swarm: string, from: number, to: number) =>
  run(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
      SELECT $1, id, 'both', created_at FROM resources WHERE id >= $2 AND id < $3`,
    [swarm, `device-${String(from).padStart(5, '0')}`, `device-${String(to).padStart(5, '0')}`],
  );

/** The numbers of rows of all reads. */
function recordReads({ db }: TestViews) {
  const reads: number[] = [];
  const recorded: Reads = {
    ...db,
    async read(statement) {
      const rows = await db.read(statement);
      reads.push(rows.length);
      return rows as never;
    },
  };
  return { db: recorded, reads };
}

test('the swarms of a page are read in parts of 1,000 members, and the last change of many old devices in parts, too', async () => {
  await using views = await createTestViews();
  await addDevices(views, 3600);
  for (const id of ['a', 'b', 'c', 'old', 'new', 'empty']) await views.addSwarm({ id, user_id: 'ann', name: id });
  await join(views, 'a', 0, 600);
  await join(views, 'b', 600, 1200);
  await join(views, 'c', 1200, 1300);
  await join(views, 'old', 0, 2100);
  await join(views, 'new', 2000, 3600);
  const { db, reads } = recordReads(views);
  const options = { db, user: 'ann', words: [], ranks: allRanks, limit: 5 };
  const { items, next, counts } = await readSwarmPage({ ...options, after: undefined });
  const changes = (some: typeof items) => some.map(({ name, members }) => [name, members!.changed_at?.slice(25)]);
  expect(changes(items)).toEqual([
    ['a', '00599'],
    ['b', '01199'],
    ['c', '01299'],
    ['empty', undefined],
    ['new', '03599'],
  ]);
  expect(counts).toEqual({ 0: 6, 1: 0, 2: 0, 3: 0 });
  // The page with one more; `a`; `b`, `c` and `empty`; `new`.
  expect(reads).toEqual([6, 1, 3, 1]);
  reads.length = 0;
  const rest = await readSwarmPage({ ...options, after: next });
  expect(changes(rest.items)).toEqual([['old', '02099']]);
  expect(rest.next).toBeUndefined();
  // The page, the swarm, and three parts of its members.
  expect(reads).toEqual([1, 1, 1, 1, 1]);
  const item = await readSwarmItem({ db, user: 'ann', id: 'old' });
  expect(item?.item).toEqual(rest.items[0]);
});

test('the last change among the devices of many owners is read in parts of 1,000 members', async () => {
  await using views = await createTestViews();
  await addDevices(views, 2200, 11);
  await views.addSwarm({ id: 'many', user_id: 'ann' });
  await join(views, 'many', 0, 2200);
  const { db, reads } = recordReads(views);
  const found = await readSwarmItem({ db, user: 'ann', id: 'many' });
  expect(found?.item.members?.changed_at?.slice(25)).toBe('02199');
  // The swarm, and three parts of its members.
  expect(reads).toEqual([1, 1, 1, 1]);
});
