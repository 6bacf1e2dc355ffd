/** Reads a CSV file in chunks, so that the page can render between them. */
import {
  guessEncoding,
  guessSeparator,
  mostLinesAbove,
  readCsv,
  type CsvRecord,
  type Encoding,
  type Separator,
} from '@swarmdeck/bff/csv-parser';
import { firstValues, headerIn, isBinary } from '@swarmdeck/bff/device-import';

const pieceBytes = 65_536;

/** The corrected fields of rows, by their line. */
export type Fixes = Readonly<Record<number, readonly string[]>>;

export interface CsvHead {
  /** The names of the columns. */
  names: string[];
  /** Their line. */
  line: number;
  /** The first value of each column. */
  first: string[];
  /** The first records of the file: one of them has the column names. */
  start: readonly CsvRecord[];
  separator: Separator;
  encoding: Encoding;
}

/** `xml`: such as GPX or KML. */
export type HeadError = 'empty' | 'no_rows' | 'not_text' | 'xml' | 'broken';

const xmlStart = /^\uFEFF?\s*<(?:\?xml|!doctype|gpx|kml|html)\b/i;

/** How the bytes of a file become rows. Each is guessed if it is not given. */
export interface CsvForm {
  separator?: Separator | undefined;
  encoding?: Encoding | undefined;
  /** The line of the column names. Guessed if no row begins there. */
  header?: number | undefined;
  /** The line of a row is its place in the file, as in the table of a GeoJSON file. Blank rows are rows. */
  countsRows?: boolean | undefined;
}

/** A file, and how its rows are read. */
export interface RowSource extends CsvForm {
  file: Blob;
  header: number;
  /** The lines of the rows that are read. Without it, all are. */
  only?: ReadonlySet<number> | undefined;
}

interface ReadRowsOptions extends RowSource {
  fixes: Fixes;
  /** Called with the fraction of the file that has been read. */
  onRead?: (part: number) => void;
}

/** Reads the rows below the header, with the corrections applied. */
export async function* readRows(options: ReadRowsOptions): AsyncGenerator<CsvRecord> {
  const { file, header, only, fixes, onRead, separator, encoding, countsRows } = options;
  for await (const records of readCsv(piecesOf(file, onRead), { separator, encoding, countsRows })) {
    for (const record of records) {
      const { line } = record;
      if (line <= header || only?.has(line) === false) continue;
      const fixed = fixes[line];
      yield fixed ? { line, fields: [...fixed] } : record;
    }
  }
}

/** The cells of a row. If it has a wrong quotation mark, they are the parts of its line, so that its text can be corrected. */
export const cellsOf = ({ fields, text }: CsvRecord, separator: Separator = ','): string[] =>
  text === undefined ? fields : text.split(separator);

/** The line of the column names, if the user has chosen another one than was guessed. */
export const chosenHeader = ({ start, line }: CsvHead): number | undefined =>
  start[headerIn(start)]?.line === line ? undefined : line;

/** `chosen`: what the user has chosen. */
export async function readHead(file: Blob, chosen: CsvForm = {}): Promise<CsvHead | HeadError> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding = chosen.encoding ?? guessEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, pieceBytes));
  // GeoJSON was read as text: a text in it may have any character, which the dry run reports with its row and its field.
  if (!chosen.countsRows && isBinary(text)) return 'not_text';
  if (xmlStart.test(text)) return 'xml';
  const separator = chosen.separator ?? guessSeparator(text);
  const read: CsvRecord[] = [];
  const { countsRows } = chosen;
  for await (const records of readCsv(text, { separator, countsRows }))
    read.push(...records.slice(0, mostLinesAbove + 2));
  const start = read.slice(0, mostLinesAbove + 1);
  const chosenAt = start.findIndex(({ line }) => line === chosen.header);
  const [top, ...below] = read.slice(chosenAt === -1 ? headerIn(start) : chosenAt);
  if (!top) return 'empty';
  if (top.fault !== undefined) return 'broken';
  if (below.length === 0 && file.size <= pieceBytes) return 'no_rows';
  return { names: top.fields, line: top.line, first: firstValues(below), start, separator, encoding };
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
