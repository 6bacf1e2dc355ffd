import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Resource } from './contract.ts';
import { version } from './installation.ts';
import {
  cookieOf,
  createSender,
  dataDirWithDatabase,
  runToEnd,
  signIn,
  startServer,
  temporaryDataDir,
} from './tests/process.fixture.ts';

const data = join(import.meta.dirname, '../../e2e/data');
const { dataDir, [Symbol.dispose]: removeFolder } = temporaryDataDir();
const server = await startServer({ dataDir });
const send = createSender(server.origin);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  removeFolder();
});

function run(
  args: string[],
  options: { input?: string; dataDir?: string; env?: Record<string, string>; fileBlocks?: number } = {},
) {
  return runToEnd({ script: 'cli.ts', args, dataDir, ...options });
}

function listOf(key: string) {
  return send({ path: '/service/resources', headers: { 'x-serviceapikey': key } });
}

async function keyOf(user: string, of = '--user'): Promise<string> {
  const { code, stdout } = await run(['key', 'create', of, user]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^swb_[0-9A-Za-z]{36}\n$/) });
  return stdout.trim();
}

test.concurrent('an added user can sign in; a new password ends every session and replaces the old password', async () => {
  const silent = { code: 0, stdout: '', stderr: '' };
  expect(await run(['user', 'add', 'Ann', '--password-stdin'], { input: 'the first password\n' })).toEqual(silent);
  const signedIn = await signIn({ send, name: 'ann', password: 'the first password' });
  expect(signedIn.status).toBe(200);
  const account = () => send({ path: '/api/account', headers: { cookie: cookieOf(signedIn) } });
  expect((await account()).status).toBe(200);

  expect(await run(['user', 'password', 'ann', '--password-stdin'], { input: 'the second password' })).toEqual(silent);
  expect((await account()).status).toBe(401);
  expect((await signIn({ send, name: 'ann', password: 'the first password' })).status).toBe(401);
  expect((await signIn({ send, name: 'ann', password: 'the second password' })).status).toBe(200);
});

test.concurrent('GeoJSON is imported, and a feature that cannot be is named', async () => {
  await run(['user', 'add', 'gus', '--password-stdin'], { input: 'correct horse battery' });
  const feature = (name: string, type: string, coordinates: number[]) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: { name, machine_type: type, location: { country: 'DE' } },
  });
  const features = [feature('Old\npier', 'bug', [9.99, 53.55]), feature('New pier', 'tank', [10, 53])];
  const folder = await mkdtemp(join(tmpdir(), 'swarmdeck-'));
  const [file, cut] = [join(folder, 'a.geojson'), join(folder, 'cut.json')];
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features }));
  await writeFile(cut, '{"type":"Feat');
  const { code, stderr } = await run(['import', '--user', 'gus', file]);
  expect([code, stderr.trimEnd().split('\n')]).toEqual([
    2,
    [
      'not imported: "location.country"',
      expect.stringMatching(/^feature 2: "New pier": machine_type: /),
      '1 stored, 1 failed',
    ],
  ]);
  const records = JSON.parse((await listOf(await keyOf('gus'))).body) as Resource[];
  expect(records).toMatchObject([{ name: 'Old\npier', position: { longitude: 9.99, latitude: 53.55 } }]);
  const broken = await run(['import', '--user', 'gus', cut]);
  expect(broken).toMatchObject({ code: 1, stderr: `${cut}: it is not complete JSON\n` });
});

test.concurrent('stations.csv is imported through the running server, except for its invalid row', async () => {
  using folder = temporaryDataDir();
  const file = join(folder.dataDir, 'devices.csv');
  // Several parts of an import. A journey imports all of it.
  const stations = (await readFile(join(data, 'stations.csv'), 'utf8')).split('\n').slice(0, 1201);
  await writeFile(file, stations.join('\n'));
  await run(['user', 'add', 'bob', '--password-stdin'], { input: 'correct horse battery' });
  // The running server has not cached the user.
  const key = await keyOf('bob');
  const before = await listOf(key);
  expect(before).toMatchObject({ status: 200, body: '[]' });

  const { code, stdout, stderr } = await run(['import', '--user', 'bob', file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const [refused, sum, ...more] = stderr.trimEnd().split('\n');
  expect(refused).toMatch(/^line 778: "Loon Creek[^"]*": .*latitude: .*look swapped/);
  expect([sum, more]).toEqual(['1,199 stored, 1 failed', []]);

  const after = await listOf(key);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  const records = JSON.parse(after.body) as Resource[];
  expect(new Set(records.map(({ id }) => id)).size).toBe(1199);
  expect(records.filter(({ position }) => position === undefined)).toEqual([]);
  expect(records.filter(({ name }) => name.startsWith('Loon Creek'))).toEqual([]);

  const csv = await run(['export', '--user', 'bob']);
  expect(csv).toMatchObject({ code: 0, stderr: '' });
  expect(csv.stdout.trimEnd().split('\r\n')).toHaveLength(1200);
  await writeFile(file, csv.stdout);
  const same = await run(['import', '--user', 'bob', file]);
  expect(same).toEqual({ code: 0, stdout: '', stderr: '0 stored, 1,199 updated, 0 failed\n' });
  const [first, second] = records as [Resource, Resource];
  const nobody = '00000000-0000-4000-8000-000000000000';
  const rows = [`${first.id},New name,pc`, `,Added,bug`, `${nobody},Other,pc`, `${first.id},Twice,pc`];
  await writeFile(
    file,
    `id,name,machine_type\r\n${rows.join('\r\n')}\r\n${second.id},${second.name},${second.machine_type}`,
  );
  const changed = await run(['import', '--user', 'bob', file]);
  expect(changed.code).toBe(2);
  expect(changed.stderr.trimEnd().split('\n').toSorted()).toEqual([
    '1 stored, 2 updated, 2 failed',
    `line 4: "Other": id: "${nobody}" is not a device of the user`,
    `line 5: "Twice": id: "${first.id}" is in the file twice`,
  ]);
  const stored = JSON.parse((await listOf(key)).body) as Resource[];
  expect(stored.find(({ id }) => id === first.id)).toMatchObject({
    ...first,
    name: 'New name',
    machine_type: 'pc',
    modified_at: expect.any(String),
  });

  const shown = `${first.id},${first.name},${first.machine_type},${first.created_at}`;
  const exported = `${second.id},Second,pc,${second.created_at}`;
  await writeFile(file, `id,name,machine_type,changed_at\r\n${shown}\r\n${exported}`);
  const newer = stored.find(({ id }) => id === first.id)?.modified_at;
  expect(await run(['import', '--user', 'bob', file])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `line 2: ${JSON.stringify(first.name)}: was changed after the export, at ${newer}; ` +
      'export again, or remove the column changed_at to overwrite\n' +
      '0 stored, 1 updated, 1 failed\n',
  });

  const geojson = await run(['export', '--user', 'bob', '--format', 'geojson']);
  const { features } = JSON.parse(geojson.stdout) as { features: { id: string }[] };
  expect(features.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  // A key of one device is only for this device.
  const [{ id } = { id: '' }] = records;
  const headers = { 'x-serviceapikey': await keyOf(id, '--device') };
  const statuses = [`/service/resources/${id}`, '/service/resources'].map(
    async (path) => (await send({ path, headers })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 403]);
});

test.concurrent('the commands work on the file if no server runs, and the import of messy.csv reports each invalid row', async () => {
  using folder = await dataDirWithDatabase();
  await run(['user', 'add', 'cleo', '--password-stdin'], { ...folder, input: 'correct horse battery' });
  const made = await run(['key', 'create', '--user', 'cleo', '--name', 'truck'], folder);
  const { code, stderr } = await run(['import', '--user', 'cleo', join(data, 'messy.csv')], folder);
  expect(code).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.pop()).toBe('11 stored, 11 failed');
  expect(lines.map((line) => /^line (\d+): .+/.exec(line)?.[1])).toEqual([
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '19',
    '21',
    '22',
    '25',
  ]);
  expect(lines[2]).toBe('line 5: "Wrong type": machine_type: "toaster" is not one of pc, bug, smartphone');

  const csv = await run(['export', '--user', 'cleo'], folder);
  const file = join(folder.dataDir, 'devices.csv');
  const [head, first, second] = csv.stdout.split('\r\n').map((line) => line.split(','));
  const rows = [
    [first![0], 'Older', 'pc', '2001-01-01T00:00:00.000Z'],
    [second![0], 'Rewritten', 'pc', '01.01.2001 00:00'],
  ];
  await writeFile(file, ['id,name,machine_type,changed_at', ...rows].join('\n'));
  const older = await run(['import', '--user', 'cleo', file], folder);
  const hint = 'export again, or remove the column changed_at to overwrite';
  expect({ head: head?.at(-1), ...older }).toEqual({
    head: 'changed_at',
    code: 2,
    stdout: '',
    stderr:
      `line 3: "Rewritten": changed_at: "01.01.2001 00:00" is not a time as export writes it; ${hint}\n` +
      `line 2: "Older": was changed after the export, at ${first!.at(-1)}; ${hint}\n` +
      '0 stored, 2 failed\n',
  });

  await using later = await startServer(folder);
  const sender = createSender(later.origin);
  const { body } = await sender({ path: '/service/resources', headers: { 'x-serviceapikey': made.stdout.trim() } });
  expect(JSON.parse(body)).toHaveLength(11);
});

test.concurrent('a failed command exits with 1 and prints a message to standard error', async () => {
  const nowhere = join(data, 'nowhere.csv');
  const password = { input: 'correct horse battery' };
  await run(['user', 'add', 'dan', '--password-stdin'], password);
  const refusals: [string[], string | RegExp, Parameters<typeof run>[1]?][] = [
    [['user', 'add', 'dan', '--password-stdin'], 'This user name is taken\n', password],
    [
      ['user', 'add', 'D an', '--password-stdin'],
      'A user name must have 3 to 32 characters: a-z, 0-9, _ and -\n',
      password,
    ],
    [['user', 'password', 'dan', '--password-stdin'], 'A password must have 8 to 128 characters\n', { input: 'short' }],
    [['user', 'password', 'nobody', '--password-stdin'], 'User not found\n', password],
    [['key', 'create', '--user', 'nobody'], 'User not found\n'],
    [['import', '--user', 'nobody', join(data, 'messy.csv')], 'User not found\n'],
    [['export', '--user', 'nobody'], 'User not found\n'],
    [['export', '--user', 'dan', '--format', 'xls'], /^--format takes csv or geojson\n/],
    [['import', '--user', 'dan', nowhere], `${nowhere}: file not found\n`],
    [['import', '--user', 'dan', data], `${data}: it is a directory\n`],
    [['import', '--user', 'dan'], /^import takes --user NAME and one FILE\nCommands:\n/],
    [['user', 'add', 'dan'], /^There is no terminal to ask for the password. Use --password-stdin\nCommands:\n/],
    [['user', 'add'], /^user add takes one NAME\nCommands:\n/],
    [['key', 'create'], /^key create takes --user NAME or --device ID\nCommands:\n/],
    [['make', 'coffee'], /^Unknown command: make coffee\nCommands:\n/],
    [['key', 'create', '--frob'], /^Unknown option '--frob'.*\nCommands:\n/],
    [['user', 'delete', 'dan'], /^user delete takes one NAME and --yes: it deletes the account/],
    [['user', 'sign-out'], /^user sign-out takes one NAME, or --all\n/],
    [['user', 'sign-out', 'dan', '--all'], /^user sign-out takes one NAME, or --all\n/],
    [['user', 'show', 'a', 'b'], /^user show takes one NAME\n/],
    [['key', 'list'], /^key list takes --user NAME\n/],
    [['key', 'revoke', 'x'], 'API key not found\n'],
    [['user', 'delete', 'dan', '--yes', '--json'], /^user delete has no option --json\n/],
    [['key', 'create', 'more', '--user', 'dan'], /^key create takes --user NAME or --device ID\nCommands:\n/],
    [['key', 'create', '--user', 'dan', '--remove'], /^key create has no option --remove\nCommands:\n/],
    [
      ['user', 'add', 'emil', '--name', 'x', '--password-stdin'],
      /^user add has no option --name\nCommands:\n/,
      password,
    ],
    [['key', 'create', '--user', 'dan', '--name', ''], /^--name takes 1 to 128 characters/],
    [['key', 'create', '--user', 'dan', '--name', 'x'.repeat(129)], /^--name takes 1 to 128 characters/],
    [['key', 'create', '--user', 'dan', '--name', 'a\u0007'], /^--name takes 1 to 128 characters/],
    [['backup'], /^backup takes one FILE\nCommands:\n/],
    [[], /^Commands:\n/],
    [['key', 'create', '--user', 'dan'], /^These settings cannot be used:\n {2}SIGN_UP=/, { env: { SIGN_UP: 'x' } }],
  ];
  const results = await Promise.all(refusals.map(([args, , options]) => run(args, options)));
  expect(results).toEqual(
    refusals.map(([, sentence]) => ({
      code: 1,
      stdout: '',
      stderr: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    })),
  );
});

test.concurrent('every command folds the case of user names, also without a server', async () => {
  using folder = await dataDirWithDatabase();
  const done = { code: 0, stderr: '' };
  const password = { ...folder, input: 'correct horse battery' };
  expect(await run(['user', 'add', 'Fay', '--password-stdin'], password)).toMatchObject(done);
  expect(await run(['user', 'password', 'FAY', '--password-stdin'], password)).toMatchObject(done);
  expect(await run(['key', 'create', '--user', 'Fay'], folder)).toMatchObject(done);
  const imported = await run(['import', '--user', 'Fay', join(data, 'messy.csv')], folder);
  expect(imported).toMatchObject({ code: 2, stderr: expect.stringMatching(/11 stored, 11 failed\n$/) });
  const exported = await run(['export', '--user', 'FAY'], folder);
  expect(exported).toMatchObject(done);
  expect(exported.stdout.trimEnd().split('\r\n')).toHaveLength(12);
  expect(await run(['demo', '--user', 'Fay'], folder)).toMatchObject({ code: 0, stderr: 'Demo added\n' });
  const again = await run(['demo', '--user', 'fay', '--remove'], folder);
  expect(again).toMatchObject({ code: 0, stderr: 'Demo removed\n' });
});

test.concurrent('users, keys, limits and numbers are shown as text and as JSON', async () => {
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  await run(['user', 'add', 'gwen', '--password-stdin'], { input: 'correct horse battery' });
  await keyOf('gwen');
  const [list, listed, shown, user, keys, limits, own, stats] = await Promise.all([
    ok('user', 'list'),
    ok('user', 'list', '--json'),
    ok('user', 'show', 'Gwen'),
    ok('user', 'show', 'gwen', '--json'),
    ok('key', 'list', '--user', 'gwen', '--json'),
    ok('limits'),
    ok('limits', '--user', 'gwen', '--json'),
    ok('stats'),
  ]);
  expect(list).toMatch(/^name +created +last active +devices/);
  expect(list).toMatch(/^gwen +\d{4}-\d\d-\d\d +- +0$/m);
  expect(JSON.parse(listed)).toContainEqual(expect.objectContaining({ user_id: 'gwen', resources: 0 }));
  expect(shown).toMatch(/^keys +1$/m);
  expect(JSON.parse(user)).toMatchObject({ user_id: 'gwen', quotas: { keys: { used: 1, allowed: 100 } } });
  expect(limits).toMatch(/^resources +100,000$/m);
  expect(JSON.parse(own)).toMatchObject({
    rates: { service_per_second: null },
    quotas: { keys: 100 },
    used: { keys: 1 },
  });
  expect(stats).toMatch(/^users +\d+$/m);
  const doctor = await run(['doctor']);
  expect(doctor.stdout).toMatch(/^warning +address +http:\/\/127\.0\.0\.1:\d+ works only on this machine/m);
  const [key] = JSON.parse(keys) as { id: string }[];
  expect(await ok('key', 'list', '--user', 'gwen')).toContain(key!.id);
  expect(await ok('key', 'revoke', key!.id)).toBe('');
  expect(await ok('user', 'sign-out', 'gwen')).toBe('');
  const noApp = { code: 1, stdout: '', stderr: 'This account has no authenticator app\n' };
  expect(await run(['user', 'remove-app', 'gwen'])).toEqual(noApp);
  expect(await ok('user', 'delete', 'gwen', '--yes')).toBe('');
  expect(await run(['user', 'show', 'gwen'])).toEqual({ code: 1, stdout: '', stderr: 'User not found\n' });
});

test.concurrent('a vacuum needs a file that no server uses', async () => {
  expect(await run(['vacuum'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use: another Swarmdeck'),
  });
  using folder = await dataDirWithDatabase();
  await run(['user', 'add', 'hal', '--password-stdin'], { ...folder, input: 'correct horse battery' });
  expect(await run(['vacuum'], folder)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^The database file has \d MB; it had \d MB\n$/),
  });
  expect((await run(['user', 'show', 'hal'], folder)).code).toBe(0);
  const env = { DATABASE_URL: 'postgres://db.example.org/swarmdeck', SECRET: 'x'.repeat(32) };
  expect(await run(['vacuum'], { ...folder, env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('autovacuum'),
  });
});

test.concurrent('a backup is made while the server runs; one onto a full disk leaves the last one', async () => {
  using folder = temporaryDataDir();
  await run(['user', 'add', 'gus', '--password-stdin'], { input: 'correct horse battery' });
  const file = join(folder.dataDir, 'backup.db');
  const done = await run(['backup', file]);
  expect(done).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^.+backup\.db: \d+ MB, \d+ users, /),
  });
  expect(done.stderr).toContain(`It is not complete without the file ${join(dataDir, 'secret')}`);
  const last = await readFile(file);
  const full = await run(['backup', file], { fileBlocks: 100 });
  expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/^.+backup\.db was not written: .+\n$/) });
  expect((await readFile(file)).equals(last)).toBe(true);
  expect(await readdir(folder.dataDir)).toEqual(['backup.db']);
  const nowhere = join(folder.dataDir, 'no/backup.db');
  expect(await run(['backup', nowhere])).toMatchObject({ code: 1, stderr: `${nowhere}.part: file not found\n` });
});

test.concurrent('--help and --version print to standard output', async () => {
  const help = { code: 0, stdout: expect.stringMatching(/^Commands:\n {2}start .+\n {2}user add NAME/), stderr: '' };
  expect(await run(['--help'])).toEqual(help);
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await run(['key', 'create', '-h'])).toEqual(help);
});

test.concurrent('a demo is added and removed through the running server, once for repeated commands', async () => {
  await run(['user', 'add', 'dora', '--password-stdin'], { input: 'a good password' });
  const key = await keyOf('dora');
  const count = async () => (JSON.parse((await listOf(key)).body) as Resource[]).length;
  const demo = async (...more: string[]) => run(['demo', '--user', 'dora', ...more]);
  expect(await demo()).toEqual({ code: 0, stdout: '', stderr: 'Demo added\n' });
  expect(await count()).toBe(48);
  expect(await demo()).toEqual({ code: 0, stdout: '', stderr: 'The demo already exists\n' });
  expect(await count()).toBe(48);
  expect(await demo('--remove')).toEqual({ code: 0, stdout: '', stderr: 'Demo removed\n' });
  expect(await count()).toBe(0);
  expect(await run(['demo', '--user', 'nobody'])).toMatchObject({ code: 1, stderr: 'User not found\n' });
});

test.concurrent('no command creates a database in a wrong folder, and each names the setting', async () => {
  using folder = temporaryDataDir();
  const dataDir = join(folder.dataDir, 'wrong');
  const file = join(data, 'stations.csv');
  const commands = [
    ['user', 'add', 'ann', '--password-stdin'],
    ['user', 'list'],
    ['key', 'create', '--user', 'ann'],
    ['limits'],
    ['stats'],
    ['doctor'],
    ['import', '--user', 'ann', file],
    ['export', '--user', 'ann'],
    ['demo', '--user', 'ann'],
    ['backup', join(folder.dataDir, 'backup.db')],
    ['vacuum'],
    ['restore', '--adopt', '--new-secret'],
    ['move', '--to', 'postgres://db.example.org/swarmdeck'],
  ];
  const results = await Promise.all(commands.map((args) => run(args, { dataDir, input: 'correct horse battery' })));
  const there = `there is no database ${join(dataDir, 'swarmdeck.db')}. The server creates what is missing at its first start\n`;
  expect(results).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr: `DATA_DIR: ${there}` })));
  expect(await readdir(folder.dataDir)).toEqual([]);
  const elsewhere = join(folder.dataDir, 'other.db');
  const env = { DATABASE_URL: pathToFileURL(elsewhere).href, SECRET: 'x'.repeat(32) };
  expect((await run(['stats'], { dataDir, env })).stderr).toContain(`DATABASE_URL: there is no database ${elsewhere}`);
});

test.concurrent('no command creates another secret', async () => {
  using folder = await dataDirWithDatabase();
  const secret = join(folder.dataDir, 'secret');
  await rm(secret);
  expect((await run(['stats'], folder)).stderr).toContain(`DATA_DIR: there is no file ${secret}`);
  expect(existsSync(secret)).toBe(false);
});

test.concurrent('a server says that it has created a database', async () => {
  using folder = temporaryDataDir();
  const env = { LOG_LEVEL: 'info' };
  const saidAtStart = async () => {
    const started = await startServer({ ...folder, env });
    return (await started.end('SIGTERM')).stderr;
  };
  expect(await saidAtStart()).toContain('created a new database');
  expect(await saidAtStart()).not.toContain('created a new database');
});
