// stores: SQLite, PostgreSQL
/** Each job and each stream with much data: one read and one write have no more than their row in limits/job-limits.ts. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '../app.ts';
import type { NewShareLink, Swarm } from '../contract.ts';
import { dayMs, hourMs } from '../core/limits/durations.ts';
import { jobLimits } from '../core/limits/job-limits.ts';
import type { JobLimits } from '../core/limits/job-rows.ts';
import { limitsOf, operationLimits } from '../core/limits/operation-limits.ts';
import { mailLimits } from '../core/limits/part-limits.ts';
import { createIndexQueries } from '../read-models/index/index-queries.ts';
import { stepOfPoints } from '../capabilities/values/value-steps.ts';
import type { AsyncReader, Database } from '../core/store/database.ts';
import { openReader } from '../core/store/open.ts';
import { allRows, type Query, type Value } from '../core/store/statement.ts';
import { testOnSqlite } from './on-sqlite.fixture.ts';
import type { JobCases } from './rights.fixture.ts';
import { storeSteps } from './stored-steps.fixture.ts';
import { createServiceClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, eventRecorder, origin, type TestServer, type TestUser } from './test-server.fixture.ts';

type Job = keyof typeof jobLimits;

/** More than each row allows. The long run has so many that a read without a bound is seen in its time, too. */
const amounts =
  process.env['SWARMDECK_LONG'] === '1'
    ? { devices: 100_000, members: 50_000, ends: 10_000, heard: 20_000, steps: 400_000, missed: 2000 }
    : { devices: 12_000, members: 6000, ends: 3000, heard: 6000, steps: 200_000, missed: 1000 };

const idOf = (kind: number, n: number) => `019a7c5${kind}-5d0e-7c1c-8a4e-${String(n).padStart(12, '0')}`;
const idsOf = (kind: number, count: number) => Array.from({ length: count }, (_, n) => idOf(kind, n));

/** What was executed, by its text. */
const executed = new Map<string, Pick<Query, 'sql' | 'params'>>();

/** What a job has read and written. */
function createRecorder() {
  const most = { rows: 0, KiB: 0, statements: 0 };
  const which: Partial<Record<keyof typeof most, string>> = {};
  const note = (name: keyof typeof most, value: number, sql: string) => {
    if (value <= most[name]) return;
    most[name] = value;
    which[name] = sql.replaceAll(/\s+/g, ' ').slice(0, 200);
  };
  const sizeOf = (value: Value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.length : 8;
  const noteRows = (rows: readonly (Record<string, Value> | Value[])[], { sql }: Pick<Query, 'sql'>) => {
    note('rows', rows.length, sql);
    let bytes = 0;
    for (const row of rows) for (const value of Object.values(row)) bytes += sizeOf(value);
    note('KiB', Math.ceil(bytes / 1024), sql);
  };
  return {
    most,
    which,
    clear() {
      Object.assign(most, { rows: 0, KiB: 0, statements: 0 });
      for (const name of Object.keys(which)) delete which[name as keyof typeof which];
    },
    /** A shape makes its results of rows, which count. */
    ofReads: <R extends Pick<AsyncReader, 'read'>>(reads: R): R => ({
      ...reads,
      async read<Found>(query: Query): Promise<Found[]> {
        const { shape: _, ...unshaped } = query;
        executed.set(query.sql, unshaped);
        const rows = await reads.read<Record<string, Value>>(unshaped);
        // The feed is read meanwhile, for what other jobs have changed, and the sizes of the messages of a swarm that was sent many.
        if (query.sql.includes(' FROM feed ')) ofFeed.noteRows(rows, query);
        else if (!query.sql.includes(' AS is_member')) noteRows(rows, query);
        return query.shape ? reads.read<Found>(query) : (rows as Found[]);
      },
    }),
    noteRows,
    ofWrites:
      (write: Database['write']): Database['write'] =>
      async (statements) => {
        const last = statements.at(-1)?.sql ?? '';
        for (const statement of statements) executed.set(statement.sql, statement);
        note('statements', statements.length, last);
        const written = await write(statements);
        if (written.ok) noteRows(allRows<Record<string, Value>>(written.rows), { sql: last });
        return written;
      },
  };
}

let server: TestServer;
let app: App;
let ann: TestUser;
let bob: TestUser;
let client: ServiceClient;
let recordedDb: Database;
let swarm: Swarm;
const recorder = createRecorder();
/** Of the feed, which is read beside other jobs. */
const ofFeed = createRecorder();
const walked = new Set<Job>();

/** Compares what this does with the row of the job. */

async function expectWithinRow(job: Job, act: () => Promise<unknown>): Promise<void> {
  walked.add(job);
  recorder.clear();
  await act();
  compareWithRow(job, recorder);
}

function compareWithRow(job: Job, { most, which }: Pick<ReturnType<typeof createRecorder>, 'most' | 'which'>): void {
  const { rows, KiB, statements } = jobLimits[job];
  for (const [name, limit] of Object.entries({ rows, KiB, statements }))
    expect
      .soft(most[name as keyof typeof most], `${name} of ${job}: ${which[name as keyof typeof which]}`)
      .toBeLessThanOrEqual(limit);
}

const request = async (
  path: string,
  { method = 'GET', body, user = ann }: { method?: string; body?: object; user?: TestUser } = {},
) =>
  app.fetch(
    new Request(`${origin}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(path.startsWith('/service') ? { 'x-serviceapikey': user.key } : { cookie: user.cookie }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );

/** Opens an event stream, calls `act`, and waits until `isOver` of its events, in ticks. */
async function withStream(
  path: string,
  headers: Record<string, string>,
  { act = async () => {}, isOver }: { act?: () => Promise<unknown>; isOver: (text: string) => boolean },
) {
  const { outgoing, text } = textRecorder();
  await app.fetch(new Request(`${origin}${path}`, { headers }), { outgoing });
  await act();
  await expect.poll(() => isOver(text()), { timeout: 60_000 }).toBe(true);
  outgoing.end();
}

function textRecorder() {
  const recorded = eventRecorder();
  let text = '';
  const { write } = recorded.outgoing as unknown as { write: (lines: Uint8Array | string) => void };
  Object.assign(recorded.outgoing, {
    cork() {},
    uncork() {},
    write(lines: Uint8Array | string) {
      text += Buffer.from(lines as Uint8Array).toString();
      write(lines);
      return true;
    },
  });
  return { outgoing: recorded.outgoing, text: () => text };
}

/** Runs a statement for these ids, with the ids as `elements($1)`. */
async function insert(sql: string, ids: readonly string[], ...params: (string | number)[]) {
  const atOnce = 1000;
  for (let from = 0; from < ids.length; from += atOnce)
    await server.db.write([{ sql, params: [JSON.stringify(ids.slice(from, from + atOnce)), ...params] }]);
}

beforeAll(async () => {
  // No mail server is at this port.
  const mail = {
    host: '127.0.0.1',
    port: 1,
    tls: 'off',
    login: undefined,
    from: { name: '', address: 'a@example.org' },
  } as const;
  server = await createTestServer({ quotas: 10, mail: { ...mail, greeting: 'example.org' } });
  [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')];
  client = createServiceClient('ann', (asked) => server.request('direct', ann, asked));
  const { db } = server;
  swarm = await client.swarm({ name: 'Harbour' });
  const at = server.now().toISOString();
  await insert(
    `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded, longitude, latitude)
     SELECT value, 'ann', 'Sensor', 'pc', $2, $2, 1, 'sensor', 'sensor', 8, 54 FROM elements($1)`,
    idsOf(1, amounts.devices),
    at,
  );
  await insert(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since, shown_by_links, ends_at)
     SELECT $2, value, 'both', $3, 1, CASE WHEN value < $4 THEN '2099-01-01T00:00:00.000Z' END FROM elements($1)`,
    idsOf(1, amounts.members),
    swarm.id,
    at,
    idOf(1, amounts.ends),
  );
  recordedDb = {
    ...db,
    ...recorder.ofReads(db),
    write: recorder.ofWrites(db.write),
  };
  // The other app would execute actions, too. Rounds run when a test calls them.
  await server.app.close();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  app = await server.startAnother(recordedDb).finally(vi.useRealTimers);
});
afterAll(async () => {
  await app.close();
  await server[Symbol.asyncDispose]();
});

test('each hourly step, each file with a timer and each streamed operation has a row', () => {
  const root = new URL('../', import.meta.url);
  // They end connections, or publish the entries of the feed.
  const withoutRecords = [
    'core/http/server.ts',
    'main.ts',
    'core/limits/share-next-run.ts',
    'core/store/postgres/change-notifier.ts',
  ];
  const timed = globSync('**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|fixture|process)\.ts$/.test(file) && !withoutRecords.includes(file))
    .filter((file) => /\b(setInterval|shareNextRun)\(/.test(readFileSync(new URL(file, root), 'utf8')));
  const rows = Object.values<JobLimits>(jobLimits);
  expect(timed.toSorted()).toEqual(rows.flatMap((row) => row.in ?? []).toSorted());
  const streamed = Object.keys(operationLimits).filter((operation) => limitsOf(operation).isStreamed);
  expect(streamed.filter((operation) => !(operation in jobLimits))).toEqual([]);
  expect(app.hourlySteps.filter(({ name }) => !(name in jobLimits))).toEqual([]);
});

test('a stream of a link that shows the devices of a large swarm', async () => {
  const body = { name: 'Web page', expires_at: new Date(server.now().getTime() + hourMs).toISOString() };
  const link = await client.make<NewShareLink>(`/swarms/${swarm.id}/share-links`, body);
  const code = new URL(link.url).hash.slice(1);
  await expectWithinRow('GET /guest/events', () =>
    withStream(
      '/guest/events',
      { 'x-share-code': code },
      {
        isOver: (text) => (text.match(/"longitude"/g) ?? []).length >= amounts.members,
      },
    ),
  );
});

test('lists and files of many devices', async () => {
  const paths = {
    listResources: '/service/resources',
    exportResources: '/service/export?format=csv',
    listSwarms: '/service/swarms',
    getSwarm: `/service/swarms/${swarm.id}`,
    listMembers: `/service/swarms/${swarm.id}/resources`,
    listSwarmsOfResource: `/service/resources/${idOf(1, 0)}/swarms`,
    listSentInvitations: `/service/swarms/${swarm.id}/invitations`,
    listInvitationsOfResource: `/service/resources/${idOf(1, 0)}/invitations`,
    listInvitations: '/service/invitations',
    listJoinRequests: `/service/swarms/${swarm.id}/requests`,
    listOwnJoinRequests: '/service/requests',
    exportMessages: `/service/swarms/${swarm.id}/messages/export`,
    getValues: `/service/resources/${idOf(1, 0)}/values?keys=level`,
    getSwarmValues: `/service/swarms/${swarm.id}/values?keys=level&resource_ids=${idOf(1, 0)}`,
  } as const;
  for (const [job, path] of Object.entries(paths))
    await expectWithinRow(job as Job, async () => {
      const answer = await request(path);
      const text = await answer.text();
      expect.soft(answer.status, `${job} ${text.slice(0, 200)}`).toBe(200);
    });
});

test('a device that has missed many messages gets them as a stream, as lines and as an array', async () => {
  const path = `/service/resources/${idOf(1, 0)}/messages`;
  const since = (await request(path)).headers.get('last-event-id')!;
  await insert(
    `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named, rest, user_id)
     SELECT value, $2, $3, $4, $5, 0, 0, 'ann' FROM elements($1)`,
    idsOf(8, amounts.missed),
    swarm.id,
    idOf(1, 1),
    server.now().toISOString(),
    JSON.stringify('x'.repeat(1000)),
  );
  const countOf = (text: string) => (text.match(/"payload"/g) ?? []).length;
  await expectWithinRow('receiveMessages', async () => {
    for (const accept of ['text/event-stream', 'application/x-ndjson'])
      await withStream(
        `${path}?since=${since}`,
        { 'x-serviceapikey': ann.key, accept },
        { isOver: (text) => countOf(text) >= amounts.missed },
      );
    expect(countOf(await (await request(`${path}?since=${since}`)).text())).toBeGreaterThan(0);
  });
});

test('streams of events, while 1,000 devices change', async () => {
  const some = idsOf(1, amounts.devices).slice(-1000);
  const change = () =>
    insert('UPDATE resources SET name = $2 WHERE id IN (SELECT value FROM elements($1))', some, 'Changed');
  const isOver = (text: string) => /resource\.updated|reset/.test(text);
  await expectWithinRow('streamEvents', () =>
    withStream('/service/events', { 'x-serviceapikey': ann.key }, { act: change, isOver }),
  );
  const headers = { cookie: ann.cookie, 'sec-fetch-site': 'same-origin' };
  await expectWithinRow('GET /api/events', () => withStream('/api/events', headers, { act: change, isOver }));
});

test('the thread with the viewed devices: a build, the feed, and thousands of ends in one moment', async () => {
  const opened = await openReader({ url: server.db.url });
  const other = await client.swarm({ name: 'Quay' });
  let readsOfOther = 0;
  let now = '2098-01-01T00:00:00.000Z';
  const atTime = <Q extends Pick<Query, 'sql'>>(query: Q) => ({
    ...query,
    sql: query.sql.replaceAll('time_now()', `'${now}'`),
  });
  const reads = recorder.ofReads({ read: <R>(query: Query) => opened.read<R>(atTime(query)) });
  const queries = await createIndexQueries({
    name: 'i',
    reader: {
      ...reads,
      async tuples<R>(query: Query) {
        if (query.params?.includes(other.id)) readsOfOther += 1;
        const rows = await opened.tuples<R>(atTime(query));
        recorder.noteRows(rows as Value[][], query);
        return rows;
      },
      publishChanges: () => opened.publishChanges(),
    },
  });
  const total = async (audience: string) => {
    const query = {
      type: 'list',
      user: 'ann',
      filters: { audience },
      timeoutMs: 250_000,
      sort: 'name',
      limit: 0,
      cursor: undefined,
    } as const;
    const result = await queries.answer(query, new AbortController().signal);
    return (result as { answer: { total: number } }).answer.total;
  };
  await expectWithinRow('index', async () => {
    expect(await total(`swarm:${swarm.id}`)).toBe(amounts.members);
    expect(await total(`swarm:${other.id}`)).toBe(0);
    expect(readsOfOther).toBeGreaterThan(0);
    readsOfOther = 0;
    now = '2100-01-01T00:00:00.000Z';
    await server.db.write([
      {
        sql: 'UPDATE memberships SET resource_type = $1 WHERE resource_id = $2',
        params: ['producer', idOf(1, amounts.members - 1)],
      },
    ]);
    expect(await total(`swarm:${swarm.id}`)).toBe(amounts.members - amounts.ends);
    expect(await total(`swarm:${other.id}`)).toBe(0);
    // The ends drop only what they are about.
    expect(readsOfOther).toBe(0);
  });
  await opened.close();
});

test('rounds: presence, audience, ends, values', async () => {
  const heard = idsOf(1, amounts.heard);
  await expectWithinRow('presence', async () => {
    await app.presence.heardThen(heard, server.now().getTime() - dayMs);
    await app.presence.round();
  });
  await server.db.write([{ sql: `UPDATE audience_notices SET tell_at = 1` }]);
  await expectWithinRow('audienceNotices', () => app.audience.round());
  await insert(
    `UPDATE memberships SET ends_at = '2020-01-01T00:00:00.000Z' WHERE resource_id IN (SELECT value FROM elements($1))`,
    idsOf(1, amounts.ends),
  );
  await expectWithinRow('consentEnds', () => app.consentEnds.round());
  expect(await server.db.read({ sql: 'SELECT 1 FROM memberships WHERE ends_at IS NOT NULL LIMIT 1' })).toEqual([]);
});

test('the values of a device with as many steps as it may have are compacted', async () => {
  const id = idOf(1, amounts.devices - 1);
  await storeSteps({ db: server.db, id, steps: amounts.steps, now: server.now().getTime() });
  await expectWithinRow('values', () => app.values.run());
  const left = await server.db.read({ sql: `SELECT part FROM value_blocks WHERE step = $1`, params: [stepOfPoints] });
  expect(left).toEqual([]);
});

test('actions: 1,000 devices are deleted, and the deletion is undone', async () => {
  const items = idsOf(1, amounts.devices)
    .slice(-2000, -1000)
    .map((id) => ({ id, name: 'Sensor' }));
  const settle = async (id: string) => {
    await expect
      .poll(
        async () =>
          (await server.db.read<{ state: string }>({ sql: 'SELECT state FROM actions WHERE id = $1', params: [id] }))[0]
            ?.state,
        { timeout: 250_000 },
      )
      .toBe('ended');
  };
  const [deletion, undo] = [idOf(5, 1), idOf(5, 2)];
  await expectWithinRow('actions', async () => {
    const made = await request('/api/actions', {
      method: 'POST',
      body: { id: deletion, kind: 'delete', about: {}, wait: 0, total: items.length },
    });
    expect(made.status).toBe(201);
    for (const part of [0, 1])
      await request(`/api/actions/${deletion}/parts/${part}`, {
        method: 'PUT',
        body: { items: items.slice(part * 500, part * 500 + 500) },
      });
    expect((await request(`/api/actions/${deletion}/start`, { method: 'POST' })).status).toBe(200);
    await settle(deletion);
    expect((await request(`/api/actions/${deletion}/undo`, { method: 'POST', body: { id: undo } })).status).toBe(201);
    await settle(undo);
  });
  await expectWithinRow('GET /api/actions/:id/results', async () =>
    (await request(`/api/actions/${undo}/results`)).text(),
  );
});

// What SQLite plans is known before there are many rows.
testOnSqlite('devices that are found by their ids are not looked for among all of their owner', async () => {
  const some = idsOf(1, 100);
  const members = some.map((resource_id) => ({ resource_id, resource_type: 'both' }));
  const swarmOfSome = { name: 'Some', description: '', resources: members };
  expect((await request('/service/swarms', { method: 'POST', body: swarmOfSome })).status).toBe(201);
  expect((await request('/api/devices/keys', { method: 'POST', body: { resource_ids: some } })).status).toBe(201);
  const plans = await Promise.all(
    [...executed.values()]
      .filter(({ sql }) => sql.includes('resources') && sql.includes(' IN ('))
      .map(async ({ sql, params = [] }) => {
        const steps = await server.db.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, params });
        return { sql, steps: steps.map(({ detail }) => detail) };
      }),
  );
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter(({ steps }) => steps.some((step) => / resources_by_\w+ \(user_id=\?\)$/.test(step)))).toEqual([]);
});

test('2,000 waiting mails, and one more', async () => {
  const at = server.now();
  const ends = at.getTime() + hourMs;
  const address = `INSERT INTO addresses (user_id, address, language, asked_at, verified_at) VALUES ('ann', 'ann@example.org', 'en', '', 'then')`;
  await server.db.write([{ sql: address }]);
  const waiting = (user: string, addresses: string) =>
    `INSERT INTO mails (user_id, kind, address, language, at, next_at, ends_at)
     SELECT ${user}, $4, ${addresses}, 'en', $2, 1, CAST($3 AS bigint) FROM elements($1)`;
  const others = idsOf(6, mailLimits.waiting - mailLimits.ofUser);
  await insert(waiting('value', 'value'), others, at.toISOString(), ends, 'link');
  await insert(
    waiting(`'ann'`, `'ann@example.org'`),
    idsOf(7, mailLimits.ofUser),
    at.toISOString(),
    ends,
    'password_changed',
  );
  await expectWithinRow('mails', async () => {
    await app.operator.setPassword({ name: 'ann', password: 'a better password' });
    await app.mail.deliver();
  });
  // Links of accounts that are gone are not sent. The mail server is away.
  expect(await server.db.read({ sql: 'SELECT DISTINCT user_id FROM mails' })).toEqual([{ user_id: 'ann' }]);
});

/** A capability has its own. */
const sources = join(import.meta.dirname, '..');
const ofCapabilities: JobCases = {};
for (const file of globSync('capabilities/*/*.cases.ts', { cwd: sources }))
  Object.assign(ofCapabilities, ((await import(join(sources, file))) as { jobs?: JobCases }).jobs);

test.each(Object.entries(ofCapabilities))('%s', async (job, given) => {
  const { db } = server;
  if ('path' in given) {
    const { method, path } = given;
    await expectWithinRow(job as Job, async () =>
      expect((await request(path, { method, user: bob })).status).toBe(201),
    );
    return;
  }
  if ('run' in given) {
    const device = { id: idOf(1, amounts.members - 1), userId: 'ann', key: ann.key };
    const fetch = async (asked: Request) => app.fetch(asked);
    await expectWithinRow(job as Job, () => given.run({ db: recordedDb, now: () => server.now(), device, fetch }));
    return;
  }
  await given.prepare({ db, at: server.now().toISOString() });
  const run = async () => {
    await app.rounds[job]!();
    return given.isOver({ db });
  };
  await expectWithinRow(job as Job, () => expect.poll(run, { timeout: 250_000 }).toBe(true));
});

test('the hourly steps, a month later', async () => {
  server.wait(31 * dayMs);
  for (const { name, run } of app.hourlySteps) await expectWithinRow(name, run);
});

test('the feed of all that was changed here', () => {
  walked.add('feed');
  compareWithRow('feed', ofFeed);
  // Also of changes that are more than one part.
  expect(ofFeed.most.rows).toBe(jobLimits.feed.rows);
});

test('every row was walked', () => {
  expect(Object.keys(jobLimits).filter((job) => !walked.has(job as Job))).toEqual([]);
});
