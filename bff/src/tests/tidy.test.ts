// stores: SQLite, PostgreSQL
import { expect, test, vi } from 'vitest';
import { dayMs } from '../core/limits/durations.ts';
import { createTestServer } from './test-server.fixture.ts';

test('a failing step of the hourly job is reported, and the others run', async () => {
  await using server = await createTestServer();
  await server.signUp('ann');
  const { read } = server.db;
  const rejected: string[] = [];
  vi.spyOn(server.db, 'read').mockImplementation((query) => {
    // One of the first steps.
    if (!query.sql.includes(`kind = 'idempotency'`)) return read(query);
    rejected.push(query.sql);
    return Promise.reject(new Error('the database is away'));
  });
  server.wait(31 * dayMs);
  await server.app.tidy();
  expect(rejected.length).toBeGreaterThan(0);
  expect(await read({ sql: 'SELECT id FROM session' })).toEqual([]);
  expect(server.logged.filter((line) => line.includes('the database is away'))).toHaveLength(rejected.length);
});
