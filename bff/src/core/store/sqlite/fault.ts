import { StorageError, type StorageFault } from '../statement.ts';

const sqliteConstraint = 19;
const sqliteFull = 13;
/** Busy, locked, out of memory, read-only, interrupted, I/O error, corrupt, cannot open, protocol, no large files, not a database. */
const sqliteAway = new Set([5, 6, 7, 8, 9, 10, 11, 14, 15, 22, 26]);

/** SQLite's primary result code (https://www.sqlite.org/rescode.html: the low byte); undefined: not of SQLite. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

export function storageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(kindOf(error), error instanceof Error ? error.message : String(error));
}

function kindOf(error: unknown): StorageFault {
  const code = sqliteCodeOf(error);
  if (code === sqliteConstraint) return 'constraint';
  if (code === sqliteFull) return 'full';
  // A connection that is closed.
  const isClosed = (error as { code?: string }).code === 'ERR_INVALID_STATE';
  return isClosed || (code !== undefined && sqliteAway.has(code)) ? 'away' : 'unexpected';
}
