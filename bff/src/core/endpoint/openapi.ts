/** The OpenAPI document: its text, and the responses and headers that several operations have. */
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { resource, problemCodes, type ProblemCode } from '../../contract.ts';
import type { ProblemRow } from '../declaration.ts';
import { limits, messageLimits } from '../limits/field-rules.ts';
import { idempotencyLimits } from '../limits/part-limits.ts';
import { inDigits, mapRows, slotTable, quotaTable, rateInWords, rateTable } from '../limits/limit-tables.ts';

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });

const tags = {
  Activity: 'A log of who did what',
  Events: 'A stream of everything that changes',
  Invitations: 'Requests to other users to let one of their resources join a swarm',
  Links: 'Links by which the owners of resources join a swarm',
  Managers: 'Users who manage or watch a swarm for its owner',
  Members: 'Resources in swarms, with their roles',
  Messages: 'What resources send to each other',
  Requests: 'Users ask to join a public swarm with their resources',
  Resources: 'Devices that users own',
  'Share links': 'Links that show a resource to people without an account',
  Swarms: 'Groups of resources',
} as const;
export type Tag = keyof typeof tags;

/** The ids in a path. */
export function pathIds<const Name extends string>(...names: Name[]) {
  const ids = names.map((name) => {
    const description = `The id of the ${name.replace('_id', '')}`;
    return [name, resource.shape.id.openapi({ param: { description } })] as const;
  });
  return z.object(Object.fromEntries(ids) as Record<Name, z.ZodString>);
}

interface HeaderSchema {
  type: 'string' | 'integer';
  format?: string;
  minimum?: number;
}
const text: HeaderSchema = { type: 'string' };
const header = (description: string, { required = true, schema = text } = {}) => ({ description, required, schema });
/** Headers of a record with versions. */
export const etagHeader = { ETag: header('The version, for `If-Match` and `If-None-Match`') };
const retryAfter = (required: boolean) => ({
  'Retry-After': header('Seconds to wait', { required, schema: { type: 'integer', minimum: 1 } }),
});

export const created = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers: Partial<typeof etagHeader> = {},
) => {
  const location = header('URL of the new record', { schema: { type: 'string', format: 'uri' } });
  return { 201: { description, headers: { Location: location, ...headers }, content: json(schema) } };
};
export const record = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, headers: etagHeader, content: json(schema) },
});
const notChanged = { 304: { description: 'Unchanged since `If-None-Match`', headers: etagHeader } };
/** Responses of a read that accepts `ifNoneMatch`. */
export const readRecord = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  ...record(description, schema),
  ...notChanged,
});
export const readList = (description: string, schema: z.ZodType) => ({
  200: {
    description,
    headers: { ETag: header('For `If-None-Match`. A very long list may have none', { required: false }) },
    content: json(z.array(schema)),
  },
  ...notChanged,
});

/** Responses that also have another representation, by `Accept`. */
export const alsoAs = <Responses extends { 200: { content: object } }>(
  type: string,
  schema: z.ZodType,
  { 200: ok, ...others }: Responses,
) => ({ 200: { ...ok, content: { ...ok.content, [type]: { schema } } }, ...others }) as unknown as Responses;

const inHeader = (name: string, description: string, schema: object = {}) =>
  z.object({
    [name]: z
      .string()
      .optional()
      .openapi({ ...schema, param: { description } }),
  });
export const ifMatch = inHeader('if-match', 'Proceed only if the record has one of these tags, otherwise 412').extend(
  inHeader('if-none-match', '`*` or tags: respond with 412 if the record exists, or has one of these tags').shape,
);
export const ifNoneMatch = inHeader(
  'if-none-match',
  'Respond with 304 and no body if the record has one of these tags',
);
export const idempotencyKey = inHeader(
  'idempotency-key',
  `A repetition with the same body within ${idempotencyLimits.hours} hours runs once. 1 to ${idempotencyLimits.keyLength} visible ASCII characters`,
  { minLength: 1, maxLength: idempotencyLimits.keyLength, pattern: '^[\\x21-\\x7E]+$' },
);
/** What a stream continues after. A browser's `EventSource` and some of its replacements cannot set the header. */
export const lastEventId = {
  headers: inHeader('last-event-id', 'The id of the last event received. The stream continues after it'),
  query: {
    lastEventId: z
      .string()
      .optional()
      .openapi({ param: { description: 'The same as the header `Last-Event-ID`, which goes first' } }),
  },
  of: (c: Context, { lastEventId: inQuery = '' }: { lastEventId?: string }) =>
    c.req.header('last-event-id') ?? (inQuery || undefined),
};

/** Without those of the web app. */
const serviceCodes = Object.entries<ProblemRow>(problemCodes)
  .flatMap(([code, [, , who]]) => (who === 'app' ? [] : [code]))
  .toSorted();
const fieldCodes = [
  'field.invalid',
  'field.not_allowed',
  'field.out_of_range',
  'field.read_only',
  'field.required',
  'field.unknown',
  'field.wrong_type',
  'invitation.to_owner',
  'invitation.to_yourself',
  'message.no_recipient',
  'query.invalid',
  'resource.not_theirs',
  'resource.not_yours',
  'text.control',
  'text.malformed',
];
const codeIn = (list: string[]) => z.enum(list as [string]).openapi({ description: 'More codes may be added' });
const problem = z
  .strictObject({
    type: z.string().openapi({ format: 'uri', example: 'urn:swarmdeck:problem:resource.not_found' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().openapi({ description: 'What happened, for people' }),
    code: codeIn(serviceCodes),
    request_id: z.string().openapi({ description: 'For the server’s log' }),
    errors: z
      .array(
        z.strictObject({
          pointer: z.string().openapi({ description: 'A JSON pointer into the body, or `?name` of a query parameter' }),
          code: codeIn(fieldCodes),
          detail: z.string(),
        }),
      )
      .optional(),
  })
  .openapi('Problem');

/** The problem responses by status. */
export const failures = {
  400: { name: 'BadRequest', description: 'Invalid request; `errors` lists every fault' },
  401: {
    name: 'Unauthorized',
    description: 'Missing or invalid API key',
    headers: { 'WWW-Authenticate': header('`ApiKey`; for OwnTracks, `Basic`') },
  },
  403: { name: 'Forbidden', description: 'You do not have permission for this' },
  404: { name: 'NotFound', description: 'It does not exist, or you do not have access, or the id is malformed' },
  409: { name: 'Conflict', description: 'Conflict with the current state', headers: retryAfter(false) },
  412: {
    name: 'PreconditionFailed',
    description: 'The record was changed: `If-Match` or `If-None-Match` failed',
    headers: etagHeader,
  },
  413: { name: 'ContentTooLarge', description: `The request body is larger than ${limits.bodyBytes / 1024} KiB` },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type is not `application/json`, or the body is compressed',
  },
  429: { name: 'TooManyRequests', description: 'Too many requests', headers: retryAfter(true) },
  503: { name: 'Unavailable', description: 'The service is temporarily unavailable', headers: retryAfter(true) },
  507: { name: 'InsufficientStorage', description: 'The disk is full' },
} as const satisfies Record<number, { name: string; description: string; headers?: object }>;

export const failureReference = (status: keyof typeof failures) => ({
  $ref: `#/components/responses/${failures[status].name}`,
});

/** All problem responses, as components. Each names its codes. */
function failureComponents(): Record<string, object> {
  const components = Object.entries(failures).map(([status, { name, description, ...rest }]) => {
    const named = serviceCodes.filter((code) => String(problemCodes[code as ProblemCode][0]) === status);
    const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
    const list = named.map((code) => `\`${code}\``).join(', ');
    return [name, { description: `${description} (${list})`, ...rest, content }] as const;
  });
  return Object.fromEntries(components);
}

const quota = mapRows(quotaTable, ({ most }) => inDigits(most));

/** General rules of the API, as paragraphs of Markdown. The page `/docs` shows them too. */
const description = [
  'Device resources, their membership in swarms, and invitations to join a swarm. Operations and fields marked `x-extension` ' +
    'are additions to the specified interface.',

  '**Authentication**: an API key in the header `x-serviceapikey` identifies the caller. A key is `swb_`, 30 characters, ' +
    'and a checksum of 6. A missing key and a wrong key get the same 401. The key of a device is only for its own record, ' +
    'messages and list of swarms, and for OwnTracks, which also reads the newest positions of other devices in these swarms. ' +
    'Everything else gets 403, also what does not exist.',

  '**Scopes**: a key of an account has the scope `all`, `read` (it reads, and changes nothing) or `position` (it reports positions of own ' +
    'resources, and their heartbeats). Each operation names the scopes that it takes. With another, it gets 403 (`key.scope`), also for ' +
    'what does not exist, and the owner of the key sees it on the Account page. To receive messages as a resource takes `all`, because it ' +
    'takes one of its streams.',

  '**Errors** are `application/problem+json` (RFC 9457). `code` is for programs, for example ' +
    '`invitation.already_answered`. `detail` is for people. For an invalid body, `errors` lists every fault with its ' +
    'JSON pointer. A missing record, a record that you may not see, and a malformed id get the same 404. A 405 lists the ' +
    'supported methods in `Allow`. A request with `X-HTTP-Method-Override`, `X-HTTP-Method`, `X-Method-Override` or `?_method=` ' +
    `gets 400, and one whose path is longer than ${inDigits(limits.pathLength)} characters 414.`,

  `**Bodies** are JSON, sent as \`application/json\`, with at most ${limits.bodyBytes / 1024} KiB and ${limits.bodyDepth} levels. ` +
    'Unknown and duplicate fields are rejected by name. A name has 1 to ' +
    `${limits.nameLength} characters, at least one of them visible, and is never trimmed. A description has up to ` +
    `${limits.descriptionLength.toLocaleString('en')} characters and may be empty (\`""\`). Control characters other than ` +
    'line breaks and tabs are rejected. `longitude` is -180 to 180, `latitude` -90 to 90. A field without a value is ' +
    'absent, never null.',

  '**PUT** changes only the fields in the body. To move a device, send its position alone, and its name and description ' +
    'stay as others have edited them: `PUT /resources/{resource_id}` with ' +
    '`{"position":{"longitude":13.4,"latitude":52.5}}`. `null` clears an optional field. Read-only fields are accepted if ' +
    'they equal the stored values, so that a client can read a record, change it, and put it back.',

  '**Ids** are UUIDv7 in lower case. Times are UTC with milliseconds. **Lists** are complete and sorted by creation, ' +
    'oldest first, then by id. Unknown query parameters are ignored.',

  '**Versions**: records and lists have an `ETag`. With `If-None-Match`, an unchanged record gets 304. With `If-Match`, ' +
    'a write to a changed record gets 412, also with a tag that a proxy has changed (`W/"5"`, `"5-gzip"`): send `"5"`. A write with ' +
    '`If-None-Match: *` to a record that exists gets 412. A POST that creates a record, or lets a resource join, takes an `Idempotency-Key`: its reference has this header. ' +
    `Repeated with the same key and body within ${idempotencyLimits.hours} hours, it runs once and gets the same response. With a different body it gets 400. ` +
    'A message takes no such key: a `message_id` in its body is the client’s id of it, with which a repeated message is sent once.',

  `**Rate limits**, by default: ${rateInWords(rateTable.service, 'requests')}, for each user, of which ` +
    `${inDigits(slotTable.service.most)} are answered at once; ${rateInWords(rateTable.invalid_keys, 'wrong key')}, for each ` +
    'address. Requests beyond them get 429, and `Retry-After` says when to retry.',

  `**Messages**: a producer sends, and the consumers of its swarms receive: as a stream of events, of lines of JSON, or as ` +
    `arrays, with \`wait\` for small clients. A payload is any JSON value of up to ${messageLimits.payloadBytes / 1024} KiB. A device sends up to ` +
    `${rateInWords(rateTable.device, 'messages')}, and a swarm takes up to ${inDigits(rateTable.swarm_messages.most)} a second. ` +
    'The requests with the key of a device are counted for the device, and with those of the other devices of its user: ' +
    `${rateInWords(rateTable.devices_of_user, 'requests')}.`,

  `**Quotas**, by default: an account can have up to ${quota.resources} resources, ${quota.swarms} swarms with ${quota.members} ` +
    `members each, ${quota.invitations} open invitations sent, and ${quota.streams} event streams, and a resource can be in ` +
    `${quota.swarms_of_device} swarms. Requests beyond them get 409 with a code that names the quota, for example ` +
    '`resource.too_many`.',
].join('\n\n');

/** Returns the OpenAPI 3.1 document of all operations that `endpoint` registered. A test checks that none is missing. */
export function openApiDocument({
  app,
  serverUrl,
}: {
  app: Pick<OpenAPIHono, 'getOpenAPI31Document' | 'openAPIRegistry'>;
  serverUrl: string;
}): object {
  app.openAPIRegistry.register('Problem', problem);
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Swarmdeck',
      version: '1',
      description,
      contact: { name: 'The operator of this server', url: new URL(serverUrl).origin },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
  });
  // The generator adds it without any webhook.
  delete document.webhooks;
  return withNullableReferences({
    ...document,
    components: {
      ...document.components,
      responses: failureComponents(),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-serviceapikey' },
        basic: { type: 'http', scheme: 'basic', description: 'The id of a device, and its key as the password' },
      },
    },
  }) as object;
}

/**
 * The generator writes a nullable reference as `allOf` of the record and `null`, which no value satisfies. Replaces it
 * with `anyOf`.
 */
function withNullableReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withNullableReferences);
  if (typeof part !== 'object' || part === null) return part;
  const { allOf, ...rest } = part as { allOf?: { $ref?: string; type?: unknown }[] };
  const isNullable = allOf?.length === 2 && allOf[0]?.$ref && [allOf[1]?.type].flat().includes('null');
  if (isNullable) return { ...rest, anyOf: [allOf[0], { type: 'null' }] };
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withNullableReferences(value)]));
}
