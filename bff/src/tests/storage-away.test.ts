import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { createHouse, password, ways } from './house.fixture.ts';
import type { Person } from './house.fixture.ts';

const device = { name: 'Buoy', machine_type: 'bug' };

/** A server with the threads of its database. */
async function houseWithThreads() {
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  const house = await createHouse();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('worker', note);
  return { house, writer: threads[0]! };
}

const codeOf = async (answer: Response) => ({
  status: answer.status,
  type: answer.headers.get('content-type'),
  code: ((await answer.json()) as { code: string }).code,
});
const away = { status: 503, type: 'application/problem+json', code: 'storage.away' };
const full = { status: 507, type: 'application/problem+json', code: 'storage.full' };

test('writes get 503 and reads continue while another program locks the file', async () => {
  await using house = await createHouse();
  const { db, fetch, ask, person } = house;
  const ann = await person('ann');
  const made = await ask('gateway', ann, { method: 'POST', path: '/resources', body: device });
  const { id } = (await made.json()) as { id: string };

  await db.write([{ sql: 'PRAGMA busy_timeout = 20' }]);
  const other = new DatabaseSync(new URL(db.url));
  other.exec('BEGIN IMMEDIATE');
  const signUp = await fetch('/auth/sign-up/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'bob', password, name: 'bob' }),
  });
  expect(await codeOf(signUp)).toEqual(away);
  for (const way of ways) {
    const path = `/resources/${id}`;
    expect((await ask(way, ann, { path })).status).toBe(200);
    expect((await ask(way, ann, { path: '/resources' })).status).toBe(200);
    expect(await codeOf(await ask(way, ann, { method: 'POST', path: '/resources', body: device }))).toEqual(away);
    expect(await codeOf(await ask(way, ann, { method: 'PUT', path, body: { name: 'Other' } }))).toEqual(away);
    expect(await codeOf(await ask(way, ann, { method: 'DELETE', path }))).toEqual(away);
    expect(await (await ask(way, ann, { path })).json()).toMatchObject(device);
  }
  other.close();
  expect((await ask('direct', ann, { method: 'POST', path: '/resources', body: device })).status).toBe(201);
});

test('a dead writer is replaced, the next write works, and no list is stale', async () => {
  const { house, writer } = await houseWithThreads();
  await using opened = house;
  const { ask, fetch, person, db } = opened;
  const ann = await person('ann');
  const list = () => ask('direct', ann, { path: '/resources' });
  const etag = (await list()).headers.get('etag');
  // The commit may be on disk when the writer dies; then only the feed shows it.
  const created = ask('direct', ann, { method: 'POST', path: '/resources', body: device });
  await writer.terminate();
  const { status } = await created;
  await vi.waitFor(() => expect(db.alive).toBe(true));
  expect((await fetch('/readyz')).status).toBe(200);
  const before = (await db.read({ sql: 'SELECT 1 FROM resources' })).length;
  expect([201, 503]).toContain(status);
  expect((await list()).headers.get('etag') === etag).toBe(before === 0);
  expect((await ask('direct', ann, { method: 'POST', path: '/resources', body: device })).status).toBe(201);
  expect(await listed(house, ann)).toBe(before + 1);
});

test('a closed database is not ready, and the process continues', async () => {
  await using house = await createHouse();
  await house.db.close();
  expect(await codeOf(await house.fetch('/readyz'))).toEqual(away);
  expect((await house.fetch('/healthz')).status).toBe(200);
});

test('a full disk causes a 507, stores nothing, and the request succeeds when there is space', async () => {
  const { house } = await houseWithThreads();
  await using opened = house;
  const { db, ask, person } = opened;
  const ann = await person('ann');
  const pagesAtMost = (pages: number) => db.write([{ sql: `PRAGMA max_page_count = ${pages}` }]);
  const { page_count: pages } = (await db.read<{ page_count: number }>({ sql: 'PRAGMA page_count' }))[0]!;
  const asked = {
    method: 'POST',
    path: '/resources',
    body: { ...device, description: 'x'.repeat(2000) },
    headers: { 'idempotency-key': 'again' },
  };
  await pagesAtMost(pages);
  expect(await codeOf(await ask('direct', ann, asked))).toEqual(full);
  expect(await listed(house, ann)).toBe(0);
  await pagesAtMost(pages + 1000);
  expect((await ask('direct', ann, asked)).status).toBe(201);
  expect((await ask('direct', ann, asked)).status).toBe(201);
  expect(await listed(house, ann)).toBe(1);
});

async function listed({ ask }: Awaited<ReturnType<typeof houseWithThreads>>['house'], who: Person): Promise<number> {
  return ((await (await ask('direct', who, { path: '/resources' })).json()) as unknown[]).length;
}
