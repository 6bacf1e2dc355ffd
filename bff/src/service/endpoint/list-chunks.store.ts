/** Rows that are read on the main thread at once: 250 take about a millisecond, with the texts of a response. */
export const chunkSize = 250;
/**
 * Rows of a list whose chunks become text where they are read (store/shape.ts): the first ones by the main thread, because most
 * lists are short, and the hop to the reader thread takes longer.
 */
export const textChunkSizes = { first: 50, next: chunkSize };

/** SQL for a chunk of a list in the order of `time`, then `id`. $1 and $2 are time and id of the last row before it. */
export function chunkSql({
  columns,
  time,
  id,
  from,
  where,
  size = chunkSize,
}: Record<'columns' | 'time' | 'id' | 'from' | 'where', string> & { size?: number }): string {
  return `SELECT ${columns} FROM ${from} WHERE ${where} AND (${time}, ${id}) > ($1, $2)
    ORDER BY ${time}, ${id} LIMIT ${size}`;
}

/** Time and id of a row. An id before all others is empty, or 0 for refs. */
export type Key = readonly [time: string, id: string | number];

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

/** Records as JSON without brackets, and what is needed to read the next ones. */
export interface TextChunk {
  json: string;
  rows: number;
  /** Of its last row. */
  last: Key | undefined;
}

export function textChunkOf<Row>(
  rows: readonly Row[],
  { keyOf, recordOf }: { keyOf: (row: Row) => Key; recordOf: (row: Row) => object },
): TextChunk {
  const last = rows.at(-1);
  return { json: JSON.stringify(rows.map(recordOf)).slice(1, -1), rows: rows.length, last: last && keyOf(last) };
}

/** A list as JSON without brackets, in parts. `next`: reads the chunk after a key in the reader thread. */
export async function* textChunksOf({
  first,
  next,
}: {
  first: () => Promise<TextChunk>;
  next: (after: Key) => Promise<TextChunk>;
}): AsyncGenerator<string, void> {
  let chunk = await first();
  if (chunk.rows === 0) return;
  yield chunk.json;
  for (let size = textChunkSizes.first; chunk.rows === size && chunk.last; size = textChunkSizes.next) {
    chunk = await next(chunk.last);
    if (chunk.rows > 0) yield `,${chunk.json}`;
  }
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
