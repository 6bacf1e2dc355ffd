import type { Message } from '@swarmdeck/bff/contract';
import { exactPayload, type ReadMessage } from '../../data/exact-json.ts';

export interface PayloadRow {
  /** Undefined: the payload is not an object, and this is its value. */
  key: string | undefined;
  /** To be printed only. */
  value: unknown;
  /** The numbers of this key in the messages, oldest first. */
  numbers: number[];
}

/** The fields of the newest payload. `messages`: newest first. */
export function payloadRows(messages: readonly Pick<ReadMessage, 'payload' | 'payload_text'>[]): PayloadRow[] {
  const [newest] = messages;
  if (!newest) return [];
  const shown = exactPayload(newest);
  const row = (key: string | undefined): PayloadRow => {
    const values = messages.map(({ payload }) => valueOf(payload, key)).toReversed();
    return {
      key,
      value: key === undefined ? shown : valueOf(shown, key),
      numbers: values.filter((value) => typeof value === 'number'),
    };
  };
  return isRecord(newest.payload) ? Object.keys(newest.payload).map(row) : [row(undefined)];
}

const isRecord = (payload: unknown): payload is Record<string, unknown> =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload);

function valueOf(payload: unknown, key: string | undefined): unknown {
  if (key === undefined) return isRecord(payload) ? undefined : payload;
  return isRecord(payload) && Object.hasOwn(payload, key) ? payload[key] : undefined;
}

/** Each message once, in the order of its first row. A message to several swarms has several rows. */
export function distinctMessages(rows: readonly Message[]): Message[] {
  return [...Map.groupBy(rows, ({ message_id }) => message_id).values()].map(([first]) => first!);
}
