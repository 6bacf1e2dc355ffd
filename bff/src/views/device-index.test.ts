import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MapView } from '../contract.ts';
import { createDeviceIndex } from './device-index.ts';
import { createViewsBed } from './views.fixture.ts';
import type { ViewsBed } from './views.fixture.ts';

let bed: ViewsBed;
beforeAll(async () => {
  bed = await createViewsBed();
  await bed.add(...Array.from({ length: 30 }, () => ({ position: { longitude: 7, latitude: 46 } })));
});
afterAll(() => bed[Symbol.asyncDispose]());

const world = { user: 'ann', filters: { audience: 'own' }, bbox: [-180, -90, 180, 90], zoom: 1 } as const;
const question = { ...world, gzip: false, bbox: [...world.bbox] as [number, number, number, number] };

test('whoever has no patience is told how much is read, and finds it done a little later', async () => {
  const index = createDeviceIndex({ db: bed.db });
  try {
    expect(await index.ask('view', { ...question, patienceMs: 0 })).toEqual({ building: 0 });
    const reply = await index.ask('view', { ...question, patienceMs: 60_000 });
    expect(JSON.parse((reply as { answer: string }).answer) as MapView).toMatchObject({ total: 30 });
    expect(await index.ask('view', { ...question, patienceMs: 0 })).toEqual(reply);
  } finally {
    await index.close();
  }
});

test('a thread that ends leaves nobody waiting, and the next question finds another one', async () => {
  const threads: Worker[] = [];
  const note = (worker: Worker) => threads.push(worker);
  process.on('worker', note);
  const index = createDeviceIndex({ db: bed.db });
  try {
    const asked = index.ask('view', { ...question, patienceMs: 60_000 });
    await new Promise((resolve) => process.nextTick(resolve));
    await threads[0]!.terminate();
    await expect(asked).rejects.toMatchObject({ name: 'StorageError', kind: 'away' });
    expect(await index.ask('view', { ...question, patienceMs: 60_000 })).toHaveProperty('answer');
    expect(threads).toHaveLength(2);
  } finally {
    process.off('worker', note);
    await index.close();
  }
});

test('what is changed all at once is read anew', async () => {
  const total = async () => (await bed.map('zoom=1')).total;
  expect(await total()).toBe(30);
  await bed.run(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
    INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
    SELECT 'n' || i, 'ann', 'n', 'pc', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1, 'n', 'n' FROM n`);
  expect(await total()).toBe(12_030);
  await bed.run(`DELETE FROM resources WHERE name = 'n'`);
  expect(await total()).toBe(30);
});
