import { event } from '../contract.ts';
import type { EventStreams } from '../http/event-streams.ts';
import { lastEventId } from './openapi-responses.ts';
import { endpoint } from './endpoint.ts';
import type { ServiceApp } from './endpoint.ts';
import type { Hub } from './events.hub.ts';

/** Extension: an event stream. Events are notifications; the lists are authoritative. */
export function eventRoutes(app: ServiceApp, { hub, streams }: { hub: Hub; streams: EventStreams }): void {
  endpoint(
    app,
    {
      operation: 'streamEvents',
      fails: [409],
      extension: true,
      method: 'get',
      path: '/events',
      summary: 'Be told what changes',
      description:
        'Server-sent events, each with an `Event` as its data, about all that the caller may see. `Last-Event-ID` ' +
        'resumes after that event; where that is not possible any more, an event `reset` says to read the lists again.',
      request: { headers: lastEventId },
      responses: {
        200: { description: 'Events until either side ends it', content: { 'text/event-stream': { schema: event } } },
      },
    },
    (c) => {
      const { userId: user, keyId } = c.env.caller;
      const after = c.req.header('last-event-id');
      return streams.open(c, {
        user,
        proof: { kind: 'key', id: keyId },
        mark: hub.mark,
        opened: (stream) => hub.subscribe({ user, after, send: ({ bytes }) => stream.send(bytes) }),
      });
    },
  );
}
