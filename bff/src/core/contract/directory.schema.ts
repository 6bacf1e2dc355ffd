import { z } from '@hono/zod-openapi';
import { id, memberCount, timestamp, userName } from './fields.schema.ts';

/** By name, by the number of members, or by activity. The last two have the largest first. */
export const directorySorts = ['-active', '-members', 'name'] as const;

/** Extension: a public swarm in the directory. Nothing of its members but their number. */
const directorySwarm = z
  .strictObject({
    id,
    user_id: userName,
    name: z.string(),
    description: z.string(),
    created_at: timestamp,
    member_count: memberCount,
    active_at: timestamp.openapi({
      description: 'When a resource last joined, or the owner last changed the name, the description or a setting',
    }),
  })
  .openapi('DirectorySwarm');

export const directoryPage = z
  .strictObject({
    items: z.array(directorySwarm),
    next: z.string().nullable().openapi({ description: 'For `cursor`; null on the last page' }),
    total: z.int().optional().openapi({ description: 'How many match. Only on the first page' }),
  })
  .openapi('DirectoryPage');

export type DirectorySort = (typeof directorySorts)[number];
export type DirectorySwarm = z.infer<typeof directorySwarm>;
export type DirectoryPage = z.infer<typeof directoryPage>;
