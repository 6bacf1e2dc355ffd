import { z } from '@hono/zod-openapi';
import { id, timestamp } from './fields.schema.ts';
import { invitation } from './invitations.schema.ts';
import { activityKinds } from './activity.schema.ts';
import { presence } from './presence.schema.ts';
import { resource } from './resources.schema.ts';
import { extendedSwarm, listedMember, swarmHead, swarmSummary } from './swarms.schema.ts';

const eventId = z.string().openapi({ description: 'Its place in the order of all events' });

/** One kind of event, or several with the same `data`. */
export function eventOf<const Type extends string, Data extends z.ZodType>(
  name: string,
  { types, description, data }: { types: readonly [Type, ...Type[]]; description: string; data: Data },
) {
  return z.strictObject({ id: eventId, type: z.enum(types), at: timestamp, data }).openapi(name, { description });
}

/**
 * The events of the stream. `data` is the record as the endpoints return it to this caller. After a deletion it has
 * only ids.
 */
const kinds = [
  eventOf('ResourceEvent', {
    types: ['resource.created', 'resource.updated'],
    description: 'A resource was created or updated. `data` is the resource.',
    data: resource,
  }),
  eventOf('ResourceDestroyedEvent', {
    types: ['resource.destroyed'],
    description: 'A resource was destroyed. Its memberships and open invitations end with it.',
    data: z.strictObject({ id }),
  }),
  eventOf('InvitationEvent', {
    types: ['invitation.sent', 'invitation.received', 'invitation.updated'],
    description:
      'An invitation was sent or resent for a swarm that the caller owns or manages, was received by the caller, or was ' +
      'answered. `data` is the invitation.',
    data: invitation,
  }),
  eventOf('InvitationWithdrawnEvent', {
    types: ['invitation.withdrawn'],
    description: 'An open invitation was withdrawn.',
    data: z.strictObject({ id, swarm_id: id, resource_id: id }),
  }),
  eventOf('MembershipEvent', {
    types: ['membership.changed'],
    description:
      'A resource joined a swarm, has another role there, or left. `data` is the member. It has only `swarm_id` and ' +
      '`resource_id` if the resource left.',
    data: z.union([
      z.strictObject({ swarm_id: id, ...listedMember.shape }),
      z.strictObject({ swarm_id: id, resource_id: id }),
    ]),
  }),
  eventOf('SwarmCreatedEvent', {
    types: ['swarm.created'],
    description: 'The caller created a swarm. `data` is the swarm with its members.',
    data: extendedSwarm,
  }),
  eventOf('SwarmUpdatedEvent', {
    types: ['swarm.updated'],
    description:
      'The owner, the name, the description or `public` of a swarm was updated, or who sees it: a manager, a watcher or a link. ' +
      '`data` is the swarm without its members, which did not change.',
    data: z.union([swarmHead, swarmSummary]),
  }),
  eventOf('SwarmDestroyedEvent', {
    types: ['swarm.destroyed'],
    description: 'A swarm was destroyed. Its memberships and invitations end with it.',
    data: z.strictObject({ id }),
  }),
  eventOf('PresenceEvent', {
    types: ['presence.changed'],
    description: 'A resource is online, is not heard any more, or is silent.',
    data: z.strictObject({ id, presence }),
  }),
  eventOf('RefusalsEvent', {
    types: ['refusals.changed'],
    description: 'What a resource of the caller was refused has changed. Read it again.',
    data: z.strictObject({ id }),
  }),
  eventOf('NoticeEvent', {
    types: ['notice.created'],
    description:
      'The activity of the caller has a new entry that no request of another user has made: devices are silent or back, an import has ended, or more users see devices of the caller. `data` is its kind.',
    data: z.strictObject({ kind: z.enum(activityKinds) }),
  }),
  eventOf('ResetEvent', {
    types: ['reset'],
    description: 'Events are missing: read the lists again. `data` is empty.',
    data: z.strictObject({}),
  }),
] as const;

/** The schema of one kind of event. */
export type EventSchema = z.ZodObject<{ type: z.ZodEnum<Record<string, string>> } & z.ZodRawShape>;

/** Any event. `ofCapabilities`: those that they add. */
export const eventSchema = (ofCapabilities: readonly EventSchema[]) =>
  z.discriminatedUnion('type', [...kinds, ...ofCapabilities]).openapi('Event');

/** The events that capabilities add, by what they are about. */
export interface ServiceEvents extends Record<never, never> {}
export type Event = z.infer<(typeof kinds)[number]> | ServiceEvents[keyof ServiceEvents];
export type StreamEventType = Event['type'];
export type EventType = Exclude<StreamEventType, 'reset'>;

/**
 * `GET /api/events?watch=own,visible,swarm:<id>&resource=<id>,<id>&last_event_id=`: the events of the service, without
 * the moves of devices. Moves are sent only for `resource`. For each watched map (default: `own`) `map.changed` is sent
 * instead, with a new `version`. A stream that continues after an event starts with a `map.changed` that is `resumed`,
 * because the map may have changed meanwhile. `messages:<swarm>` in `watch` adds the new messages of a swarm, of five at most.
 * `last_event_id` replaces the header. `position` is for a client that has no event yet: the smallest `last-event-id` of the
 * responses with its data. Events named `mark`, without data, have the id of the client's position.
 */
export type GatewayEvent = Event | GatewayEvents[keyof GatewayEvents];

/** The events of that stream which the service has not, by what they are about. Capabilities add theirs. */
export interface GatewayEvents {
  map: { id: string; type: 'map.changed'; at: string; data: { audience: string; version: string; resumed?: true } };
}
