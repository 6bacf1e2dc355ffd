import { openConnection } from './connection.ts';
import { faultOf } from './fault.ts';
import { StorageError } from '../statement.ts';
import type { Row, Value } from '../statement.ts';

/** A read-only connection of the calling thread: sees what is on disk and nothing else. Throws StorageError. */
export interface Reader {
  all(sql: string, params: readonly Value[]): Row[];
  /** The rows as arrays, in the order of the columns: half the work and memory of `all`. */
  tuples(sql: string, params: readonly Value[]): Value[][];
  close(): void;
}

export function openReader(path: string, cacheKiB?: number): Reader {
  const connection = openConnection({ path, readOnly: true, ...(cacheKiB !== undefined && { cacheKiB }) });
  return {
    all: (sql, params) => withStorageError(() => connection.all(sql, params)),
    tuples: (sql, params) => withStorageError(() => connection.tuples(sql, params)),
    close: () => connection.close(),
  };
}

function withStorageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { kind, message } = faultOf(error);
    throw new StorageError(kind, message);
  }
}
