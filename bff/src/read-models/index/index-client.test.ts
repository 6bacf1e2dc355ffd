import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MapView } from '../../contract.ts';
import { createIndexClient } from './index-client.ts';
import { createTestViews, type TestViews } from '../screens.fixture.ts';

let context: TestViews;
beforeAll(async () => {
  context = await createTestViews();
  await context.add(...Array.from({ length: 30 }, () => ({ position: { longitude: 7, latitude: 46 } })));
});
afterAll(() => context[Symbol.asyncDispose]());

/** SQL. Its parameter is the user. */
const insertMany = (
  count: number,
) => `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
  INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
  SELECT $1 || i, $1, 'n', 'pc', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1, 'n', 'n' FROM n`;
const ann = { user: 'ann' };
const world = { filters: { audience: 'own' }, bbox: [-180, -90, 180, 90], zoom: 1 } as const;
const question = { ...world, gzip: false, bbox: [...world.bbox] as [number, number, number, number] };

test('a query with no patience gets the progress, and a later one gets the result', async () => {
  const index = createIndexClient({ db: context.db, report: () => {} });
  const cat = { user: 'cat' };
  await context.run(insertMany(20_000), ['cat']);
  try {
    const first = await index.query('map', cat, { ...question, timeoutMs: 0 });
    expect((first as { building: number }).building).toBeLessThan(1);
    const reply = await index.query('map', cat, { ...question, timeoutMs: 60_000 });
    expect(JSON.parse((reply as { answer: string }).answer) as MapView).toMatchObject({ total: 20_000 });
    expect(await index.query('map', cat, { ...question, timeoutMs: 1000 })).toEqual(reply);
  } finally {
    await index.close();
  }
});

test('a query fails if the thread ends, and the next query starts a new thread', async () => {
  const threads: Worker[] = [];
  const note = (worker: Worker) => threads.push(worker);
  process.on('worker', note);
  const index = createIndexClient({ db: context.db, report: () => {} });
  try {
    const asked = index.query('map', ann, { ...question, timeoutMs: 60_000 });
    await new Promise((resolve) => process.nextTick(resolve));
    await threads[0]!.terminate();
    await expect(asked).rejects.toMatchObject({ name: 'StorageError', kind: 'away' });
    expect(await index.query('map', ann, { ...question, timeoutMs: 60_000 })).toHaveProperty('answer');
    expect(threads).toHaveLength(2);
  } finally {
    process.off('worker', note);
    await index.close();
  }
});

test('an index is read again after a large change', async () => {
  const total = async () => (await context.map('zoom=1')).total;
  expect(await total()).toBe(30);
  await context.run(insertMany(12_000), ['ann']);
  expect(await total()).toBe(12_030);
  await context.run(`DELETE FROM resources WHERE name = 'n' AND user_id = 'ann'`);
  expect(await total()).toBe(30);
});

describe('queries of one user', () => {
  test('are bounded in number, without affecting other users', async () => {
    const index = createIndexClient({ db: context.db, report: () => {} });
    const request = (user: string) => index.query('map', { user }, { ...question, timeoutMs: 60_000 });
    try {
      const asked = Array.from({ length: 1000 }, () => request('ann'));
      await expect(request('ann')).rejects.toMatchObject({ code: 'rate.exceeded' });
      expect(await request('bob')).toHaveProperty('answer');
      await Promise.all(asked);
      expect(await request('ann')).toHaveProperty('answer');
    } finally {
      await index.close();
    }
  });

  test('are cancelled when the client disconnects', async () => {
    const index = createIndexClient({ db: context.db, report: () => {} });
    const client = new AbortController();
    const requester = { user: 'ann', signal: client.signal };
    try {
      const asked = index.query('map', requester, { ...question, timeoutMs: 60_000 });
      client.abort();
      await expect(asked).rejects.toMatchObject({ code: 'request.aborted' });
      await expect(index.query('map', requester, { ...question, timeoutMs: 60_000 })).rejects.toMatchObject({
        code: 'request.aborted',
      });
    } finally {
      await index.close();
    }
  });
});
