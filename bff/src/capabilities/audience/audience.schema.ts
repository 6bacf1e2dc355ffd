import { z } from '@hono/zod-openapi';
import { audienceRoles, reaches } from '../../core/limits/field-rules.ts';
import { audienceLimits } from '../../core/limits/part-limits.ts';
import { id, timestamp, userName } from '../../core/contract/fields.schema.ts';

/** Extension: who sees the devices of a swarm. */
const swarmAudience = z
  .strictObject({
    swarm: z.strictObject({ id, name: z.string() }),
    named: z
      .array(
        z.strictObject({
          user_id: userName.openapi({ description: 'Empty if the account has been deleted since' }),
          role: z.enum(audienceRoles),
          since: timestamp.optional().openapi({
            description:
              'Of a resource: when it joined, if the user had the role before. Absent for a time in the past',
          }),
          ends_at: timestamp.optional().openapi({ description: 'When the role of a watcher ends, if it has an end' }),
        }),
      )
      .openapi({ description: 'Its owner, managers and watchers' }),
    users: z
      .int()
      .optional()
      .openapi({ description: 'How many users have devices in it. They see these devices, too. Absent for the past' }),
    own_devices: z.int().optional().openapi({
      description:
        'How many devices of the caller are in it. With any, the caller is one of `users`. Absent for the past',
    }),
    receivers: z
      .strictObject({
        users: z.int(),
        devices: z.int(),
        own: z.int().openapi({ description: 'How many of these devices are those of the caller' }),
      })
      .optional()
      .openapi({
        description: 'Who receives what its devices send. Of a resource: without itself. Absent for the past',
      }),
    received: z
      .boolean()
      .optional()
      .openapi({ description: 'Only for a time in the past, if it is known: whether devices received then' }),
    reach: z
      .enum(reaches)
      .optional()
      .openapi({
        description:
          'Who can ask to join: nobody, users who have its address, or all users, who can find it in the directory. Nobody sees a ' +
          'device by that. Absent for a time in the past of which it is not known',
      }),
    open_links: z.int().optional().openapi({
      description: 'By how many links somebody who has one can join, without asking. Absent for the past',
    }),
    guest_links: z.int().optional().openapi({
      description:
        'How many links show members of it, whose owners allow it, to people without an account. Absent for the past',
    }),
    shown_by_links: z.boolean().optional().openapi({
      description: 'For the owner of the resource: whether such links show it. Absent for the past',
    }),
    since: timestamp.openapi({ description: 'Nothing of this has changed since then, except for numbers' }),
    known_since: timestamp.openapi({
      description:
        'The caller can ask for times from then on. Of a time in the past, it is known from then on: of a swarm, the newest ' +
        `${audienceLimits.changes} changes of each sort are kept`,
    }),
    member_since: timestamp.optional().openapi({ description: 'Of the resource' }),
    ends_at: timestamp
      .optional()
      .openapi({ description: 'When the membership of the resource ends, if it has an end' }),
    receivers_then: z.int().optional().openapi({
      description: 'For the owner of the resource: how many other devices received when it joined, if that is known',
    }),
  })
  .openapi('SwarmAudience');

export const audience = z
  .strictObject({
    items: z.array(swarmAudience),
    next: id.nullable().openapi({ description: 'For `after`, to read more swarms; null at the end' }),
  })
  .openapi('Audience');

export type SwarmAudience = z.infer<typeof swarmAudience>;
export type Audience = z.infer<typeof audience>;
export type AudienceRole = (typeof audienceRoles)[number];
export type Reach = (typeof reaches)[number];
