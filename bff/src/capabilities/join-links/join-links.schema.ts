import { z } from '@hono/zod-openapi';
import { eventOf } from '../../core/contract/events.schema.ts';
import { memberRoles } from '../../core/limits/field-rules.ts';
import {
  consentEnd,
  expires,
  id,
  name,
  sentId,
  shownByLinks,
  text,
  timestamp,
  url,
} from '../../core/contract/fields.schema.ts';
import { swarmSummary, type SwarmSummary } from '../../core/contract/swarms.schema.ts';
import { linkLimits } from './limits.ts';

const role = z
  .enum(memberRoles)
  .openapi({ description: 'The role that each resource gets. `both` is two invitations' });

/** Extension: a link by which users join a swarm with their resources. */
export const joinLink = z
  .strictObject({
    id,
    swarm_id: id,
    name: name.openapi({ description: 'Only the swarm’s owner and its managers see it' }),
    resource_type: role,
    expires_at: timestamp.optional(),
    max_resources: z.int().optional(),
    joined: z.int().openapi({ description: 'How many resources have joined by it' }),
    url: url.openapi({ description: 'The page that a user opens. Its last segment is the `code`' }),
    created_at: timestamp,
    ended_at: timestamp.optional(),
  })
  .openapi('JoinLink');

export const joinLinkCreate = z
  .strictObject({
    name,
    resource_type: role,
    expires_at: expires.optional().openapi({ description: 'Until when it can be used. In the future' }),
    max_resources: z
      .int()
      .min(1)
      .max(linkLimits.resources)
      .optional()
      .openapi({ description: 'How many resources can join by it' }),
  })
  .openapi('JoinLinkCreate');

/** What a link offers to a user who has opened it. */
export const joinOffer = z
  .strictObject({
    id,
    pass: z.string().openapi({ description: 'Only the caller can join with it, while the link can be used' }),
    resource_type: role,
    expires_at: timestamp.optional(),
    resources_left: z.int().optional().openapi({ description: 'Absent if any number can join' }),
    swarm: swarmSummary,
  })
  .openapi('JoinOffer');

export const joinByLink = z
  .strictObject({
    pass: text,
    resource_id: sentId,
    ends_at: consentEnd.optional().openapi({ description: 'The membership ends then' }),
    shown_by_links: shownByLinks.optional(),
  })
  .openapi('JoinByLink');

export type JoinLink = z.infer<typeof joinLink>;
export type JoinLinkCreate = z.infer<typeof joinLinkCreate>;
export type JoinOffer = z.infer<typeof joinOffer>;
/** What a link shows before sign-in (`POST /auth/join-link`). */
export type JoinPreview = Pick<JoinOffer, 'resource_type'> & {
  swarm: Pick<SwarmSummary, 'name' | 'user_id' | 'description' | 'public' | 'member_count'>;
};

export const joinLinkEvent = eventOf('JoinLinkEvent', {
  types: ['link.changed'],
  description:
    'A link of a swarm that the caller owns or manages was created, was used, or has ended. `data` is the link.',
  data: joinLink,
});
