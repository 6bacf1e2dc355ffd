import { z } from '@hono/zod-openapi';
import { description, id, timestamp, userName } from './fields.schema.ts';

export const invitationRoles = ['consumer', 'producer'] as const;
export const invitationStates = ['new', 'accepted', 'rejected'] as const;

export const invitation = z
  .strictObject({
    id,
    from: userName,
    to: userName,
    swarm_id: id,
    resource_id: id,
    resource_type: z.enum(invitationRoles),
    description: description.optional(),
    sent_at: timestamp,
    status: z.enum(invitationStates),
    accepted_at: timestamp.optional(),
    rejected_at: timestamp.optional(),
  })
  .openapi('Invitation');

export const invitationSend = z
  .strictObject({
    to: z.string(),
    resource_id: z.string(),
    resource_type: z.enum(invitationRoles),
    description: description.optional(),
  })
  .openapi('InvitationSend');

/** All other fields are read-only. They are accepted if they equal the stored ones. */
export const invitationAnswer = z
  .strictObject({
    status: z.enum(['accept', 'reject']),
    id: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    swarm_id: z.string().optional(),
    resource_id: z.string().optional(),
    resource_type: z.string().optional(),
    description: z.string().optional(),
    sent_at: z.string().optional(),
    accepted_at: z.string().optional(),
    rejected_at: z.string().optional(),
  })
  .openapi('InvitationAnswer');

export type InvitationRole = (typeof invitationRoles)[number];
export type Invitation = z.infer<typeof invitation>;
export type InvitationSend = z.infer<typeof invitationSend>;
