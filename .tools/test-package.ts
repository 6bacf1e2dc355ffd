import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { runJourneys } from './journeys.ts';
import { buildRelease, sumsFile } from './release.ts';
import { root, run } from './run.ts';
import { plus, type Tally } from './tally.ts';

/** What a package could lack: pages with map and lists from the threads, files with their headers, and `/docs`. */
export const packageJourneys = ['story', 'headers', 'docs'];

/**
 * Builds the package, and again from a copy of this clone; installs it into an empty folder as the page for operators says,
 * updates it and a database of the first release, and runs a few journeys against it, or all but those that hold the server
 * (hold-actions.fixture.ts).
 */
export async function testPackage({ all = false } = {}): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-package-'));
  const started = performance.now();
  try {
    const env = environment(folder);
    const release = join(folder, 'release');
    await buildRelease(release);
    await expectSameInCopy({ sums: readFileSync(join(release, sumsFile), 'utf8'), copy: join(folder, 'copy') });
    await installAndUpdate({ folder, release, env });
    console.log(
      `  ok  the package is built twice, installed and updated (${((performance.now() - started) / 1000).toFixed(1)} s)`,
    );
    const journeys = await runJourneys({
      report: join(root, 'test-results/playwright-package.json'),
      only: all
        ? ['--grep-invert=@sources']
        : // each worker starts a server, which compresses the whole app
          [...packageJourneys.map((name) => `/${name}.spec.ts`), '--project=desktop', '--workers=1'],
      env: { ...process.env, PATH: env.PATH, SWARMDECK_COMMAND: join(folder, 'prefix/bin/swarmdeck') },
    });
    return plus({ passed: 1, failed: 0 }, journeys);
  } catch (error) {
    console.log(`FAIL  the package: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs and builds a copy of this clone as anybody would, and compares the checksums. */
async function expectSameInCopy({ sums, copy }: { sums: string; copy: string }) {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.stdout.split('\0').filter((name) => existsSync(join(root, name)) && name !== ''))
    cpSync(join(root, file), join(copy, file));
  const { code, output } = await run({ command: 'npm', args: ['run', 'release', '--prefix', copy] });
  if (code !== 0) throw new Error(`its copy: ${output}`);
  const ofCopy = readFileSync(join(copy, 'release', sumsFile), 'utf8');
  if (ofCopy !== sums) throw new Error(`another build has other bytes:\n${sums}${ofCopy}`);
}

/** An empty home, nothing of the clone, and no network: a package without dependencies needs none. */
function environment(folder: string) {
  const prefix = join(folder, 'prefix');
  return {
    HOME: join(folder, 'home'),
    PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(':'),
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
}

interface Start {
  command: string;
  cwd: string;
  env: Record<string, string>;
}

async function installAndUpdate(options: { folder: string; release: string; env: ReturnType<typeof environment> }) {
  const { folder, release: cwd, env } = options;
  mkdirSync(env.HOME);
  const page = readFileSync(join(root, 'bff/deploy/README.md'), 'utf8');
  const [, steps = ''] = /\n## Try it\n\n```sh\n(.*?)\n```\n/s.exec(page) ?? [];
  const start = { command: steps.replace(/^swarmdeck start$/m, 'exec swarmdeck start'), cwd, env };
  await useOnce(start, "echo 'a long password' | swarmdeck user add ann --password-stdin");
  await operate(start, 'swarmdeck restore "$HOME/backup.db"');

  // an update: the user is still there
  await useOnce(start);

  const home = join(folder, 'first-release');
  mkdirSync(join(home, 'swarmdeck'), { recursive: true });
  const first = new DatabaseSync(join(home, 'swarmdeck/swarmdeck.db'));
  const dump = gunzipSync(readFileSync(join(root, 'bff/src/core/store/schema/first-release/sqlite.sql.gz')));
  first.exec(`PRAGMA foreign_keys = OFF; ${dump.toString()}`);
  first.close();
  const resources = await useOnce({ ...start, env: { ...env, HOME: home } });
  if (!resources.includes('"r1"')) throw new Error(`a device of the first release is missing: ${resources}`);

  const db = new DatabaseSync(join(env.HOME, 'swarmdeck/swarmdeck.db'));
  db.exec(`INSERT INTO swarmdeck_migrations VALUES ('9999-telepathy', '2031-01-01T00:00:00.000Z')`);
  db.close();
  await expectRefusal(start, 'was written by a newer version of Swarmdeck (9999-telepathy)');

  const withoutFolder = { ...start, command: 'swarmdeck start' };
  await expectRefusal(withoutFolder, 'DATA_DIR: must be set');
  // the client of PostgreSQL is in it
  const onPostgres = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: 'postgres://ann@127.0.0.1:1/none',
    SECRET: 'x'.repeat(32),
  };
  await expectRefusal({ ...withoutFolder, env: { ...env, ...onPostgres } }, 'connect ECONNREFUSED 127.0.0.1:1');

  const old = join(folder, 'old-node.cjs');
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { node: '22.1.0' } })");
  const onOldNode = { ...withoutFolder, env: { ...env, NODE_OPTIONS: `--require=${old}` } };
  await expectRefusal(onOldNode, 'needs Node 24 or newer, and this is Node 22.1.0');
}

/** Starts it, runs a command, makes a backup, asks for a page and with a new key, and stops it. Returns the list of devices. */
async function useOnce(start: Start, command?: string) {
  const { server, ended } = launch(start);
  const origin = await new Promise<string>((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (chunk: Buffer) => {
      const found = /Swarmdeck is at (\S+)\n/.exec((said += chunk.toString()));
      if (found) resolve(found[1]);
    });
    void ended.then(({ output }) => reject(new Error(`it did not start: ${output}`)));
  });
  if (command) await operate(start, command);
  await operate(start, 'swarmdeck backup "$HOME/backup.db"');
  const key = await operate(start, 'swarmdeck key create --user ann');
  const asked = await Promise.all([
    fetch(origin),
    fetch(`${origin}/service/resources`, { headers: { 'x-serviceapikey': key } }),
  ]);
  if (!asked.every(({ ok }) => ok)) throw new Error(`it answered with ${asked.map(({ status }) => status).join(', ')}`);
  server.kill('SIGTERM');
  const { code, output } = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}: ${output}`);
  return asked[1].text();
}

/** Runs one of the operator's commands on the same data, and returns what it prints. */
async function operate(start: Start, command: string) {
  const { code, output } = await launch({ ...start, command: `export DATA_DIR="$HOME/swarmdeck"; ${command}` }).ended;
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`);
  return output.trim();
}

async function expectRefusal(start: Start, sentence: string) {
  const { code, output } = await launch(start).ended;
  if (code !== 1 || !output.includes(sentence)) throw new Error(`instead of "${sentence}" (${code}): ${output}`);
}

function launch({ command, cwd, env }: Start) {
  const server = spawn('sh', ['-e', '-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.all([once(server, 'close'), text(server.stdout), text(server.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code: code as number | null, output: `${stdout}${stderr}` }),
  );
  return { server, ended };
}
