/**
 * The drill: devices under load, a backup meanwhile, kill -9, restore, start. Everything that was acknowledged before the
 * backup is there, streams get a `reset`, and sessions are ended. On both stores.
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startPostgres } from '../../../.tools/postgres.ts';
import type { Resource } from '../contract.ts';
import { follow } from './follower.fixture.ts';
import {
  createSender,
  long,
  recordFigure,
  runToEnd,
  signIn,
  startServer,
  temporaryDataDir,
} from './process.fixture.ts';
import { createClient, type Client } from './restart.fixture.ts';

const runTool = promisify(execFile);
/** As many as a user may have; `QUOTAS` is off, because the follower adds one. */
const count = long ? 100_000 : 300;
const writers = 8;
const secret = 'a secret of the tests, of 32 and more characters';

interface Store {
  env: Record<string, string>;
  backUp(): Promise<void>;
  /** Brings the backup into use. Returns what the operator reads. */
  restore(): Promise<{ code: number | null; stderr: string }>;
}

/** What one writer has stored: a number that grows. */
interface Progress {
  id: string;
  acknowledged: number;
}

function startLoad(client: Client, devices: readonly Resource[]) {
  const progress = devices.slice(0, writers).map(({ id }): Progress => ({ id, acknowledged: 0 }));
  let isOver = false;
  const running = progress.map(async (own) => {
    for (let next = 1; !isOver; next++) {
      const body = { description: `number ${next}` };
      const answer = await client.request({ method: 'PUT', path: `/resources/${own.id}`, body }).catch(() => undefined);
      if (answer?.status === 200) own.acknowledged = next;
      // The database is away for a moment, or the server was killed.
      else await wait(10);
    }
  });
  return {
    acknowledged: () => progress.map((own) => own.acknowledged),
    /** Until each writer has stored this many more. */
    async continue(more: number) {
      const from = progress.map((own) => own.acknowledged);
      while (progress.some((own, index) => own.acknowledged < from[index]! + more)) await wait(10);
    },
    async end() {
      isOver = true;
      await Promise.all(running);
    },
    ids: progress.map(({ id }) => id),
  };
}

async function drill({ dataDir, store }: { dataDir: string; store: Store }) {
  const { env } = store;
  let server = await startServer({ dataDir, env });
  const port = { PORT: new URL(server.origin).port };
  let send = createSender(server.origin);
  const ann = await createClient({ send: (asked) => send(asked), name: 'ann' });
  const file = join(dataDir, 'devices.csv');
  const rows = Array.from({ length: count }, (_, index) => `Lamp ${index},pc`);
  writeFileSync(file, ['name,machine_type', ...rows].join('\n'));
  const run = (...args: string[]) => runToEnd({ script: 'cli.ts', args, dataDir, env });
  expect(await run('import', '--user', 'ann', file)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(' 0 failed'),
  });
  const devices = await ann.get<Resource[]>('/resources');
  expect(devices).toHaveLength(count);
  const follower = await follow({ client: ann, entryPoint: 'device', origin: () => server.origin });

  const load = startLoad(ann, devices);
  await load.continue(5);
  const before = load.acknowledged();
  const startedAt = performance.now();
  await store.backUp();
  recordFigure(
    `${env['DATABASE_URL'] ? 'pg_dump' : 'backup'} of ${count} devices under load: ${Math.round(performance.now() - startedAt)} ms`,
  );
  const { stdout: newKey } = await run('key', 'create', '--user', 'ann', '--name', 'newer');
  await load.continue(5);
  await server.end('SIGKILL');
  await load.end();
  const last = load.acknowledged();

  const restored = await store.restore();
  server = await startServer({ dataDir, env: { ...env, ...port } });
  send = createSender(server.origin);
  const found = new Map((await ann.get<Resource[]>('/resources')).map((device) => [device.id, device]));
  expect([...found.keys()].toSorted()).toEqual(devices.map(({ id }) => id).toSorted());
  for (const [index, id] of load.ids.entries()) {
    const number = Number(found.get(id)!.description?.replace('number ', ''));
    expect(number).toBeGreaterThanOrEqual(before[index]!);
    expect(number).toBeLessThan(last[index]!);
  }
  const resets = follower.resets();
  await follower.resume();
  expect((await follower.lists()).resources).toHaveLength(count);
  expect(follower.resets()).toBeGreaterThan(resets);
  follower.close();
  const refused = await ann.request({ path: '/account', entryPoint: 'browser' });
  expect(refused.status).toBe(401);
  // By the name of the feed, a browser says why its session has ended.
  expect(refused.headers['last-event-id']).toMatch(/^r[0-9a-f]{12}-0$/);
  expect((await signIn({ send, name: 'ann', password: 'correct horse battery' })).status).toBe(200);
  const headers = { 'x-serviceapikey': newKey.trim() };
  expect((await send({ path: '/service/resources', headers })).status).toBe(401);
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  return restored;
}

test('SQLite: a backup under load is restored after a kill, and every other restore is refused', async () => {
  using folder = temporaryDataDir();
  const { dataDir } = folder;
  const file = join(dataDir, 'backup.db');
  const run = (args: string[], env = {}) => runToEnd({ script: 'cli.ts', args, dataDir, env });
  const refusal = async (args: string[], env = {}) => {
    const { code, stderr } = await run(args, env);
    expect(code).toBe(1);
    return stderr;
  };
  const restored = await drill({
    dataDir,
    store: {
      env: { QUOTAS: 'off' },
      async backUp() {
        expect(await run(['backup', file])).toMatchObject({ code: 0 });
        expect(await refusal(['restore', file])).toMatch(/is in use: another Swarmdeck server/);
      },
      restore: () => run(['restore', file]),
    },
  });
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.stderr).toMatch(
    /^.+backup\.db is restored\. Start the server\.\nAll sessions have ended.+\nAll actions are paused/,
  );
  expect(restored.stderr).toMatch(/These keys are newer than the backup, and do not work any more: ann "newer" …/);
  expect(globSync('swarmdeck.db.before-*', { cwd: dataDir })).toHaveLength(1);

  const database = join(dataDir, 'swarmdeck.db');
  const unchanged = readFileSync(database);
  expect(await refusal(['restore', file], { SECRET: secret })).toMatch(/another SECRET\. .+Nothing was changed\n$/);
  renameSync(join(dataDir, 'secret'), join(dataDir, 'away'));
  const elsewhere = { DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET: secret };
  const refusals = await Promise.all([
    refusal(['restore', file]),
    refusal(['restore']),
    refusal(['restore', file, '--adopt']),
    refusal(['restore', file], elsewhere),
    refusal(['backup', file], elsewhere),
  ]);
  expect(refusals).toEqual([
    expect.stringMatching(/^There is no secret\. .+ Nothing was changed\n$/),
    expect.stringMatching(/^restore takes one FILE, or --adopt\n/),
    expect.stringMatching(/^restore takes one FILE, or --adopt\n/),
    expect.stringMatching(/^restore FILE is for SQLite\. /),
    expect.stringMatching(/^backup copies a SQLite database\. /),
  ]);
  expect(existsSync(join(dataDir, 'secret'))).toBe(false);
  expect(readFileSync(database).equals(unchanged)).toBe(true);

  // The secret is lost.
  const lost = await runToEnd({ script: 'main.ts', dataDir });
  expect(lost).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Swarmdeck did not start\. .+another SECRET/),
  });
  const asStored = new DatabaseSync(database);
  asStored.exec(
    `INSERT INTO webhooks (user_id, url, sealed, created_at) VALUES ('ann', 'http://a.example', x'00', '')`,
  );
  asStored.exec(`INSERT INTO totp (user_id, sealed, last_step, confirmed_at)
    VALUES ('bob', x'00', 0, '2026-01-01'), ('carl', x'00', 0, '2026-01-01'), ('dave', x'00', 0, NULL)`);
  asStored.close();
  expect(await run(['restore', '--adopt', '--new-secret'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^The secrets of webhooks are lost\. .+: ann\nThe secrets of authenticator apps are lost \(users: 2\)\. .+: bob, carl$/m,
    ),
  });
  await using server = await startServer(folder);
  expect(
    await signIn({ send: createSender(server.origin), name: 'ann', password: 'correct horse battery' }),
  ).toMatchObject({
    status: 200,
  });
  await server.end('SIGTERM');

  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
  const backups = { BACKUP_DIR: dataDir };
  renameSync(file, join(dataDir, 'swarmdeck-2026-01-31T12-00-00Z.db'));
  writeFileSync(database, unchanged.subarray(0, 40_960));
  const damaged = await runToEnd({ script: 'main.ts', dataDir, env: backups });
  expect(damaged.stderr).toMatch(
    /is damaged .+ run `swarmdeck restore .+\/swarmdeck-2026-01-31T12-00-00Z\.db`\. Nothing/,
  );
});

/** The newest client tools and server on this machine, for the long run; npm's server has no `pg_dump`. */
const installed = () =>
  globSync('/usr/lib/postgresql/*/bin')
    .toSorted()
    .findLast((bin) => existsSync(join(bin, 'pg_dump')));

test('PostgreSQL: a copy is adopted: streams get a reset, and sessions are ended', async () => {
  const bin = long ? installed() : undefined;
  if (long && bin === undefined) throw new Error('The long run needs pg_dump: install PostgreSQL');
  const postgres = await startPostgres(bin === undefined ? {} : { bin });
  try {
    using folder = temporaryDataDir();
    const { dataDir } = folder;
    const dump = join(dataDir, 'swarmdeck.dump');
    const env = { QUOTAS: 'off', DATABASE_URL: await postgres.createDatabase('drill'), SECRET: secret };
    const adopt = () => runToEnd({ script: 'cli.ts', args: ['restore', '--adopt'], dataDir, env });
    const restored = await drill({
      dataDir,
      store: {
        env,
        async backUp() {
          expect(await adopt()).toMatchObject({
            code: 1,
            stderr: expect.stringContaining('A server uses the database'),
          });
          if (bin) await runTool(join(bin, 'pg_dump'), ['--format=custom', `--file=${dump}`, env.DATABASE_URL]);
          else await postgres.copyDatabase('drill', 'restored');
        },
        async restore() {
          const url = bin ? await postgres.createDatabase('restored') : env.DATABASE_URL.replace(/drill$/, 'restored');
          if (bin) await runTool(join(bin, 'pg_restore'), ['--single-transaction', `--dbname=${url}`, dump]);
          env.DATABASE_URL = url;
          return adopt();
        },
      },
    });
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('All sessions have ended') });
  } finally {
    await postgres.stop();
  }
});
