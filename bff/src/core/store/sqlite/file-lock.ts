import { DatabaseSync } from 'node:sqlite';
import { sqliteCodeOf } from './fault.ts';
import { StorageError } from '../statement.ts';

const sqliteBusy = 5;

/**
 * Holds the database file for this process. The lock is SQLite's own on a file beside it, so the
 * operating system releases it when the process ends, even after a crash. `path`: without symbolic links, or one file has two locks.
 */
export function lockFile(path: string): { release(): void } {
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (sqliteCodeOf(error) !== sqliteBusy) throw error;
    throw new StorageError('away', `${path} is in use: another Swarmdeck server or command has it open`);
  }
  return { release: () => lock.close() };
}
