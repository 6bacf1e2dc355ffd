/** A file of comma-separated text, read piece by piece: between two pieces the page has its turn. */
import { readCsv, separatorOf } from '@swarmdeck/bff/csv';
import type { CsvRecord } from '@swarmdeck/bff/csv';

const pieceBytes = 65_536;

export type CsvFile = Pick<Blob, 'size' | 'slice'>;

export interface CsvHead {
  /** Of the columns, as they are written. */
  names: string[];
  /** The first row below them. */
  first: string[];
  separator: string;
}

export type HeadFault = 'empty' | 'not_text' | 'broken';

/** The records below the header, in the order of the file. */
export async function* recordsOf({
  file,
  onRead,
}: {
  file: CsvFile;
  /** How much has been read, of 1. */
  onRead?: (part: number) => void;
}): AsyncGenerator<CsvRecord> {
  let inHeader = true;
  for await (const records of readCsv(piecesOf(file, onRead))) {
    for (const record of records) {
      if (!inHeader) yield record;
      inHeader = false;
    }
  }
}

export async function readHead(file: CsvFile): Promise<CsvHead | HeadFault> {
  const start = await file.slice(0, pieceBytes).text();
  // what spreadsheets keep their own files in
  if (start.includes('\0')) return 'not_text';
  const header: CsvRecord[] = [];
  for await (const records of readCsv(start)) header.push(...records.slice(0, 2));
  const [top, first] = header;
  if (!top) return 'empty';
  if (top.fault !== undefined) return 'broken';
  const line = start.split(/[\r\n]/).find((text) => text.trim() !== '') ?? '';
  return { names: top.fields, first: first?.fields ?? [], separator: separatorOf(line) ?? ',' };
}

/** What tells the same file again: SHA-256 of its bytes, in hex. */
export async function hashOf(file: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function* piecesOf(file: CsvFile, onRead?: (part: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += pieceBytes) {
    yield new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
    onRead?.(Math.min(1, (at + pieceBytes) / file.size));
  }
}
