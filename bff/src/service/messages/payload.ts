/** The payload of a message: the text that was sent, checked once. Its receivers get it as it is. */
import type { MessageSend } from '../../contract.ts';
import { messageLimits } from '../../limits/field-rules.ts';
import type { FieldFault } from '../../problem.ts';
import type { SentBody } from '../../sent-body.ts';

const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** `payload`: its JSON. With an encoding, that of a string, which stands for something else. */
export function payloadOf(body: Pick<SentBody<MessageSend>, 'fields' | 'textOf'>): {
  payload: string;
  faults: FieldFault[];
} {
  const payload = body.textOf('payload');
  const { payload: value, encoding } = body.fields;
  if (encoding === undefined) return { payload, faults: faultsOf(Buffer.byteLength(payload), 'as JSON') };
  if (typeof value !== 'string')
    return { payload, faults: [fault('field.wrong_type', `must be a string, because it has an \`encoding\``)] };
  if (encoding !== 'base64') return { payload, faults: faultsOf(Buffer.byteLength(value), 'as UTF-8') };
  if (!base64.test(value)) return { payload, faults: [fault('field.invalid', 'must be base64, with its padding')] };
  return { payload, faults: faultsOf(Buffer.byteLength(value, 'base64'), 'without its encoding') };
}

const fault = (code: string, detail: string): FieldFault => ({ pointer: '/payload', code, detail });

const faultsOf = (bytes: number, form: string): FieldFault[] =>
  bytes > messageLimits.payloadBytes
    ? [fault('field.invalid', `must have at most ${messageLimits.payloadBytes / 1024} KiB ${form}`)]
    : [];
