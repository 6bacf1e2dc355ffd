/** The content of a message: the text of its payload, which is checked once and which its receivers get as it was sent, and its properties. */
import type { MessageProperties, MessageSend } from '../../contract.ts';
import { base64, messageLimits, sentByUser } from '../../core/limits/field-rules.ts';
import type { FieldFault } from '../../core/problem.ts';
import type { SentBody } from '../../core/sent-body.ts';

/** Both as JSON. A payload with an encoding is a string that stands for a text or for bytes. */
interface MessageContent {
  payload: string;
  properties: string | null;
}

export function contentOf(
  body: Pick<SentBody<MessageSend>, 'fields' | 'textOf'>,
): MessageContent & { faults: FieldFault[] } {
  const payload = body.textOf('payload');
  const properties = body.fields['properties'] === undefined ? null : body.textOf('properties');
  return { payload, properties, faults: faultsOf(body.fields, { payload, properties }) };
}

/** The properties of a message that a user sends in the app, with the name of the user: no device has sent it. */
export function withSender(properties: string | null, user: string): string {
  const sent = (properties === null ? {} : JSON.parse(properties)) as MessageProperties;
  return JSON.stringify({ ...sent, user_properties: { ...sent.user_properties, [sentByUser]: user } });
}

function faultsOf(
  { payload: value, encoding }: SentBody<MessageSend>['fields'],
  content: MessageContent,
): FieldFault[] {
  const { payload, properties } = content;
  const sizeFaults = (bytes: number, form: string) => {
    if (bytes + Buffer.byteLength(properties ?? '') <= messageLimits.payloadBytes) return [];
    const together = properties === null ? '' : ', together with its `properties`';
    return [fault('field.invalid', `must have at most ${messageLimits.payloadBytes / 1024} KiB ${form}${together}`)];
  };
  if (encoding === undefined) return sizeFaults(Buffer.byteLength(payload), 'as JSON');
  if (typeof value !== 'string') return [fault('field.wrong_type', `must be a string, because it has an \`encoding\``)];
  if (encoding !== 'base64') return sizeFaults(Buffer.byteLength(value), 'as UTF-8');
  if (!base64.test(value)) return [fault('field.invalid', 'must be base64, with its padding')];
  return sizeFaults(Buffer.byteLength(value, 'base64'), 'without its encoding');
}

const fault = (code: string, detail: string): FieldFault => ({ pointer: '/payload', code, detail });
