import { z } from '@hono/zod-openapi';
import { message } from './messages.schema.ts';
import { wholeNumber } from '../../core/http/query.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import { noteHeard, type ServiceApp } from '../../core/endpoint/service-app.ts';
import type { Messages } from './messages.ts';
import { lines, respondWithArray, respondWithStream, type ReceiveDeps } from './receive-responses.ts';
import { json, lastEventId, pathIds } from '../../core/endpoint/openapi.ts';
import { queryLimits } from '../../core/limits/part-limits.ts';
import { requireOwn, type OwnDeviceDeps } from './own-device.ts';

const ofResource = pathIds('resource_id');

/** Extension: resources receive messages, as a stream or an array, and say that they are alive. */
export function receiveRoutes(
  app: ServiceApp,
  deps: OwnDeviceDeps & ReceiveDeps & { messages: Pick<Messages, 'newestCursor' | 'cursorOf'> },
): void {
  const { messages } = deps;
  const endpoint = endpointsOf(app, { tag: 'Messages', isExtension: true });
  endpoint(
    {
      operation: 'receiveMessages',
      method: 'get',
      path: '/resources/{resource_id}/messages',
      summary: 'Receive messages',
      description:
        'What other resources send to the swarms in which this one is a consumer, or both. By `Accept`: ' +
        '`text/event-stream` is a stream of server-sent events, each with a `Message` as its data; `' +
        `${lines}\` is a stream with one message in a line, and empty lines to keep it alive; \`application/json\` is an ` +
        'array of what is there already, which may have only a part of it: continue with the header `last-event-id` of the ' +
        'response as `since`, until it is empty. With `wait`, it responds as soon as there is a message. Each message arrives ' +
        'once, also if both resources share several swarms. A stream that has no `Last-Event-ID` and no `since` begins with ' +
        'the next message, an array with the oldest one that is kept. A resource that resumes, or has not got everything yet, ' +
        'gets the messages of the swarms in which it is now, also those from before it joined. If messages after its position were deleted before it has got ' +
        'them, it is notified before the next ones: by an event `missing` with the data `{"after": <position>}`, a line ' +
        '`{"missing": {"after": <position>}}`, or the header `missing-after` of an array. It has up to ' +
        `${messageLimits.streamsOfDevice} streams and waiting requests of a process; one more ends the oldest. A stream that is open ` +
        'is no sign of life: a resource that only receives sends `POST /resources/{id}/heartbeat` within the time in which it is expected.',
      params: ofResource,
      query: z.object({
        ...lastEventId.query,
        since: z
          .string()
          .optional()
          .openapi({
            param: {
              description:
                'The `id` of the last message received, or `last-event-id` of a response. Compare positions only for equality: their ' +
                'number counts the messages of the whole server, one for each swarm',
            },
          }),
        wait: wholeNumber({ least: 1, most: queryLimits.wait })
          .optional()
          .openapi({
            type: 'integer',
            minimum: 1,
            maximum: queryLimits.wait,
            param: { description: 'Seconds to wait for a message. Only for `application/json`' },
          }),
      }),
      headers: lastEventId.headers,
      responses: {
        200: {
          description: 'Messages, oldest first',
          headers: {
            'last-event-id': { description: 'The next `since`, of an array', schema: { type: 'string' as const } },
            'missing-after': {
              description: 'Messages after this position are missing, because they were deleted. Of an array',
              schema: { type: 'string' as const },
            },
          },
          content: {
            ...json(z.array(message)),
            'text/event-stream': { schema: message },
            [lines]: { schema: message },
          },
        },
      },
      fails: [404, 409],
    },
    async (c, { userId, params: { resource_id: resourceId }, query, releaseSlot }) => {
      const { since, wait: longPollSeconds, ...resumed } = query();
      await requireOwn(c, { deps, id: resourceId, operation: 'receiveMessages' });
      const accept = c.req.header('accept') ?? '';
      const isEvents = accept.includes('text/event-stream');
      const isStream = isEvents || accept.includes(lines);
      const { recheckAccess, caller } = c.env;
      const after =
        lastEventId.of(c, resumed) ?? since ?? (isStream ? await messages.newestCursor() : messages.cursorOf(0));
      const receiver = { userId, keyId: caller.keyId, resourceId, recheckAccess, after };
      return isStream
        ? respondWithStream(c, deps, { receiver, isEvents })
        : respondWithArray(c, deps, { receiver, longPollSeconds, releaseSlot });
    },
  );

  endpoint(
    {
      operation: 'sendHeartbeat',
      method: 'post',
      path: '/resources/{resource_id}/heartbeat',
      summary: 'Send a sign of life',
      description:
        'For a resource that has nothing to send: it was heard, as with each request that has its own key. A resource that only ' +
        'receives sends it within the time in which it is expected, because an open stream is no sign of life. By MQTT, each ' +
        'packet is one, also a ping. A body is ignored.',
      params: ofResource,
      responses: { 204: { description: 'Heard' } },
      fails: [404],
    },
    async (c, { params: { resource_id: id } }) => {
      await requireOwn(c, { deps, id, operation: 'sendHeartbeat' });
      noteHeard(c, id);
    },
  );
}
