import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import type { Row, Value } from '../statement.ts';

/** One SQLite connection with its prepared statements. Used by the threads and by the main thread's reader. */
export interface Connection {
  all(sql: string, params: readonly Value[]): Row[];
  get(sql: string, params: readonly Value[]): Row | undefined;
  /** The rows as arrays, in the order of the columns: half the work and memory of `all`. */
  tuples(sql: string, params: readonly Value[]): Value[][];
  /** Runs anything: rows where the statement returns some, else how many rows it touched. */
  run(sql: string, params: readonly Value[]): { rows: Row[]; changes: number; returns: boolean };
  readonly raw: DatabaseSync;
  close(): void;
}

const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA busy_timeout = 5000;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -32000;
  PRAGMA journal_size_limit = 16777216;
`;
const readerPragmas = `
  PRAGMA query_only = ON;
  PRAGMA busy_timeout = 5000;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -32000;
  PRAGMA mmap_size = 268435456;
`;
/** `$1` as `?1`: node:sqlite binds only these by position. Not within quotation marks. */
export function sqliteText(sql: string): string {
  return sql.replaceAll(/'[^']*'|"[^"]*"|\$(?=\d)/g, (found) => (found === '$' ? '?' : found));
}

/** Enough for every statement of the modules. Lists of parameters of varying length must not fill memory. */
const preparedAtMost = 500;

export function openConnection({ path, readOnly }: { path: string; readOnly: boolean }): Connection {
  const raw = new DatabaseSync(path, { readOnly });
  raw.exec(readOnly ? readerPragmas : pragmas);
  const prepared = new Map<string, { statement: StatementSync; returns: boolean }>();
  const preparedTuples = new Map<string, StatementSync>();

  function prepare(sql: string) {
    let entry = prepared.get(sql);
    if (!entry) {
      if (prepared.size >= preparedAtMost) prepared.clear();
      const statement = raw.prepare(sqliteText(sql));
      entry = { statement, returns: statement.columns().length > 0 };
      prepared.set(sql, entry);
    }
    return entry;
  }

  function prepareTuples(sql: string) {
    let statement = preparedTuples.get(sql);
    if (!statement) {
      if (preparedTuples.size >= preparedAtMost) preparedTuples.clear();
      statement = raw.prepare(sqliteText(sql));
      statement.setReturnArrays(true);
      preparedTuples.set(sql, statement);
    }
    return statement;
  }

  return {
    raw,
    tuples: (sql, params) => prepareTuples(sql).all(...params) as unknown as Value[][],
    all: (sql, params) => prepare(sql).statement.all(...params),
    get: (sql, params) => prepare(sql).statement.get(...params),
    run(sql, params) {
      const { statement, returns } = prepare(sql);
      if (!returns) return { rows: [], changes: Number(statement.run(...params).changes), returns };
      const rows = statement.all(...params) as Row[];
      return { rows, changes: rows.length, returns };
    },
    close: () => raw.close(),
  };
}
