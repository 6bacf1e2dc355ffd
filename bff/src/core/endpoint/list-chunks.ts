import type { BodyChunk } from '../http/streamed-body.ts';

/** Rows that are read on the main thread at once: 250 take about a millisecond, with the texts of a response. */
export const chunkSize = 250;
/**
 * Rows of a list whose chunks become text where they are read (store/shape.ts): the first ones by the main thread, because most
 * lists are short, and the hop to the reader thread takes longer.
 */
export const textChunkSizes = { first: 50, next: chunkSize };

/** Time and id of a row. An id before all others is empty, or 0 for refs. */
export type Key = readonly [time: string, id: string | number];

/**
 * The records of a list in chunks, each read when it is requested, with no transaction open between them. `read` returns the
 * rows after a key, at most `chunkSize`.
 */
export async function* chunksOf<Row, Item>(options: {
  /** Default: before all ids. */
  start?: Key;
  read: (after: Key) => Promise<Row[]>;
  keyOf: (row: Row) => Key;
  recordOf: (row: Row) => Item;
}): AsyncGenerator<Item[], void> {
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

/** What is needed to read the next chunk. */
interface ChunkEnd {
  rows: number;
  /** The key of its last row; undefined if it has none. */
  last: Key | undefined;
}
interface TextChunk extends ChunkEnd {
  text: string;
}
/** With a separator before its text. */
export interface BytesChunk extends ChunkEnd {
  bytes: Uint8Array<ArrayBuffer>;
}

/** How rows become text. `between`: what separates those of two chunks. */
export interface ChunkFormat<Row> {
  keyOf: (row: Row) => Key;
  textOf: (rows: readonly Row[]) => string;
  between: string;
}

/** Rows as the items of a JSON array, without its brackets. */
export const inJson = <Row>(keyOf: (row: Row) => Key, recordOf: (row: Row) => object): ChunkFormat<Row> => ({
  keyOf,
  textOf: (rows) => JSON.stringify(rows.map(recordOf)).slice(1, -1),
  between: ',',
});

const endOf = <Row>(rows: readonly Row[], { keyOf }: ChunkFormat<Row>): ChunkEnd => {
  const last = rows.at(-1);
  return { rows: rows.length, last: last && keyOf(last) };
};

export const textChunkOf = <Row>(rows: readonly Row[], format: ChunkFormat<Row>): TextChunk => ({
  ...endOf(rows, format),
  text: format.textOf(rows),
});

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** For a thread: the buffer of the bytes is their own. */
export const bytesChunkOf = <Row>(rows: readonly Row[], format: ChunkFormat<Row>): BytesChunk => ({
  ...endOf(rows, format),
  bytes: utf8.encode(rows.length === 0 ? '' : format.between + format.textOf(rows)),
});

/** The text of a list, in parts. `next`: reads the chunk after a key in the reader thread. */
export async function* textChunksOf({
  first,
  next,
}: {
  first: () => Promise<TextChunk>;
  next: (after: Key) => Promise<BytesChunk>;
}): AsyncGenerator<BodyChunk, void> {
  const { text, ...end } = await first();
  if (end.rows === 0) return;
  yield text;
  let { rows, last } = end;
  for (let size = textChunkSizes.first; rows === size && last; size = textChunkSizes.next) {
    const chunk = await next(last);
    ({ rows, last } = chunk);
    if (rows > 0) yield chunk.bytes;
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
export async function* arrayOf(chunks: AsyncIterable<BodyChunk>): AsyncGenerator<BodyChunk, void> {
  yield '[';
  yield* chunks;
  yield ']';
}

export async function textOf(chunks: AsyncIterable<BodyChunk>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += typeof chunk === 'string' ? chunk : fromUtf8.decode(chunk);
  return text;
}
