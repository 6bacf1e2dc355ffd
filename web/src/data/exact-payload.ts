import { parseWithSource, rawJSON, type ReadMessage } from './exact-json.ts';

/** To be printed only: its numbers may be objects. */
export function exactPayload({ payload, payload_text }: Pick<ReadMessage, 'payload' | 'payload_text'>): unknown {
  if (payload_text === undefined || !rawJSON) return payload;
  const exact = rawJSON;
  return parseWithSource(payload_text, (_, value, { source }) => (typeof value === 'number' ? exact(source) : value));
}
