/** What a device publishes about its position, as a request to the service. */
import { parseJson } from '../http/json-text.ts';

/** `own`: below the path of the device. Else the path of the service. */
type PositionRequest = { own: true; method: 'PUT'; body: string } | { own: false; method: 'POST'; body: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The coordinates and what is known about them are read, and the rest is ignored, because trackers send much more. A report of the app
 * OwnTracks is passed on as it is. What cannot be read is refused by the service.
 */
export function positionRequest(topic: string, payload: Buffer): PositionRequest | undefined {
  const isOwnTracks = topic.startsWith('owntracks/');
  if (topic !== 'position' && !isOwnTracks) return undefined;
  const text = textOf(payload);
  if (isOwnTracks) return { own: false, method: 'POST', body: text };
  // It is small, so the first step parses all of it.
  const { value: json } = parseJson(text).next();
  if (!json || 'fault' in json) return { own: true, method: 'PUT', body: text };
  const { value } = json;
  if (isObject(value) && typeof value['_type'] === 'string') return { own: false, method: 'POST', body: text };
  if (!isObject(value)) return { own: true, method: 'PUT', body: JSON.stringify({ position: value ?? null }) };
  const { longitude, latitude, positioned_at, accuracy, gps_accuracy } = value;
  // Home Assistant calls it `gps_accuracy`.
  const body = { position: { longitude, latitude }, positioned_at, accuracy: accuracy ?? gps_accuracy };
  return { own: true, method: 'PUT', body: JSON.stringify(body) };
}

function textOf(payload: Buffer): string {
  try {
    // Programs in C also send the zero that ends a text.
    return utf8.decode(payload).replace(/\0$/, '');
  } catch {
    return '';
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
