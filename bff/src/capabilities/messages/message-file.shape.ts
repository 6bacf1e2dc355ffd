/** Messages as lines of a file, made in the reader thread: a chunk may have a megabyte. */
import { escapeFormula, toLine } from '../../core/resources/device-export.ts';
import { defineShape } from '../../core/store/shape.ts';
import { createMessageCursors } from './message-json.ts';
import type { WindowRow } from './message-texts.shape.ts';

export type MessageFormat = 'csv' | 'ndjson';

/** A row, in CSV with the names of the devices that are members. */
type FileRow = WindowRow & { from_name?: string | null; to_name?: string | null };

export interface MessageFileChunk {
  /** How many rows were read. */
  rows: number;
  /** `seq` of the last row that was read; 0 if there is none. */
  last: number;
  /** The messages that match, as lines of the file. */
  bytes: Uint8Array<ArrayBuffer>;
}

const utf8 = new TextEncoder();

export const messageFileChunk = defineShape(
  new URL('./message-file.shape.ts', import.meta.url),
  'messageFileChunk',
  (rows: readonly FileRow[], { database, format }: { database: string; format: MessageFormat }): MessageFileChunk[] => {
    const { jsonOf } = createMessageCursors(database);
    const matching = rows.filter((row): row is FileRow & { payload: string } => row.payload !== null);
    const lines = matching.map((row) => (format === 'csv' ? csvOf(row) : `${jsonOf(row)}\n`));
    return [{ rows: rows.length, last: rows.at(-1)?.seq ?? 0, bytes: utf8.encode(lines.join('')) }];
  },
);

function csvOf(row: FileRow & { payload: string }): string {
  const { sent_at, sender_id, from_name, to_id, to_name, payload, id, encoding, properties } = row;
  const cells = [sent_at, escapeFormula(from_name ?? ''), sender_id, escapeFormula(to_name ?? ''), to_id ?? ''];
  const more = properties === null ? '' : withoutFormulas(properties);
  return toLine([...cells, withoutFormulas(payload), escapeFormula(id), encoding ?? '', more], ',');
}

/** The sign of a formula behind a separator that a spreadsheet in another language may use. In JSON, only texts have them. */
const formulaInText = /([;|]["'\\]*)([=+\-@＝＋－＠])/g;

/** Returns JSON of the same value that cannot begin as a formula: an apostrophe would change the value. */
function withoutFormulas(json: string): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replaceAll(formulaInText, (_, before: string, sign: string) => before + escaped(sign));
}
