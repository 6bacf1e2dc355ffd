import { z } from '@hono/zod-openapi';
import { valueLimits } from './limits.ts';
import { timestamp } from '../../core/contract/fields.schema.ts';
import { resource } from '../../core/contract/resources.schema.ts';

const key = z.string().openapi({
  description:
    'The path of the value in the payload, its names joined by dots. The payload itself, if it is a number, a boolean or a text, is `value`',
  example: 'battery.volts',
});
const times = z.array(z.int()).openapi({ description: 'In ms since 1970, ascending', example: [1764061200000] });
const numbers = z.array(z.number());

const numberSeries = z
  .strictObject({
    key,
    kind: z.literal('number'),
    times,
    values: numbers.openapi({ description: 'With a step, the means of the steps', example: [21.5] }),
    first: numbers.optional(),
    last: numbers.optional(),
    min: numbers.optional(),
    max: numbers.optional(),
    count: z.array(z.int()).optional(),
  })
  .openapi('NumberSeries', {
    description:
      'With a step, `times` are the beginnings of the steps, and there are all of the other arrays, of the same length',
  });

const stateSeries = z
  .strictObject({
    key,
    kind: z.literal('state'),
    times,
    values: z.array(z.union([z.boolean(), z.string()])).openapi({ example: ['open'] }),
  })
  .openapi('StateSeries', {
    description:
      'Booleans and texts, at the times when they changed, and at one time at least of each hour in which they were sent. With a step, they may be fewer',
  });

const series = z.discriminatedUnion('kind', [numberSeries, stateSeries]).openapi('ValueSeries');

const range = {
  from: timestamp,
  to: timestamp,
  step: z.int().min(0).openapi({
    description:
      'In seconds. 0: the points as they were sent. Else each point of a number is a step, which begins at a multiple of it; a step without a value is left out',
  }),
};

export const valueKeysChosen = z
  .strictObject({
    keys: z.array(key.max(valueLimits.keyLength)).min(1).max(valueLimits.chosenKeys).nullable().openapi({
      description: 'The keys that are recorded; null: those that change from time to time come first',
    }),
  })
  .openapi('ValueKeys');

export const values = z
  .strictObject({
    ...range,
    kept_since: timestamp.nullable().openapi({
      description:
        'Since when they are recorded. Null: they are not, and these are those of the messages that are still there',
    }),
    is_full: z
      .boolean()
      .optional()
      .openapi({
        description: `To the owner: ${100 * valueLimits.fullFrom} % of the bytes that the values of the account may have are used. Beyond them, the oldest values of all its resources are deleted`,
      }),
    left_out: z
      .array(key)
      .optional()
      .openapi({
        description: 'To the owner: keys that were sent and are not recorded, if there are any',
        example: ['uptime'],
      }),
    chosen_keys: valueKeysChosen.shape.keys.unwrap().optional().openapi({
      description: 'To the owner: the keys that `setValueKeys` has chosen, if there are any',
    }),
    series: z.array(series),
  })
  .openapi('Values');

export const swarmValues = z
  .strictObject({
    ...range,
    items: z.array(
      z.strictObject({
        resource_id: resource.shape.id,
        since: timestamp.optional().openapi({
          description: 'The caller sees what the resource has sent since then. Absent if the resource is not a member',
        }),
        series: z.array(series),
      }),
    ),
  })
  .openapi('SwarmValues');

export type Values = z.infer<typeof values>;
export type SwarmValues = z.infer<typeof swarmValues>;
export type ValueSeries = z.infer<typeof series>;
