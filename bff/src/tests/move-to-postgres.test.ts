/** `swarmdeck move --to`: a SQLite file is copied to PostgreSQL, also in two attempts, and the server continues there. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../.tools/postgres.ts';
import type { Message, Resource, Swarm } from '../contract.ts';
import { readLists } from './event-lists.fixture.ts';
import { createSender, runToEnd, signIn, startServer, temporaryDataDir } from './process.fixture.ts';
import { createClient } from './restart.fixture.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const secret = { SECRET: 'a secret of the tests, of 32 and more characters' };
const publicUrl = { PUBLIC_URL: 'http://devices.example.org' };

test('commands refuse a database without tables, and create none', async () => {
  using folder = temporaryDataDir();
  const url = await postgres.createDatabase('empty');
  const run = (...args: string[]) =>
    runToEnd({ script: 'cli.ts', args, ...folder, env: { ...secret, DATABASE_URL: url }, input: 'a good password' });
  const commands = [
    ['user', 'add', 'ann', '--password-stdin'],
    ['stats'],
    ['demo', '--user', 'ann'],
    ['restore', '--adopt'],
    ['restore', '--adopt', '--new-secret'],
  ];
  const results = await Promise.all(commands.map((args) => run(...args)));
  const none =
    'DATABASE_URL: the database has no tables of Swarmdeck. The server creates what is missing at its first start\n';
  expect(results).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr: none })));
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT 1 FROM pg_tables WHERE schemaname = current_schema()');
  await client.end();
  expect(rows).toEqual([]);
});

test('the server continues on PostgreSQL with everything that it had on SQLite', async () => {
  using folder = temporaryDataDir();
  const first = await startServer({ ...folder, env: secret });
  const send = createSender(first.origin);
  const ann = await createClient({ send, name: 'ann' });
  const ben = await createClient({ send, name: 'ben' });
  for (let index = 0; index < 20; index++) {
    const body = {
      name: `Lamp ${index} "ü" \u{1f4a1}`,
      machine_type: 'pc',
      position: { longitude: index / 3, latitude: -7.1 },
    };
    await ann.request({ method: 'POST', path: '/resources', body });
  }
  expect((await ann.request({ method: 'POST', path: '/demo', entryPoint: 'browser' })).status).toBe(201);
  const made = await ben.request({ method: 'POST', path: '/swarms', body: { name: 'Ring', description: '' } });
  const swarm = JSON.parse(made.body) as Swarm;
  const updated = await ben.request({ method: 'PUT', path: `/swarms/${swarm.id}`, body: {} });
  const [device] = await ann.get<Resource[]>('/resources');
  const invitation = { to: 'ann', resource_id: device!.id, resource_type: 'producer' };
  await ben.request({ method: 'POST', path: `/swarms/${swarm.id}/invitations`, body: invitation });
  const station = JSON.parse(
    (await ben.request({ method: 'POST', path: '/resources', body: { name: 'Station', machine_type: 'bug' } })).body,
  ) as Resource;
  const resources = [{ resource_id: station.id, resource_type: 'producer' }];
  const heard = await ben.request({
    method: 'POST',
    path: '/swarms',
    body: { name: 'Talk', description: '', resources },
  });
  const talk = JSON.parse(heard.body) as Swarm;
  for (const body of [
    { payload: [1], properties: { content_type: 'a', user_properties: { unit: 'cm' } } },
    { payload: 'a\n"b"', encoding: 'text' },
    { payload: '/wAB', encoding: 'base64' },
  ])
    await ben.request({ method: 'POST', path: `/resources/${station.id}/messages`, body });
  const readMessages = async () =>
    (await ben.get<{ items: Message[] }>(`/swarms/${talk.id}/messages`)).items.map(
      ({ message_id, payload, encoding, properties }) => ({ message_id, payload, encoding, properties }),
    );
  const messages = await readMessages();
  expect(messages).toHaveLength(3);
  await first.end('SIGTERM');

  // The addresses of members begin with the public address, which changes with the port.
  const onFile = await startServer({ ...folder, env: { ...secret, ...publicUrl, PORT: new URL(first.origin).port } });
  const read = () => Promise.all([ann, ben].map((each) => readLists({ get: each.get, user: each.name })));
  const before = await read();
  expect(before[1]!.swarms).toContainEqual(expect.objectContaining(JSON.parse(updated.body)));
  await onFile.end('SIGTERM');

  const move = () => runToEnd({ script: 'cli.ts', args: ['move', '--to', postgres.url], ...folder, env: secret });
  const moved = await move();
  expect([moved.code, moved.stderr]).toEqual([
    0,
    expect.stringMatching(/resources: \d+ rows are equal\n[^]* rows moved/),
  ]);
  expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('already has users') });

  const port = new URL(first.origin).port;
  const env = { ...secret, ...publicUrl, DATABASE_URL: postgres.url, PORT: port };
  await using second = await startServer({ ...folder, env });
  expect(second.origin).toBe(publicUrl.PUBLIC_URL);
  expect(await read()).toEqual(before);
  expect(await readMessages()).toEqual(messages);
  expect((await signIn({ send, name: 'ann', password: 'correct horse battery' })).status).toBe(200);
  // Counts continue, so quotas and the numbers of new devices are right.
  const added = await ann.request({ method: 'POST', path: '/resources', body: { name: 'New', machine_type: 'pc' } });
  expect(added.status).toBe(201);
  const account = await ann.request({ path: '/account', entryPoint: 'browser' });
  const own = before[0]!.resources.length + 1;
  expect(account.body).toContain(`"resources":{"used":${own}`);
});
