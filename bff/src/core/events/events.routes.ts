import { z } from '@hono/zod-openapi';
import { eventSchema, type EventSchema } from '../contract/events.schema.ts';
import type { EventStreams } from '../http/event-streams.ts';
import { eventLimits } from '../limits/part-limits.ts';
import { lastEventId } from '../endpoint/openapi.ts';
import { endpointsOf } from '../endpoint/endpoint.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import type { Hub } from './events.hub.ts';

/** Extension: an event stream. Events are notifications; the lists are authoritative. */
export function eventRoutes(
  app: ServiceApp,
  {
    hub,
    streams,
    ofCapabilities,
  }: {
    hub: Hub;
    streams: EventStreams;
    /** The kinds of events that capabilities add. */
    ofCapabilities: readonly EventSchema[];
  },
): void {
  const endpoint = endpointsOf(app, { tag: 'Events', isExtension: true });
  endpoint(
    {
      operation: 'streamEvents',
      fails: [409],
      method: 'get',
      path: '/events',
      summary: 'Stream changes',
      description:
        'Server-sent events, each with an `Event` as its data, for everything that the caller can see. Its `type` says ' +
        'what `data` is. `Last-Event-ID` resumes after that event. If this is no longer possible, an event `reset` tells ' +
        'the client to read the lists again. Records are read when they are sent, so several changes in a row may arrive ' +
        'as events with the same, newest record, and changes of a record that is deleted may not arrive at all. The ' +
        `positions of one resource are coalesced: at most ${eventLimits.positions} a second are sent, always with the last one. If the devices of a user are in very many ` +
        'swarms, their other changes are coalesced, too.',
      headers: lastEventId.headers,
      query: z.object(lastEventId.query),
      responses: {
        200: {
          description: 'Events, until the client or the server closes the stream. Lines `data:` have the JSON',
          content: { 'text/event-stream': { schema: eventSchema(ofCapabilities) } },
        },
      },
    },
    (c, { query }) => {
      const { userId: user, keyId } = c.env.caller;
      const after = lastEventId.of(c, query());
      return streams.open(c, {
        user,
        proofs: [{ kind: 'key', id: keyId }],
        cursorLine: hub.cursorLine,
        begin: (stream) => hub.subscribe({ user, after, send: ({ bytes }) => stream.send(bytes) }),
      });
    },
  );
}
