/** The requests that are answered at once are counted by user, until their handlers have ended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedApiKey } from '../contract.ts';
import { messageLimits } from '../core/limits/field-rules.ts';
import { slotTable } from '../core/limits/limit-tables.ts';
import { createServiceClient, outcomeOf } from './service-client.fixture.ts';
import { createTestServer, type EntryPoint, type TestServer, type TestUser } from './test-server.fixture.ts';

let server: TestServer;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  server = await createTestServer({ rateLimit: 1 });
  [ann, ben] = [await server.signUp('ann'), await server.signUp('ben')];
});
afterAll(() => server[Symbol.asyncDispose]());

/** Holds all writes back until `release`. */
function holdWrites() {
  const { write } = server.db;
  const { promise: held, resolve } = Promise.withResolvers<void>();
  server.db.write = async (statements) => {
    await held;
    return write(statements);
  };
  return () => {
    server.db.write = write;
    resolve();
  };
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const ways: { title: string; entry: EntryPoint; path: string; body: (index: number) => object }[] = [
  { title: 'with a key', entry: 'direct', path: '/resources', body: () => ({ name: 'Lamp', machine_type: 'bug' }) },
  { title: 'from a page', entry: 'gateway', path: '/resources', body: () => ({ name: 'Lamp', machine_type: 'bug' }) },
  { title: 'to a screen', entry: 'gateway', path: '/account/keys', body: () => ({ name: 'Key' }) },
];

test.each(ways)('a user has so many requests at once, and others their own: $title', async ({ entry, path, body }) => {
  let sent = 0;
  // The first one from a page creates its key.
  for (const user of [ann, ben]) await server.request(entry, user, { path: '/swarms' });
  const request = (user: TestUser) => server.request(entry, user, { method: 'POST', path, body: body(sent++) });
  const release = holdWrites();
  const running = times(slotTable.service.most, () => request(ann));
  const more = await request(ann);
  expect([more.headers.get('retry-after'), await outcomeOf(more)]).toEqual(['1', '429 rate.exceeded']);
  const other = request(ben);
  release();
  expect((await other).status).toBe(201);
  for (const answer of await Promise.all(running)) expect(await outcomeOf(answer)).not.toContain('429');
  expect(await outcomeOf(await request(ann))).not.toContain('429');
});

const clientOf = (user: TestUser) => createServiceClient(user.name, (asked) => server.request('direct', user, asked));
const pathOf = ({ id }: { id: string }) => `/resources/${id}`;

test('devices with keys of their own take no slots of their user', async () => {
  const client = clientOf(ann);
  const devices = await Promise.all(times(20, () => client.device()));
  const keys = await Promise.all(
    devices.map(async (device) => {
      const asked = { method: 'POST', path: `/devices/${device.id}/keys`, body: { name: 'key' } };
      return ((await (await server.request('gateway', ann, asked)).json()) as CreatedApiKey).key;
    }),
  );
  const moved = { position: { longitude: 8, latitude: 54 } };
  const release = holdWrites();
  const own = times(slotTable.service.most, () =>
    client.request({ method: 'PUT', path: pathOf(devices[0]!), body: moved }),
  );
  const moving = keys.flatMap((key, index) => {
    const asked = { method: 'PUT', path: pathOf(devices[index]!), body: moved };
    return times(20, () => server.request('direct', { ...ann, key }, asked));
  });
  expect(await outcomeOf(await client.request({ path: '/swarms' }))).toBe('429 rate.exceeded');
  release();
  for (const answer of await Promise.all([...moving, ...own])) expect(await outcomeOf(answer)).toBe('200');
});

test('waiting requests take no slots', async () => {
  const client = clientOf(ben);
  const { streamsOfDevice } = messageLimits;
  const devices = await Promise.all(times(slotTable.service.most / streamsOfDevice, () => client.device()));
  const waiting = devices.flatMap((device) =>
    times(streamsOfDevice, () => client.get(`${pathOf(device)}/messages?wait=60`)),
  );
  await expect.poll(async () => outcomeOf(await client.request({ path: '/swarms' }))).toBe('200');
  let areAnswered = false;
  void Promise.all(waiting).then(() => (areAnswered = true));
  await expect
    .poll(() => {
      server.app.endStreams();
      return areAnswered;
    })
    .toBe(true);
});
