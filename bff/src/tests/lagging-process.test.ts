// stores: SQLite, PostgreSQL
/**
 * A process that reads the feed too late: its entries are purged, or cannot be read. It must not serve what it has cached.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../app.ts';
import type { Database } from '../core/store/database.ts';
import { StorageError } from '../core/store/statement.ts';
import { createServiceClient } from './service-client.fixture.ts';
import {
  createTestServer,
  entryPoints,
  eventRecorder,
  origin,
  type EntryPoint,
  type TestServer,
  type TestUser,
} from './test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

let lagging: ReturnType<typeof laggingDatabase>;
/** The process that lags. */
let app: App;
let users = 0;
let ann: TestUser;
beforeEach(async () => {
  lagging = laggingDatabase(server.db);
  app = await server.startAnother(lagging.db);
  ann = await server.signUp(`ann-${users++}`);
});
afterEach(async () => {
  app.endStreams();
  await app.close();
});

/** Hides commits while it is suspended, and fails all reads but those of the feed while it is away. */
function laggingDatabase(db: Database) {
  const subscribers = new Set<() => Promise<void>>();
  let isSuspended = false;
  let isAway = false;
  let beforeRead: { part: string; run: () => Promise<unknown> } | undefined;
  const requireDatabase = () => {
    if (isAway) throw new StorageError('away', 'the connection is lost');
  };
  return {
    db: {
      ...db,
      alive: true,
      // The other process writes too.
      newestEntry: () => undefined,
      async read<R>(query: Parameters<Database['read']>[0]) {
        if (!query.sql.includes('FROM feed ')) requireDatabase();
        const hook = beforeRead;
        if (hook && query.sql.includes(hook.part)) {
          beforeRead = undefined;
          await hook.run();
        }
        return db.read<R>(query);
      },
      async catchUp() {
        requireDatabase();
        await db.catchUp();
      },
      onCommit(subscriber: () => Promise<void>) {
        const skipped = async () => (isSuspended ? undefined : subscriber());
        subscribers.add(skipped);
        const end = db.onCommit(skipped);
        return () => {
          subscribers.delete(skipped);
          end();
        };
      },
    } satisfies Database,
    suspend: () => void (isSuspended = true),
    async resume() {
      isSuspended = false;
      await Promise.all([...subscribers].map((subscriber) => subscriber()));
    },
    /** Runs before the next read whose SQL has this part. */
    beforeRead: (part: string, run: () => Promise<unknown>) => void (beforeRead = { part, run }),
    lose: () => void (isAway = true),
    comeBack: () => void (isAway = false),
  };
}

/** Deletes all entries of the feed but the newest, as when 50,000 newer ones were added. */
const purge = () => server.db.write([{ sql: 'DELETE FROM feed WHERE seq < (SELECT max(seq) FROM feed)' }]);
const createDevice = (name: string, who = ann) =>
  server.request('direct', who, { method: 'POST', path: '/resources', body: { name, machine_type: 'pc' } });

const clientOf = (user: TestUser) => createServiceClient(user.name, (asked) => server.request('direct', user, asked));
const credentialsOf = (entryPoint: EntryPoint, { key, cookie } = ann): Record<string, string> =>
  entryPoint === 'direct' ? { 'x-serviceapikey': key } : { cookie, 'sec-fetch-site': 'same-origin' };
const rootOf = (entryPoint: EntryPoint) => `${origin}/${entryPoint === 'direct' ? 'service' : 'api'}`;
async function list(entryPoint: EntryPoint, etag = '') {
  const headers = { ...credentialsOf(entryPoint), 'if-none-match': etag };
  return app.fetch(new Request(`${rootOf(entryPoint)}/resources`, { headers }));
}

async function openStream(entryPoint: EntryPoint, who = ann) {
  const recorder = eventRecorder();
  const request = new Request(`${rootOf(entryPoint)}/events`, { headers: credentialsOf(entryPoint, who) });
  await app.fetch(request, { outgoing: recorder.outgoing });
  await expect.poll(recorder.isCaughtUp).toBe(true);
  const received = () =>
    recorder
      .events()
      .map(({ type, data }) => ('name' in data ? data.name : type))
      // only in the stream of a browser
      .filter((text) => text !== 'map.changed');
  return { received };
}

test('rejects a key that was revoked and a session that was ended by entries that it has missed', async () => {
  const statuses = async () => [(await list('direct')).status, (await list('gateway')).status];
  expect(await statuses()).toEqual([200, 200]);
  lagging.suspend();
  await server.db.write([{ sql: 'DELETE FROM api_keys WHERE user_id = $1', params: [ann.name] }]);
  expect((await server.request('gateway', ann, { method: 'DELETE', path: '/account/sessions' })).status).toBe(204);
  await server.db.write([{ sql: 'DELETE FROM session' }]);
  await createDevice('newest');
  await purge();
  // The test would prove nothing if they were not cached.
  expect(await statuses()).toEqual([200, 200]);
  await lagging.resume();
  expect(await statuses()).toEqual([401, 401]);
});

test('sends a list that was changed by entries that it has missed', async () => {
  const etag = (await list('direct')).headers.get('etag')!;
  expect((await list('direct', etag)).status).toBe(304);
  lagging.suspend();
  await createDevice('missed');
  await server.db.write([{ sql: `INSERT INTO retired_names VALUES ('newest')` }]);
  await purge();
  await lagging.resume();
  const answer = await list('direct', etag);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject([{ name: 'missed' }]);
});

test.each(entryPoints)('%s: sends a reset for events that it has missed', async (entryPoint) => {
  const { received } = await openStream(entryPoint);
  lagging.suspend();
  await createDevice('missed');
  await createDevice('missed too');
  await purge();
  await lagging.resume();
  await createDevice('later');
  await expect.poll(received).toEqual(['reset', 'later']);
});

test.each(entryPoints)('%s: sends a reset for events whose records could not be read', async (entryPoint) => {
  const { received } = await openStream(entryPoint);
  await createDevice('before');
  await expect.poll(received).toEqual(['before']);
  lagging.lose();
  await createDevice('lost');
  await expect.poll(() => server.logged.some((line) => line.includes('the connection is lost'))).toBe(true);
  expect(received()).toEqual(['before']);
  lagging.comeBack();
  await expect.poll(received).toEqual(['before', 'reset']);
});

test('a user who is removed while a record is read does not receive it', async () => {
  const ben = await server.signUp(`ben-${users++}`);
  const [owner, member] = [clientOf(ann), clientOf(ben)];
  const [swarm, device, theirs] = [await owner.swarm(), await owner.device(), await member.device()];
  await owner.add(swarm, device);
  await member.accept(await owner.invite(swarm, theirs));
  const [ofAnn, ofBen] = [await openStream('direct'), await openStream('direct', ben)];
  const rename = (name: string) => owner.change(`/resources/${device.id}`, { name });
  lagging.beforeRead('FROM resources WHERE id IN', async () => {
    await owner.leave(swarm, theirs);
    await rename('hidden');
  });
  await rename('shown');
  await expect.poll(ofAnn.received).toContain('hidden');
  await createDevice('last', ben);
  await expect.poll(ofBen.received).toContain('last');
  expect(ofBen.received()).not.toContain('hidden');
});

test.each(entryPoints)(
  '%s: a watcher whom another process removes gets nothing more within a second',
  async (entryPoint) => {
    const ben = await server.signUp(`ben-${users++}`);
    const [owner, watcher] = [clientOf(ann), clientOf(ben)];
    const [swarm, device] = [await owner.swarm(), await owner.device()];
    await owner.add(swarm, device);
    await owner.nameManager(swarm, ben.name, 'watcher');
    await watcher.agree(swarm, ben.name);
    const { received } = await openStream(entryPoint, ben);
    const statusOf = async (root: string, headers: Record<string, string>) =>
      (await app.fetch(new Request(origin + root, { headers }))).status;
    const statuses = () =>
      Promise.all([
        statusOf(`/service/swarms/${swarm.id}/resources`, credentialsOf('direct', ben)),
        statusOf(`/api/map?audience=swarm:${swarm.id}&bbox=-180,-85,180,85&zoom=2`, credentialsOf('gateway', ben)),
      ]);
    await owner.change(`/resources/${device.id}`, { name: 'shown' });
    await expect.poll(received).toContain('shown');
    expect(await statuses()).toEqual([200, 200]);
    await owner.removeManager(swarm, ben.name);
    await owner.change(`/resources/${device.id}`, { name: 'hidden' });
    await expect.poll(statuses).toEqual([404, 404]);
    await createDevice('last', ben);
    await expect.poll(received).toContain('last');
    expect(received()).not.toContain('hidden');
  },
);
