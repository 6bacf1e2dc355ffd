import { z } from '@hono/zod-openapi';
import { reportedTime } from '../../contract.ts';
import { message, messagePage } from './messages.schema.ts';
import { byAccept, prefers } from '../../core/http/accept.ts';
import { searchParameter, wholeNumber } from '../../core/http/query.ts';
import { bodyOf, type BodyChunk } from '../../core/http/streamed-body.ts';
import type { Requester } from '../../core/limits/fair-queue.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { inDigits } from '../../core/limits/limit-tables.ts';
import { endpointsOf, notStored } from '../../core/endpoint/endpoint.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import type { MessageFormat } from './message-file.shape.ts';
import { messageColumns, messageFiles } from './message-files.ts';
import type { Messages } from './messages.ts';
import { arrayOfJson } from './message-json.ts';
import { lines } from './receive-responses.ts';
import { json, pathIds } from '../../core/endpoint/openapi.ts';
import type { Resources } from '../../core/resources/resources.store.ts';
import { queryLimits } from '../../core/limits/part-limits.ts';
import { createSwarmReader, readerOf, type ReaderDeps, type SwarmAsked } from './swarm-reader.ts';

const ofResource = pathIds('resource_id');
const ofSwarm = pathIds('swarm_id');

const cursorParam = (description: string) => z.string().optional().openapi({ param: { description } });
const limit = wholeNumber({ least: 1, most: messageLimits.page })
  .default(50)
  .openapi({
    type: 'integer',
    minimum: 1,
    maximum: messageLimits.page,
    default: 50,
    param: { description: 'The number of messages' },
  });

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

type FileDeps = ReaderDeps & { messages: Pick<Messages, 'fileOfSwarm'> };
type ListDeps = ReaderDeps & {
  messages: Pick<Messages, 'ofSwarm' | 'sentBy'>;
  resources: Pick<Resources, 'require'>;
};

/** Extension: lists of what a device has sent and of the messages of a swarm, and a file of these. */
export function swarmMessageRoutes(app: ServiceApp, deps: ListDeps & FileDeps): void {
  const endpoint = endpointsOf(app, { tag: 'Messages', isExtension: true });
  listRoutes(endpoint, deps);
  exportRoute(endpoint, deps);
}

type Endpoint = ReturnType<typeof endpointsOf>;

function listRoutes(endpoint: Endpoint, deps: ListDeps): void {
  const { messages, resources } = deps;
  const readSwarm = createSwarmReader(deps);
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
    async (_c, { userId, requester, params: { resource_id: id }, query, replyJson }) => {
      await resources.require({ userId, id, operation: 'listSentMessages' });
      return replyJson(await messages.sentBy({ requester, id, ...query() }));
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
        since: cursorParam('Only messages after this `id`'),
        before: cursorParam('`next` of the previous page'),
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

function exportRoute(endpoint: Endpoint, deps: FileDeps): void {
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
          .openapi({
            default: 'csv',
            param: { description: 'The format of the file. If absent, `Accept` may prefer the other one' },
          }),
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
      const { format = prefers(c.req.header('accept'), lines, 'text/csv') ? 'ndjson' : 'csv', ...filter } = query();
      const asked = { userId, swarmId, signal: c.req.raw.signal, ...filterOf(filter) };
      // Before the response begins, so that a refusal has a status.
      const { requester } = await readerOf(deps, asked);
      const body = await bodyOf(c, fileOf(deps, { asked, requester, format }), c.env.report);
      return c.body(body, 200, {
        'content-type': messageFiles[format].type,
        'content-disposition': `attachment; filename="messages.${format}"`,
        ...notStored,
        ...byAccept,
      });
    },
  );
}

/** The chunks of a file, each with what the caller may read then. */
async function* fileOf(
  deps: FileDeps,
  { asked, requester, format }: { asked: SwarmAsked; requester: Requester; format: MessageFormat },
): AsyncGenerator<BodyChunk, void> {
  yield messageFiles[format].start;
  yield* deps.messages.fileOfSwarm({ ...asked, requester, format, readerNow: () => readerOf(deps, asked) });
}
