import { z } from '@hono/zod-openapi';
import { eventOf } from '../../core/contract/events.schema.ts';
import { id, timestamp, userName } from '../../core/contract/fields.schema.ts';
import { newOwner, swarmOffer } from '../managers/managers.schema.ts';
import { resource } from '../../core/contract/resources.schema.ts';

const withHistory = z.boolean().openapi({
  description:
    'Whether its track and the recorded values go with it. Without them, both are deleted, and begin anew. Its record with its last position ' +
    'always goes with it',
});

/** Extension: a resource that its owner offers to another user. */
export const handover = z
  .strictObject({
    resource_id: id,
    user_id: userName.openapi({ description: 'To whom it is offered' }),
    with_history: withHistory,
    offered_at: timestamp,
  })
  .openapi('Handover');

export const handoverCreate = newOwner.extend({ with_history: withHistory.optional() }).openapi('HandoverCreate');

/** What another user offers to the caller. */
export const offer = z
  .union([
    swarmOffer,
    z
      .strictObject({
        role: z.enum(['owner']),
        offered_at: timestamp,
        with_history: withHistory,
        resource: resource.pick({
          id: true,
          user_id: true,
          name: true,
          machine_type: true,
          description: true,
          keep_track: true,
          keep_values: true,
        }),
      })
      .openapi('ResourceOffer'),
  ])
  .openapi('Offer');

export type Handover = z.infer<typeof handover>;
export type HandoverCreate = z.infer<typeof handoverCreate>;
export type Offer = z.infer<typeof offer>;
export type ResourceOffer = Extract<Offer, { resource: unknown }>;

export const handoverEvent = eventOf('HandoverEvent', {
  types: ['handover.changed'],
  description:
    'A resource was offered to another user, or is not offered any more: for its owner and this user. Read it again. When it is taken ' +
    'over, it is destroyed to its former owner, and created to the new one.',
  data: z.strictObject({ id }),
});
