import { existsSync } from 'node:fs';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { migrations } from './migrate.ts';
import { sqliteCodeOf } from './fault.ts';
import { StorageError } from '../statement.ts';

// https://www.sqlite.org/rescode.html
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/**
 * Throws StorageError with a sentence for the operator unless this file is undamaged and created by
 * Swarmdeck, or missing. Only reads: a refused file stays unchanged.
 */
export function checkFile(path: string): void {
  if (!existsSync(path)) return;
  const refuse = (why: string) => new StorageError('away', `${path} ${why}. Nothing was changed`);
  let connection: Connection | undefined;
  try {
    connection = openConnection({ path, readOnly: true });
    const fault = faultIn(connection);
    if (fault) throw refuse(fault);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const code = sqliteCodeOf(error);
    if (code === sqliteNotADatabase) throw refuse('is not a database');
    throw refuse(code === sqliteCorrupt ? damaged(error) : `cannot be read as the database: ${messageOf(error)}`);
  } finally {
    connection?.close();
  }
}

function faultIn(connection: Connection): string | undefined {
  const { quick_check: found } = connection.get('PRAGMA quick_check(1)', []) as { quick_check: string };
  if (found !== 'ok') return damaged(found);
  const tables = connection.all(`SELECT name FROM sqlite_schema WHERE type = 'table'`, []).map(({ name }) => name);
  if (!tables.includes('kysely_migration')) {
    // a first start may have been cut off between the tables of the migrator
    const others = tables.filter((name) => !/^(kysely|sqlite)_/.test(String(name)));
    return others.length > 0 ? 'is the database of another program' : undefined;
  }
  const applied = connection.all('SELECT name FROM kysely_migration ORDER BY name', []);
  const unknown = applied.find(({ name }) => !Object.hasOwn(migrations, String(name)));
  return (
    unknown &&
    `was written by a newer version of Swarmdeck (${String(unknown['name'])}): start that one, or a newer one`
  );
}

function damaged(found: unknown): string {
  return `is damaged (${messageOf(found)}): restore it from a backup`;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
}
