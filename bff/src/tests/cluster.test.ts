/**
 * Several processes on one PostgreSQL database, without sticky sessions: every request goes to any of them.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../.tools/free-port.ts';
import { startPostgres, type PostgresServer } from '../../../.tools/postgres.ts';
import type { Resource } from '../contract.ts';
import { actionsOfClient } from './actions.fixture.ts';
import { createRandom, type Random } from './durability.fixture.ts';
import { expectSame, readLists } from './event-lists.fixture.ts';
import { listen } from './events.fixture.ts';
import { follow } from './follower.fixture.ts';
import {
  createSender,
  long,
  password,
  patience,
  recordFigure,
  runToEnd,
  seed,
  signIn,
  startServer,
  temporaryDataDir,
  type Send,
} from './process.fixture.ts';
import { createSwarm, faultsOf, loadUntil, readAll, unknownRecords } from './load.fixture.ts';
import { createClient, runLifecycles, type Client as User, type Lifecycle, type Load } from './restart.fixture.ts';

const secret = 'a secret that all processes share, of 32 and more characters';
const kills = long ? 12 : 1;
/** Of all three processes. */
const rollingRestarts = long ? 17 : 1;

let postgres: PostgresServer;
let cluster: Cluster;
beforeAll(async () => {
  postgres = await startPostgres();
  cluster = await startCluster(postgres.url);
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await postgres.stop();
});

interface Cluster extends AsyncDisposable {
  origins(): string[];
  /** Sends to a random running process. */
  send: Send;
  /** Sends to this process. */
  to(index: number): Send;
  /** The number of responses that `send` has received. */
  responses(): number;
  /** The operator's command through this process. */
  command(index: number, ...args: string[]): Promise<void>;
  kill(index: number): Promise<void>;
  /** Sends no new requests to the process, and lets it finish the others. */
  end(index: number): Promise<{ code: number | null }>;
  start(index: number): Promise<void>;
}

/** Three processes that start at once, also on an empty database. */
async function startCluster(databaseUrl: string): Promise<Cluster> {
  const random = createRandom(seed);
  const folders = Array.from({ length: 3 }, () => temporaryDataDir());
  const ports = await Promise.all(folders.map(freePort));
  const launch = (index: number) =>
    startServer({
      ...folders[index]!,
      env: {
        DATABASE_URL: databaseUrl,
        SECRET: secret,
        PUBLIC_URL: 'http://devices.example.org',
        PORT: String(ports[index]),
      },
    });
  const servers: (Awaited<ReturnType<typeof launch>> & { send: Send })[] = [];
  const start = async (index: number) => {
    const server = await launch(index);
    const origin = `http://127.0.0.1:${ports[index]}`;
    servers[index] = { ...server, origin, send: createSender(origin) };
  };
  const dead = new Set<number>();
  const alive = () => folders.map((_, index) => index).filter((index) => !dead.has(index));
  const unanswered = folders.map(() => new Set<Promise<unknown>>());
  let responses = 0;
  const send: Send = async (request) => {
    const index = alive()[Math.floor(random() * alive().length)]!;
    const response = servers[index]!.send(request);
    unanswered[index]!.add(response);
    try {
      const answer = await response;
      responses += 1;
      return answer;
    } finally {
      unanswered[index]!.delete(response);
    }
  };
  await Promise.all(folders.map((_, index) => start(index)));
  return {
    origins: () => alive().map((index) => servers[index]!.origin),
    send,
    to: (index) => servers[index]!.send,
    responses: () => responses,
    async command(index, ...args) {
      const env = { DATABASE_URL: databaseUrl, SECRET: secret };
      const ended = await runToEnd({ script: 'cli.ts', args, ...folders[index]!, env });
      expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    },
    async kill(index) {
      dead.add(index);
      await servers[index]!.end('SIGKILL');
    },
    async end(index) {
      dead.add(index);
      // A request that has not arrived would be rejected.
      await Promise.allSettled(unanswered[index]!);
      return servers[index]!.end('SIGTERM');
    },
    async start(index) {
      await start(index);
      dead.delete(index);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      folders.forEach((folder) => folder[Symbol.dispose]());
    },
  };
}

/** Waits until a value is as expected. The long run records how long that takes. */
async function expectSoon<T>(options: { what: string; read: () => Promise<T> | T; expected: T }) {
  const began = performance.now();
  await expect.poll(options.read, { timeout: patience / 2, interval: 20 }).toEqual(options.expected);
  recordFigure(`${options.what}: ${Math.round(performance.now() - began)} ms`);
}

const device = (name: string) => ({ name, machine_type: 'pc' });
/** The header of a client's requests with its key. */
const keyOf = ({ proof }: User) => proof.device;
const create = (client: User, send: Send, name: string, headers: Record<string, string> = {}) =>
  send({ method: 'POST', path: '/service/resources', headers: { ...keyOf(client), ...headers }, body: device(name) });

describe('a write that one process has acknowledged', () => {
  test('is visible on every other process', async () => {
    const ann = await createClient({ send: cluster.to(0), name: 'ann' });
    const read = async (index: number) => {
      const { body } = await cluster.to(index)({ path: '/service/resources', headers: keyOf(ann) });
      return (JSON.parse(body) as Resource[]).map(({ name }) => name);
    };
    for (let count = 1; count <= 5; count++) {
      await create(ann, cluster.to(count % 3), `Lamp ${count}`);
      const lists = await Promise.all([0, 1, 2].map(read));
      expect(lists.map(({ length }) => length)).toEqual([count, count, count]);
    }
    const views = [0, 1, 2].map((index) =>
      cluster.to(index)({ path: '/api/devices?limit=1', headers: ann.proof.browser }),
    );
    const totals = (await Promise.all(views)).map(({ body }) => (JSON.parse(body) as { total: number }).total);
    expect(totals).toEqual([5, 5, 5]);
  });

  test('invalidates the lists of other processes', async () => {
    const ben = await createClient({ send: cluster.to(0), name: 'ben' });
    const list = (etag = '') =>
      cluster.to(1)({ path: '/service/resources', headers: { ...keyOf(ben), 'if-none-match': etag } });
    const { etag } = (await list()).headers;
    expect((await list(etag)).status).toBe(304);
    await create(ben, cluster.to(0), 'Lamp');
    expect((await list(etag)).status).toBe(200);
  });

  test('is sent to the streams of every other process, and a stream resumes on any of them', async () => {
    const cat = await createClient({ send: cluster.to(0), name: 'cat' });
    const [, second, third] = cluster.origins();
    const stream = await listen(`${second}/service/events`, keyOf(cat));
    await create(cat, cluster.to(0), 'seen');
    await stream.until(({ data }) => (data as { name?: string }).name === 'seen');
    stream.close();
    await stream.ended;
    await create(cat, cluster.to(1), 'missed');
    const again = await listen(`${third}/service/events`, { ...keyOf(cat), 'last-event-id': stream.lastId() });
    await again.until(({ data }) => (data as { name?: string }).name === 'missed');
    expect(again.events.map(({ type, data }) => [type, (data as { name: string }).name])).toEqual([
      ['resource.created', 'missed'],
    ]);
    again.close();
  });

  test('is not repeated for the same Idempotency-Key', async () => {
    const dan = await createClient({ send: cluster.to(0), name: 'dan' });
    const key = { 'idempotency-key': 'once' };
    const all = await Promise.all(
      Array.from({ length: 9 }, (_, index) => create(dan, cluster.to(index % 3), 'Lamp', key)),
    );
    expect(all.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const later = await Promise.all([0, 1, 2].map((index) => create(dan, cluster.to(index), 'Lamp', key)));
    expect(new Set(later.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(await dan.get<Resource[]>('/resources')).toHaveLength(1);
  });
});

test('a revoked key and an ended session are rejected by every process', async () => {
  const eve = await createClient({ send: cluster.to(0), name: 'eve' });
  const paths = [
    { path: '/service/resources', headers: keyOf(eve) },
    { path: '/api/resources', headers: eve.proof.browser },
  ];
  const statuses = () =>
    Promise.all([1, 2].flatMap((index) => paths.map(async (request) => (await cluster.to(index)(request)).status)));
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  const { body } = await cluster.to(0)({ path: '/api/account/keys', headers: eve.proof.browser });
  const [{ id }] = (JSON.parse(body) as { items: [{ id: string }] }).items;
  const headers = eve.proof.browser;
  await cluster.to(0)({ method: 'DELETE', path: `/api/account/keys/${id}`, headers });
  await cluster.to(0)({ method: 'POST', path: '/auth/sign-out', headers, body: {} });
  const what = 'every process rejects a revoked key and an ended session (promised: 1 s)';
  await expectSoon({ what, read: statuses, expected: [401, 401, 401, 401] });
});

test('a disabled user is out on every process, and an enabled one needs a new session only', async () => {
  const name = 'zed';
  const zed = await createClient({ send: cluster.to(0), name });
  const paths = [
    { path: '/service/resources', headers: keyOf(zed) },
    { path: '/api/resources', headers: zed.proof.browser },
  ];
  const statuses = () =>
    Promise.all([0, 1, 2].flatMap((index) => paths.map(async (request) => (await cluster.to(index)(request)).status)));
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  const streams = await Promise.all(
    cluster
      .origins()
      .flatMap((origin) => [
        listen(`${origin}/service/events`, keyOf(zed)),
        listen(`${origin}/api/events`, zed.proof.browser),
      ]),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);

  await cluster.command(1, 'user', 'disable', name);
  const what = 'every process rejects a disabled user (promised: 1 s)';
  await expectSoon({ what, read: statuses, expected: [401, 401, 401, 401, 401, 401] });
  await Promise.all(streams.map(({ ended }) => ended));
  const tried = (index: number) => signIn({ send: cluster.to(index), name, password });
  const answers = (await Promise.all([0, 1, 2].map(tried))).map(({ status, body }) => {
    return [status, (JSON.parse(body) as { code: string }).code];
  });
  expect(answers).toEqual(Array.from({ length: 3 }, () => [401, 'sign_in.wrong_password']));

  await cluster.command(2, 'user', 'enable', name);
  const again = 'every process accepts the keys of an enabled user';
  await expectSoon({ what: again, read: statuses, expected: [200, 401, 200, 401, 200, 401] });
  expect((await tried(0)).status).toBe(200);
});

test('no acknowledged write is lost or repeated if processes are killed under load', async () => {
  const random = createRandom(seed);
  const names = ['ina', 'jon', 'kim'];
  const clients = await Promise.all(names.map((name) => createClient({ send: cluster.send, name })));
  const swarms = await Promise.all(clients.map(createSwarm));
  const anyOrigin = () => cluster.origins()[Math.floor(random() * cluster.origins().length)]!;
  const followers = await Promise.all(
    clients.map((client, index) =>
      follow({ client, entryPoint: index === 1 ? 'browser' : 'device', origin: anyOrigin }),
    ),
  );
  const lifecycles: Lifecycle[] = [];
  for (let round = 0; round <= kills; round++) {
    const server = killed(cluster, random);
    const end = round < kills ? 'SIGKILL' : undefined;
    const load = await loadUntil({ end, server, clients, swarms, followers, random, lifecycles });
    expect(load.failures).toEqual([]);
    const lists = await readAll(clients, swarms);
    expect(lifecycles.flatMap((lifecycle) => faultsOf(lifecycle, lists))).toEqual([]);
    expect(unknownRecords(lifecycles, lists)).toEqual([]);
    await Promise.all(followers.map((follower) => follower.resume()));
    for (const [index, client] of clients.entries()) {
      expectSame(await followers[index]!.lists(), await readLists({ get: client.get, user: client.name }));
    }
  }
  followers.forEach((follower) => follower.close());
});

test('no request fails during a rolling restart', async () => {
  const random = createRandom(seed);
  const [owner, guest] = [
    await createClient({ send: cluster.send, name: 'leo' }),
    await createClient({ send: cluster.send, name: 'mia' }),
  ];
  const pair = { owner, guest, swarm: await createSwarm(owner) };
  const load: Load = { lifecycles: [], acknowledged: 0, failures: [], server: 'alive', over: false };
  const runs = Array.from({ length: 8 }, (_, number) =>
    runLifecycles({ ...pair, load, name: `rolling ${number}`, random: createRandom(Math.floor(random() * 2 ** 31)) }),
  );
  for (let round = 0; round < rollingRestarts; round++) {
    for (const index of [0, 1, 2]) {
      expect(await cluster.end(index)).toMatchObject({ code: 0 });
      await cluster.start(index);
    }
  }
  const { acknowledged } = load;
  await expect.poll(() => load.acknowledged, { timeout: patience / 2 }).toBeGreaterThan(acknowledged + 100);
  load.over = true;
  await Promise.all(runs);
  expect(load.failures).toEqual([]);
  recordFigure(`${3 * rollingRestarts} rolling restarts: ${load.acknowledged} requests, none failed`);
  const lists = await readAll([owner, guest], [pair.swarm, await createSwarm(guest)]);
  expect(load.lifecycles.flatMap((lifecycle) => faultsOf(lifecycle, lists))).toEqual([]);
});

test('each item of an action is executed once, although processes are killed in turn', async () => {
  const [users, perUser, count, killEveryMs] = long ? [5, 10, 1000, 10_000] : [2, 3, 300, 1000];
  const clients = await Promise.all(
    Array.from({ length: users }, (_, index) => createClient({ send: cluster.send, name: `actor${index}` })),
  );
  const names = (action: number) => Array.from({ length: count }, (_, index) => `Sensor ${action}-${index}`);
  const all = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: perUser }, async (_, action) => {
        const actions = actionsOfClient(client);
        const { id } = await actions.upload(
          { kind: 'import', about: { file: 'a.csv', hash: 'a' }, wait: 0 },
          names(action).map((name, index) => ({ line: index + 2, name, create: device(name) })),
        );
        return { id, actions };
      }),
    ),
  );
  const random = createRandom(seed);
  const ends = Promise.all(all.map(({ id, actions }) => actions.ended(id, patience)));
  let isOver = false;
  void ends.finally(() => (isOver = true)).catch(() => {});
  for (let kill = 0; kill === 0 || !isOver; kill++) {
    await wait(random() * killEveryMs);
    const index = kill % 3;
    await cluster.kill(index);
    await cluster.start(index);
  }
  expect((await ends).map(({ done, failed }) => [done, failed])).toEqual(all.map(() => [count, 0]));
  const expected = Array.from({ length: perUser }, (_, action) => names(action))
    .flat()
    .toSorted();
  for (const client of clients) {
    const stored = await client.get<Resource[]>('/resources');
    expect(stored.map(({ name }) => name).toSorted()).toEqual(expected);
  }
});

test('an action waits while the database is down, and goes on', async () => {
  const eli = await createClient({ send: cluster.send, name: 'eli' });
  const actions = actionsOfClient(eli);
  const names = Array.from({ length: 3000 }, (_, index) => `Sensor ${index}`);
  const { id } = await actions.upload(
    { kind: 'import', about: { file: 'a.csv', hash: 'a' }, wait: 0 },
    names.map((name, index) => ({ line: index + 2, name, create: device(name) })),
  );
  const done = async () => (await actions.find(id))!.done;
  await expect.poll(done, { timeout: patience / 2, interval: 5 }).toBeGreaterThan(0);
  expect(await done()).toBeLessThan(3000);
  await postgres.kill();
  await wait(1000);
  await postgres.start();
  const ready = async () =>
    (await Promise.all([0, 1, 2].map((index) => cluster.to(index)({ path: '/readyz' })))).map(({ status }) => status);
  await expect.poll(ready, { timeout: patience / 2 }).toEqual([200, 200, 200]);
  expect(await actions.ended(id, patience / 2)).toMatchObject({ done: 3000, failed: 0 });
  const stored = await eli.get<Resource[]>('/resources');
  expect(stored.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

/** One process is killed; the others answer more requests before the clients stop. */
function killed({ kill, start, responses }: Cluster, random: Random) {
  const index = Math.floor(random() * 3);
  return {
    async end() {
      await kill(index);
      const before = responses();
      await expect.poll(responses, { timeout: patience / 2 }).toBeGreaterThan(before + 100);
      return { code: 0 };
    },
    start: () => start(index),
  };
}

test('while the database is down, every process responds with 503; afterwards it continues, and open streams miss nothing', async () => {
  const fay = await createClient({ send: cluster.to(0), name: 'fay' });
  const each = async (path: string, headers = {}) =>
    (await Promise.all([0, 1, 2].map((index) => cluster.to(index)({ path, headers })))).map(({ status }) => status);
  expect(await each('/readyz')).toEqual([200, 200, 200]);
  const { etag } = (await cluster.to(0)({ path: '/service/resources', headers: keyOf(fay) })).headers;
  const followers = await Promise.all(
    cluster
      .origins()
      .map((origin, index) =>
        follow({ client: fay, entryPoint: index === 1 ? 'browser' : 'device', origin: () => origin }),
      ),
  );
  const writers = writeUntilStopped(fay, cluster);
  await writers.acknowledgeMore();
  await postgres.kill();
  await expect.poll(() => each('/readyz'), { timeout: patience / 2 }).toEqual([503, 503, 503]);
  expect(await each('/healthz')).toEqual([200, 200, 200]);
  expect(await each('/service/resources', keyOf(fay))).toEqual([503, 503, 503]);
  expect(await each('/service/resources', { ...keyOf(fay), 'if-none-match': etag })).toEqual([503, 503, 503]);
  await expect.poll(writers.statuses, { timeout: patience / 2 }).toEqual([201, 503]);
  await postgres.start();
  const what = 'every process is ready after the restart of its database (promised: 5 s)';
  await expectSoon({ what, read: () => each('/readyz'), expected: [200, 200, 200] });
  await writers.acknowledgeMore();
  await writers.stop();
  expect(await writers.lost()).toEqual([]);
  expect(writers.statuses()).toEqual([201, 503]);
  // Their streams stayed open.
  for (const follower of followers) {
    expectSame(await follower.lists(), await readLists({ get: fay.get, user: fay.name }));
    follower.close();
  }
});

test('when a synchronous standby takes over, every process continues, and no acknowledged write is lost', async () => {
  const primary = await startPostgres();
  const standby = await primary.startStandby();
  const address = await forwardTo(new URL(primary.url).port);
  await using cluster = await startCluster(primary.url.replace(/:\d+\//, `:${address.port}/`));
  const gus = await createClient({ send: cluster.send, name: 'gus' });
  const writers = writeUntilStopped(gus, cluster);
  await writers.acknowledgeMore();
  await primary.kill();
  await expect.poll(writers.statuses, { timeout: patience / 2 }).toEqual([201, 503]);
  await promote(standby.url);
  address.change(new URL(standby.url).port);
  const ready = async () =>
    (await Promise.all([0, 1, 2].map((index) => cluster.to(index)({ path: '/readyz' })))).map(({ status }) => status);
  const what = 'every process is ready after a standby has taken over (promised: 5 s)';
  await expectSoon({ what, read: ready, expected: [200, 200, 200] });
  await writers.acknowledgeMore();
  await writers.stop();
  expect(await writers.lost()).toEqual([]);
  expect(writers.statuses()).toEqual([201, 503]);
  address.close();
  await standby.stop();
  await primary.stop();
});

/** Creates devices on every process until `stop`. */
function writeUntilStopped(client: User, { to }: Cluster) {
  const acknowledged = new Set<string>();
  const acknowledgedBy = [0, 0, 0];
  const statuses = new Set<number>();
  let isOver = false;
  const writers = [0, 1, 2].map(async (index) => {
    for (let count = 0; !isOver; count++) {
      const name = `${index}-${count}`;
      const { status } = await create(client, to(index), name);
      statuses.add(status);
      if (status === 201) {
        acknowledged.add(name);
        acknowledgedBy[index]! += 1;
      } else await wait(20);
    }
  });
  return {
    /** Waits until every process has acknowledged another device. */
    async acknowledgeMore() {
      const before = acknowledgedBy.map((count) => count + 1);
      const hasMore = () => acknowledgedBy.every((count, index) => count >= before[index]!);
      await expect.poll(hasMore, { timeout: patience / 2 }).toBe(true);
    },
    /** In ascending order. */
    statuses: () => [...statuses].toSorted((a, b) => a - b),
    async stop() {
      isOver = true;
      await Promise.all(writers);
    },
    /** The acknowledged devices that are not stored. */
    async lost() {
      expect(acknowledged.size).toBeGreaterThan(0);
      const stored = new Set((await client.get<Resource[]>('/resources')).map(({ name }) => name));
      return [...acknowledged].filter((name) => !stored.has(name));
    },
  };
}

async function promote(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_promote()');
  await client.end();
}

/** An address that a database keeps when another server takes over. */
async function forwardTo(port: string) {
  let target = Number(port);
  const open = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    for (const [one, other] of [[incoming, outgoing] as const, [outgoing, incoming] as const]) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    change: (other: string) => void (target = Number(other)),
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
