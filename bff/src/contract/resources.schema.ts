import { z } from '@hono/zod-openapi';
import { machineTypes } from '../limits/field-rules.ts';
import { description, id, name, readOnly, timestamp, userName } from './fields.schema.ts';
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

const keepTrack = z.boolean().openapi({
  description:
    'Whether its track is kept (`getTrack`), which the users see who see the resource, from when they do. ' +
    'Off if absent; switching it off deletes the track.',
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
    expected_every: expectedEveryOfResource.optional(),
    keep_track: keepTrack.optional(),
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
    expected_every: expectedEveryOfResource.optional(),
    keep_track: keepTrack.optional(),
  })
  .openapi('ResourceCreate');

export const resourceUpdate = z
  .strictObject({
    name: name.optional(),
    machine_type: z.enum(machineTypes).optional(),
    description: description.nullable().optional(),
    position: position.nullable().optional(),
    expected_every: expectedEveryOfResource.nullable().optional(),
    keep_track: keepTrack.nullable().optional(),
    ...readOnly('id', 'user_id', 'created_at', 'modified_at'),
  })
  .openapi('ResourceUpdate');

export type MachineType = (typeof machineTypes)[number];
export type Position = z.infer<typeof position>;
export type Resource = z.infer<typeof resource>;
export type ResourceCreate = z.infer<typeof resourceCreate>;
export type ResourceUpdate = z.infer<typeof resourceUpdate>;
