import { z } from '@hono/zod-openapi';
import { keptValues, machineTypes, positionLimits } from '../limits/field-rules.ts';
import { description, id, name, readOnly, reportedTime, timestamp, userName } from './fields.schema.ts';
import { expectedEveryOfResource } from './presence.schema.ts';

export const position = z
  .strictObject({
    // Adding 0 converts -0 to 0.
    longitude: z
      .number()
      .min(-180)
      .max(180)
      .overwrite((value) => value + 0),
    latitude: z
      .number()
      .min(-90)
      .max(90)
      .overwrite((value) => value + 0),
  })
  .openapi('Position');

/** Extensions: what a report says about its position. Beside it, because the spec has the fields of a position. */
const positionedAt = {
  description:
    'When the position was true, in a report: absent if it was not reported, and then the time of the request. ' +
    'An older one than that of the stored position does not replace it, and is a point of the track if that is kept since before. ' +
    'A time in the future is now, and so is one of more than ten years ago in an update without `If-Match`',
  'x-extension': true,
};
const accuracy = z
  .number()
  .min(0)
  .max(positionLimits.accuracy)
  .openapi({
    description:
      'In metres, of the position. Absent if it was not reported. A position that is less accurate than ' +
      `${positionLimits.coarse} m does not replace a better one of the last hour; one without it counts as good`,
    'x-extension': true,
  });

/** What is said about a position that is not there is an issue. */
const hasPosition: z.core.CheckFn<{ position?: unknown; positioned_at?: unknown; accuracy?: unknown }> = (body) => {
  const { value, issues } = body;
  if (value.position !== undefined && value.position !== null) return;
  for (const name of ['positioned_at', 'accuracy'] as const)
    if (value[name] !== undefined && value[name] !== null)
      issues.push({ code: 'custom', message: 'needs a `position`', path: [name], input: value[name] });
};

const keepTrack = z.boolean().openapi({
  description:
    'Whether its track is kept (`getTrack`), which the users see who see the resource, from when they do. ' +
    'Off if absent; switching it off deletes the track.',
  'x-extension': true,
});

const keepValues = z.enum(keptValues).openapi({
  description:
    'Whether its values are kept (`getValues`), by the times when they were sent, or by the `time` in the payload. ' +
    'Users who may read the messages of a swarm see what was sent to it, from when they may. ' +
    'Off if absent; switching it off deletes them.',
  'x-extension': true,
});

export const resource = z
  .strictObject({
    id,
    user_id: userName,
    name,
    machine_type: z.enum(machineTypes),
    description: description.optional(),
    position: position.optional(),
    positioned_at: timestamp.openapi(positionedAt).optional(),
    accuracy: accuracy.optional(),
    expected_every: expectedEveryOfResource.optional(),
    keep_track: keepTrack.optional(),
    keep_values: keepValues.optional(),
    created_at: timestamp,
    modified_at: timestamp.optional(),
  })
  .openapi('Resource');

export const resourceCreate = z
  .strictObject({
    name,
    machine_type: z.enum(machineTypes),
    description: description.optional(),
    position: position.optional(),
    positioned_at: reportedTime.openapi(positionedAt).optional(),
    accuracy: accuracy.optional(),
    expected_every: expectedEveryOfResource.optional(),
    keep_track: keepTrack.optional(),
    keep_values: keepValues.optional(),
  })
  .check(hasPosition)
  .openapi('ResourceCreate');

export const resourceUpdate = z
  .strictObject({
    name: name.optional(),
    machine_type: z.enum(machineTypes).optional(),
    description: description.nullable().optional(),
    position: position.nullable().optional(),
    positioned_at: reportedTime.openapi(positionedAt).nullable().optional(),
    accuracy: accuracy.nullable().optional(),
    expected_every: expectedEveryOfResource.nullable().optional(),
    keep_track: keepTrack.nullable().optional(),
    keep_values: keepValues.nullable().optional(),
    ...readOnly('id', 'user_id', 'created_at', 'modified_at'),
  })
  .check(hasPosition)
  .openapi('ResourceUpdate');

export type KeptValues = (typeof keptValues)[number];
export type MachineType = (typeof machineTypes)[number];
export type Position = z.infer<typeof position>;
export type Resource = z.infer<typeof resource>;
export type ResourceCreate = z.infer<typeof resourceCreate>;
export type ResourceUpdate = z.infer<typeof resourceUpdate>;
/** Fields of a resource with new values, as they are sent; null: none. */
export type ResourceChange = Omit<ResourceUpdate, 'id' | 'user_id' | 'created_at' | 'modified_at'>;
