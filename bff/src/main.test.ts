import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import type { Resource } from './contract.ts';
import { createOwner } from './tests/durability.fixture.ts';
import { createSender, patience, runToEnd, startServer, temporaryDataDir } from './tests/process.fixture.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test.concurrent('all invalid settings are reported at once, and no server or file is created', async () => {
  using folder = temporaryDataDir();
  const dataDir = join(folder.dataDir, 'new');
  const env = {
    PORT: '99999',
    HOST: 'not a host',
    PUBLIC_URL: 'ftp://x',
    DATABASE_URL: 'mysql://x',
    SECRET: 'short',
    SIGN_UP: 'maybe',
    RATE_LIMIT: '-1',
    QUOTAS: 'many',
    LOG_LEVEL: 'loud',
    LOG_REQUESTS: 'some',
    TRUSTED_PROXIES: 'everybody',
    BACKUP_DIR: 'backups',
    BACKUP_EVERY: '10m',
    BACKUP_KEEP: '0',
  };
  const { code, stdout, stderr } = await runToEnd({ script: 'main.ts', dataDir, env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const [sentence, ...faults] = stderr.trimEnd().split('\n');
  expect(sentence).toBe('Swarmdeck did not start. These settings cannot be used:');
  expect(faults.map((fault) => /^ {2}([A-Z_]+)="/.exec(fault)?.[1])).toEqual(Object.keys(env));
  expect(() => statSync(dataDir)).toThrow('ENOENT');
});

test('what mails, providers and passkeys need is loaded before the server answers, and nothing else', async () => {
  using folder = temporaryDataDir();
  const file = join(folder.dataDir, 'loaded.mjs');
  // Names the packages when it stops, before anything was asked of it.
  const script = `import { registerHooks } from 'node:module';
    import { isMainThread } from 'node:worker_threads';
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => {
      const name = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (isMainThread && name) loaded.add(name);
      return next(url, context);
    } });
    process.once('exit', () => process.stderr.write([...loaded].join(' ')));`;
  writeFileSync(file, script);
  const lazy = ['nodemailer', 'openid-client', '@simplewebauthn/server', 'otpauth', '@zxcvbn-ts/language-common'];
  const loadedWith = async (name: string, env: Record<string, string>) => {
    await using server = await startServer({
      dataDir: join(folder.dataDir, name),
      fromSources: true,
      env: { NODE_OPTIONS: `--import=${file}`, ...env },
    });
    const { stderr } = await server.end('SIGTERM');
    return lazy.filter((each) => stderr.split(/\s/).includes(each));
  };
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1?tls=off', MAIL_FROM: 'a@example.org', PUBLIC_URL: 'http://localhost' };
  const provider = {
    OIDC_HOME_ISSUER: 'http://127.0.0.1:1',
    OIDC_HOME_CLIENT_ID: 'a',
    OIDC_HOME_CLIENT_SECRET: 'b',
  };
  expect(await loadedWith('none', {})).toEqual([]);
  expect(await loadedWith('https', { PUBLIC_URL: 'https://devices.example.org' })).toEqual(['@simplewebauthn/server']);
  expect(await loadedWith('mail', mail)).toEqual(['nodemailer']);
  expect(await loadedWith('provider', provider)).toEqual(['openid-client']);
});

test.concurrent('a data folder is private, has one server, and after a kill -9 the next server finishes deletions', async () => {
  using parent = temporaryDataDir();
  const dataDir = join(parent.dataDir, 'new');
  await using first = await startServer({ dataDir });
  expect(modeOf(dataDir)).toBe('700');
  expect(modeOf(join(dataDir, 'secret'))).toBe('600');
  expect(modeOf(join(dataDir, 'swarmdeck.sock'))).toBe('600');

  const second = await runToEnd({ script: 'main.ts', dataDir });
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toMatch(
    /^Swarmdeck did not start\. .+ is in use: another Swarmdeck server or command has it open\n$/,
  );
  expect(await createSender(first.origin)({ path: '/readyz' })).toMatchObject({ status: 200 });

  const other = join(parent.dataDir, 'other');
  const taken = await runToEnd({ script: 'main.ts', dataDir: other, env: { PORT: new URL(first.origin).port } });
  expect(taken).toMatchObject({ code: 1, stderr: 'Swarmdeck did not start. The port is in use: set another PORT\n' });

  await first.end('SIGKILL');
  const db = new DatabaseSync(join(dataDir, 'swarmdeck.db'));
  // As after an interrupted deletion of an account.
  db.exec(`INSERT INTO retired_names VALUES ('gone');
      INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ('019a7c51-5d0e-7c1c-8a4e-000000000001', 'gone', 'Ring', '', 0, '2026-01-01', 1)`);
  await using third = await startServer({ dataDir });
  await vi.waitFor(() => expect(db.prepare('SELECT * FROM swarms').all()).toEqual([]), patience);
  db.close();
  expect(await createSender(third.origin)({ path: '/readyz' })).toMatchObject({ status: 200, body: 'ready' });
  expect(await third.end('SIGTERM')).toMatchObject({ code: 0 });

  truncateSync(join(dataDir, 'swarmdeck.db'), 8192);
  const damaged = await runToEnd({ script: 'main.ts', dataDir });
  expect(damaged).toMatchObject({ code: 1, stdout: '' });
  expect(damaged.stderr).toMatch(/^Swarmdeck did not start\. .+swarmdeck\.db is damaged .+ Nothing was changed\n$/);
});

test.concurrent('files in a data folder that others can read are readable by their owner only', async () => {
  using folder = temporaryDataDir();
  chmodSync(folder.dataDir, 0o755);
  await using server = await startServer(folder);
  expect(await createSender(server.origin)({ path: '/readyz' })).toMatchObject({ status: 200 });
  const kept = readdirSync(folder.dataDir);
  expect(kept).toEqual(expect.arrayContaining(['secret', 'swarmdeck.db', 'swarmdeck.db-wal', 'swarmdeck.sock']));
  expect(kept.filter((name) => modeOf(join(folder.dataDir, name)) !== '600')).toEqual([]);
});

test.concurrent('a system error at the start is one line', async () => {
  using folder = temporaryDataDir();
  const file = join(folder.dataDir, 'file');
  writeFileSync(file, '');
  const start = (dataDir: string, env = {}) => runToEnd({ script: 'main.ts', dataDir, env });
  const [isFile, isElsewhere, isDamaged] = await Promise.all([
    start(file),
    start(join(folder.dataDir, 'a'), { HOST: '192.0.2.1' }),
    (async () => {
      const dataDir = join(folder.dataDir, 'b');
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, 'secret'), 'short');
      return start(dataDir);
    })(),
  ]);
  expect(isFile).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Swarmdeck did not start\. .+file'\n$/) });
  expect(isElsewhere.stderr).toMatch(/^Swarmdeck did not start\. .+192\.0\.2\.1.*\n$/);
  expect(isDamaged.stderr).toMatch(/^Swarmdeck did not start\. .+\n.+secret is damaged.+\n$/);
});

test.concurrent('a server can be stopped as soon as it has printed its address', async () => {
  using folder = temporaryDataDir();
  await using server = await startServer(folder);
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(readdirSync(folder.dataDir)).not.toContain('swarmdeck.sock');
});

test.concurrent('SIGTERM completes responses, closes unfinished requests, and exits with 0', async () => {
  using folder = temporaryDataDir();
  await using server = await startServer(folder);
  const { hostname, port } = new URL(server.origin);
  const slow = connect(Number(port), hostname);
  slow.on('error', () => {}).resume();
  const head = ['POST /auth/sign-up HTTP/1.1', `host: ${hostname}:${port}`, 'sec-fetch-site: same-origin'];
  slow.write([...head, 'content-type: application/json', 'content-length: 100', '', '{'].join('\r\n'));
  expect(await createSender(server.origin)({ path: '/healthz' })).toMatchObject({ status: 200, body: 'alive' });
  const cut = once(slow, 'close');
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stdout: expect.stringContaining('Swarmdeck is at') });
  await cut;
  await expect(createSender(server.origin)({ path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
});

test.concurrent('a full disk fails writes without stopping the server or losing acknowledged writes', async () => {
  using folder = temporaryDataDir();
  await using server = await startServer({ ...folder, fileBlocks: 2000 });
  const send = createSender(server.origin);
  const { entryPoints } = await createOwner({ send, name: 'ann' });
  const { headers } = entryPoints[0]!;
  const stored = new Map<string, string>();
  const refused: string[] = [];
  for (let round = 0; refused.length === 0; round++) {
    const names = Array.from({ length: 50 }, (_, index) => `d${round}-${index}`);
    await Promise.all(
      names.map(async (name) => {
        const body = { name, machine_type: 'bug', description: 'x'.repeat(2000) };
        const answer = await send({ method: 'POST', path: '/service/resources', headers, body });
        if (answer.status === 201) stored.set(name, answer.body);
        else refused.push(`${name} ${answer.status} ${(JSON.parse(answer.body) as { code: string }).code}`);
      }),
    );
  }
  expect(refused.filter((line) => !/ (503 storage\.away|507 storage\.full)$/.test(line))).toEqual([]);
  const readAll = async (from: typeof send) => {
    const records = JSON.parse((await from({ path: '/service/resources', headers })).body) as Resource[];
    return new Map(records.map((record) => [record.name, record]));
  };
  const expected = new Map([...stored].map(([name, body]) => [name, JSON.parse(body) as Resource]));
  expect(await readAll(send)).toEqual(expected);

  await server.end('SIGKILL');
  await using roomy = await startServer(folder);
  expect(await readAll(createSender(roomy.origin))).toEqual(expected);
});
