// stores: SQLite, PostgreSQL
/** The clock of the machine is set back by an hour while the server runs: nobody waits for an hour. */
import { expect, test } from 'vitest';
import { hourMs } from '../core/limits/durations.ts';
import { actionsOf } from './actions.fixture.ts';
import { signUpClient } from './service-client.fixture.ts';
import { createTestServer } from './test-server.fixture.ts';

const device = { name: 'Buoy', machine_type: 'bug' };
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ line: index + 2, name: device.name, create: device }));

test('an action that can still be undone starts', async () => {
  await using server = await createTestServer();
  const actions = actionsOf(await signUpClient(server, 'ann', 'gateway'));
  const { id } = await actions.upload({ kind: 'import', about: { file: 'a.csv', hash: 'a' }, wait: 1 }, itemsOf(2));
  server.wait(-hourMs);
  expect(await actions.ended(id)).toMatchObject({ done: 2, failed: 0 });
});

test('an action that runs goes on', async () => {
  await using server = await createTestServer();
  const actions = actionsOf(await signUpClient(server, 'ann', 'gateway'));
  const { id } = await actions.upload({ kind: 'import', about: { file: 'a.csv', hash: 'a' }, wait: 0 }, itemsOf(1500));
  const step = async () => {
    server.wait(-hourMs);
    return (await actions.find(id))?.state;
  };
  await expect.poll(step, { interval: 5 }).toBe('ended');
  expect(await actions.find(id)).toMatchObject({ done: 1500, failed: 0 });
});

test('sessions and keys stay valid, events stay in order, and a repeated request is recognised', async () => {
  await using server = await createTestServer();
  const ann = await server.signUp('ann');
  const create = async (key: string) => {
    const headers = { 'idempotency-key': key };
    const answer = await server.request('direct', ann, { method: 'POST', path: '/resources', body: device, headers });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  };
  const before = await server.newestEvent();
  const first = await create('first');
  server.wait(-hourMs);
  const second = await create('second');
  expect(await create('first')).toBe(first);
  expect((await server.request('gateway', ann, { path: '/resources' })).status).toBe(200);
  const [events] = await server.resume([ann], before);
  expect(events!.map(({ data }) => (data as { id: string }).id)).toEqual([first, second]);
});

test('a user who has used up a rate waits for a second', async () => {
  await using server = await createTestServer({ rateLimit: 0.01, isRepeatable: true });
  const ann = await server.signUp('ann');
  const status = async () => (await server.request('direct', ann, { path: '/resources' })).status;
  while ((await status()) !== 429);
  server.wait(-hourMs);
  expect(await status()).toBe(429);
  server.wait(1000);
  expect(await status()).toBe(200);
});
