import type { Database } from '../store/database.ts';
import type { Value } from '../store/statement.ts';

export const chunkSize = 1000;

/** SQL for a chunk of a list in the order of `time`, then `id`. $1 and $2 are time and id of the last row before it. */
export function chunkSql({
  columns,
  time,
  id,
  from,
  where,
}: Record<'columns' | 'time' | 'id' | 'from' | 'where', string>): string {
  return `SELECT ${columns} FROM ${from} WHERE ${where} AND (${time}, ${id}) > ($1, $2)
    ORDER BY ${time}, ${id} LIMIT ${chunkSize}`;
}

/** Time and id of a row. */
type Key = readonly [time: string, id: string];

/** The chunks of a list, each read when it is requested, with no transaction open between them. */
export function readChunks<Row>(options: {
  db: Database;
  /** From `chunkSql`. */
  sql: string;
  /** From $3 on. */
  params: Value[];
  keyOf: (row: Row) => Key;
}): AsyncGenerator<Row[], void> {
  const { db, sql, params, keyOf } = options;
  return chunksOf({ read: (after) => db.read<Row>({ sql, params: [...after, ...params] }), keyOf });
}

/** `read` returns the rows after a key, at most `chunkSize`. */
export async function* chunksOf<Row>(options: {
  read: (after: Key) => Promise<Row[]>;
  keyOf: (row: Row) => Key;
}): AsyncGenerator<Row[], void> {
  const { read, keyOf } = options;
  let after: Key = ['', ''];
  let rows: Row[];
  do {
    rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    after = keyOf(last);
    yield rows;
  } while (rows.length === chunkSize);
}

/** The records of a list, in chunks. */
export async function* recordChunks<Row, Record extends object>(
  options: Parameters<typeof readChunks<Row>>[0] & { recordOf: (row: Row) => Record },
): AsyncGenerator<Record[], void> {
  for await (const rows of readChunks<Row>(options)) yield rows.map(options.recordOf);
}

/** A list as JSON without brackets, in parts. */
export async function* jsonChunks<Row>(
  options: Parameters<typeof recordChunks<Row, object>>[0],
): AsyncGenerator<string, void> {
  let comma = '';
  for await (const records of recordChunks(options)) {
    yield comma + JSON.stringify(records).slice(1, -1);
    comma = ',';
  }
}

/** A list as a JSON array, in parts. */
export async function* arrayOf(parts: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield '[';
  yield* parts;
  yield ']';
}

export async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}
