import type { Message } from '@swarmdeck/bff/contract';
import type { ReadMessage } from '../../data/exact-json.ts';
import { exactPayload } from '../../data/exact-payload.ts';

export interface PayloadRow {
  /** Undefined: the payload is not an object, and this is its value. */
  key: string | undefined;
  /** To be printed only. */
  value: unknown;
}

/** The fields of a payload. */
export function payloadRows(message: Pick<ReadMessage, 'payload' | 'payload_text'>): PayloadRow[] {
  const shown = exactPayload(message);
  const row = (key: string | undefined): PayloadRow => ({
    key,
    value: key === undefined ? shown : valueOf(shown, key),
  });
  return isRecord(message.payload) ? Object.keys(message.payload).map(row) : [row(undefined)];
}

const isRecord = (payload: unknown): payload is Record<string, unknown> =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload);

const valueOf = (payload: unknown, key: string) => (isRecord(payload) ? payload[key] : undefined);

/** Each message once, in the order of its first row. A message to several swarms has several rows. */
export function distinctMessages(rows: readonly Message[]): Message[] {
  return [...Map.groupBy(rows, ({ message_id }) => message_id).values()].map(([first]) => first!);
}
