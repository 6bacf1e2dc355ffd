import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { env, pid } from 'node:process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Pool } from 'pg';
import { openConnection } from './sqlite/connection.ts';
import { migrate } from './sqlite/migrate.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { openStore } from './open.ts';
import type { Database } from './database.ts';
import { isEmptied, lend } from './lent-database.fixture.ts';

export interface Folder extends Disposable {
  /** Of a database that need not be there yet. */
  path: string;
  url: string;
}

export function temporaryFolder(): Folder {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-'));
  const path = join(folder, 'test.db');
  return { path, url: pathToFileURL(path).href, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** The server on which the tests of this run create databases; undefined: they use SQLite files. */
const server = env['TEST_STORE'] === 'postgres' ? env['TEST_DATABASE_URL'] : undefined;
/** PgBouncer before that server, for a run by hand. */
const pooler = env['TEST_POOLER_URL'];
export const isOnPostgres = server !== undefined;
/** One connection, which creates and removes databases. */
const manager = new Pool({ connectionString: server, max: 1, allowExitOnIdle: true });
// The server may stop first.
manager.on('error', () => {});
let created = 0;

export type TestStore = 'sqlite' | 'postgres';
const testedStore: TestStore = isOnPostgres ? 'postgres' : 'sqlite';

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

let fileWithTables: Buffer | undefined;

/** Creates a SQLite file with all tables. The migrations run once, because a copy is a third of their work. */
export function createFileWithTables(path: string) {
  fileWithTables ??= migratedFile();
  writeFileSync(path, fileWithTables);
}

function migratedFile(): Buffer {
  using folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  migrate({ connection });
  connection.close();
  return readFileSync(folder.path);
}

/** Where PostgreSQL copies new databases from by default. */
export const emptyTemplate = 'template1';
/** With all tables (.tools/vitest.postgres.ts): a copy is a tenth of the work of the migrations. */
const templateWithTables = env['TEST_DATABASE_TEMPLATE'] ?? emptyTemplate;

/** The address of a new database of the store that is tested. `template`: which database of PostgreSQL is copied. */
export async function testDatabase(
  store: TestStore = testedStore,
  template = templateWithTables,
): Promise<TestDatabase> {
  if (server === undefined || store === 'sqlite') {
    const folder = temporaryFolder();
    createFileWithTables(folder.path);
    return { url: folder.url, [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
  }
  const name = `test_${pid}_${created++}`;
  const run = async (sql: string) => void (await manager.query(sql));
  // the default strategy writes the copy to the log, too, which takes three times as long in memory
  await run(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, [Symbol.asyncDispose]: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

function pooled(directUrl: string, pooler: string) {
  const url = new URL(pooler);
  url.pathname = new URL(directUrl).pathname;
  return { url: url.href, directUrl };
}

/** Databases of tests that have ended: empty, and still open. */
const idle: OpenDatabase[] = [];
/** Only on a server that the end of the tests removes with all that it has. */
const isReused = isOnPostgres && pooler === undefined && templateWithTables !== emptyTemplate;

interface OpenDatabase {
  db: Database;
  remove: () => PromiseLike<void>;
}

async function openNew(store?: TestStore): Promise<OpenDatabase> {
  const { url, [Symbol.asyncDispose]: remove } = await testDatabase(store);
  const db = await openStore(pooler === undefined || !url.startsWith('postgres') ? { url } : pooled(url, pooler));
  return { db, remove };
}

/** An empty database of the store that is tested, open. On PostgreSQL it may be that of a test before. */
export async function openTestDatabase(store?: TestStore) {
  if (!isReused || store === 'sqlite') {
    const { db, remove } = await openNew(store);
    return {
      db,
      async [Symbol.asyncDispose]() {
        await db.close();
        await remove();
      },
    };
  }
  const opened = idle.pop() ?? (await openNew());
  const db = lend(opened.db);
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.close();
      if (await isEmptied(opened.db)) idle.push(opened);
      else {
        await opened.db.close();
        await opened.remove();
      }
    },
  };
}
/** Of all tables of ours and of the migrator. */
export async function tableNames(db: Database): Promise<string[]> {
  const sql = isOnPostgres
    ? `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`
    : `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`;
  return (await db.read<{ name: string }>({ sql })).map(({ name }) => name);
}

export interface TestStorage extends AsyncDisposable {
  path: string;
  db: Database;
  /** The real threads behind it. */
  threads: { writer: Worker; reader: Worker };
  /** A write of one name, or of several in one; `retired_names` is the plainest of our tables. */
  put(...names: string[]): ReturnType<Database['write']>;
  /** What everybody sees. */
  names(): Promise<string[]>;
}

/** A real database in a temporary folder. */
export async function createTestStorage(
  options: Omit<Parameters<typeof openDatabase>[0], 'url'> = {},
): Promise<TestStorage> {
  const folder = temporaryFolder();
  const threads: Worker[] = [];
  const note = (worker: Worker) => threads.push(worker);
  process.on('worker', note);
  const db = await openDatabase({ url: folder.url, ...options });
  db.warm();
  await new Promise((resolve) => process.nextTick(resolve));
  process.off('worker', note);
  return {
    path: folder.path,
    db,
    threads: { writer: threads[0]!, reader: threads[1]! },
    put: (...names) => db.write(names.map((name) => insertOf(name))),
    names: async () =>
      (await db.read<{ name: string }>({ sql: 'SELECT name FROM retired_names ORDER BY name' })).map(
        ({ name }) => name,
      ),
    async [Symbol.asyncDispose]() {
      await db.close();
      folder[Symbol.dispose]();
    },
  };
}

export function insertOf(name: string) {
  return { sql: 'INSERT INTO retired_names VALUES ($1)', params: [name] };
}

/**
 * Commits that are in the log on disk: frames that end one carry the size of the database, and frames of an
 * earlier round carry another salt. https://www.sqlite.org/fileformat.html#the_write_ahead_log
 */
export function commitsOnDisk(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const frameSize = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frameSize <= log.length; at += frameSize) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
