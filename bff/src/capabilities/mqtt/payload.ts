/** The payload of a publication, which may be any bytes: JSON is sent as over HTTP, another text as a text, and other bytes as base64. */
import type { MessageEncoding, MessageSend } from '../../contract.ts';
import { hasInfinity } from '../messages/messages.schema.ts';
import { checkValues, parseJson } from '../../core/http/json-text.ts';
import { limits, messageLimits, unprintable } from '../../core/limits/field-rules.ts';
import type { FieldFault } from '../../core/problem.ts';
import { checkOf, type SentBody } from '../../core/sent-body.ts';
import { faultsOfFormat, propertiesOf, type PacketProperties } from './properties.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface Payload {
  value: unknown;
  json: string;
  encoding?: MessageEncoding;
}

/** `where`: the swarm and the device that the topic names. */
export function messageOf(
  bytes: Buffer,
  {
    where,
    properties: packetProperties,
  }: { where: Pick<MessageSend, 'swarm_id' | 'to'>; properties: PacketProperties | undefined },
): SentBody<MessageSend> {
  const { value, json, encoding } = payloadOf(bytes);
  const properties = propertiesOf(packetProperties);
  const body: MessageSend = {
    ...where,
    payload: value,
    ...(encoding && { encoding }),
    ...(properties && { properties }),
  };
  return {
    text: '',
    textOf: (field) => (field === 'properties' ? JSON.stringify(properties) : json),
    fields: body,
    isValid: true,
    check: checkOf(faultsOfFormat(bytes, packetProperties), body),
  };
}

/** Whether a payload is larger than a message may be, also without the white space of its JSON. */
export function isTooLarge(bytes: Buffer): boolean {
  if (bytes.length <= messageLimits.payloadBytes) return false;
  const { json, encoding } = payloadOf(bytes);
  return encoding !== undefined || Buffer.byteLength(json) > messageLimits.payloadBytes;
}

function payloadOf(bytes: Buffer): Payload {
  const text = textOf(bytes);
  const json = text === undefined ? undefined : jsonOf(text);
  if (json) return json;
  if (text !== undefined && !unprintable.test(text))
    return { value: text, json: JSON.stringify(text), encoding: 'text' };
  const encoded = bytes.toString('base64');
  return { value: encoded, json: `"${encoded}"`, encoding: 'base64' };
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Some programs send a mark before the text (U+FEFF), and those in C the end of the text. */
function jsonOf(text: string): Payload | undefined {
  const plain = text.slice(text.startsWith('\ufeff') ? 1 : 0, text.endsWith('\0') ? -1 : undefined);
  // A payload is a level below the body of a request. It is small, so the first step parses all of it.
  const { value: json } = parseJson(plain, limits.bodyDepth - 1).next();
  if (!json || 'fault' in json) return undefined;
  const faults: FieldFault[] = [];
  checkValues(json.value, [], { mostItems: messageLimits.payloadBytes, faults });
  if (faults.length > 0 || hasInfinity(json.value)) return undefined;
  return { value: json.value, json: json.textOf() };
}

/** The bytes of a message that is delivered. `payload`: its JSON. */
export function deliveredPayload({
  payload,
  encoding,
}: {
  payload: string;
  encoding: MessageEncoding | null;
}): string | Buffer {
  if (encoding === null) return payload;
  const text = JSON.parse(payload) as string;
  return encoding === 'text' ? text : Buffer.from(text, 'base64');
}
