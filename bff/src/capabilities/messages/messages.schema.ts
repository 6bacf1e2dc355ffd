import { z } from '@hono/zod-openapi';
import { base64, messageEncodings, messageLimits, sentByUser, unprintable } from '../../core/limits/field-rules.ts';
import { id, sentId, timestamp } from '../../core/contract/fields.schema.ts';

const position = z.string().openapi({
  description: 'Its place in the order of all messages. Compare it only for equality',
  example: 'm-5f0c2d9a41be-1204',
});
const messageId = z.string().openapi({ example: '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d11' });
const payload = z.unknown().openapi({
  description:
    'Any JSON value. It is kept as the text that was sent, without white space outside of strings: numbers keep their digits',
  example: { temperature: 21.5 },
});
const encoding = z
  .enum(messageEncodings)
  .optional()
  .openapi({
    description:
      'What the string in `payload` stands for: a `text`, or bytes as `base64`. Receivers by MQTT get the text or the bytes. Absent: the ' +
      'payload is JSON',
  });

/** The names of user properties that the server itself gives to a message, or to what it delivers by MQTT. */
export const ownUserProperties: readonly string[] = ['id', 'missing-after', sentByUser];

const plainTopic = /^[^\0#+]+$/;

/** MQTT's parser puts U+FFFD in the place of what is no UTF-8. All values of a body are checked for the rest. */
const mqttText = z.string().refine((text) => !text.includes('\uFFFD'), 'must be a text without U+FFFD');
/** Names are not checked elsewhere. */
const isMqttName = (name: string) => name.isWellFormed() && !unprintable.test(name) && !name.includes('\uFFFD');

/** In bytes: as a packet has them, each value with its name and the lengths of both. */
function bytesInPacket(userProperties: Record<string, string | string[]>): number {
  let bytes = 0;
  for (const [name, values] of Object.entries(userProperties)) {
    const nameBytes = Buffer.byteLength(name);
    for (const value of [values].flat()) bytes += nameBytes + Buffer.byteLength(value) + 5;
  }
  return bytes;
}

/** What MQTT 5 knows of a message beside its payload. */
const messageProperties = z
  .strictObject({
    content_type: mqttText.optional().openapi({
      description: 'The type of the payload, as its sender gives it: usually a MIME type',
      example: 'application/json',
    }),
    response_topic: mqttText.regex(plainTopic, 'must be a topic of MQTT without wildcards').optional().openapi({
      description: 'The topic for a response: `messages/<swarm_id>/<resource_id>` reaches a resource',
    }),
    correlation_data: z
      .string()
      .regex(base64, 'must be base64, with its padding')
      .optional()
      .openapi({ description: 'Tells the sender to which request a response belongs, as base64', example: 'AQI=' }),
    message_expiry_interval: z.int().min(0).max(0xffff_ffff).optional().openapi({
      description: 'In seconds after `sent_at`. Then it is not delivered any more, but lists and files still have it',
    }),
    user_properties: z
      .record(z.string(), z.union([mqttText, z.array(mqttText)]))
      .check(({ value, issues }) => {
        for (const name of Object.keys(value)) {
          if (!isMqttName(name))
            issues.push({ code: 'custom', path: [], message: 'has a name that is no text for MQTT', input: value });
        }
        if (bytesInPacket(value) > messageLimits.payloadBytes)
          issues.push({
            code: 'custom',
            path: [],
            message: `must have at most ${messageLimits.payloadBytes / 1024} KiB with its name before each value, as MQTT sends it`,
            input: value,
          });
      })
      .optional()
      .openapi({
        description: `Names with one or more values each. The server adds \`${sentByUser}\` with the name of a user who has sent the message in the app`,
        example: { unit: 'cm' },
      }),
  })
  .openapi('MessageProperties', {
    description:
      'What MQTT 5 knows of a message beside its payload. Receivers by MQTT 5 get its properties, with the rest of the time until ' +
      'it expires. They count for the size of the message',
  });

/** `1e999` is valid JSON, and no number here. */
export function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** Extension: what a resource has sent to a swarm. */
export const message = z
  .strictObject({
    id: position,
    message_id: messageId.openapi({ description: 'The same for all swarms that it was sent to' }),
    swarm_id: id,
    from: id.openapi({ description: 'The resource that has sent it' }),
    to: id.optional().openapi({ description: 'The only resource that receives it. Absent: all consumers' }),
    sent_at: timestamp,
    encoding,
    payload,
    properties: messageProperties.optional(),
  })
  .openapi('Message');

export const messageSend = z
  .strictObject({
    // Its bytes are counted as text (capabilities/messages/payload.ts).
    payload: payload.check(({ value, issues }) => {
      if (value === undefined) issues.push({ code: 'invalid_type', expected: 'unknown', input: value });
      else if (hasInfinity(value))
        issues.push({ code: 'custom', message: 'has a number beyond 1.8e308', input: value });
    }),
    encoding,
    properties: messageProperties.optional(),
    swarm_id: sentId.optional().openapi({ description: 'Absent: all swarms in which the resource is a producer' }),
    to: sentId.optional().openapi({ description: 'Only to this resource, a consumer of the same swarm' }),
    message_id: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must have visible ASCII characters only')
      .max(messageLimits.idLength, `must have at most ${messageLimits.idLength} characters`)
      .optional()
      .openapi({ description: 'The same id of the same resource is the same message, while the first one is kept' }),
  })
  .check(({ value, issues }) => {
    for (const name of Object.keys(value.properties?.user_properties ?? {})) {
      const path = ['properties', 'user_properties', name];
      if (ownUserProperties.includes(name))
        issues.push({ code: 'custom', path, message: 'is a name that the server gives', input: value });
    }
  })
  .openapi('MessageSend');

export const messageSent = z
  .strictObject({
    message_id: messageId,
    sent_at: timestamp,
    swarms: z.array(id).openapi({ description: 'The swarms that it was sent to' }),
    rate_exceeded: z
      .array(id)
      .optional()
      .openapi({
        description:
          'The swarms that it was not sent to, because they are sent too many messages now. Send it again to each of them after ' +
          'the seconds of `Retry-After`, with another `message_id` if it had one',
      }),
  })
  .openapi('MessageSent');

export const messagePage = z
  .strictObject({
    items: z.array(message),
    next: position.nullable().openapi({ description: 'For `before`, to read older messages; null at the end' }),
  })
  .openapi('MessagePage');

export type Message = z.infer<typeof message>;
export type MessageSend = z.infer<typeof messageSend>;
export type MessageProperties = z.infer<typeof messageProperties>;
export type MessageEncoding = (typeof messageEncodings)[number];
export type MessageSent = z.infer<typeof messageSent>;
export type MessagePage = z.infer<typeof messagePage>;

/**
 * Also in the stream of the app, for `messages:<swarm>`: new messages of the swarm, oldest first, at most twice a second.
 * `skipped`: how many of them are left out, because the swarm sends more than a browser can show. A stream that is opened
 * again says nothing of the messages before: the list has them.
 */
export interface MessagesEvent {
  id: string;
  type: 'message.sent';
  at: string;
  data: { swarm_id: string; items: Message[]; skipped: number };
}
