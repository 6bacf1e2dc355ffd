// stores: PostgreSQL
/** What PostgreSQL's locks, retries, timeouts and notifications protect: each test fails without one of them. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ActivityPage, Resource, Swarm } from '../contract.ts';
import type { Database } from '../core/store/database.ts';
import { openStore } from '../core/store/open.ts';
import { openPool } from '../core/store/postgres/connection.ts';
import { migrate } from '../core/store/postgres/migrate.ts';
import { migrations } from '../core/store/schema/migrations.ts';
import { insertOf, testDatabase, type TestDatabase } from '../core/store/store.fixture.ts';
import { join } from './events.fixture.ts';
import { startHttpServer } from './http-server.fixture.ts';
import { deviceClient } from './messages.fixture.ts';
import { patience, startServer, temporaryDataDir } from './process.fixture.ts';
import { outcomeOf, signUpClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer, type TestUser } from './test-server.fixture.ts';

let database: TestDatabase;
let db: Database;
let client: Client;
beforeAll(async () => {
  database = await testDatabase();
  db = await openStore({ url: database.url });
  client = await connect(database.url);
});
afterAll(async () => {
  await client.end();
  await db.close();
  await database[Symbol.asyncDispose]();
});

async function connect(url: string): Promise<Client> {
  const made = new Client({ connectionString: url });
  await made.connect();
  return made;
}

/** The connections that wait for a lock. */
const blocked = async (observer: Client) => {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await observer.query(sql)).rowCount;
};
/** Waits until another connection waits for a lock. */
const untilBlocked = (observer: Client) => expect.poll(() => blocked(observer)).toBe(1);

/** Counts attempts in a sequence, because a transaction that is undone leaves no row. */
async function failAttempts(options: { when: string; body: string }) {
  await client.query(`CREATE SEQUENCE attempts;
    CREATE FUNCTION attempt() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE number bigint := nextval('attempts'); BEGIN ${options.body} RETURN NULL; END $$;
    CREATE ${options.when} FOR EACH ROW EXECUTE FUNCTION attempt()`);
  return {
    count: async () => {
      const { rows } = await client.query<{ last_value: string }>('SELECT last_value FROM attempts');
      return Number(rows[0]!.last_value);
    },
    [Symbol.asyncDispose]: async () =>
      void (await client.query('DROP FUNCTION attempt CASCADE; DROP SEQUENCE attempts')),
  };
}

test.each([
  ['a deadlock', 'deadlock_detected'],
  ['a serialisation failure', 'serialization_failure'],
  ['the failure of another statement of its transaction', 'in_failed_sql_transaction'],
])('a write is repeated after %s', async (_, error) => {
  await using attempts = await failAttempts({
    when: 'TRIGGER attempt AFTER INSERT ON retired_names',
    body: `IF number < 4 THEN RAISE ${error}; END IF;`,
  });
  const write = [insertOf(`${error} 1`), insertOf(`${error} 2`)];
  expect((await db.write(write)).ok).toBe(true);
  expect(await attempts.count()).toBeGreaterThan(4);
  const { rowCount } = await client.query('SELECT 1 FROM retired_names WHERE name LIKE $1', [`${error}%`]);
  expect(rowCount).toBe(2);
});

test('while the writes of a failed batch wait for a lock, others read', async () => {
  const other = await connect(database.url);
  await other.query('BEGIN; LOCK TABLE retired_names IN EXCLUSIVE MODE');
  const writes = Array.from({ length: 50 }, (_, index) => db.write([insertOf(`batch ${index}`)]));
  const results = Promise.all(writes).catch(() => []);
  // The batch has given up.
  await expect.poll(() => blocked(client)).toBeGreaterThan(1);
  const [read] = await Promise.allSettled([db.read({ sql: 'SELECT 1 AS one' })]);
  await other.end();
  expect(read).toMatchObject({ value: [{ one: 1 }] });
  expect((await results).map(({ ok }) => ok)).toEqual(writes.map(() => true));
});

test('the reads that begin the requests of one user leave connections for those of others', async () => {
  const other = await connect(database.url);
  await other.query('SELECT pg_advisory_lock(1)');
  const wait = { sql: 'SELECT 1 AS one FROM pg_advisory_xact_lock_shared(1)', user: 'ann' };
  const waiting = Promise.all(Array.from({ length: 50 }, () => db.read(wait)));
  await expect.poll(() => blocked(client)).toBeGreaterThan(1);
  const read = { sql: 'SELECT 1 AS one' };
  const reads = await Promise.allSettled([db.read({ ...read, user: 'bob' }), db.read(read)]);
  await other.end();
  expect(reads).toMatchObject([{ value: [{ one: 1 }] }, { value: [{ one: 1 }] }]);
  expect(await waiting).toHaveLength(50);
});

test('the reads of a user who asks for little come before those of others that wait', async () => {
  const other = await connect(database.url);
  await other.query('SELECT pg_advisory_lock(1)');
  const answered: string[] = [];
  const ask = async (user: string, sql: string) => {
    await db.read({ sql, user });
    answered.push(user);
  };
  const wait = 'SELECT 1 AS one FROM pg_advisory_xact_lock_shared(1)';
  // As many as there are connections for the reads of users.
  const users = ['ann', 'ben', 'cem', 'dan', 'eva', 'fay', 'gus', 'hal'];
  const waiting = users.flatMap((user) => Array.from({ length: 20 }, () => ask(user, wait)));
  await expect.poll(() => blocked(client)).toBe(users.length);
  const bob = ask('bob', 'SELECT 1 AS one');
  await other.end();
  await bob;
  // In the order of asking, it would begin when all but the last have been answered. A busy machine runs one process later than another.
  expect(answered.length).toBeLessThan(waiting.length - users.length);
  await Promise.all(waiting);
});

test('a write is not repeated if the connection is lost during its commit', async () => {
  await using attempts = await failAttempts({
    when: 'CONSTRAINT TRIGGER attempt AFTER INSERT ON retired_names DEFERRABLE INITIALLY DEFERRED',
    body: 'PERFORM pg_terminate_backend(pg_backend_pid());',
  });
  await expect(db.write([insertOf('unknown')])).rejects.toMatchObject({ kind: 'away' });
  expect(await attempts.count()).toBe(1);
});

test('the feed is published by one transaction at a time', async () => {
  const [first, second] = await Promise.all([connect(database.url), connect(database.url)]);
  const clients = [first, second];
  for (const each of clients) await each.query('BEGIN');
  await first.query(`INSERT INTO retired_names VALUES ('first')`);
  await second.query(`INSERT INTO retired_names VALUES ('second')`);
  await first.query('SELECT publish_feed()');
  const published = second.query('SELECT publish_feed()');
  // Without the lock it would fail, because it takes the same numbers.
  published.catch(() => {});
  await untilBlocked(client);
  await first.query('COMMIT');
  await published;
  await second.query('COMMIT');
  await Promise.all(clients.map((each) => each.end()));
  const ended = `SELECT owner FROM feed WHERE kind = 'account.ended' ORDER BY seq DESC LIMIT 2`;
  const { rows } = await client.query<{ owner: string }>(ended);
  expect(rows.map(({ owner }) => owner)).toEqual(['second', 'first']);
});

test('a device is not added to a swarm that is being deleted', async () => {
  await using server = await createTestServer();
  const ann = await signUpClient(server, 'ann');
  const [swarm, device] = [await ann.swarm(), await ann.device()];
  const deletion = await connect(server.db.url);
  await deletion.query('BEGIN');
  await deletion.query(`UPDATE swarms SET user_id = '' WHERE id = $1`, [swarm.id]);
  const added = ann.add(swarm, device);
  await untilBlocked(deletion);
  await deletion.query('COMMIT');
  expect(await outcomeOf(await added)).toBe('404 swarm.not_found');
  expect((await deletion.query('SELECT 1 FROM memberships')).rowCount).toBe(0);
  await deletion.end();
});

test('a device that is heard while its silence is told is told to be back', async () => {
  await using server = await createTestServer({ isRepeatable: true });
  const ann = await signUpClient(server, 'ann');
  const { id } = await ann.device({ expected_every: 60 });
  const { presence } = server.app;
  async function pass(seconds: number) {
    for (let second = 5; second <= seconds; second += 5) {
      server.wait(5000);
      await presence.round();
    }
  }
  presence.heard(id);
  await pass(180);
  const other = await connect(server.db.url);
  await other.query('BEGIN');
  const heard = `UPDATE presence SET state = 'online', heard_at = $1, changed_at = $1, due_at = 0 WHERE state = 'silent'`;
  expect((await other.query(heard, [server.now().getTime()])).rowCount).toBe(1);
  const told = pass(5);
  await untilBlocked(other);
  await other.query('COMMIT');
  await told;
  await other.end();
  await pass(60);
  const { items } = await ann.get<ActivityPage>('/activity?topic=resource');
  expect(items.map(({ kind }) => kind)).toEqual(['resource.back', 'resource.silent']);
});

test('a message that waits for its number is refused if its sender was removed meanwhile', async () => {
  await using server = await createTestServer();
  const ann = await signUpClient(server, 'ann');
  const [swarm, device] = [await ann.swarm(), await ann.device()];
  await ann.add(swarm, device, 'producer');
  const other = await connect(server.db.url);
  await other.query('SELECT pg_advisory_lock(5871236905)');
  const sent = ann.request({ method: 'POST', path: `/resources/${device.id}/messages`, body: { payload: 1 } });
  await untilBlocked(other);
  const removed = await ann.request({ method: 'DELETE', path: `/swarms/${swarm.id}/resources/${device.id}` });
  expect(removed.status).toBe(204);
  await other.query('SELECT pg_advisory_unlock(5871236905)');
  expect(await outcomeOf(await sent)).toBe('403 message.not_producer');
  expect((await other.query('SELECT 1 FROM messages')).rowCount).toBe(0);
  await other.end();
});

test('receivers that open together leave connections for other requests', async () => {
  await using server = await startHttpServer();
  const [ann, ben] = [await join(server.url, 'ann'), await join(server.url, 'ben')];
  const [swarm, own] = await Promise.all([
    ann.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' }),
    ben.request<Resource>('POST', '/resources', { name: 'Lamp', machine_type: 'bug' }),
  ]);
  async function device(resource_type: string) {
    const { id } = await ann.request<Resource>('POST', '/resources', { name: 'Sensor', machine_type: 'bug' });
    await ann.request('POST', `/swarms/${swarm.id}/resources`, { resource_id: id, resource_type });
    return deviceClient(server.url, { key: ann.key, device: id });
  }
  const sender = await device('producer');
  const devices = await Promise.all(Array.from({ length: 30 }, () => device('consumer')));
  await sender.send('missed');
  const live = await devices[0]!.receive();
  await live.caughtUp;
  const [other, observer] = await Promise.all([connect(server.db.url), connect(server.db.url)]);
  await other.query('BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
  const receivers = await Promise.all(devices.map((each) => each.receive({ after: 'the start' })));
  expect(new Set(receivers.map(({ status }) => status))).toEqual(new Set([200]));
  await expect.poll(() => blocked(observer)).toBe(4);
  expect((await ben.browser.send('GET', `/api/resources/${own.id}`)).status).toBe(200);
  await other.query('COMMIT');
  await Promise.all(receivers.map((each) => each.until(({ length }) => length === 1)));
  for (const each of [live, ...receivers]) each.close();
  await Promise.all([other.end(), observer.end()]);
});

test.each(['/resources', '/resources/%device', '/resources/%device/messages', '/swarms', '/swarms/%swarm'])(
  'a request waits for a turn of its user: GET %s',
  async (path) => {
    await using server = await startHttpServer();
    const ann = await join(server.url, 'ann');
    const device = await ann.request<Resource>('POST', '/resources', { name: 'Sensor', machine_type: 'bug' });
    const swarm = await ann.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
    const read = vi.spyOn(server.db, 'read');
    await ann.request('GET', path.replace('%device', device.id).replace('%swarm', swarm.id));
    expect(read.mock.calls.map(([{ user }]) => user)).toContain('ann');
  },
);

test('an activity entry that is committed after a higher number is unread', async () => {
  await using server = await createTestServer();
  const ann = await signUpClient(server, 'ann');
  const device = await ann.device();
  const late = await connect(server.db.url);
  const write = (to: Pick<Client, 'query'>, name: string) =>
    to.query(
      `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_name, resource_owner)
        VALUES ('ann', 0, $1, 'resource.renamed', 'ben', $2, $3, 'ann')`,
      [server.now().toISOString(), device.id, name],
    );
  const observer = await connect(server.db.url);
  const read = () => ann.get<ActivityPage>('/activity?limit=200');
  const before = (await read()).unread;
  await late.query('BEGIN');
  await late.query(`INSERT INTO activity (user_id, seq, at, kind, actor, swarm_id, swarm_name)
    VALUES ('ann', 0, '${server.now().toISOString()}', 'swarm.deleted', 'ben', '${device.id}', 'late')`);
  await write(observer, 'early');
  const { items, unread } = await read();
  expect([items[0]!.kind, unread]).toEqual(['resource.renamed', before + 1]);
  expect((await ann.request({ method: 'PUT', path: '/activity/read', body: { id: items[0]!.id } })).status).toBe(204);
  expect((await read()).unread).toBe(0);
  await late.query('COMMIT');
  const after = await read();
  expect([after.items[0]!.kind, after.unread]).toEqual(['swarm.deleted', 1]);
  await Promise.all([late.end(), observer.end()]);
});

describe('timeouts', () => {
  test('limit each statement, lock and idle transaction', async () => {
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const sql = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`;
    expect(await db.read({ sql })).toEqual([
      { statement_timeout: '15s', lock_timeout: '5s', idle_in_transaction_session_timeout: '10s' },
    ]);
  });

  test('end the wait for a server that does not answer', async () => {
    const open = new Set<Socket>();
    const silent = createServer((socket) => open.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const pool = openPool({ url: `postgres://nobody@127.0.0.1:${port}/none`, isPooled: false, onLost: () => {} });
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
    for (const socket of open) socket.destroy();
    silent.close();
    await pool.end();
  });
});

test.each([
  ['a read', (sql: string) => db.read({ sql })],
  ['a write', (sql: string) => db.write([{ sql }])],
  ['a message', (sql: string) => db.write([{ sql, isInOrder: true }])],
])(
  '%s fails as if the database were away until no connection knows the columns of before a migration',
  async (name, run) => {
    const table = name.replace(' ', '_');
    await client.query(`CREATE TABLE ${table} AS SELECT 1 AS one`);
    const sql = name === 'a read' ? `SELECT * FROM ${table}` : `INSERT INTO ${table} VALUES (2) RETURNING *`;
    // Each connection of the pool prepares it.
    await Promise.all(Array.from({ length: 50 }, () => run(sql)));
    await client.query(`ALTER TABLE ${table} ADD COLUMN more integer`);
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => run(sql)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'away' });
    expect(outcomes.at(-1)!.status).toBe('fulfilled');
  },
);

describe('another process learns of a write', () => {
  /** Returns a process and the number of times that it learned of a commit. */
  async function otherProcess() {
    const process = await openStore({ url: database.url });
    let calls = 0;
    process.onCommit(async () => void (calls += 1));
    return { process, calls: () => calls };
  }

  test('by a notification, without its poll', async () => {
    const poll = vi.spyOn(globalThis, 'setInterval').mockReturnValue(undefined as never);
    const { process, calls } = await otherProcess();
    poll.mockRestore();
    await db.write([insertOf('notified')]);
    await expect.poll(calls).toBeGreaterThan(0);
    await process.close();
  });

  test('by its poll, without a notification', async () => {
    const { process, calls } = await otherProcess();
    const seen = calls();
    // As if a process ended before it could notify the others.
    await client.query(`INSERT INTO retired_names VALUES ('polled')`);
    await expect.poll(calls).toBeGreaterThan(seen);
    const owner = `SELECT 1 FROM feed WHERE owner = 'polled' AND kind = 'account.ended'`;
    await expect.poll(async () => (await client.query(owner)).rowCount).toBe(1);
    await process.close();
  });
});

describe('a newer version that changes the tables', () => {
  const newer = [...migrations, { name: '9999-newer', statements: () => [] }];
  const outcome = async (server: TestServer, user: TestUser) =>
    outcomeOf(await server.request('direct', user, { path: '/resources' }));

  test('is noticed by a process, which answers 503', async () => {
    await using server = await createTestServer();
    const user = await server.signUp('ann');
    expect(await outcome(server, user)).toBe('200');
    await migrate({ url: server.db.url, all: newer });
    await expect.poll(() => outcome(server, user)).toBe('503 storage.away');
    for (const path of ['/readyz', '/healthz', '/auth/options']) expect((await server.fetch(path)).status).toBe(503);
    await expect(server.db.write([{ sql: 'SELECT 1' }])).rejects.toThrow('has updated the database (9999-newer)');
  });

  test('is noticed also if it was announced while the connection that listens was lost', async () => {
    await using server = await createTestServer();
    const user = await server.signUp('ann');
    const other = await connect(server.db.url);
    await other.query(`INSERT INTO swarmdeck_migrations VALUES ('9999-newer', '')`);
    expect(await outcome(server, user)).toBe('200');
    await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'swarmdeck %'`);
    await expect.poll(() => outcome(server, user)).toBe('503 storage.away');
    await other.end();
  });

  test(
    'ends the processes of this one, which do not start again',
    async () => {
      await using own = await testDatabase();
      using first = temporaryDataDir();
      using second = temporaryDataDir();
      const env = { DATABASE_URL: own.url, SECRET: 'a secret of all processes, of 32 and more characters' };
      const folders = [first, second];
      const servers = await Promise.all(folders.map(({ dataDir }) => startServer({ dataDir, env })));
      await migrate({ url: own.url, all: newer });
      for (const { ended } of servers)
        expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('(9999-newer)') });
      await expect(startServer({ ...first, env })).rejects.toThrow(
        'written by a newer version of Swarmdeck (9999-newer)',
      );
    },
    patience,
  );

  test('names the processes of an older one that use the database', async () => {
    await using own = await testDatabase();
    const store = await openStore({ url: own.url });
    const another = await openStore({ url: own.url });
    expect(await store.olderProcesses()).toEqual([]);
    // A released one has no name, and one of a version before this one has another.
    const [released, older] = [await connect(own.url), await connect(own.url)];
    await older.query(`SET application_name = 'swarmdeck 0001-base'`);
    for (const client of [released, older]) await client.query('LISTEN swarmdeck_feed');
    expect(await store.olderProcesses()).toEqual([expect.any(String), expect.any(String)]);
    for (const client of [released, older]) await client.end();
    await expect.poll(() => store.olderProcesses()).toEqual([]);
    await another.close();
    await store.close();
  });
});
