import { z } from '@hono/zod-openapi';
import { timestamp } from './fields.schema.ts';

const eventTypes = [
  'resource.created',
  'resource.updated',
  'resource.destroyed',
  'invitation.sent',
  'invitation.received',
  'invitation.updated',
  'invitation.withdrawn',
  'membership.changed',
  'swarm.created',
  'swarm.updated',
  'swarm.destroyed',
] as const;

/** `reset`: what was missed cannot be told any more, the lists are to be read again. Its `data` is empty. */
const streamEventTypes = [...eventTypes, 'reset'] as const;

/**
 * One event of the stream. `data` is the record as the endpoints give it to this caller: `invitation.*` an
 * invitation, `resource.*` a resource, `swarm.*` a swarm (`swarm.updated` without `resources`), `membership.changed`
 * a listed member and `swarm_id`. Where something ended, ids only: `{id}` of what was destroyed, `{id, swarm_id,
 * resource_id}` of an invitation withdrawn, `{swarm_id, resource_id}` of a membership that ended.
 */
export const event = z
  .strictObject({
    id: z.string(),
    type: z.enum(streamEventTypes),
    at: timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .openapi('Event');

export type EventType = (typeof eventTypes)[number];
export type StreamEventType = (typeof streamEventTypes)[number];
export type Event = z.infer<typeof event>;

/**
 * `GET /api/events?watch=own,visible,swarm:<id>&resource=<id>,<id>&last_event_id=`: the events of the service, but for
 * positions. These are told for `resource` alone; of a map that is watched (default: `own`) it is told that it changed,
 * and `version` is another one each time. `last_event_id` stands in for the header. How far a browser has got it is told
 * by events named `mark`, without data.
 */
export type GatewayEvent =
  | Event
  | { id: string; type: 'map.changed'; at: string; data: { audience: string; version: string } };
