/** The log lines of failed requests. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../contract.ts';
import { createServiceClient } from './service-client.fixture.ts';
import { createTestServer, password, entryPoints, type TestServer, type TestUser } from './test-server.fixture.ts';

let server: TestServer;
let ann: TestUser;
beforeEach(async () => {
  server = await createTestServer();
  ann = await server.signUp('ann');
  // Creates the gateway key.
  await server.request('gateway', ann, { path: '/resources' });
  server.logged.length = 0;
});
afterEach(() => server[Symbol.asyncDispose]());

interface Line {
  level: string;
  message: string;
  request_id?: string;
  status?: number;
  code?: string;
  error?: string;
  cause?: { error: string };
}
/** The log lines about failures. */
const lines = () =>
  server.logged
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level, message }) => level !== 'debug' && message !== '');

/** The response, and the only log line with its id. */
async function failed(answer: Response) {
  const problem = (await answer.json()) as Problem;
  const [line, ...more] = lines();
  expect(more).toEqual([]);
  expect(line).toMatchObject({ message: 'request failed', request_id: problem.request_id, code: problem.code });
  expect(line!.status).toBe(answer.status);
  return { problem, line: line! };
}

const signUp = (username: string) =>
  server.fetch('/auth/sign-up', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username, password, name: username }),
  });

test.each(entryPoints)(
  'a rejected request is logged in one line with its id and code, without its query (%s)',
  async (entryPoint) => {
    const answer = await server.request(entryPoint, ann, { path: '/resources/nothing?token=hidden' });
    const { line } = await failed(answer);
    expect(line).toMatchObject({ level: 'info', code: 'resource.not_found', method: 'GET' });
    expect(server.logged.join()).not.toContain('hidden');
  },
);

test('a request without a key or a session is logged too', async () => {
  expect((await failed(await server.request('direct', undefined, { path: '/resources' }))).line.code).toBe(
    'key.invalid',
  );
  server.logged.length = 0;
  expect((await failed(await server.request('gateway', undefined, { path: '/resources' }))).line.code).toBe(
    'session.missing',
  );
});

test.each(entryPoints)('an SQL error is a 500, logged with its cause (%s)', async (entryPoint) => {
  await server.db.write([{ sql: 'ALTER TABLE resources RENAME TO elsewhere' }]);
  for (const asked of [
    { path: '/resources/019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10' },
    { method: 'POST', path: '/resources', body: { name: 'Buoy', machine_type: 'bug' } },
  ]) {
    server.logged.length = 0;
    const { problem, line } = await failed(await server.request(entryPoint, ann, asked));
    expect(problem).toMatchObject({ status: 500, code: 'server.failed' });
    expect(line).toMatchObject({ level: 'error', error: expect.stringContaining('resources') });
    expect(JSON.stringify(problem)).not.toContain('no such');
  }
});

test('a failed sign-up is logged in one line, with the error of the database', async () => {
  await server.db.write([
    { sql: `CREATE TRIGGER broken BEFORE INSERT ON "user" BEGIN SELECT no_such_function(); END` },
  ]);
  const { problem, line } = await failed(await signUp('bob'));
  expect(problem).toMatchObject({ status: 500, code: 'server.failed' });
  expect(line).toMatchObject({ level: 'error', error: expect.stringContaining('no_such_function') });
});

test('a list that fails in the middle is logged with the cause', async () => {
  const device = { name: 'Buoy', machine_type: 'bug', description: 'x'.repeat(2000) };
  const actorAnn = createServiceClient('ann', (asked) => server.request('direct', ann, asked));
  await Promise.all(Array.from({ length: 1100 }, () => actorAnn.device(device)));
  server.logged.length = 0;
  const answer = await server.request('direct', ann, { path: '/resources' });
  expect(answer.status).toBe(200);
  await server.db.write([{ sql: 'ALTER TABLE resources RENAME TO elsewhere' }]);
  await expect(answer.text()).rejects.toThrow('no such table');
  await vi.waitFor(() => expect(lines()).toMatchObject([{ code: 'server.failed', level: 'error' }]));
});

test('a part that cannot be closed leaves none of the others open, and is logged', async () => {
  let reads = 0;
  const app = await server.startAnother({
    ...server.db,
    read: (query) => {
      reads += 1;
      return server.db.read(query);
    },
    onCommit: () => () => {
      throw new Error('the feed does not close');
    },
  });
  await app.close();
  // Of the feed, and of the hub of messages.
  expect(server.logged.filter((line) => line.includes('the feed does not close'))).toHaveLength(2);
  reads = 0;
  await Promise.all([app.presence.round(), app.audience.round(), app.consentEnds.round()]);
  expect(reads).toBe(0);
});
