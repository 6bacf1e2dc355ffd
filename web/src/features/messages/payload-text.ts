import type { Message } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';

/** What is shown of a payload that is not JSON: its text, or its bytes as base64 with their number. */
export function textOf({ payload, encoding }: Pick<Message, 'payload' | 'encoding'>): string | undefined {
  if (encoding === undefined || typeof payload !== 'string') return undefined;
  return encoding === 'text' ? payload : t.messages.bytes(atob(payload).length, payload);
}
