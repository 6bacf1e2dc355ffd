import { openConnection } from './connection.ts';
import { faultOf } from './fault.ts';
import { StorageError } from '../statement.ts';
import type { Row, Value } from '../statement.ts';

/** The main thread's read-only connection: sees what is on disk and nothing else. Throws StorageError. */
export interface Reader {
  all(sql: string, params: readonly Value[]): Row[];
  close(): void;
}

export function openReader(path: string): Reader {
  const connection = openConnection({ path, readOnly: true });
  return {
    all: (sql, params) => withStorageError(() => connection.all(sql, params)),
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
