import { z } from '@hono/zod-openapi';
import { message, messagePage, messageSend, messageSent, reportedTime } from '../../contract.ts';
import type { EventStreams } from '../../http/event-streams.ts';
import { Problem } from '../../problem.ts';
import { searchParameter, wholeNumber } from '../../http/query.ts';
import { bodyOf, type BodyPart } from '../../http/streamed-body.ts';
import type { DeviceConnections } from '../../limits/device-connections.ts';
import { messageLimits } from '../../limits/field-rules.ts';
import { inDigits, quotaTable, rateInWords, rateTable, type Rates } from '../../limits/limit-tables.ts';
import { requireTurn } from '../../limits/rate.ts';
import { endpointsOf, notStored } from '../endpoint/endpoint.ts';
import { noteHeard, type ServiceApp, type ServiceContext } from '../endpoint/service-app.ts';
import type { MessageFormat } from './message-file.shape.ts';
import { messageColumns, messageFiles } from './message-files.ts';
import type { Messages } from './messages.ts';
import { contentOf } from './payload.ts';
import { arrayOfJson } from './message-json.ts';
import { lines, respondWithArray, respondWithStream } from './receive-responses.ts';
import type { MessageFilter, MessageReader, MessagesFound, PagePlace } from './swarm-messages.store.ts';
import { json, lastEventId, pathIds } from '../endpoint/openapi.ts';
import type { Resources } from '../resources/resources.store.ts';
import type { Swarms } from '../swarms/swarms.store.ts';
import { queryLimits } from '../../limits/part-limits.ts';

const ofResource = pathIds('resource_id');
const ofSwarm = pathIds('swarm_id');

/** So many swarms of a user may each have all bytes of messages. */
const swarmsWithAllBytes = Math.floor((quotaTable.swarms.most * messageLimits.sharedBytes) / messageLimits.keptBytes);

const position = (description: string) => z.string().optional().openapi({ param: { description } });
const limit = wholeNumber({ least: 1, most: messageLimits.page })
  .default(50)
  .openapi({
    type: 'integer',
    minimum: 1,
    maximum: messageLimits.page,
    default: 50,
    param: { description: 'The number of messages' },
  });

interface MessageParts {
  messages: Messages;
  streams: EventStreams;
  connections: DeviceConnections;
  rates: Pick<Rates, 'device'>;
  resources: Pick<Resources, 'require'>;
  swarms: Pick<Swarms, 'require'>;
}

interface SwarmAsked extends MessageFilter {
  userId: string;
  swarmId: string;
  signal?: AbortSignal;
}

/**
 * Who reads the messages of a swarm: its owner, its managers and watchers, and users with a consumer in it; those of one resource also
 * its owner. @throws `swarm.not_found`, `swarm.forbidden`
 */
export async function requireReader(
  { messages, swarms }: { messages: Pick<Messages, 'hasConsumer'>; swarms: Pick<Swarms, 'require'> },
  { userId, swarmId, sender, signal }: SwarmAsked,
  operation: 'listMessages' | 'getSwarmValues' = 'listMessages',
): Promise<MessageReader> {
  const { relation } = await swarms.require({ userId, id: swarmId, operation });
  if (relation === 'member' && !(await messages.hasConsumer({ userId, swarmId, sender })))
    throw new Problem('swarm.forbidden', { detail: 'You have no consumer in this swarm' });
  const readsAll = relation === 'owner' || relation === 'manager';
  return { requester: { user: userId, ...(signal && { signal }) }, swarmId, readsAll };
}

/** Returns a function that reads a page of the messages of a swarm. */
export function createSwarmReader(parts: Pick<MessageParts, 'messages' | 'swarms'>) {
  return async (query: SwarmAsked & PagePlace): Promise<MessagesFound> =>
    parts.messages.ofSwarm({ ...query, ...(await requireReader(parts, query)) });
}

/** Which messages of a swarm a list and a file have. */
const messageFilters = {
  q: searchParameter.openapi({
    type: 'string',
    maxLength: queryLimits.searchLength,
    param: {
      description: 'Words that must all occur in the payload or the properties, in small or in capital letters',
    },
  }),
  resource_id: z
    .string()
    .optional()
    .openapi({ format: 'uuid', param: { description: 'Only messages of this resource' } }),
  sent_after: reportedTime.optional().openapi({ param: { description: 'Only messages of this time and later' } }),
  sent_before: reportedTime.optional().openapi({ param: { description: 'Only messages from before this time' } }),
};
const filterOf = ({ q, resource_id, sent_after, sent_before }: z.output<z.ZodObject<typeof messageFilters>>) => ({
  q,
  sender: resource_id,
  sentAfter: sent_after,
  sentBefore: sent_before,
});
const whoReads =
  'For its owner, its managers and watchers, and users with a consumer in it; the messages of one resource also for its owner. ' +
  'Messages to one resource are only for the owner, the managers, and the owners of both resources.';

/** Extension: resources send and receive messages. */
export function messageRoutes(app: ServiceApp, parts: MessageParts): void {
  const endpoint = endpointsOf(app, { tag: 'Messages', isExtension: true });
  sendRoute(endpoint, parts);
  receiveRoute(endpoint, parts);
  heartbeatRoute(endpoint, parts);
  listRoutes(endpoint, parts);
  exportRoute(endpoint, parts);
}

type Endpoint = ReturnType<typeof endpointsOf>;

/**
 * The device must be the caller's: the key of a device is only for a device that exists. The request counts for the device; one with
 * its own key was counted when it arrived (`serve` in service-app.ts).
 */
async function requireOwn(
  c: ServiceContext,
  {
    parts,
    id,
    operation,
  }: { parts: MessageParts; id: string; operation: 'sendMessage' | 'receiveMessages' | 'sendHeartbeat' },
): Promise<void> {
  const { messages, resources, rates } = parts;
  const { userId, resourceId } = c.env.caller;
  if (resourceId !== undefined) return;
  if (operation === 'receiveMessages' || !(await messages.isSenderOf({ userId, id })))
    await resources.require({ userId, id, operation });
  requireTurn(rates.device, id);
}

function sendRoute(endpoint: Endpoint, parts: MessageParts): void {
  endpoint(
    {
      operation: 'sendMessage',
      method: 'post',
      path: '/resources/{resource_id}/messages',
      summary: 'Send a message',
      description:
        'To every swarm in which the resource is a producer, or both, at that moment; or to one of them. The response is ' +
        `sent when the message is on disk. It is kept for ${messageLimits.keptHours} hours, as one of ` +
        `${inDigits(messageLimits.kept)} of a swarm and of ${messageLimits.keptBytes / 1024 ** 2} MiB (less if its owner has more ` +
        `than ${swarmsWithAllBytes} swarms): beyond that, the resources that have sent most lose their oldest ones. The last ones of ` +
        `up to ${inDigits(messageLimits.keptOfMembers)} members are kept longer, with as many bytes again. With \`message_expiry_interval\`, it is delivered only within that time. A resource sends up to ` +
        `${rateInWords(rateTable.device, 'messages')}. A swarm takes ${rateInWords(rateTable.swarm_messages, 'messages')}, of each ` +
        `user ${inDigits(rateTable.swarm_messages_of_user.most)}: a message to all swarms ` +
        'is not sent to those that take no more now, which `rate_exceeded` names, and is refused with 429 if none does.',
      params: ofResource,
      headers: z.object({}),
      body: messageSend,
      responses: {
        201: {
          description: 'Sent',
          headers: {
            'retry-after': {
              description: 'The seconds to wait, if `rate_exceeded` names swarms',
              schema: { type: 'string' as const },
            },
          },
          content: json(messageSent),
        },
      },
      fails: [403, 404, 507],
    },
    async (c, { userId, params: { resource_id: id }, receiveBody, reply }) => {
      const body = await receiveBody();
      await requireOwn(c, { parts, id, operation: 'sendMessage' });
      const { faults, ...content } = contentOf(body);
      const { sent, retrySeconds } = await parts.messages.send({
        userId,
        id,
        body: { ...body.check(faults), ...content },
      });
      noteHeard(c, id);
      return reply(sent, sent.rate_exceeded && { 'retry-after': String(retrySeconds) });
    },
  );
}

function receiveRoute(endpoint: Endpoint, parts: MessageParts): void {
  const { messages } = parts;
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
        since: position(
          'The `id` of the last message received, or `last-event-id` of a response. Compare positions only for equality: their ' +
            'number counts the messages of the whole server, one for each swarm',
        ),
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
    async (c, { userId, params: { resource_id: resourceId }, query, releasePlace }) => {
      const { since, wait, ...resumed } = query();
      await requireOwn(c, { parts, id: resourceId, operation: 'receiveMessages' });
      const accept = c.req.header('accept') ?? '';
      const isEvents = accept.includes('text/event-stream');
      const isStream = isEvents || accept.includes(lines);
      const { recheckAccess, caller } = c.env;
      const after =
        lastEventId.of(c, resumed) ?? since ?? (isStream ? await messages.newestPosition() : messages.positionOf(0));
      const receiver = { userId, keyId: caller.keyId, resourceId, recheckAccess, after };
      return isStream
        ? respondWithStream(c, parts, { receiver, isEvents })
        : respondWithArray(c, parts, { receiver, wait, releasePlace });
    },
  );
}

function heartbeatRoute(endpoint: Endpoint, parts: MessageParts): void {
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
      await requireOwn(c, { parts, id, operation: 'sendHeartbeat' });
      noteHeard(c, id);
    },
  );
}

/** The lists of a device's and of a swarm's messages. */
function listRoutes(endpoint: Endpoint, parts: MessageParts): void {
  const { messages, resources } = parts;
  const readSwarm = createSwarmReader(parts);
  endpoint(
    {
      operation: 'listSentMessages',
      method: 'get',
      path: '/resources/{resource_id}/messages/sent',
      summary: 'List what a resource has sent',
      description: 'For its owner. Newest first; a message to several swarms is there once for each of them.',
      params: ofResource,
      query: z.object({ limit }),
      responses: { 200: { description: 'The newest messages', content: json(z.array(message)) } },
      fails: [404],
    },
    async (c, { userId, params: { resource_id: id }, query, replyJson }) => {
      await resources.require({ userId, id, operation: 'listSentMessages' });
      return replyJson(await messages.sentBy({ userId, id, ...query() }));
    },
  );

  endpoint(
    {
      operation: 'listMessages',
      method: 'get',
      path: '/swarms/{swarm_id}/messages',
      summary: 'List the messages of a swarm',
      description:
        `${whoReads} Newest first, in pages. With \`q\`, \`sent_after\` or \`sent_before\`, a request looks at ` +
        `${inDigits(messageLimits.searched)} messages: a page may then have fewer than \`limit\`, or none, and its \`next\` ` +
        'continues the search.',
      params: ofSwarm,
      query: z.object({
        since: position('Only messages after this `id`'),
        before: position('`next` of the previous page'),
        ...messageFilters,
        limit,
      }),
      responses: { 200: { description: 'One page', content: json(messagePage) } },
      fails: [404],
    },
    async (c, { userId, params: { swarm_id: swarmId }, query, replyJson }) => {
      const { limit: most, since, before, ...filter } = query();
      const { signal } = c.req.raw;
      const page = { since, before, limit: most };
      const { items, next } = await readSwarm({ userId, swarmId, signal, ...page, ...filterOf(filter) });
      return replyJson(arrayOfJson(items, { before: '{"items":', after: `,"next":${JSON.stringify(next)}}` }));
    },
  );
}

const csvText = z.string().openapi({
  description:
    'UTF-8 with a byte-order mark. The payload is JSON in one cell; with an `encoding`, a string that stands for something else; properties are JSON too. Names are those of devices that are members now. In a name, an ' +
    'apostrophe stands before what a spreadsheet could run as a formula.',
  pattern: `^\\uFEFF?${messageColumns.join(',')}\\r\\n`,
  example: `\uFEFF${messageColumns.join(',')}\r\n`,
});

function exportRoute(endpoint: Endpoint, parts: MessageParts): void {
  endpoint(
    {
      operation: 'exportMessages',
      method: 'get',
      path: '/swarms/{swarm_id}/messages/export',
      summary: 'Export the messages of a swarm as a file',
      description: `${whoReads} Oldest first: those that are there when the request begins.`,
      params: ofSwarm,
      query: z.object({
        format: z
          .enum(['csv', 'ndjson'])
          .optional()
          .openapi({ default: 'csv', param: { description: 'The format of the file' } }),
        ...messageFilters,
      }),
      responses: {
        200: {
          description: 'The file',
          content: { 'text/csv': { schema: csvText }, [lines]: { schema: message } },
        },
      },
      fails: [404],
    },
    async (c, { userId, params: { swarm_id: swarmId }, query }) => {
      const { format = 'csv', ...filter } = query();
      const asked = { userId, swarmId, signal: c.req.raw.signal, ...filterOf(filter) };
      // Before the first part: a refusal has a status.
      await requireReader(parts, asked);
      const body = await bodyOf(c, fileOf(parts, { asked, format }), c.env.report);
      return c.body(body, 200, {
        'content-type': messageFiles[format].type,
        'content-disposition': `attachment; filename="messages.${format}"`,
        ...notStored,
      });
    },
  );
}

/** The parts of a file. The caller's right is checked again for each. */
async function* fileOf(
  parts: MessageParts,
  { asked, format }: { asked: SwarmAsked; format: MessageFormat },
): AsyncGenerator<BodyPart, void> {
  yield messageFiles[format].start;
  const reader = await requireReader(parts, asked);
  const mayRead = () => requireReader(parts, asked);
  yield* parts.messages.fileOfSwarm({ ...asked, ...reader, format, mayRead });
}
