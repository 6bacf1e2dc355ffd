/** Payloads as they are printed and typed: with the digits of their numbers (data/exact-json.ts). */
import { parse, rawJSON, type ReadMessage } from './exact-json.ts';

/** To be printed only: its numbers may be objects. */
export function exactPayload({ payload, payload_text }: Pick<ReadMessage, 'payload' | 'payload_text'>): unknown {
  return payload_text === undefined || !rawJSON ? payload : exactValue(payload_text);
}

/** A JSON text as a value that `JSON.stringify` prints with the same digits, if the browser can. @throws SyntaxError */
export function exactValue(text: string): unknown {
  const raw = rawJSON;
  if (!raw) return JSON.parse(text);
  return parse(text, (_, value, { source }) => (typeof value === 'number' ? raw(source) : value));
}

/** Texts and numbers of JSON. */
const values = /"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g;

/** The first number of a JSON text of which an older browser would send other digits, and those that it would send. */
export function firstInexact(text: string): { typed: string; sent: string } | undefined {
  if (rawJSON) return undefined;
  const typed = text.match(values)?.find((value) => !value.startsWith('"') && String(Number(value)) !== value);
  return typed === undefined ? undefined : { typed, sent: String(Number(typed)) };
}
