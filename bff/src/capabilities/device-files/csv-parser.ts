/**
 * A streaming CSV parser. No package is used, because an import must not lose a valid row: a wrong quotation mark
 * invalidates only its own record, and parsing continues at the next line. Imports nothing, and runs in Node and in a
 * browser.
 */
export type CsvSource = string | AsyncIterable<Uint8Array | string>;

export type CsvFault = 'record_too_long' | 'quote_left_open' | 'text_after_quote';

/**
 * `line` is the first line of the record, starting at 1. A record with a `fault` has no fields. `text`: its first line as the file has
 * it, unless it is longer than a record may be.
 */
export interface CsvRecord {
  line: number;
  fields: string[];
  fault?: CsvFault;
  text?: string;
}

/** In UTF-16 units. Limits memory, and how far an unclosed quotation mark is searched. */
const longestRecord = 65_536;
export const separators = [',', ';', '\t', '|'] as const;
export type Separator = (typeof separators)[number];
/** The rows that a separator is guessed from. */
const mostProbed = 20;
const quoteOrLineEnd = /["\r\n]/g;
const lineEnd = /[\r\n]/g;

interface Scanner {
  text: string;
  at: number;
  line: number;
  separator: Separator | undefined;
  countsRows: boolean;
  /** A line that is not blank was read. */
  isStarted: boolean;
  /** Skips the rest of an invalid line. */
  skipping: boolean;
}

interface CsvForm {
  separator?: Separator | undefined;
  encoding?: Encoding | undefined;
  countsRows?: boolean | undefined;
}

/**
 * Yields the records in batches, without blank lines. With `countsRows`, `line` is the number of the record, and blank lines are records. In the given encoding, else UTF-8, or UTF-16 with its byte-order mark. RFC 4180 with one of four
 * separators: the given one, the one that the first line names (`sep=;`), or the one that fits the first rows.
 * A line ends with CRLF, LF or CR. Spaces around a quoted field do not count. A quotation mark within an unquoted field is
 * text. Invalid bytes become U+FFFD.
 */
export async function* readCsv(
  source: CsvSource,
  { separator, encoding, countsRows = false }: CsvForm = {},
): AsyncGenerator<CsvRecord[]> {
  const scanner: Scanner = { text: '', at: 0, line: 1, separator, countsRows, isStarted: false, skipping: false };
  let started = false;
  for await (const chunk of textOf(source, encoding)) {
    if (chunk === '') continue;
    const withoutMark = started ? chunk : chunk.replace(/^\uFEFF/, '');
    started = true;
    scanner.text = scanner.text.slice(scanner.at) + withoutMark;
    scanner.at = 0;
    yield scan(scanner, { last: false });
  }
  yield scan(scanner, { last: true });
}

async function* textOf(source: CsvSource, encoding?: Encoding): AsyncGenerator<string> {
  if (typeof source === 'string') {
    for (let at = 0; at < source.length; at += longestRecord) yield source.slice(at, at + longestRecord);
    return;
  }
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let start: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    if (typeof chunk === 'string') {
      yield chunk;
      continue;
    }
    const bytes = decoder ? chunk : joined(start, chunk);
    if (!decoder && bytes.length < 2) {
      start = bytes;
      continue;
    }
    decoder ??= new TextDecoder(encoding ?? markedEncoding(bytes) ?? 'utf-8', { ignoreBOM: true });
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder ? decoder.decode() : new TextDecoder().decode(start);
}

/** The encodings that a file may have: those of spreadsheets and of the text editors of common systems. */
export const encodings = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'shift_jis',
  'gb18030',
] as const;
export type Encoding = (typeof encodings)[number];

/** By the byte-order mark. Spreadsheets save "Unicode text" as UTF-16. */
function markedEncoding([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** In bytes. Decoding a whole file at once would need several times its size. */
const decodedAtOnce = 1_048_576;

/**
 * The encoding of a whole file: by its byte-order mark, or UTF-16 if every second byte is zero, or UTF-8, or else
 * Windows-1252, in which spreadsheets of Western Europe save CSV. A file of UTF-8 with few invalid bytes is UTF-8: reading it
 * otherwise would change all of its names.
 */
export function guessEncoding(bytes: Uint8Array): Encoding {
  const known = markedEncoding(bytes) ?? unmarkedUtf16(bytes);
  if (known) return known;
  const decoder = new TextDecoder();
  let invalid = 0;
  let valid = 0;
  for (let at = 0; at < bytes.length; at += decodedAtOnce) {
    const end = at + decodedAtOnce;
    const text = decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length });
    const replaced = text.split('\uFFFD').length - 1;
    invalid += replaced;
    valid += text.replaceAll(/[\0-\x7F]+/g, '').length - replaced;
  }
  return invalid > valid ? 'windows-1252' : 'utf-8';
}

/** In bytes. A header is shorter. */
const probedForZeros = 512;

function unmarkedUtf16(bytes: Uint8Array): Encoding | undefined {
  const start = bytes.subarray(0, probedForZeros);
  const zeros = (parity: number) => start.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  const most = start.length / 4;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : undefined;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

/** Until the `last` call it leaves more text than the longest record, so that no partial record is parsed. */
function scan(scanner: Scanner, { last }: { last: boolean }): CsvRecord[] {
  const records: CsvRecord[] = [];
  const keep = last ? 0 : longestRecord + 2;
  while (scanner.text.length - scanner.at > keep) {
    if (scanner.skipping) {
      skipLine(scanner, { last });
      continue;
    }
    const record = readRecord(scanner);
    if (scanner.countsRows || !isBlank(record)) records.push(record);
  }
  return records;
}

function readRecord(scanner: Scanner): CsvRecord {
  const { text, at: start, line } = scanner;
  if (!scanner.isStarted) {
    const end = indexOf(lineEnd, text, start);
    const first = text.slice(start, end);
    scanner.isStarted = first.trim() !== '';
    if (scanner.isStarted) scanner.separator ??= guessSeparator(text.slice(start, start + longestRecord));
    if (separatorLine.test(first)) {
      endLine(scanner, end);
      return { line, fields: [] };
    }
  }
  const separator = scanner.separator ?? ',';
  const stop = indexOf(quoteOrLineEnd, text, start);
  if (text[stop] === '"') return readQuotedRecord(scanner, separator);
  if (stop - start > longestRecord) return giveUp(scanner, 'record_too_long');
  endLine(scanner, stop);
  return { line, fields: text.slice(start, stop).split(separator) };
}

/** Parses a record with quotation marks, field by field. */
function readQuotedRecord(scanner: Scanner, separator: string): CsvRecord {
  const { text, at: start, line } = scanner;
  const fields: string[] = [];
  let at = start;
  let lines = 0;
  for (;;) {
    const open = afterSpaces(text, at, separator);
    const quoted = text[open] === '"' ? readQuotedField(text, open, start + longestRecord) : undefined;
    const end = quoted && afterSpaces(text, quoted.end, separator);
    if (end !== undefined && isFieldEnd(text, end, separator)) {
      fields.push(quoted!.field);
      lines += lineBreaksIn(quoted!.field);
      at = end;
    } else if (text[at] === '"') {
      return giveUp(scanner, quoted ? 'text_after_quote' : 'quote_left_open');
    } else {
      const plainEnd = plainFieldEnd(text, at, separator);
      fields.push(text.slice(at, plainEnd));
      at = plainEnd;
    }
    if (at - start > longestRecord) return giveUp(scanner, 'record_too_long');
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (!scanner.countsRows) scanner.line += lines;
    endLine(scanner, at);
    return { line, fields };
  }
}

/** The index of the next character that is no space or tab, unless a tab separates. */
function afterSpaces(text: string, start: number, separator: string): number {
  let at = start;
  while (text[at] === ' ' || (text[at] === '\t' && separator !== '\t')) at += 1;
  return at;
}

function isFieldEnd(text: string, at: number, separator: string): boolean {
  return at >= text.length || text[at] === separator || text[at] === '\r' || text[at] === '\n';
}

function readQuotedField(text: string, open: number, limit: number): { field: string; end: number } | undefined {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && text[close + 1] === '"' && close < limit) close = text.indexOf('"', close + 2);
  if (close === -1 || close > limit) return undefined;
  return { field: text.slice(open + 1, close).replaceAll('""', '"'), end: close + 1 };
}

function plainFieldEnd(text: string, start: number, separator: string): number {
  let at = start;
  while (!isFieldEnd(text, at, separator)) at += 1;
  return at;
}

/** Skips an invalid line. The lines below it are parsed as if it did not exist. */
function giveUp(scanner: Scanner, fault: CsvFault): CsvRecord {
  const { text, at, line } = scanner;
  const end = indexOf(lineEnd, text, at);
  scanner.skipping = true;
  return { line, fields: [], fault, ...(end - at <= longestRecord && { text: text.slice(at, end) }) };
}

function skipLine(scanner: Scanner, { last }: { last: boolean }) {
  const { text } = scanner;
  scanner.at = indexOf(lineEnd, text, scanner.at);
  // A CR at the end may be the first half of a CRLF.
  if (scanner.at === text.length || (scanner.at === text.length - 1 && !last)) return;
  scanner.skipping = false;
  endLine(scanner, scanner.at);
}

function endLine(scanner: Scanner, end: number) {
  const { text } = scanner;
  scanner.at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
  scanner.line += 1;
}

/** A line that names the separator, for spreadsheets. It is not a row. */
const separatorLine = /^"?sep=([,;\t|])"?$/i;

/** How many lines a file may have above its column names, such as a title. */
export const mostLinesAbove = 20;

/**
 * The separator of a table that begins with this text: the one that its first line names, unless only another one divides the line below, or else the one with which most
 * of the next rows are as long as the header, and of these the one with most columns. The header alone would mislead: `note (a, b, c);name`.
 * A line that fits less than half of the rows may be a title above the header.
 */
export function guessSeparator(start: string): Separator {
  const whole = start.replace(/^\s*[\r\n]/, '');
  const [, named] = separatorLine.exec(whole.slice(0, indexOf(lineEnd, whole, 0))) ?? [];
  const table = named ? withoutLine(whole) : whole;
  const first = bestFit(table);
  if (named && (!first || table.slice(0, indexOf(lineEnd, table, 0)).includes(named))) return named as Separator;
  if (first && fitsMost(first)) return first.separator;
  let below = table;
  for (let line = 0; line < mostLinesAbove; line += 1) {
    below = withoutLine(below);
    const best = bestFit(below);
    if (best && fitsMost(best) && best.fitting > (first?.fitting ?? 0)) return best.separator;
  }
  return first?.separator ?? ',';
}

const withoutLine = (text: string) => text.slice(indexOf(lineEnd, text, 0)).replace(/^(\r\n|[\r\n])/, '');

const fitsMost = ({ rows, fitting }: { rows: number; fitting: number }) => 2 * fitting >= rows;

/** The separator that fits a table best; undefined if there are no columns. */
function bestFit(table: string) {
  const guesses = separators.map((separator) => ({ separator, ...fitOf(table, separator) }));
  const tables = guesses.filter(({ columns }) => columns > 1);
  return tables.toSorted((a, b) => b.fitting - a.fitting || b.columns - a.columns)[0];
}

/** How many of the first rows are as long as the header. Empty cells at the end do not count. */
function fitOf(start: string, separator: Separator) {
  const scanner: Scanner = {
    text: start,
    at: 0,
    line: 1,
    separator,
    countsRows: false,
    isStarted: true,
    skipping: false,
  };
  const records: CsvRecord[] = [];
  while (scanner.at < start.length && records.length <= mostProbed) {
    if (scanner.skipping) skipLine(scanner, { last: true });
    else {
      const record = readRecord(scanner);
      if (!isBlank(record)) records.push(record);
    }
  }
  // The last one may be cut.
  if (start.length === longestRecord && scanner.at >= start.length) records.pop();
  const [header, ...rows] = records.map(({ fields }) => [fields.length, filledLength(fields)] as const);
  const fitting = rows.filter(([length, filled]) => length === header?.[0] || filled === header?.[1]).length;
  return { columns: header?.[1] ?? 0, rows: rows.length, fitting };
}

/** The number of fields without empty ones at the end. */
export function filledLength(fields: readonly string[]): number {
  return fields.findLastIndex((field) => field.trim() !== '') + 1;
}

function isBlank({ fields, fault }: CsvRecord): boolean {
  return fault === undefined && fields.every((field) => field.trim() === '');
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function lineBreaksIn(field: string): number {
  return field.match(/\r\n|\r|\n/g)?.length ?? 0;
}
