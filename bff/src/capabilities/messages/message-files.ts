/** Messages as files: CSV for spreadsheets, and one JSON object in a line for programs. */
import { toLine } from '../../core/resources/device-export.ts';
import type { MessageFormat } from './message-file.shape.ts';
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

/** A file is `start`, then the messages (message-file.shape.ts). */
export const messageFiles: Record<MessageFormat, { type: string; start: string }> = {
  // Without the byte-order mark, spreadsheets do not read it as UTF-8.
  csv: { type: 'text/csv; charset=utf-8', start: `\uFEFF${toLine(messageColumns, ',')}` },
  ndjson: { type: lines, start: '' },
};
