/** What crosses the line between this room and the others: statements, what came of them, and why they failed. */
export type Value = string | number | bigint | Uint8Array | null;
export type Row = Record<string, Value>;

export interface Statement {
  sql: string;
  params?: Value[];
  /** The whole write is undone unless this statement returned or touched a row. */
  expect?: 'row';
}

/** `rows`: of each statement, what it returned. `failed`: index of the statement whose expectation failed; nothing was written. */
export type WriteResult = { ok: true; rows: Row[][] } | { ok: false; failed: number };

/** Of a statement that gave one: its first row, with the columns that whoever wrote it knows. */
export function firstRow<R>(rows: readonly Row[] | undefined): R {
  return rows![0] as R;
}

/** `away`: the file cannot be used right now. `unexpected`: a mistake in a statement, or a fault that nobody knows. */
export type StorageFault = 'constraint' | 'full' | 'away' | 'unexpected';

/** Thrown by every read and write. Nothing of the write is on disk. */
export class StorageError extends Error {
  readonly kind: StorageFault;
  constructor(kind: StorageFault, message: string) {
    super(message);
    this.name = 'StorageError';
    this.kind = kind;
  }
}

const sqliteConstraint = 19;
const sqliteFull = 13;
/** Busy, locked, out of memory, read-only, interrupted, I/O error, corrupt, cannot open, protocol, no large files, not a database. */
const sqliteAway = new Set([5, 6, 7, 8, 9, 10, 11, 14, 15, 22, 26]);

/** SQLite's primary result code (https://www.sqlite.org/rescode.html: the low byte); undefined: not of SQLite. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

export function faultOf(error: unknown): { kind: StorageFault; message: string } {
  return { kind: kindOf(error), message: error instanceof Error ? error.message : String(error) };
}

function kindOf(error: unknown): StorageFault {
  if (error instanceof StorageError) return error.kind;
  const code = sqliteCodeOf(error);
  if (code === sqliteConstraint) return 'constraint';
  if (code === sqliteFull) return 'full';
  // a connection that is closed
  const isClosed = (error as { code?: string }).code === 'ERR_INVALID_STATE';
  return isClosed || (code !== undefined && sqliteAway.has(code)) ? 'away' : 'unexpected';
}
