import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Database } from '../database.ts';
import { keyKinds } from '../key-kinds.ts';
import { StorageError } from '../statement.ts';
import { sync } from './backup.ts';
import { checkFile } from './check-file.ts';
import { openConnection, type Connection } from './connection.ts';
import { storageError } from './fault.ts';
import { lockFile } from './file-lock.ts';
import { openDatabase, realPathOf } from './open-database.ts';

/** What changed between the backup and the database that it replaces, by its names. */
export type ChangedSince = Record<keyof typeof changedSince, string[]>;

const namesOnlyIn = (one: string, other: string) =>
  `SELECT username AS name FROM ${one}."user" WHERE id NOT IN (SELECT id FROM ${other}."user") ORDER BY 1`;
const keysOnlyIn = (one: string, other: string) =>
  `SELECT user_id || ' "' || name || '" …' || ends_in AS name FROM ${one}.api_keys
   WHERE kind = '${keyKinds.own}' AND id NOT IN (SELECT id FROM ${other}.api_keys) ORDER BY 1`;
const recordsOnlyInCopy = (table: 'swarms' | 'resources') =>
  `SELECT user_id || ' "' || name || '"' AS name FROM ${table}
   WHERE user_id <> '' AND id NOT IN (SELECT id FROM old.${table} WHERE user_id <> '') ORDER BY 1`;
/** `main` is the backup. */
const changedSince = {
  newUsers: namesOnlyIn('old', 'main'),
  deletedUsers: namesOnlyIn('main', 'old'),
  newKeys: keysOnlyIn('old', 'main'),
  revokedKeys: keysOnlyIn('main', 'old'),
  newPasswords: `SELECT u.username AS name FROM account a JOIN old.account o ON o.id = a.id
    JOIN "user" u ON u.id = a."userId" WHERE a.password <> o.password ORDER BY 1`,
  usedCodes: `SELECT DISTINCT user_id AS name FROM recovery_codes c WHERE NOT EXISTS
      (SELECT 1 FROM old.recovery_codes o WHERE o.user_id = c.user_id AND o.hash = c.hash)
    AND user_id IN (SELECT username FROM old."user") ORDER BY 1`,
  removedPasskeys: `SELECT user_id || ' "' || name || '"' AS name FROM passkeys
    WHERE id NOT IN (SELECT id FROM old.passkeys) AND user_id IN (SELECT username FROM old."user") ORDER BY 1`,
  unlinkedProviders: `SELECT i.user_id || ' (' || i.provider || ')' AS name FROM identities i WHERE NOT EXISTS
      (SELECT 1 FROM old.identities o WHERE o.user_id = i.user_id AND o.provider = i.provider AND o.subject = i.subject)
    AND i.user_id IN (SELECT username FROM old."user") ORDER BY 1`,
  otherApps: `SELECT user_id AS name FROM totp t WHERE confirmed_at IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM old.totp o WHERE o.user_id = t.user_id AND o.sealed = t.sealed)
    AND user_id IN (SELECT username FROM old."user") ORDER BY 1`,
  otherAddresses: `SELECT user_id AS name FROM addresses a WHERE verified_at IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM old.addresses o WHERE o.user_id = a.user_id AND o.address = a.address AND o.verified_at IS NOT NULL)
    AND user_id IN (SELECT username FROM old."user") ORDER BY 1`,
  disabledUsers: `SELECT u.username AS name FROM "user" u JOIN old."user" o ON o.id = u.id
    WHERE u.disabled_at IS NULL AND o.disabled_at IS NOT NULL ORDER BY 1`,
  operators: `SELECT u.username AS name FROM "user" u JOIN old."user" o ON o.id = u.id
    WHERE u.role = 'operator' AND o.role <> 'operator' ORDER BY 1`,
  enabledUsers: `SELECT u.username AS name FROM "user" u JOIN old."user" o ON o.id = u.id
    WHERE u.disabled_at IS NOT NULL AND o.disabled_at IS NULL ORDER BY 1`,
  newOperators: `SELECT u.username AS name FROM "user" u JOIN old."user" o ON o.id = u.id
    WHERE u.role <> 'operator' AND o.role = 'operator' ORDER BY 1`,
  blockedUsers: `SELECT o.user_id || ' (' || s.name || ')' AS name FROM old.blocked_users o JOIN swarms s ON s.id = o.swarm_id
    WHERE NOT EXISTS (SELECT 1 FROM blocked_users b WHERE b.swarm_id = o.swarm_id AND b.user_id = o.user_id) ORDER BY 1`,
  removedManagers: `SELECT m.user_id || ' (' || s.name || ')' AS name FROM managers m JOIN old.swarms s ON s.id = m.swarm_id
    WHERE m.agreed_at IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM old.managers o WHERE o.swarm_id = m.swarm_id AND o.user_id = m.user_id) ORDER BY 1`,
  removedMembers: `SELECT r.user_id || ' "' || r.name || '" (' || s.name || ')' AS name FROM memberships m
    JOIN old.resources r ON r.id = m.resource_id JOIN old.swarms s ON s.id = m.swarm_id
    WHERE NOT EXISTS
      (SELECT 1 FROM old.memberships o WHERE o.swarm_id = m.swarm_id AND o.resource_id = m.resource_id) ORDER BY 1`,
  handedOverDevices: `SELECT r.user_id || ' "' || r.name || '" (' || o.user_id || ')' AS name FROM resources r
    JOIN old.resources o ON o.id = r.id WHERE r.user_id <> '' AND o.user_id <> '' AND o.user_id <> r.user_id ORDER BY 1`,
  laterEnds: `SELECT r.user_id || ' "' || r.name || '" (' || s.name || ')' AS name FROM memberships m
    JOIN old.memberships o ON o.swarm_id = m.swarm_id AND o.resource_id = m.resource_id
    JOIN resources r ON r.id = m.resource_id JOIN swarms s ON s.id = m.swarm_id
    WHERE o.ends_at < m.ends_at OR (o.ends_at IS NOT NULL AND m.ends_at IS NULL)
    UNION SELECT m.user_id || ' (' || s.name || ')' FROM managers m
    JOIN old.managers o ON o.swarm_id = m.swarm_id AND o.user_id = m.user_id JOIN swarms s ON s.id = m.swarm_id
    WHERE o.ends_at < m.ends_at OR (o.ends_at IS NOT NULL AND m.ends_at IS NULL) ORDER BY 1`,
  shownMembers: `SELECT r.user_id || ' "' || r.name || '" (' || s.name || ')' AS name FROM memberships m
    JOIN old.memberships o ON o.swarm_id = m.swarm_id AND o.resource_id = m.resource_id
    JOIN resources r ON r.id = m.resource_id JOIN swarms s ON s.id = m.swarm_id
    WHERE m.shown_by_links = 1 AND o.shown_by_links = 0 ORDER BY 1`,
  privateSwarms: `SELECT s.user_id || ' "' || s.name || '"' AS name FROM swarms s JOIN old.swarms o ON o.id = s.id
    WHERE s.public = 1 AND o.public = 0 ORDER BY 1`,
  endedLinks: `SELECT s.user_id || ' "' || l.name || '" (' || s.name || ')' AS name FROM join_links l
    JOIN old.swarms s ON s.id = l.swarm_id
    WHERE l.ended_at IS NULL AND NOT EXISTS
      (SELECT 1 FROM old.join_links o WHERE o.id = l.id AND o.ended_at IS NULL) ORDER BY 1`,
  deletedSwarms: recordsOnlyInCopy('swarms'),
  deletedDevices: recordsOnlyInCopy('resources'),
};

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
    return Object.fromEntries(Object.entries(changedSince).map(([name, sql]) => [name, read(sql)])) as ChangedSince;
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
