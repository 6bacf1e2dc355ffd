import { Hono } from 'hono';
import type { EventType } from '../contract.ts';
import type { EventStreams } from '../http/event-streams.ts';
import { Problem } from '../http/problem.ts';
import { createChangedMaps } from './map-change-notifier.ts';
import type { GatewayEnv } from './gateway-env.ts';

/** What the gateway needs to know of an event of the service. */
export interface ServiceEvent {
  type: EventType | 'reset';
  resourceId?: string;
  owner?: string;
  isMove: boolean;
  bytes: Uint8Array;
}
export interface ServiceEvents {
  events: readonly ServiceEvent[];
  bytes: Uint8Array;
  seenIn(swarmId: string, user: string): boolean;
}

export interface EventOptions {
  streams: EventStreams;
  /** Of the service: all that a user may see. */
  events: {
    subscribe(options: { user: string; after: string | undefined; send: (batch: ServiceEvents) => void }): () => void;
    mark(): string;
    newest(): string;
  };
  /** Told which maps somebody looks at, from when on; the function it returns ends that. */
  watching: (watched: { user: string; audience: string }) => () => void;
  now: () => Date;
}

const watchedAtMost = 20;
const watchable = /^(own|visible|swarm:[0-9a-f-]{36})$/;

/**
 * `GET /events?watch=own,swarm:<id>&resource=<id>&last_event_id=`: the service's events for a browser. It is not told
 * where every device moves but, five times a second at most, that a map it watches has changed; and the moves of the
 * devices whose pages are open in its tabs, with commas between them.
 */
export function eventRoutes({ streams, events, watching, now }: EventOptions): Hono<GatewayEnv> {
  const routes = new Hono<GatewayEnv>();
  const changed = createChangedMaps({ newest: events.newest, now });

  routes.get('/events', (c) => {
    const { userName: user, sessionId, setCookie } = c.env.session;
    const audiences = readWatch(c.req.query('watch'));
    const resources = readResources(c.req.query('resource'));
    // a browser's first request on a stream can carry no header: another tab tells it how far that one had got
    const after = c.req.header('last-event-id') ?? c.req.query('last_event_id');
    return streams.open(c, {
      user,
      proof: { kind: 'session', id: sessionId },
      // named, because a browser shows its pages the id of an event only
      mark: () => `${events.mark()}event: mark\ndata:\n`,
      ...(setCookie && { headers: { 'set-cookie': setCookie } }),
      opened(stream) {
        const watched = audiences.map((audience) => ({ audience, stream }));
        const ends = audiences.map((audience) => watching({ user, audience }));
        const shown = ({ isMove, resourceId }: ServiceEvent) =>
          !isMove || (resourceId !== undefined && resources.has(resourceId));
        const unsubscribe = events.subscribe({
          user,
          after,
          send(batch) {
            if (batch.events.every(shown)) stream.send(batch.bytes);
            else for (const event of batch.events.filter(shown)) stream.send(event.bytes);
            // after them, because its id says that they have been told
            watched.filter(({ audience }) => changesMap({ audience, batch, user })).forEach(changed.note);
          },
        });
        // what moved while it was away is in no event
        if (after !== undefined) watched.forEach(changed.note);
        return () => {
          unsubscribe();
          watched.forEach(changed.forget);
          ends.forEach((end) => end());
        };
      },
    });
  });
  return routes;
}

function changesMap({ audience, batch, user }: { audience: string; batch: ServiceEvents; user: string }): boolean {
  const ofMap = batch.events.filter(({ type }) => type.startsWith('resource.') || endsOrBegins.has(type));
  if (ofMap.length === 0) return false;
  if (audience === 'visible') return true;
  if (audience === 'own') return ofMap.some(({ owner, type }) => owner === user || endsOrBegins.has(type));
  return batch.seenIn(audience.slice('swarm:'.length), user);
}

/** Who is in a swarm is a filter of the map. */
const endsOrBegins: ReadonlySet<string> = new Set<EventType>(['membership.changed', 'swarm.destroyed']);

/** Throws `query.invalid`. */
function readWatch(text = 'own'): string[] {
  const audiences = [...new Set(text.split(',').filter((part) => part !== ''))];
  if (audiences.length > watchedAtMost || !audiences.every((audience) => watchable.test(audience))) {
    const detail = `takes up to ${watchedAtMost} of own, visible and swarm:<id>, separated by commas`;
    throw new Problem('query.invalid', { errors: [{ pointer: '?watch', code: 'field.not_allowed', detail }] });
  }
  return audiences;
}

/** Throws `query.invalid`. */
function readResources(text = ''): Set<string> {
  const resources = new Set(text.split(',').filter((part) => part !== ''));
  if (resources.size > watchedAtMost) {
    const detail = `takes up to ${watchedAtMost} ids, separated by commas`;
    throw new Problem('query.invalid', { errors: [{ pointer: '?resource', code: 'field.not_allowed', detail }] });
  }
  return resources;
}
