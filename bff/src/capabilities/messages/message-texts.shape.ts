/** Messages as JSON, made in the reader thread. */
import type { MessageRow } from '../../core/store/row-types.ts';
import { defineShape } from '../../core/store/shape.ts';
import { createMessageCursors, lastOf, type MessageJson } from './message-json.ts';

/** A row of a read, without its payload if it does not match what is searched for. */
export type WindowRow = Omit<MessageRow, 'payload'> & { payload: string | null };

/** The result of a read of messages: one row. */
export interface MessageTexts {
  /** How many rows were read. */
  rows: number;
  /** The cursor of the last row that was read, as a number; 0 if there is none. */
  last: number;
  /** The messages that match: the cursor of each, and where its JSON ends. */
  found: { id: string; endOffset: number }[];
  bytes: Uint8Array;
}

/** Messages as JSON: a page of them has hundreds of KB. */
export const messageTexts = defineShape(
  new URL('./message-texts.shape.ts', import.meta.url),
  'messageTexts',
  (rows: readonly WindowRow[], { database }: { database: string }): MessageTexts[] => {
    const { cursorOf, jsonOf } = createMessageCursors(database);
    const matching = rows.filter((row): row is MessageRow => row.payload !== null);
    const texts = matching.map(jsonOf);
    // Text by text: joined, they would take as much memory again as the bytes.
    const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
    let endOffset = 0;
    const found = matching.map((row, index) => {
      endOffset += bytes.write(texts[index]!, endOffset);
      return { id: cursorOf(lastOf(row)), endOffset };
    });
    const last = rows.at(-1);
    return [{ rows: rows.length, last: last ? lastOf(last) : 0, found, bytes }];
  },
);

/** A JSON array of messages. */
export interface MessageArray {
  bytes: Uint8Array<ArrayBuffer>;
}

const utf8 = new TextEncoder();

export const messageArray = defineShape(
  new URL('./message-texts.shape.ts', import.meta.url),
  'messageArray',
  (rows: readonly MessageRow[], { database }: { database: string }): MessageArray[] => {
    const { jsonOf } = createMessageCursors(database);
    return [{ bytes: utf8.encode(`[${rows.map(jsonOf).join(',')}]`) }];
  },
);

export const messagesIn = ({ found, bytes }: MessageTexts): MessageJson[] =>
  found.map(({ id, endOffset }, index) => ({ id, json: bytes.subarray(found[index - 1]?.endOffset ?? 0, endOffset) }));
