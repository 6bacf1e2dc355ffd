import { z } from '@hono/zod-openapi';
import { neverExpected, presenceLimits, presenceStates } from '../limits/field-rules.ts';
import { presenceRound, refusalLimits } from '../limits/part-limits.ts';
import { timestamp } from './fields.schema.ts';

/** Extension: whether a resource is heard. It is no field of the resource, whose version does not change when it is heard. */
export const presence = z
  .strictObject({
    state: z.enum(presenceStates).openapi({
      description:
        '`online`: heard within its interval. `offline`: heard before. `silent`: not heard for twice the time in which it is ' +
        'expected. `never`: never heard. Heard is a request with its key, a packet by MQTT, also a ping, the opening of a ' +
        'stream, and a position or a message that its owner sends for it with a key of the account',
    }),
    heard_at: timestamp
      .optional()
      .openapi({ description: `To within ${presenceRound.everyMs / 1000} seconds; absent if it was never heard` }),
    connected: z
      .literal(true)
      .optional()
      .openapi({
        description:
          'It has an open stream, a waiting request or a connection by MQTT, which alone is no sign of life: its client may ' +
          'hang. Absent if it has none',
      }),
  })
  .openapi('Presence');

/** Extension: seconds. */
export const expectedEvery = z.int().min(presenceLimits.least).max(presenceLimits.most).openapi({
  description: 'Seconds within which it is expected to be heard. After twice this time it is silent',
  'x-extension': true,
});

/** Extension: that of a resource. */
export const expectedEveryOfResource = z
  .int()
  .min(neverExpected)
  .max(presenceLimits.most)
  .refine(
    (seconds) => seconds <= neverExpected || seconds >= presenceLimits.least,
    `must be ${neverExpected} or at least ${presenceLimits.least}`,
  )
  .openapi({
    description:
      `Seconds within which it is expected to be heard, at least ${presenceLimits.least}. After twice this time it is silent. ` +
      `${neverExpected}: it is never expected, whatever its swarms say. Absent: the shortest time of its swarms`,
    'x-extension': true,
  });

const times = z.int().min(1);
const last = timestamp.openapi({ description: 'When it last happened' });
/** Extension: what was refused of a resource. Only for its owner and its own keys. */
export const refusals = z
  .strictObject({
    refused: z
      .strictObject({
        times: times.openapi({ description: 'Since a request of the same kind was last accepted' }),
        last_at: last,
        code: z.string().openapi({ description: 'Why the last one was refused: the `code` of its problem' }),
        detail: z.string(),
      })
      .optional()
      .openapi({
        description:
          'Requests with its keys that were refused, also by MQTT, whose version 3.1.1 cannot say so. Absent when one has ' +
          `been accepted, or none was refused for ${refusalLimits.days} days`,
      }),
    wrong_keys: z
      .strictObject({ times, last_at: last })
      .optional()
      .openapi({
        description:
          'Requests about it with a wrong key, or with that of another resource. What is accepted does not end it. Absent if ' +
          `there was none for ${refusalLimits.days} days`,
      }),
  })
  .openapi('Refusals');
export type Refusals = z.infer<typeof refusals>;

export type PresenceState = (typeof presenceStates)[number];
export type Presence = z.infer<typeof presence>;
