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

export type StorageFault = 'constraint' | 'full' | 'away';

/** Thrown by every read and write. `away` and `full` say that nothing of the write is on disk. */
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

/** SQLite's primary result code (https://www.sqlite.org/rescode.html: the low byte); undefined: not of SQLite. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

export function faultOf(error: unknown): { kind: StorageFault; message: string } {
  const code = sqliteCodeOf(error);
  const kind = code === sqliteConstraint ? 'constraint' : code === sqliteFull ? 'full' : 'away';
  return { kind, message: error instanceof Error ? error.message : String(error) };
}
