/** Messages as files: CSV for spreadsheets, and one JSON object in a line for programs. */
import { escapeFormula, toLine } from '../../device-files/device-export.ts';
import type { MessageRow } from '../../store/row-types.ts';
import { lines } from './receive-responses.ts';

export const messageColumns = [
  'sent_at',
  'from_name',
  'from',
  'to_name',
  'to',
  'payload',
  'message_id',
  'encoding',
  'properties',
] as const;

export type MessageFormat = 'csv' | 'ndjson';

/** What a file needs beside the rows. */
interface FileParts {
  jsonOf: (row: MessageRow) => string;
  /** Of members, by the ids of their devices. */
  names: ReadonlyMap<string, string>;
}

/** A file is `start`, then the rows. */
export const messageFiles: Record<
  MessageFormat,
  { type: string; start: string; hasNames: boolean; write: (row: MessageRow, parts: FileParts) => string }
> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    // Without the byte-order mark, spreadsheets do not read it as UTF-8.
    start: `\uFEFF${toLine(messageColumns, ',')}`,
    hasNames: true,
    write({ sent_at, sender_id, to_id, payload, id, encoding, properties }, { names }) {
      const nameOf = (device: string | null) => escapeFormula(names.get(device ?? '') ?? '');
      const cells = [sent_at, nameOf(sender_id), sender_id, nameOf(to_id), to_id ?? ''];
      const more = properties === null ? '' : withoutFormulas(properties);
      return toLine([...cells, withoutFormulas(payload), escapeFormula(id), encoding ?? '', more], ',');
    },
  },
  ndjson: {
    type: lines,
    start: '',
    hasNames: false,
    write: (row, { jsonOf }) => `${jsonOf(row)}\n`,
  },
};

/** Behind what separates cells for a spreadsheet in another language: only in the texts of a JSON value. */
const formulaInText = /([;|]["'\\]*)([=+\-@＝＋－＠])/g;

/** The same JSON value: it cannot begin as a formula, and an apostrophe would change it. */
function withoutFormulas(json: string): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replaceAll(formulaInText, (_, before: string, sign: string) => before + escaped(sign));
}
