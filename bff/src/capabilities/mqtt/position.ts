/** What a device publishes about its position, as a request to the service. */
import { parseJson } from '../../core/http/json-text.ts';
import { sentNumber } from '../../core/limits/field-rules.ts';

/** `of`: whether the path is below that of the device, or below that of the service. */
type PositionRequest =
  | { of: 'device'; path: ''; method: 'PUT'; body: string }
  | { of: 'service'; path: '/owntracks'; method: 'POST'; body: string };

const update = (body: string): PositionRequest => ({ of: 'device', path: '', method: 'PUT', body });
const report = (body: string): PositionRequest => ({ of: 'service', path: '/owntracks', method: 'POST', body });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The coordinates and what is known about them are read, and the rest is ignored, because trackers send much more. A report of the app
 * OwnTracks is passed on as it is. What cannot be read is refused by the service.
 */
export function positionRequest(topic: string, payload: Buffer): PositionRequest | undefined {
  const isOwnTracks = topic.startsWith('owntracks/');
  if (topic !== 'position' && !isOwnTracks) return undefined;
  const text = textOf(payload);
  if (isOwnTracks) return report(text);
  // It is small, so the first step parses all of it.
  const { value: json } = parseJson(text).next();
  if (!json || 'fault' in json) return update(text);
  const { value } = json;
  if (isObject(value) && typeof value['_type'] === 'string') return report(text);
  if (!isObject(value)) return update(JSON.stringify({ position: value ?? null }));
  const { longitude, latitude, positioned_at, accuracy, gps_accuracy } = value;
  // Home Assistant calls it `gps_accuracy`.
  const fix = {
    position: { longitude: sentNumber(longitude), latitude: sentNumber(latitude) },
    positioned_at,
    accuracy: sentNumber(accuracy ?? gps_accuracy),
  };
  return update(JSON.stringify(fix));
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
