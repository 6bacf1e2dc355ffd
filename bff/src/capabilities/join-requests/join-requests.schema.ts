import { z } from '@hono/zod-openapi';
import { eventOf } from '../../core/contract/events.schema.ts';
import { machineTypes, memberRoles } from '../../core/limits/field-rules.ts';
import {
  consentEnd,
  description,
  id,
  name,
  sentId,
  shownByLinks,
  timestamp,
  userName,
} from '../../core/contract/fields.schema.ts';

const role = z.enum(memberRoles);

/** Extension: a user asks to join a swarm with a resource. */
export const joinRequest = z
  .strictObject({
    id,
    swarm_id: id,
    swarm_name: name.openapi({ description: 'The name of the swarm when the user asked' }),
    user_id: userName.openapi({ description: 'The user who asks' }),
    resource_id: id,
    resource_name: name.openapi({ description: 'The name of the resource when the user asked' }),
    machine_type: z.enum(machineTypes),
    resource_type: role.openapi({ description: 'The role that the resource is to get' }),
    message: description.optional(),
    ends_at: timestamp.optional().openapi({ description: 'If it is accepted, the membership ends then' }),
    asked_at: timestamp,
    status: z.enum(['new', 'accepted', 'rejected']),
    answered_at: timestamp.optional(),
  })
  .openapi('JoinRequest');

export const joinRequestSend = z
  .strictObject({
    resource_id: sentId,
    resource_type: role,
    message: description.optional(),
    ends_at: consentEnd.optional().openapi({ description: 'If the request is accepted, the membership ends then' }),
    shown_by_links: shownByLinks.optional(),
  })
  .openapi('JoinRequestSend');

export const joinRequestAnswer = z.strictObject({ status: z.enum(['accept', 'reject']) }).openapi('JoinRequestAnswer');

/** Extension: a user who may not ask to join a swarm. */
export const blockedUser = z.strictObject({ user_id: userName, blocked_at: timestamp }).openapi('BlockedUser');

export type JoinRequest = z.infer<typeof joinRequest>;
export type JoinRequestSend = z.infer<typeof joinRequestSend>;
export type BlockedUser = z.infer<typeof blockedUser>;

export const joinRequestEvent = eventOf('JoinRequestEvent', {
  types: ['join_request.changed'],
  description:
    'A request to join a swarm was sent or answered: for the user who asks, the owner and the managers. `data` is the ' +
    'request.',
  data: joinRequest,
});

export const joinRequestWithdrawnEvent = eventOf('JoinRequestWithdrawnEvent', {
  types: ['join_request.withdrawn'],
  description: 'An open request to join was withdrawn, or its resource was destroyed.',
  data: z.strictObject({ id, swarm_id: id, resource_id: id }),
});
