import { Pool, types, type QueryArrayResult } from 'pg';
import type { Row, Value } from '../statement.ts';

/** Milliseconds. A lost or hanging server must not keep requests longer. */
const connectMs = 5000;
const statementMs = 15_000;
const lockMs = 5000;
const idleTransactionMs = 10_000;
const connectionsAtMost = 10;

/** Statements beyond are not prepared: lists of parameters of varying length must not fill the server's memory. */
const preparedAtMost = 500;
/** Longer texts have lists of parameters of varying length. */
const preparedUpTo = 4000;
const names = new Map<string, string>();
/** The pools that connect to PgBouncer. */
const poolers = new WeakSet<Pool>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= preparedAtMost || text.length > preparedUpTo) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, BYTEA } = types.builtins;
/** Values get the types that they have from SQLite: numbers, texts, bytes, and 0 or 1. */
const parserOf = new Map<number, (text: string) => unknown>([
  ...[FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC].map((type) => [type, Number] as const),
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [BYTEA, types.getTypeParser(BYTEA)],
]);
const parsers = { getTypeParser: (type: number) => parserOf.get(type) ?? ((text: string) => text) };

/**
 * Quotas without a limit are Infinity, which is not a PostgreSQL integer. PostgreSQL does not accept NUL in a text, which a
 * path or a query may contain. U+0001 replaces it: no stored text has a control character, so neither finds anything.
 */
function parameterOf(value: Value): Value {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\x01') : value;
  return value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value;
}

/**
 * The arguments of `query` for a statement, with rows as arrays. It is prepared under a name, except behind a pooler,
 * which may give each transaction another connection of the server.
 */
export function prepared(pool: Pool, sql: string, params: readonly Value[] = []) {
  const name = poolers.has(pool) ? undefined : nameOf(sql);
  return { text: sql, values: params.map(parameterOf), rowMode: 'array' as const, ...(name && { name }) };
}

export function rowsOf({ fields, rows }: QueryArrayResult): Row[] {
  return (rows as Value[][]).map((values) => {
    const row: Row = {};
    for (let index = 0; index < fields.length; index++) row[fields[index]!.name] = values[index]!;
    return row;
  });
}

/**
 * Connections to the database. `isPooled`: an address of PgBouncer in transaction mode, which rejects settings of a
 * connection; there only this process limits the time of a statement.
 */
export function openPool(options: {
  url: string;
  isPooled: boolean;
  onLost: (error: Error) => void;
  most?: number;
}): Pool {
  const { url, isPooled, onLost, most = connectionsAtMost } = options;
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
  };
  const pool = new Pool({
    connectionString: url,
    max: most,
    connectionTimeoutMillis: connectMs,
    query_timeout: 2 * statementMs,
    keepAlive: true,
    pipeline: true,
    types: parsers,
    ...(!isPooled && limits),
  });
  if (isPooled) poolers.add(pool);
  // Without listeners, the process would end when a connection is lost. One in use fails its query too.
  // The second argument, the connection, must not reach the log.
  pool.on('error', (error) => onLost(error));
  pool.on('connect', (connection) => connection.on('error', () => {}));
  return pool;
}
