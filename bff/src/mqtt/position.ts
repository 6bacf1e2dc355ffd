/** What a device publishes about its position, as a request to the service. */

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
  const value = parsedOrText(text);
  if (isOwnTracks || (isObject(value) && typeof value['_type'] === 'string'))
    return { own: false, method: 'POST', body: text };
  if (!isObject(value)) return { own: true, method: 'PUT', body: JSON.stringify({ position: value ?? null }) };
  const { longitude, latitude, positioned_at, accuracy, gps_accuracy } = value;
  // The name that Home Assistant uses.
  const body = { position: { longitude, latitude }, positioned_at, accuracy: accuracy ?? gps_accuracy };
  return { own: true, method: 'PUT', body: JSON.stringify(body) };
}

function textOf(payload: Buffer): string {
  try {
    // Programs in C send the end of the text, too.
    return utf8.decode(payload).replace(/\0$/, '');
  } catch {
    return '';
  }
}

/** A text that is no JSON stays one, which no position is. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
