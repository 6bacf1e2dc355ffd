import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Database } from '../database.ts';
import { StorageError } from '../statement.ts';
import { sync } from './backup.ts';
import { changedSince, namesChanged } from './changed-since.ts';
import { checkFile } from './check-file.ts';
import { openConnection, type Connection } from './connection.ts';
import { storageError } from './fault.ts';
import { lockFile } from './file-lock.ts';
import { openDatabase, realPathOf } from './open-database.ts';

/** What changed between the backup and the database that it replaces, by its names. */
export type ChangedSince = Record<keyof typeof changedSince, string[]>;

/**
 * Replaces the database, which no server may use, by a copy of a backup. Nothing is changed before the copy is checked, up
 * to date and prepared. `url`: `file:///path.db`. `prepare`: the last changes to the copy. `at`: for the name of the old
 * database, which is kept.
 * @throws StorageError with a sentence for the operator
 */
export async function restoreFile(options: {
  url: string;
  file: string;
  prepare: (copy: Database) => Promise<void>;
  at: Date;
}): Promise<{ old: string | undefined; changed: ChangedSince | undefined }> {
  const { file, prepare, at } = options;
  const given = fileURLToPath(options.url);
  if (!existsSync(file)) throw new StorageError('away', `${file}: file not found`);
  if (existsSync(given) && realpathSync(file) === realpathSync(given))
    throw new StorageError('away', `${file} is the database itself`);
  mkdirSync(dirname(given), { recursive: true, mode: 0o700 });
  const path = realPathOf(given);
  const lock = lockFile(path);
  const copy = `${path}.restoring`;
  try {
    checkFile(file, 'use another backup');
    requireTables(file);
    remove(copy);
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    const db = await openDatabase({ url: pathToFileURL(copy).href });
    try {
      await prepare(db);
    } finally {
      await db.close();
    }
    checkpoint(copy);
    sync(copy);
    const changed = existsSync(path) ? compare({ copy, path }) : undefined;
    const old = `${path}.before-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
    return { old: replace({ copy, path, old }) ? old : undefined, changed };
  } catch (error) {
    const { kind, message } = storageError(error);
    throw new StorageError(kind, message.includes('Nothing was changed') ? message : `${message}. Nothing was changed`);
  } finally {
    remove(copy);
    lock.release();
  }
}

function remove(path: string) {
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${path}${suffix}`, { force: true });
}

/** An empty file would become an empty database. */
function requireTables(file: string) {
  const connection = openConnection({ path: file, readOnly: true });
  try {
    if (!connection.get('SELECT 1 FROM sqlite_schema LIMIT 1', [])) throw new StorageError('away', `${file} is empty`);
  } finally {
    connection.close();
  }
}

/** Moves everything from the log into the file, and deletes the log. */
function checkpoint(path: string) {
  const connection = openConnection({ path, readOnly: false });
  try {
    connection.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
}

/** Undefined if the old database cannot be read. */
function compare({ copy, path }: { copy: string; path: string }): ChangedSince | undefined {
  let connection: Connection | undefined;
  try {
    connection = openConnection({ path: copy, readOnly: true });
    connection.raw.prepare('ATTACH ? AS old').run(path);
    const read = (sql: string) => connection!.all(sql, []).map(({ name }) => String(name));
    return Object.fromEntries(
      Object.entries(changedSince).map(([name, rules]) => [name, read(namesChanged(rules))]),
    ) as ChangedSince;
  } catch {
    return undefined;
  } finally {
    connection?.close();
  }
}

/** Returns whether there was a database. At every moment one of both is in place. */
function replace({ copy, path, old }: { copy: string; path: string; old: string }): boolean {
  const exists = existsSync(path);
  if (exists) {
    try {
      checkpoint(path);
    } catch {
      // The old database is damaged: its log stays beside it.
    }
  }
  // SQLite would apply it to the new database.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${old}-wal`);
  rmSync(`${path}-shm`, { force: true });
  if (exists) linkSync(path, old);
  renameSync(copy, path);
  sync(dirname(path));
  return exists;
}
