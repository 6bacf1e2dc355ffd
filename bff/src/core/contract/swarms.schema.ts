import { z } from '@hono/zod-openapi';
import { limits, memberRoles } from '../limits/field-rules.ts';
import {
  consentEnd,
  description,
  id,
  memberCount,
  name,
  readOnly,
  sentId,
  shownByLinks,
  timestamp,
  url,
  userName,
} from './fields.schema.ts';
import { expectedEvery } from './presence.schema.ts';

const role = z.enum(memberRoles);

export const swarmMember = z
  .strictObject({
    resource_id: id,
    resource_type: role,
    user_id: userName,
    url,
    ends_at: timestamp.optional().openapi({
      description: 'When the membership ends. Absent if it has no end',
      'x-extension': true,
    }),
    ends_at_most: timestamp.optional().openapi({
      description: 'The owner of the resource cannot choose a later end. Absent if any end is possible',
      'x-extension': true,
    }),
  })
  .openapi('SwarmMember');

/** The spec's fields. */
export const swarm = z
  .strictObject({
    id,
    user_id: userName,
    name,
    description: z.string(),
    created_at: timestamp,
    public: z.boolean(),
    resources: z.array(swarmMember),
  })
  .openapi('Swarm');

/** Extension: a swarm as the endpoints that are not in the spec return it. */
export const extendedSwarm = z
  .strictObject({
    ...swarm.shape,
    modified_at: timestamp.optional().openapi({
      description: 'When its name, description, `public` or `listed` was last updated. Absent before the first update',
      'x-extension': true,
    }),
    listed: z
      .literal(true)
      .optional()
      .openapi({ description: 'It is public and in the directory. Otherwise absent', 'x-extension': true }),
    accepts_requests: z.boolean().optional().openapi({
      description: 'False if users may not ask to join it while it is public. Absent if they may',
      'x-extension': true,
    }),
    expected_every: expectedEvery.optional(),
  })
  .openapi('ExtendedSwarm');

/** A swarm without its members, as `swarm.updated` sends it. */
export const swarmHead = extendedSwarm.omit({ resources: true }).openapi('SwarmHead');

/** Extension: a swarm without its members, for users who may not see them, with their number instead. */
export const swarmSummary = z
  .strictObject({
    ...extendedSwarm.shape,
    access: z.literal('summary'),
    resources: z.array(swarmMember).max(0),
    member_count: memberCount,
  })
  .openapi('SwarmSummary');

/** Extension: `access` tells the two shapes of a swarm apart. */
export const swarmDetails = z
  .strictObject({ ...extendedSwarm.shape, access: z.literal('full') })
  .openapi('SwarmDetails');

/** Extension: whether the caller is notified when members of a swarm are silent. */
export const silenceNotices = z.strictObject({ enabled: z.boolean() }).openapi('SilenceNotices');

const ownMember = z.strictObject({ resource_id: sentId, resource_type: role });

export const swarmCreate = z
  .strictObject({
    name,
    description,
    public: z.boolean().optional(),
    expected_every: expectedEvery.optional(),
    resources: z.array(ownMember).max(limits.membersAtOnce).optional(),
  })
  .openapi('SwarmCreate');

export const swarmUpdate = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    public: z.boolean().optional(),
    listed: z.boolean().optional().openapi({ description: 'Only for a public swarm' }),
    accepts_requests: z.boolean().optional(),
    expected_every: expectedEvery
      .nullable()
      .optional()
      .openapi({ description: 'Seconds, for members that have none of their own' }),
    ...readOnly('id', 'user_id', 'created_at', 'modified_at'),
    access: z.literal('full').optional(),
    // A body has no room for more.
    resources: z.array(z.unknown()).max(limits.membersAtOnce).optional(),
  })
  .openapi('SwarmUpdate');

export const memberAdd = ownMember.extend({ shown_by_links: shownByLinks.optional() }).openapi('MemberAdd');
export const listedMember = z
  .strictObject({
    ...swarmMember.shape,
    member_since: timestamp,
    shown_by_links: z.literal(true).optional().openapi({
      description:
        'Links of the swarm show it to people without an account. Only the owner of the resource sees this. Absent if they do not',
    }),
  })
  .openapi('ListedMember');

export const memberUpdate = z
  .strictObject({
    resource_type: role.optional(),
    ends_at: consentEnd
      .nullable()
      .optional()
      .openapi({ description: 'The new end; null for none. Absent: it stays as it is' }),
    shown_by_links: shownByLinks.optional(),
    ...readOnly('resource_id', 'user_id', 'url', 'member_since', 'ends_at_most'),
  })
  .openapi('MemberUpdate');

export type MemberRole = (typeof memberRoles)[number];
export type SwarmMember = z.infer<typeof swarmMember>;
export type Swarm = z.infer<typeof swarm>;
export type ExtendedSwarm = z.infer<typeof extendedSwarm>;
export type SwarmDetails = z.infer<typeof swarmDetails>;
export type SwarmSummary = z.infer<typeof swarmSummary>;
export type SwarmCreate = z.infer<typeof swarmCreate>;
export type SilenceNotices = z.infer<typeof silenceNotices>;
export type SwarmUpdate = z.infer<typeof swarmUpdate>;
export type ListedMember = z.infer<typeof listedMember>;
