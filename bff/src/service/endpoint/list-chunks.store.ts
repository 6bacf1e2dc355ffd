/** Rows that are read on the main thread at once: 250 take about a millisecond, with the texts of a response. */
export const chunkSize = 250;

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

/** Time and id of a row. An id before all others is empty, or 0 for refs. */
type Key = readonly [time: string, id: string | number];

/**
 * The records of a list in chunks, each read when it is requested, with no transaction open between them. `read` returns the
 * rows after a key, at most `chunkSize`.
 */
export async function* chunksOf<Row, Record>(options: {
  /** Default: before all ids. */
  start?: Key;
  read: (after: Key) => Promise<Row[]>;
  keyOf: (row: Row) => Key;
  recordOf: (row: Row) => Record;
}): AsyncGenerator<Record[], void> {
  const { start = ['', ''], read, keyOf, recordOf } = options;
  let after = start;
  let rows: Row[];
  do {
    rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    after = keyOf(last);
    yield rows.map(recordOf);
  } while (rows.length === chunkSize);
}

/** A list as JSON without brackets, in parts. */
export async function* jsonOf(chunks: AsyncIterable<object[]>): AsyncGenerator<string, void> {
  let comma = '';
  for await (const records of chunks) {
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
