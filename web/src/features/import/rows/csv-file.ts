/** Reads a CSV file in chunks, so that the page can render between them. */
import {
  guessEncoding,
  guessSeparator,
  readCsv,
  type CsvRecord,
  type Encoding,
  type Separator,
} from '@swarmdeck/bff/csv-parser';
import { isBinary } from '@swarmdeck/bff/device-import';

const pieceBytes = 65_536;

/** The corrected fields of rows, by their line. */
export type Fixes = Readonly<Record<number, readonly string[]>>;

export interface CsvHead {
  /** The names of the columns. */
  names: string[];
  /** The first row below the header. */
  first: string[];
  separator: Separator;
  encoding: Encoding;
}

export type HeadError = 'empty' | 'no_rows' | 'not_text' | 'broken';

/** How the bytes of a file become cells. Each is guessed if it is not given. */
export interface CsvForm {
  separator?: Separator | undefined;
  encoding?: Encoding | undefined;
}

interface ReadRowsOptions extends CsvForm {
  file: Blob;
  fixes: Fixes;
  /** Called with the fraction of the file that has been read. */
  onRead?: (part: number) => void;
}

/** Reads every row below the header, with the corrections applied. */
export async function* readRows({ file, fixes, onRead, ...form }: ReadRowsOptions): AsyncGenerator<CsvRecord> {
  let inHeader = true;
  for await (const records of readCsv(piecesOf(file, onRead), form)) {
    for (const record of records) {
      const fixed = fixes[record.line];
      if (!inHeader) yield fixed ? { line: record.line, fields: [...fixed] } : record;
      inHeader = false;
    }
  }
}

/** `chosen`: what the user has chosen. */
export async function readHead(file: Blob, chosen: CsvForm = {}): Promise<CsvHead | HeadError> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding = chosen.encoding ?? guessEncoding(bytes);
  const start = new TextDecoder(encoding).decode(bytes.subarray(0, pieceBytes));
  if (isBinary(start)) return 'not_text';
  const separator = chosen.separator ?? guessSeparator(start);
  const header: CsvRecord[] = [];
  for await (const records of readCsv(start, { separator })) header.push(...records.slice(0, 2));
  const [top, first] = header;
  if (!top) return 'empty';
  if (top.fault !== undefined) return 'broken';
  if (!first && file.size <= pieceBytes) return 'no_rows';
  return { names: top.fields, first: first?.fields ?? [], separator, encoding };
}

/** The SHA-256 of the file in hex, which identifies it when it is chosen again. */
export async function hashOf(file: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function* piecesOf(file: Blob, onRead?: (part: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += pieceBytes) {
    yield new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
    onRead?.(Math.min(1, (at + pieceBytes) / file.size));
  }
}
