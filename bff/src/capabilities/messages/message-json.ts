/** A message as its receivers get it: its cursor, its JSON, and what it costs in bytes. */
import { eventId } from '../../core/feed/change-feed.ts';
import type { MessageRow } from '../../core/store/row-types.ts';

/** The number of the last row of the same message, which is the cursor of all of them. */
export const lastOf = ({ seq, rest }: Pick<MessageRow, 'seq' | 'rest'>): number => seq + rest;

/** What a sender has chosen of a message, in bytes. */
export const sizeOf = ({ payload, properties }: Pick<MessageRow, 'payload' | 'properties'>): number =>
  Buffer.byteLength(payload) + (properties === null ? 0 : Buffer.byteLength(properties));

/** In bytes: what a message has besides its payload and properties. */
export const headBytes = 256;

/** A message as the JSON of its record, in UTF-8. Its payload is never parsed. */
export interface MessageJson {
  id: string;
  json: Uint8Array;
}

export type MessageCursors = ReturnType<typeof createMessageCursors>;

/** Cursors of messages, as clients know them. `database`: the name of the feed, which no other database has. */
export function createMessageCursors(database: string) {
  /** With a prefix, so that it cannot be mistaken for the id of an event. */
  const cursorOf = (seq: number): string => `m-${eventId(database, seq)}`;

  /** The payload and the properties are JSON already. */
  function jsonOf(row: MessageRow): string {
    const { id, swarm_id, sender_id, to_id, sent_at, encoding, payload, properties } = row;
    const head = {
      id: cursorOf(lastOf(row)),
      message_id: id,
      swarm_id,
      from: sender_id,
      ...(to_id !== null && { to: to_id }),
      sent_at,
      ...(encoding !== null && { encoding }),
    };
    const rest = properties === null ? '}' : `,"properties":${properties}}`;
    return `${JSON.stringify(head).slice(0, -1)},"payload":${payload}${rest}`;
  }

  return {
    /** For shapes, which make cursors in the reader thread. */
    database,
    cursorOf,
    jsonOf,
    /** Returns 0, the start, for a cursor of another database. */
    seqOf(cursor: string): number {
      const [, name, seq] = /^m-([0-9a-z]+)-(\d{1,15})$/.exec(cursor) ?? [];
      return name === database ? Number(seq) : 0;
    },
  };
}

const comma = Buffer.from(',');

/** A JSON array, between these texts. Bytes, because to encode a long text takes longer than to copy it. */
export function arrayOfJson(
  messages: readonly Pick<MessageJson, 'json'>[],
  { before = '', after = '' }: { before?: string; after?: string } = {},
): Uint8Array<ArrayBuffer> {
  const chunks = messages.flatMap(({ json }, index) => (index === 0 ? [json] : [comma, json]));
  return Buffer.concat([Buffer.from(`${before}[`), ...chunks, Buffer.from(`]${after}`)]);
}
