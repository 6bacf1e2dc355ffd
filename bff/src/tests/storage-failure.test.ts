import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { actionsOf } from './actions.fixture.ts';
import { signUpClient } from './service-client.fixture.ts';
import { createTestServer, password, entryPoints, type TestUser } from './test-server.fixture.ts';

const device = { name: 'Buoy', machine_type: 'bug' };

/** A server with the threads of its database. */
async function serverWithThreads() {
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  const server = await createTestServer();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('worker', note);
  return { server, writer: threads[0]! };
}

const codeOf = async (answer: Response) => ({
  status: answer.status,
  type: answer.headers.get('content-type'),
  wait: answer.headers.get('retry-after'),
  code: ((await answer.json()) as { code: string }).code,
});
const away = { status: 503, type: 'application/problem+json', wait: '2', code: 'storage.away' };
const full = { status: 507, type: 'application/problem+json', wait: null, code: 'storage.full' };

test('writes get 503 and reads continue while another program locks the file', async () => {
  await using server = await createTestServer();
  const { db, fetch, request, signUp } = server;
  const ann = await signUp('ann');
  const made = await request('gateway', ann, { method: 'POST', path: '/resources', body: device });
  const { id } = (await made.json()) as { id: string };

  await db.write([{ sql: 'PRAGMA busy_timeout = 20' }]);
  const other = new DatabaseSync(new URL(db.url));
  other.exec('BEGIN IMMEDIATE');
  const signedUp = await fetch('/auth/sign-up', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'bob', password, name: 'bob' }),
  });
  expect(await codeOf(signedUp)).toEqual(away);
  for (const entryPoint of entryPoints) {
    const path = `/resources/${id}`;
    expect((await request(entryPoint, ann, { path })).status).toBe(200);
    expect((await request(entryPoint, ann, { path: '/resources' })).status).toBe(200);
    expect(await codeOf(await request(entryPoint, ann, { method: 'POST', path: '/resources', body: device }))).toEqual(
      away,
    );
    expect(await codeOf(await request(entryPoint, ann, { method: 'PUT', path, body: { name: 'Other' } }))).toEqual(
      away,
    );
    expect(await codeOf(await request(entryPoint, ann, { method: 'DELETE', path }))).toEqual(away);
    expect(await (await request(entryPoint, ann, { path })).json()).toMatchObject(device);
  }
  other.close();
  expect((await request('direct', ann, { method: 'POST', path: '/resources', body: device })).status).toBe(201);
});

test('a dead writer is replaced, the next write works, and no list is stale', async () => {
  const { server, writer } = await serverWithThreads();
  await using opened = server;
  const { request, fetch, signUp, db } = opened;
  const ann = await signUp('ann');
  const list = () => request('direct', ann, { path: '/resources' });
  const etag = (await list()).headers.get('etag');
  // The commit may be on disk when the writer dies; then only the feed shows it.
  const created = request('direct', ann, { method: 'POST', path: '/resources', body: device });
  await writer.terminate();
  const { status } = await created;
  await vi.waitFor(() => expect(db.alive).toBe(true));
  expect((await fetch('/readyz')).status).toBe(200);
  const before = (await db.read({ sql: 'SELECT 1 FROM resources' })).length;
  expect([201, 503]).toContain(status);
  expect((await list()).headers.get('etag') === etag).toBe(before === 0);
  expect((await request('direct', ann, { method: 'POST', path: '/resources', body: device })).status).toBe(201);
  expect(await listed(server, ann)).toBe(before + 1);
});

test('a closed database is not ready, and the process continues', async () => {
  await using server = await createTestServer();
  await server.db.close();
  expect(await codeOf(await server.fetch('/readyz'))).toEqual(away);
  expect((await server.fetch('/healthz')).status).toBe(200);
});

test('a full disk causes a 507, stores nothing, and the request succeeds when there is space', async () => {
  const { server } = await serverWithThreads();
  await using opened = server;
  const { db, request, signUp } = opened;
  const ann = await signUp('ann');
  const pagesAtMost = (pages: number) => db.write([{ sql: `PRAGMA max_page_count = ${pages}` }]);
  const { page_count: pages } = (await db.read<{ page_count: number }>({ sql: 'PRAGMA page_count' }))[0]!;
  const asked = {
    method: 'POST',
    path: '/resources',
    body: { ...device, description: 'x'.repeat(2000) },
    headers: { 'idempotency-key': 'again' },
  };
  await pagesAtMost(pages);
  expect(await codeOf(await request('direct', ann, asked))).toEqual(full);
  expect(await listed(server, ann)).toBe(0);
  await pagesAtMost(pages + 1000);
  expect((await request('direct', ann, asked)).status).toBe(201);
  expect((await request('direct', ann, asked)).status).toBe(201);
  expect(await listed(server, ann)).toBe(1);
});

test('writes get 503 and reads continue while the file is read-only', async () => {
  const { server, writer } = await serverWithThreads();
  await using opened = server;
  const { db, request, signUp } = opened;
  const ann = await signUp('ann');
  const write = () => request('direct', ann, { method: 'POST', path: '/resources', body: device });
  await db.write([{ sql: 'PRAGMA query_only = ON' }]);
  expect(await codeOf(await write())).toEqual(away);
  expect(await listed(server, ann)).toBe(0);
  expect((await opened.fetch('/readyz')).status).toBe(200);
  // a new connection may write
  await writer.terminate();
  await vi.waitFor(() => expect(db.alive).toBe(true));
  expect((await write()).status).toBe(201);
  expect(await listed(server, ann)).toBe(1);
});

test('an action waits while the storage cannot be used, says so, and goes on', async () => {
  const { server } = await serverWithThreads();
  await using opened = server;
  const actions = actionsOf(await signUpClient(opened, 'ann', 'gateway'));
  const create = { ...device, description: 'x'.repeat(2000) };
  const items = Array.from({ length: 300 }, (_, index) => ({ line: index + 2, name: device.name, create }));
  const pagesAtMost = (pages: number) => opened.db.write([{ sql: `PRAGMA max_page_count = ${pages}` }]);
  const { id } = await actions.upload({ kind: 'import', about: { file: 'a.csv', hash: 'a' }, wait: 60 }, items);
  const { page_count: pages } = (await opened.db.read<{ page_count: number }>({ sql: 'PRAGMA page_count' }))[0]!;
  await pagesAtMost(pages + 20);
  await actions.act(id, 'wait', { seconds: 0 });
  await vi.waitFor(async () => expect(await actions.find(id)).toMatchObject({ is_waiting: true, failed: 0 }));
  await pagesAtMost(pages + 10_000);
  expect(await actions.ended(id)).toMatchObject({ done: 300, failed: 0, is_waiting: false });
  expect((await opened.db.read({ sql: 'SELECT 1 FROM resources' })).length).toBe(300);
});

async function listed(
  { request }: Awaited<ReturnType<typeof serverWithThreads>>['server'],
  who: TestUser,
): Promise<number> {
  return ((await (await request('direct', who, { path: '/resources' })).json()) as unknown[]).length;
}
