import { z } from '@hono/zod-openapi';
import { eventOf } from '../../core/contract/events.schema.ts';
import { managerRoles, userNameRule, userNameInWords } from '../../core/limits/field-rules.ts';
import { consentEnd, id, timestamp, userName } from '../../core/contract/fields.schema.ts';
import { swarmSummary } from '../../core/contract/swarms.schema.ts';

/** Extension: a user who manages or watches a swarm for its owner. */
export const manager = z
  .strictObject({
    swarm_id: id,
    user_id: userName,
    role: z.enum(managerRoles).openapi({ description: 'A watcher sees what members see, and changes nothing' }),
    status: z.enum(['asked', 'agreed']).openapi({ description: 'The role begins when the user agrees' }),
    asked_at: timestamp,
    agreed_at: timestamp.optional(),
    ends_at: timestamp.optional().openapi({ description: 'When the role of a watcher ends. Absent if it has no end' }),
    offered_at: timestamp.optional().openapi({ description: 'When the owner offered the swarm to this manager' }),
  })
  .openapi('Manager');

export const newOwner = z
  .strictObject({ user_id: userName.regex(userNameRule, `must have ${userNameInWords}`) })
  .openapi('NewOwner');
export const managerCreate = newOwner
  .extend({
    role: z.enum(managerRoles).optional().openapi({ description: 'Default: `manager`' }),
    ends_at: consentEnd.optional().openapi({ description: 'Only for a watcher: the role ends then' }),
  })
  .openapi('ManagerCreate');
export const managerAnswer = z
  .strictObject({
    status: z.enum(['agreed']),
    ends_at: consentEnd
      .optional()
      .openapi({ description: 'Agrees to watch until then, not after the end that is offered' }),
  })
  .openapi('ManagerAnswer', { description: 'To decline, remove the manager' });

export const watcherEnd = z
  .strictObject({ ends_at: consentEnd.nullable().openapi({ description: 'Null for no end' }) })
  .openapi('WatcherEnd');

/** What the owner of a swarm offers to the caller: to manage it, to watch it, or to own it. */
export const swarmOffer = z
  .strictObject({
    role: z.enum([...managerRoles, 'owner']),
    offered_at: timestamp,
    ends_at: timestamp.optional().openapi({ description: 'Of a watcher: when the role ends' }),
    swarm: swarmSummary,
  })
  .openapi('SwarmOffer');

export type Manager = z.infer<typeof manager>;
export type SwarmOffer = z.infer<typeof swarmOffer>;

export const managerEvent = eventOf('ManagerEvent', {
  types: ['manager.changed'],
  description:
    'A user was asked to manage or watch a swarm, has agreed, was offered the swarm, or has no such role any more: for this user, the owner and the ' +
    'managers. `data` is the manager. It has only `swarm_id` and `user_id` in the last case.',
  data: z.union([manager, manager.pick({ swarm_id: true, user_id: true })]),
});
