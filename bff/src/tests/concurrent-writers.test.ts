// stores: PostgreSQL
/** Several processes write to one PostgreSQL database. */
import { env } from 'node:process';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChangeFeed } from '../core/feed/change-feed.ts';
import { createAudienceStore } from '../capabilities/audience-notices/audience.store.ts';
import { createPasswordHash } from '../core/accounts/password-hash.ts';
import { createSessions } from '../core/accounts/sessions.store.ts';
import { addUserWithoutPassword, createUsers } from '../core/accounts/users.store.ts';
import { audienceLimits } from '../core/limits/part-limits.ts';
import { noQuotas } from '../core/limits/quotas.ts';
import { createResources } from '../core/resources/resources.store.ts';
import type { Database } from '../core/store/database.ts';
import { openStore } from '../core/store/open.ts';
import { testDatabase, type TestDatabase } from '../core/store/store.fixture.ts';
import { lockUser } from '../core/store/user-locks.ts';

const count = env['SWARMDECK_LONG'] === '1' ? 334_000 : 1000;

let database: TestDatabase;
/** One for each of three processes. */
let processes: Database[];
beforeAll(async () => {
  database = await testDatabase();
  processes = await Promise.all([1, 2, 3].map(() => openStore({ url: database.url })));
});
afterAll(async () => {
  await Promise.all(processes.map((db) => db.close()));
  await database[Symbol.asyncDispose]();
});

const insert = (name: string) => ({ sql: 'INSERT INTO retired_names (name) VALUES ($1)', params: [name] });
const failing = { sql: 'SELECT 1 FROM retired_names WHERE name = $1', params: ['nobody'], orFail: 'nobody' };
const readNames = async () => {
  const rows = await processes[0]!.read<{ name: string }>({ sql: 'SELECT name FROM retired_names' });
  return new Set(rows.map(({ name }) => name));
};

test('a write that fails in a batch does not fail the others', async () => {
  const [db] = processes as [Database];
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 20 }, (_, index) => db.write([insert(`good ${index}`)])),
    db.write([insert('taken'), insert('taken')]),
    db.write([insert('unmet'), failing]),
    db.write([insert('last')]),
  ]);
  const results = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.ok : 'error'));
  expect(results).toEqual([...Array<boolean>(20).fill(true), 'error', false, true]);
  const names = await readNames();
  expect([names.size, names.has('taken'), names.has('unmet')]).toEqual([21, false, false]);
});

test('each process gets what all of them announce, in one order', async () => {
  const received = processes.map(() => [] as string[]);
  const ends = processes.map((db, index) => db.onAnnounced((line) => void received[index]!.push(line)));
  for (let n = 0; n < 500; n++)
    for (const [index, db] of processes.entries()) {
      db.announce(`${index} ${n} ${'x'.repeat(60)}`);
      if (n % 100 === 0) await db.read({ sql: 'SELECT 1' });
    }
  await expect.poll(() => received.map(({ length }) => length)).toEqual([1500, 1500, 1500]);
  expect([received[1], received[2]]).toEqual([received[0], received[0]]);
  for (const index of processes.keys()) {
    const own = received[0]!.flatMap((line) => (line.startsWith(`${index} `) ? [Number(line.split(' ')[1])] : []));
    expect(own).toEqual(Array.from({ length: 500 }, (_, n) => n));
  }
  for (const end of ends) end();
});

test('a batch is committed without the user whose writes fail', async () => {
  const [db] = processes as [Database];
  const count = () => db.measure().commits.writes.counts.reduce((sum, each) => sum + each, 0);
  const before = count();
  const by = (user: string, ...statements: { sql: string; orFail?: string }[]) =>
    db.write(statements.map((statement) => ({ ...statement, user })));
  const outcomes = await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => by(`user${index}`, insert(`kept ${index}`))),
    ...Array.from({ length: 5 }, (_, index) => by('mallory', insert(`undone ${index}`), failing)),
  ]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(20);
  // One of all others, and one for each write that fails.
  expect(count() - before).toBe(1 + 5);
});

test('plain inserts of a batch are one statement, equal checks are sent once, and a bad row fails alone', async () => {
  const [db] = processes as [Database];
  const { url } = database;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE sent (what text);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO sent VALUES ('insert'); RETURN NULL; END $$;
    CREATE TRIGGER note AFTER INSERT ON retired_names FOR EACH STATEMENT EXECUTE FUNCTION note();
    CREATE FUNCTION note_check() RETURNS integer LANGUAGE sql AS $$ INSERT INTO sent VALUES ('check') RETURNING 1 $$`);
  const check = (once: 'first' | 'last') => ({ sql: `SELECT note_check() AS ${once}`, orFail: 'unchecked', once });
  const write = (name: string) =>
    db.write([check('first'), { ...insert(name), isPlainInsert: true }, check('last')]).then(
      ({ ok }) => ok,
      () => 'error',
    );
  const readSent = async () => {
    const { rows } = await client.query<{ what: string }>('DELETE FROM sent RETURNING what');
    return rows.map(({ what }) => what).join(' ');
  };

  const rows = Array.from({ length: 20 }, (_, index) => `row ${index}`);
  expect(await Promise.all(rows.map(write))).toEqual(rows.map(() => true));
  expect(await readSent()).toBe('check insert check');

  expect(await Promise.all(['row 20', 'row 0', 'row 21'].map(write))).toEqual([true, 'error', true]);
  const names = await readNames();
  expect([...rows, 'row 20', 'row 21'].filter((name) => !names.has(name))).toEqual([]);
  await client.query('DROP FUNCTION note CASCADE; DROP FUNCTION note_check; DROP TABLE sent');
  await client.end();
});

test('a batch publishes its entries in its own transaction, so that a response waits for one commit', async () => {
  const [db] = processes as [Database];
  await Promise.all(['one', 'two', 'three'].map((name) => db.write([insert(name)])));
  const sql = `SELECT name, retired_names.xmin = feed.xmin AS is_same FROM retired_names JOIN feed ON owner = name
    WHERE kind = 'account.ended' AND name IN ('one', 'two', 'three') ORDER BY seq`;
  expect(await db.read({ sql })).toEqual(['one', 'two', 'three'].map((name) => ({ name, is_same: 1 })));
});

test('a reader misses no entry of concurrent writers, and an idle transaction does not delay it', async () => {
  const idle = new Client({ connectionString: database.url });
  await idle.connect();
  await idle.query('BEGIN');
  await idle.query(`INSERT INTO retired_names (name) VALUES ('idle')`);
  const [reader] = processes as [Database];
  const feed = await createChangeFeed({
    db: reader,
    report(error) {
      throw error;
    },
  });
  const first = feed.newest;
  const received: { seq: number; owner: string | null }[] = [];
  feed.subscribe((entries = []) => received.push(...entries));
  const writers = processes.map(async (db, number) => {
    for (let from = 0; from < count; from += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => db.write([insert(`${number} ${from + index}`)])));
    }
  });
  await Promise.all(writers);
  await feed.catchUp();
  expect(received.map(({ seq }) => seq)).toEqual(received.map((_, index) => first + 1 + index));
  expect(new Set(received.map(({ owner }) => owner)).size).toBe(3 * count);
  await idle.query('COMMIT');
  await idle.end();
  await feed.catchUp();
  expect(received.at(-1)?.owner).toBe('idle');
  feed.close();
});

test('publishing reads only new entries while an old transaction keeps PostgreSQL from removing the others', async () => {
  const [db] = processes as [Database];
  const [idle, client] = [1, 2].map(() => new Client({ connectionString: database.url })) as [Client, Client];
  await Promise.all([idle.connect(), client.connect()]);
  await idle.query('BEGIN');
  await idle.query(`INSERT INTO retired_names (name) VALUES ('old')`);
  await Promise.all(Array.from({ length: 3000 }, (_, index) => db.write([insert(`many ${index}`)])));
  await client.query('VACUUM ANALYZE feed_pending');
  const index = `'feed_pending_by_transaction'::regclass`;
  await client.query('BEGIN');
  await client.query(`INSERT INTO retired_names (name) VALUES ('new')`);
  await client.query('SELECT publish_feed()');
  const { rows } = await client.query(`SELECT pg_stat_get_xact_tuples_returned(${index})::int AS read,
    (SELECT owner FROM feed ORDER BY seq DESC LIMIT 1) AS published`);
  await Promise.all([idle.query('COMMIT'), client.query('COMMIT')]);
  await Promise.all([idle.end(), client.end()]);
  expect(rows[0].published).toBe('new');
  // Besides the new one those of the last batch, twice.
  expect(rows[0].read).toBeLessThan(300);
});

test('the feed continues on another server that has counted fewer transactions, as after a restored backup', async () => {
  const [db] = processes as [Database];
  await db.write([insert('before')]);
  await db.write([{ sql: "UPDATE feed SET snapshot = '9000000000:9000000000:'" }]);
  const feed = await createChangeFeed({ db, report: () => {} });
  const received: (string | null)[] = [];
  feed.subscribe((entries = []) => {
    received.push(...entries.filter(({ kind }) => kind === 'account.ended').map(({ owner }) => owner));
  });
  await db.write([insert('restored 1')]);
  await db.write([insert('restored 2')]);
  await feed.catchUp();
  expect(received).toEqual(['restored 1', 'restored 2']);
  feed.close();
});

test('a change of who sees a swarm that is committed while a notice is written is told later', async () => {
  const [db] = processes as [Database];
  const at = new Date().toISOString();
  await db.write([
    {
      sql: `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ('s', 'ola', 's', '', 0, $1, 1)`,
      params: [at],
    },
    { sql: `UPDATE swarms SET public = 1 WHERE id = 's'` },
  ]);
  const store = createAudienceStore({
    db,
    holder: 'me',
    audienceActivity: () => expect.fail('nobody has devices in it'),
  });
  const now = Date.now();
  expect(await store.takeLease(now)).toBe(true);
  await store.schedule(now);
  const due = await store.nextDue(now + audienceLimits.togetherMs, '');

  // The other process has noted a change, and has not committed.
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query(`UPDATE swarms SET public = 0 WHERE id = 's'`);
  const written = store.tellSome(due!, now);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await processes[1]!.read({ sql: waiting })).length).toBe(1);
  await other.query('COMMIT');
  await other.end();
  expect(await written).toBe(true);
  expect(await db.read({ sql: `SELECT tell_at FROM audience_notices WHERE swarm_id = 's'` })).toEqual([{ tell_at: 0 }]);
});

test('no session stays that another process creates with a password that is being changed', async () => {
  const [here, there] = processes as [Database, Database];
  const now = () => new Date();
  const report = (error: unknown) => expect.fail(String(error));
  const feed = await createChangeFeed({ db: here, report });
  const sessions = createSessions({ db: here, feed, secrets: ['x'.repeat(32)], now, report });
  const users = createUsers({ passwords: createPasswordHash(), db: there, now });
  const userName = 'racer';
  await there.write(await users.creation({ userName, password: 'a good password', requestedBy: userName }));
  for (let round = 0; round < 40; round += 1) {
    const unchanged = users.unchanged({ userName, hash: (await users.passwordHash(userName))! });
    const changing = users.setPassword({ userName, password: `a password ${round}`, keep: 'none' });
    // the password is hashed first
    let isChanged = false;
    void changing.finally(() => (isChanged = true));
    while (!isChanged)
      await sessions.begin({ userName, userAgent: '', way: 'password', after: [lockUser(userName), unchanged] });
    await changing;
    const left = await here.read<{ count: number }>({ sql: 'SELECT count(*) AS count FROM session' });
    expect(left).toEqual([{ count: 0 }]);
  }
});

test('a swarm that a resource joins while it is deleted has another version afterwards', async () => {
  const [db] = processes as [Database];
  const at = new Date();
  const userId = 'owner';
  await db.write([addUserWithoutPassword({ id: userId, userName: userId, at })]);
  const resources = createResources({ db, readsOf: () => db, quotas: noQuotas, now: () => at });
  const id = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
  for (const destroy of [
    () => resources.destroy({ id, userId, version: undefined }),
    () => resources.destroyAll({ ids: [id], userId }),
  ]) {
    await resources.create({ id, userId, body: { name: 'Buoy', machine_type: 'pc' } });
    await db.write([
      { sql: 'DELETE FROM swarms' },
      {
        sql: `INSERT INTO swarms (id, user_id, name, description, public, created_at, version)
              VALUES ('pier', $1, 'Pier', '', 0, '', 1)`,
        params: [userId],
      },
    ]);
    // Another process makes it a member, and has not committed.
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query(
      `BEGIN; UPDATE swarms SET version = 2; INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('pier', '${id}', 'both', '')`,
    );
    const destroyed = destroy();
    const isWaiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => processes[1]!.read({ sql: isWaiting })).toHaveLength(1);
    await other.query('COMMIT');
    await other.end();
    await destroyed;
    expect(await db.read({ sql: 'SELECT version FROM swarms' })).toEqual([{ version: 3 }]);
  }
});
