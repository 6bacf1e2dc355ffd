import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Resource } from '../contract.ts';
import { actionsOfClient } from './actions.fixture.ts';
import { createRandom } from './durability.fixture.ts';
import { createSender, long, seed, startServer, temporaryDataDir, type Send } from './process.fixture.ts';
import { createClient } from './restart.fixture.ts';

const [kills, count] = long ? [100, 20_000] : [2, 1000];

test('each item of an action is executed once, although the server is killed again and again', async () => {
  using folder = temporaryDataDir();
  const random = createRandom(seed);
  let sender: Send;
  const send: Send = (asked) => sender(asked);
  const launch = async () => {
    const server = await startServer(folder);
    sender = createSender(server.origin);
    return server;
  };
  let server = await launch();
  const ann = await createClient({ send, name: 'ann' });
  const actions = actionsOfClient(ann);
  const names = Array.from({ length: count }, (_, index) => `Sensor ${index}`);
  const created = await actions.upload(
    { kind: 'import', about: { file: 'a.csv', hash: 'a' }, wait: 0 },
    names.map((name, index) => ({ line: index + 2, name, create: { name, machine_type: 'bug' } })),
  );
  for (let kill = 0; kill < kills; kill++) {
    await wait(random() * 300);
    await server.end('SIGKILL');
    server = await launch();
  }
  await actions.ended(created.id);
  const devices = await ann.get<Resource[]>('/resources');
  expect(devices.map(({ name }) => name).toSorted()).toEqual(names.toSorted());

  const updated = await actions.upload(
    { kind: 'update', about: { machine_type: 'pc' }, wait: 0 },
    devices.map(({ id, name }) => ({ id, name })),
  );
  for (let kill = 0; kill < kills; kill++) {
    await wait(random() * 300);
    await server.end('SIGKILL');
    server = await launch();
  }
  await actions.ended(updated.id);
  for (const { id } of devices) {
    const { headers, body } = await ann.request({ path: `/resources/${id}` });
    expect([headers.etag, (JSON.parse(body) as Resource).machine_type]).toEqual(['"2"', 'pc']);
  }
  for (const { id } of [created, updated]) expect(await actions.find(id)).toMatchObject({ done: count, failed: 0 });
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
});
