/** What crosses the interface of the store: statements, their results, and why they failed. */
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
