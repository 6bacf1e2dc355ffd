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

/** `reset`: events are missing, so the client must fetch the lists again. Its `data` is empty. */
const streamEventTypes = [...eventTypes, 'reset'] as const;

/**
 * An event of the stream. `data` is the record as the endpoints return it to this caller: `invitation.*` an invitation,
 * `resource.*` a resource, `swarm.*` a swarm (`swarm.updated` without `resources`), `membership.changed` a listed
 * member and `swarm_id`. After a deletion it has only ids: `{id}` of what was destroyed, `{id, swarm_id, resource_id}`
 * of a withdrawn invitation, `{swarm_id, resource_id}` of an ended membership.
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
 * `GET /api/events?watch=own,visible,swarm:<id>&resource=<id>,<id>&last_event_id=`: the events of the service, without
 * the moves of devices. Moves are sent only for `resource`. For each watched map (default: `own`) `map.changed` is sent
 * instead, with a new `version`. A stream that continues after an event starts with a `map.changed` that is `resumed`,
 * because the map may have changed meanwhile. `last_event_id` replaces the header. Events named `mark`, without data,
 * have the id of the client's position.
 */
export type GatewayEvent =
  | Event
  | { id: string; type: 'map.changed'; at: string; data: { audience: string; version: string; resumed?: true } };
