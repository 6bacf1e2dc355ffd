import { z } from '@hono/zod-openapi';
import { message, messagePage, messageSend, messageSent } from '../../contract.ts';
import type { EventStreams } from '../../http/event-streams.ts';
import { Problem } from '../../problem.ts';
import { wholeNumber } from '../../http/query.ts';
import { messageLimits } from '../../limits/field-rules.ts';
import { inDigits, quotaTable, rateInWords, rateTable, type Rates } from '../../limits/limit-tables.ts';
import { requireTurn } from '../../limits/rate.ts';
import { endpointsOf, jsonType, type ServiceApp, type ServiceContext } from '../endpoint/endpoint.ts';
import type { MessageHub, Outgoing } from './messages.hub.ts';
import type { MessageJson, Messages } from './messages.store.ts';
import { json, lastEventId, pathIds } from '../endpoint/openapi.ts';
import type { Resources } from '../resources/resources.store.ts';
import type { Swarms } from '../swarms/swarms.store.ts';

/** So many swarms of a user may each have all bytes of messages. */
const swarmsWithAllBytes = Math.floor((quotaTable.swarms.most * messageLimits.sharedBytes) / messageLimits.keptBytes);
const ofResource = pathIds('resource_id');
const ofSwarm = pathIds('swarm_id');
const lines = 'application/x-ndjson';
const tooManyOfUser = `The devices of an account can have up to ${inDigits(messageLimits.streamsOfUser)} open streams and waiting requests.`;
const tooMany = (detail: string) => () => new Problem('events.too_many', { detail, headers: { 'retry-after': '5' } });
/** Of the messages of one answer. */
const answerBytes = 256 * 1024;
const tooManyStreams = `A device can have up to ${messageLimits.streamsOfDevice} open streams and waiting requests. Close some first.`;

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

export interface MessageParts {
  messages: Messages;
  messageHub: MessageHub;
  streams: EventStreams;
  rates: Pick<Rates, 'device'>;
  resources: Pick<Resources, 'require'>;
  swarms: Pick<Swarms, 'require'>;
}

/** Who reads the messages of a swarm: its owner, its managers and watchers, and users with a consumer in it. */
export function createSwarmReader({ messages, swarms }: Pick<MessageParts, 'messages' | 'swarms'>) {
  return async (query: {
    userId: string;
    swarmId: string;
    since?: string | undefined;
    before?: string | undefined;
    sender?: string | undefined;
    limit: number;
  }): Promise<MessageJson[]> => {
    const { userId, swarmId, ...page } = query;
    const { relation } = await swarms.require({ userId, id: swarmId, operation: 'listMessages' });
    if (relation === 'member' && !(await messages.hasConsumer({ userId, swarmId })))
      throw new Problem('swarm.forbidden', { detail: 'You have no consumer in this swarm' });
    const readsAll = relation === 'owner' || relation === 'manager';
    return messages.ofSwarm({ ...page, swarmId, userId, readsAll });
  };
}

const arrayOfJson = (all: readonly { json: string }[]) => `[${all.map(({ json: text }) => text).join()}]`;

/** Extension: resources send and receive messages. */
export function messageRoutes(app: ServiceApp, parts: MessageParts): void {
  const { messages, messageHub: hub, streams, resources, rates } = parts;
  const endpoint = endpointsOf(app, { tag: 'Messages', isExtension: true });
  const readSwarm = createSwarmReader(parts);

  /** The key of a device is only for a device that exists. */
  async function requireOwn(c: ServiceContext, id: string, operation: 'sendMessage' | 'receiveMessages') {
    const { userId, resourceId } = c.env.caller;
    if (resourceId !== undefined) return;
    if (operation !== 'sendMessage' || !(await messages.isSenderOf({ userId, id })))
      await resources.require({ userId, id, operation });
  }

  /**
   * A request about the messages of a device counts for the device. One with a key of the device was counted when it arrived
   * (`serve` in endpoint.ts).
   */
  function requireTurnOfDevice(c: ServiceContext, id: string) {
    if (c.env.caller.resourceId === undefined) requireTurn(rates.device, id);
  }

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
        `up to ${inDigits(messageLimits.keptOfMembers)} members are kept longer, with as many bytes again. A resource sends up to ` +
        `${rateInWords(rateTable.device, 'messages')}. A swarm takes ${rateInWords(rateTable.swarm_messages, 'messages')}, of each ` +
        `user ${inDigits(rateTable.swarm_messages_of_user.most)}: a message to all swarms ` +
        'is not sent to those that take no more now, which `rate_exceeded` names, and is refused with 429 if none does. ' +
        'Numbers beyond 2^53 lose digits.',
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
      await requireOwn(c, id, 'sendMessage');
      requireTurnOfDevice(c, id);
      const sent = await messages.send({ userId, id, body: body.check() });
      return reply(sent, sent.rate_exceeded && { 'retry-after': '1' });
    },
  );

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
        'the next message, an array with the oldest one that is kept. A resource that resumes gets the messages of the swarms ' +
        'in which it is now, also those from before it joined. If messages after its position were deleted before it has got ' +
        'them, it is notified before the next ones: by an event `missing` with the data `{"after": <position>}`, a line ' +
        '`{"missing": {"after": <position>}}`, or the header `missing-after` of an array. It has up to ' +
        `${messageLimits.streamsOfDevice} streams and waiting requests.`,
      params: ofResource,
      query: z.object({
        since: position(
          'The `id` of the last message received, or `last-event-id` of a response. Compare positions only for equality: their ' +
            'number counts the messages of the whole server, one for each swarm',
        ),
        wait: wholeNumber({ least: 1, most: 60 })
          .optional()
          .openapi({
            type: 'integer',
            minimum: 1,
            maximum: 60,
            param: { description: 'Seconds to wait for a message. Only for `application/json`' },
          }),
      }),
      headers: lastEventId,
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
      const { since, wait } = query();
      await requireOwn(c, resourceId, 'receiveMessages');
      requireTurnOfDevice(c, resourceId);
      const accept = c.req.header('accept') ?? '';
      const { keyId } = c.env.caller;
      const { recheckAccess = () => {} } = c.env;
      const receiver = { userId, keyId, resourceId, recheckAccess };
      const limited = {
        user: `device ${resourceId}`,
        most: messageLimits.streamsOfDevice,
        tooMany: tooMany(tooManyStreams),
        also: { user: `devices of ${userId}`, most: messageLimits.streamsOfUser, tooMany: tooMany(tooManyOfUser) },
      };
      const isEvents = accept.includes('text/event-stream');
      const isStream = isEvents || accept.includes(lines);
      const after =
        c.req.header('last-event-id') ?? since ?? (isStream ? await hub.newestPosition() : messages.positionOf(0));
      if (isStream) {
        // That of the events.
        if (c.env.outgoing) c.env.outgoing.position = undefined;
        let mark = () => '';
        return streams.open(c, {
          ...limited,
          proof: { kind: 'key', id: keyId },
          // The session of a browser ends before its key.
          ...(c.env.apiKey !== undefined && { recheckAccess }),
          mark: () => mark(),
          ...(!isEvents && { lines }),
          opened(stream) {
            const { started, end, position } = hub.receive({
              ...receiver,
              after,
              missing(missingAfter) {
                const data = JSON.stringify({ after: missingAfter });
                stream.send(isEvents ? `event: missing\ndata: ${data}\n\n` : `{"missing":${data}}\n`);
              },
              send(sent) {
                stream.sendAll(sent.map(({ event, line }) => (isEvents ? event : line)));
                return !stream.isSlow();
              },
              ready: stream.flushed,
              failed: (error) => error instanceof Problem && stream.revoke(),
            });
            mark = () => (isEvents ? `id: ${position()}\n` : '');
            return { started, end };
          },
        });
      }
      if (c.req.method === 'HEAD') return c.body(null, 200, jsonType);
      const release = wait === undefined ? () => {} : streams.reserve(limited);
      // It is counted with the streams from here on.
      if (wait !== undefined) releasePlace();
      try {
        return await arrayOf(c, { after, wait, signal: c.req.raw.signal, receiver });
      } finally {
        release();
      }
    },
  );

  /** Responds with what is there, or with the first message within `wait` seconds. */
  async function arrayOf(
    c: ServiceContext,
    request: {
      after: string;
      wait: number | undefined;
      signal: AbortSignal;
      receiver: Pick<Parameters<MessageHub['receive']>[0], 'userId' | 'keyId' | 'resourceId' | 'recheckAccess'>;
    },
  ): Promise<Response> {
    const { after, wait = 0, signal, receiver } = request;
    const found: Outgoing[] = [];
    let size = 0;
    let missingAfter: string | undefined;
    let isStarted = false;
    const some = Promise.withResolvers<void>();
    const isFull = () => found.length >= messageLimits.page || size >= answerBytes;
    const { started, end, position } = hub.receive({
      ...receiver,
      after,
      missing: (position) => (missingAfter ??= position),
      send(sent) {
        found.push(...sent);
        for (const { json: text } of sent) size += text.length;
        if (isStarted || isFull()) some.resolve();
        return !isFull();
      },
      // A full answer takes no more.
      ready: () => (isFull() ? new Promise(() => {}) : Promise.resolve()),
      failed: some.reject,
      stopped: some.resolve,
    });
    let timer: NodeJS.Timeout | undefined;
    if (signal.aborted) some.resolve();
    signal.addEventListener('abort', () => some.resolve(), { once: true });
    try {
      await Promise.race([started, some.promise]);
      isStarted = true;
      if (found.length === 0 && wait > 0) {
        timer = setTimeout(some.resolve, wait * 1000);
        await some.promise;
        // No event says that a key has expired.
        await receiver.recheckAccess();
      }
      const headers = {
        ...jsonType,
        'last-event-id': position(),
        ...(missingAfter !== undefined && { 'missing-after': missingAfter }),
      };
      return new Response(arrayOfJson(found), { headers });
    } finally {
      clearTimeout(timer);
      end();
    }
  }

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
      return replyJson(arrayOfJson(await messages.sentBy({ userId, id, ...query() })));
    },
  );

  endpoint(
    {
      operation: 'listMessages',
      method: 'get',
      path: '/swarms/{swarm_id}/messages',
      summary: 'List the messages of a swarm',
      description:
        'For its owner, its managers and watchers, and users with a consumer in it. Newest first, in pages. Messages to one resource are ' +
        'only for the owner, the managers, and the owners of both resources.',
      params: ofSwarm,
      query: z.object({
        since: position('Only messages after this `id`'),
        before: position('`next` of the previous page'),
        resource_id: z
          .string()
          .optional()
          .openapi({ format: 'uuid', param: { description: 'Only messages of this resource' } }),
        limit,
      }),
      responses: { 200: { description: 'One page', content: json(messagePage) } },
      fails: [404],
    },
    async (c, { userId, params: { swarm_id: swarmId }, query, replyJson }) => {
      const { limit: most, resource_id: sender, since, before } = query();
      const found = await readSwarm({ userId, swarmId, sender, since, before, limit: most + 1 });
      const items = found.slice(0, most);
      const next = JSON.stringify(found.length > most ? items.at(-1)!.id : null);
      return replyJson(`{"items":${arrayOfJson(items)},"next":${next}}`);
    },
  );
}
