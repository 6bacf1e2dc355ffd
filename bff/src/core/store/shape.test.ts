// stores: SQLite, PostgreSQL
import { getPriority } from 'node:os';
import { threadId } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { inThread } from './shape.fixture.ts';
import { openTestDatabase } from './store.fixture.ts';

test('a shape gets the rows of a read where they are read', async () => {
  await using opened = await openTestDatabase();
  const read = (sign: string) =>
    opened.db.read<{ threadId: number; bytes: Uint8Array }>({
      sql: `SELECT 'grün' AS text UNION ALL SELECT 'blau'`,
      shape: inThread({ sign }),
    });
  const results = await Promise.all(['!', '?'].map(read));
  const texts = results.map((result) => result.map(({ bytes }) => Buffer.from(bytes).toString()).toSorted());
  expect(texts).toEqual([
    ['blau!', 'grün!'],
    ['blau?', 'grün?'],
  ]);
  expect(results.flat().map((result) => result.threadId)).not.toContain(threadId);
});

test.runIf(process.platform === 'linux')('a long read lets the other threads go first', async () => {
  await using opened = await openTestDatabase();
  const [read] = await opened.db.read<{ priority: number }>({
    sql: `SELECT '' AS text`,
    shape: inThread({ sign: '' }),
  });
  expect(read!.priority).toBeGreaterThan(getPriority());
});
