/** JSON whose numbers keep the digits with which they were sent: 1.0, and numbers beyond 2^53. */
import type { Message } from '@swarmdeck/bff/contract';

/** A message. `payload_text`: its payload as it was sent, if it has numbers that would be printed in another way. */
export type ReadMessage = Message & { payload_text?: string };

type Reviver = (this: Partial<ReadMessage>, key: string, value: unknown, context: { source: string }) => unknown;
export const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  /** A value that `JSON.stringify` prints as this text. Older browsers do not have it: they show what JavaScript makes of a number. */
  rawJSON?: (text: string) => object;
};

/** JSON with messages, or without: they get the text of their payload. */
export function parseMessages(text: string): unknown {
  if (!rawJSON || !text.includes('"payload":')) return JSON.parse(text);
  const messages: Partial<ReadMessage>[] = [];
  let isExact = true;
  const read = parse(text, function (key, value, { source }) {
    if (key === 'payload' && this.message_id !== undefined) messages.push(this);
    if (typeof value !== 'number' || String(value) === source) return value;
    isExact = false;
    return rawJSON(source);
  });
  // A payload may be a message itself: its own is replaced first, and changes no other.
  for (const message of isExact ? [] : messages.toReversed()) {
    const sent = JSON.stringify(message.payload);
    message.payload = JSON.parse(sent) as unknown;
    if (JSON.stringify(message.payload) !== sent) message.payload_text = sent;
  }
  return read;
}
