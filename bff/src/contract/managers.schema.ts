import { z } from '@hono/zod-openapi';
import { userNameRule } from '../limits/field-rules.ts';
import { id, timestamp, userName } from './fields.schema.ts';
import { swarmSummary } from './swarms.schema.ts';

/** Extension: a user who looks after a swarm for its owner. */
export const manager = z
  .strictObject({
    swarm_id: id,
    user_id: userName,
    status: z.enum(['asked', 'agreed']).openapi({ description: 'Only who has agreed is a manager' }),
    asked_at: timestamp,
    agreed_at: timestamp.optional(),
    offered_at: timestamp.optional().openapi({ description: 'When the owner offered the swarm to this manager' }),
  })
  .openapi('Manager');

export const managerCreate = z
  .strictObject({ user_id: userName.regex(userNameRule, 'must have 3 to 32 characters: a-z, 0-9, _ and -') })
  .openapi('ManagerCreate');
export const newOwner = managerCreate.openapi('NewOwner');
export const managerAnswer = z
  .strictObject({ status: z.enum(['agreed']) })
  .openapi('ManagerAnswer', { description: 'To decline, remove the manager' });

/** What the owner of a swarm offers to the caller: to manage it, or to own it. */
export const offer = z
  .strictObject({
    role: z.enum(['manager', 'owner']),
    offered_at: timestamp,
    swarm: swarmSummary,
  })
  .openapi('Offer');

export type Manager = z.infer<typeof manager>;
export type Offer = z.infer<typeof offer>;
