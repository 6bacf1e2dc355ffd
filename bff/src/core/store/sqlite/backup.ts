import { closeSync, existsSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasAccount } from '../has-account.ts';
import { StorageError } from '../statement.ts';
import { openConnection, type Connection } from './connection.ts';
import { storageError } from './fault.ts';
import { pendingIn } from './migrate.ts';
import { spaceOf } from './space.ts';

type Counts = Record<string, number>;

/**
 * Copies the database to `file`, also while a server uses it, and reads the copy back. An existing file is replaced only by
 * a complete copy. Blocks: it is for a process of its own. `url`: `file:///path.db`.
 *
 * `VACUUM INTO` reads one snapshot. `backup()` of node:sqlite begins again whenever another process writes, and copies
 * damaged pages. `givesSpaceBack`: the copy does, also of a file that does not.
 * @throws StorageError with a sentence for the operator
 */
export function backUpFile(options: { url: string; file: string; givesSpaceBack?: boolean }): {
  counts: Counts;
  /** Without the partners of demos, which `counts` has too. */
  users: number;
  bytes: number;
} {
  const { url, file, givesSpaceBack = false } = options;
  const path = realpathSync(fileURLToPath(url));
  if (existsSync(file) && realpathSync(file) === path) throw new StorageError('away', `${file} is the database itself`);
  const part = `${file}.part`;
  // A backup that was interrupted may have left it.
  rmSync(part, { force: true });
  // SQLite would create it for all users.
  closeSync(openSync(part, 'wx', 0o600));
  try {
    const counts = copy({ path, part, givesSpaceBack });
    sync(part);
    const users = readBack(part, counts.expected);
    const bytes = statSync(part).size;
    renameSync(part, file);
    sync(dirname(file));
    return { counts: counts.before, users, bytes };
  } catch (error) {
    rmSync(part, { force: true });
    const { kind, message } = storageError(error);
    throw new StorageError(kind, `${file} was not written: ${message}`);
  }
}

/** Returns the rows of each table, and those that the copy must have: of all tables if nothing was written meanwhile. */
function copy(options: { path: string; part: string; givesSpaceBack: boolean }): { before: Counts; expected: Counts } {
  const { path, part, givesSpaceBack } = options;
  const source = openConnection({ path, readOnly: true });
  try {
    pendingIn(source);
    const version = versionOf(source);
    const before = countsOf(source);
    // It refuses VACUUM INTO, which writes only the other file.
    source.raw.exec('PRAGMA query_only = OFF');
    // A file that does it already would be written.
    if (givesSpaceBack && !spaceOf(source).isGivenBack) source.raw.exec('PRAGMA auto_vacuum = INCREMENTAL');
    source.raw.prepare('VACUUM INTO ?').run(part);
    const isUnchanged = versionOf(source) === version;
    const migrations = Object.entries(before).filter(([table]) => table.includes('migration'));
    return { before, expected: isUnchanged ? before : Object.fromEntries(migrations) };
  } finally {
    source.close();
  }
}

/** Returns the number of users. */
function readBack(part: string, expected: Counts): number {
  const written = openConnection({ path: part, readOnly: true });
  try {
    const { quick_check: found } = written.get('PRAGMA quick_check(1)', []) as { quick_check: string };
    if (found !== 'ok') throw new Error(`the copy is damaged (${found})`);
    const counts = countsOf(written);
    const wrong = Object.keys(expected).find((table) => counts[table] !== expected[table]);
    if (wrong) throw new Error(`the copy has ${counts[wrong]} rows of ${expected[wrong]} in ${wrong}`);
    const { users } = written.get(`SELECT count(*) AS users FROM "user" u WHERE ${hasAccount}`, []) as {
      users: number;
    };
    return users;
  } finally {
    written.close();
  }
}

/** Changes with each commit of another connection. https://www.sqlite.org/pragma.html#pragma_data_version */
const versionOf = (connection: Connection) => connection.get('PRAGMA data_version', [])?.['data_version'];

/** The number of rows of each table. */
function countsOf(connection: Connection): Counts {
  connection.raw.exec('BEGIN');
  try {
    const tables = connection.all(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      [],
    );
    const names = tables.map(({ name }) => String(name));
    const countOf = (table: string) => connection.get(`SELECT count(*) AS rows FROM "${table}"`, [])?.['rows'];
    return Object.fromEntries(names.map((table) => [table, Number(countOf(table))]));
  } finally {
    connection.raw.exec('COMMIT');
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
export function sync(path: string) {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
