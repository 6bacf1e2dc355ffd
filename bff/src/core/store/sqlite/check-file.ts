import { existsSync } from 'node:fs';
import { openConnection, type Connection } from './connection.ts';
import { pendingIn } from './migrate.ts';
import { sqliteCodeOf } from './fault.ts';
import { StorageError } from '../statement.ts';

// https://www.sqlite.org/rescode.html
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/**
 * Throws StorageError with a sentence for the operator unless this file is undamaged and created by
 * Swarmdeck, or missing. Only reads: a refused file stays unchanged.
 * `advice`: what to do if it is damaged. Returns whether it is up to date and has a log, so that nothing has to be written.
 */
export function checkFile(path: string, advice: string): boolean {
  if (!existsSync(path)) return false;
  const refuse = (why: string) => new StorageError('away', `${path} ${why}. Nothing was changed`);
  let connection: Connection | undefined;
  try {
    connection = openConnection({ path, readOnly: true });
    const { quick_check: found } = connection.get('PRAGMA quick_check(1)', []) as { quick_check: string };
    if (found !== 'ok') throw new StorageError('away', damaged(found, advice));
    const { journal_mode: mode } = connection.get('PRAGMA journal_mode', []) as { journal_mode: string };
    return pendingIn(connection).length === 0 && mode === 'wal';
  } catch (error) {
    if (error instanceof StorageError) throw refuse(error.message);
    const code = sqliteCodeOf(error);
    if (code === sqliteNotADatabase) throw refuse('is not a database');
    throw refuse(
      code === sqliteCorrupt ? damaged(error, advice) : `cannot be read as the database: ${messageOf(error)}`,
    );
  } finally {
    connection?.close();
  }
}

function damaged(found: unknown, advice: string): string {
  return `is damaged (${messageOf(found)}): ${advice}`;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
}
