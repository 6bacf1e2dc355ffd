import { z } from '@hono/zod-openapi';
import { consentLimits } from '../limits/part-limits.ts';
import {
  consentEnd,
  description,
  id,
  label,
  readOnly,
  sentId,
  shownByLinks,
  text,
  timestamp,
  userName,
} from './fields.schema.ts';

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
    sent_by: userName.optional().openapi({
      description:
        'The user who sent it, if it is not `from`: a manager, or the owner of the swarm before it was handed over. ' +
        'Not known of invitations that were sent before this field was stored',
      'x-extension': true,
    }),
    ends_at: timestamp.optional().openapi({
      description:
        'When the membership that is offered ends. Absent if it has no end. If the resource is a member, the accepted end replaces that of the membership, for both roles',
      'x-extension': true,
    }),
    sent_at: timestamp,
    status: z.enum(invitationStates),
    accepted_at: timestamp.optional(),
    rejected_at: timestamp.optional(),
  })
  .openapi('Invitation');

export const invitationSend = z
  .strictObject({
    to: text,
    resource_id: sentId,
    resource_type: z.enum(invitationRoles),
    description: description.optional(),
    label: label.optional().openapi({
      description:
        'What the sender knows about the resource, such as the name that came with its code. Only the sender’s lists in ' +
        'the app show it. Sent again without it, the invitation keeps it',
      'x-extension': true,
    }),
    ends_at: consentEnd.optional().openapi({
      description:
        `Offers a membership until then, at most ${consentLimits.days} days from now. Who accepts may choose an earlier end, and ` +
        'cannot choose a later one. Sent again without it, the invitation offers one without an end. When it is accepted, it ' +
        'replaces the end of a membership that the resource has, for both roles. For a role that the resource has, it must be after that end',
    }),
  })
  .openapi('InvitationSend');

export const invitationAnswer = z
  .strictObject({
    status: z.enum(['accept', 'reject']),
    ends_at: consentEnd.optional().openapi({
      description:
        'Accepts until then: not after the end that is offered, if there is one. Nothing is sent or received by the membership at that ' +
        'time or later. A membership has one end for both roles: the accepted one if the invitation offers an end, else the earlier one',
    }),
    shown_by_links: shownByLinks.optional(),
    ...readOnly('id', 'from', 'to', 'swarm_id', 'resource_id', 'resource_type', 'description', 'sent_by'),
    ...readOnly('sent_at', 'accepted_at', 'rejected_at'),
  })
  .openapi('InvitationAnswer');

export type InvitationRole = (typeof invitationRoles)[number];
export type Invitation = z.infer<typeof invitation>;
export type InvitationSend = z.infer<typeof invitationSend>;
