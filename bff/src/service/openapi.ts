/** The OpenAPI document: its text, and the responses and headers that several operations have. */
import { z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { problem } from '../contract.ts';
import { limits } from '../limits/field-limits.ts';

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });

const header = (description: string, required = true) => ({
  description,
  required,
  schema: { type: 'string' as const },
});
/** Headers of a record with versions. */
export const etagHeader = { ETag: header('The version, for `If-Match` and `If-None-Match`') };
const retryAfter = (required: boolean) => ({ 'Retry-After': header('Seconds to wait', required) });

export const created = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers: Partial<typeof etagHeader> = {},
) => ({
  201: { description, headers: { Location: header('URL of the new record'), ...headers }, content: json(schema) },
});
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
    headers: { ETag: header('For `If-None-Match`. A very long list may have none', false) },
    content: json(z.array(schema)),
  },
  ...notChanged,
});

const inHeader = (name: string, description: string) =>
  z.object({ [name]: z.string().optional().openapi({ param: { description } }) });
export const ifMatch = inHeader('if-match', 'Proceed only if the record has one of these tags, otherwise 412');
export const ifNoneMatch = inHeader(
  'if-none-match',
  'Respond with 304 and no body if the record has one of these tags',
);
export const idempotencyKey = inHeader('idempotency-key', 'A repetition with the same body within 24 hours runs once');
export const lastEventId = inHeader(
  'last-event-id',
  'The id of the last event received. The stream continues after it',
);

const failed = { content: { 'application/problem+json': { schema: problem } } };
export const failures = {
  400: { ...failed, description: 'Invalid request; `errors` lists every fault' },
  401: { ...failed, description: 'Missing or invalid API key' },
  403: { ...failed, description: 'You can see it, but you do not have permission for this' },
  404: { ...failed, description: 'It does not exist, or you do not have access, or the id is malformed' },
  409: { ...failed, description: 'Conflict with the current state', headers: retryAfter(false) },
  412: { ...failed, description: 'The record was changed: `If-Match` failed', headers: etagHeader },
  413: { ...failed, description: 'The request body is larger than 64 KiB' },
  415: { ...failed, description: 'The content type is not `application/json`, or the body is compressed' },
  429: { ...failed, description: 'Too many requests', headers: retryAfter(true) },
  503: { ...failed, description: 'The storage is temporarily unavailable', headers: retryAfter(false) },
  507: { ...failed, description: 'The disk is full' },
} as const;

/** General rules of the API, as paragraphs of Markdown. The page `/docs` shows them too. */
const description = [
  'Device resources, their membership in swarms, and invitations to join a swarm. Operations marked `x-extension` are ' +
    'additions to the specified interface.',

  '**Authentication**: an API key in the header `x-serviceapikey` identifies the caller. A key is `swb_`, 30 characters, ' +
    'and a checksum of 6. A missing key and a wrong key get the same 401.',

  '**Errors** are `application/problem+json` (RFC 9457). `code` is for programs, for example ' +
    '`invitation.already_answered`. `detail` is for people. For an invalid body, `errors` lists every fault with its ' +
    'JSON pointer. A missing record, a record that you may not see, and a malformed id get the same 404. A 405 lists the ' +
    'supported methods in `Allow`. A request with `X-HTTP-Method-Override`, `X-HTTP-Method`, `X-Method-Override` or `?_method=` ' +
    'gets 400, and one whose path is longer than 1,000 characters 414.',

  `**Bodies** are JSON, sent as \`application/json\`, with at most ${limits.bodyBytes / 1024} KiB and ${limits.bodyDepth} levels. ` +
    'Unknown and duplicate fields are rejected by name. A name has 1 to ' +
    `${limits.nameLength} characters, at least one of them visible, and is never trimmed. A description has up to ` +
    `${limits.descriptionLength.toLocaleString('en')} characters and may be empty (\`""\`). Control characters other than ` +
    'line breaks and tabs are rejected. `longitude` is -180 to 180, `latitude` -90 to 90. A field without a value is ' +
    'absent, never null.',

  '**PUT** changes the fields in the body. `null` clears an optional field. Read-only fields are accepted if they equal ' +
    'the stored values, so that a client can read a record, change it, and put it back.',

  '**Ids** are UUIDv7 in lower case. Times are UTC with milliseconds. **Lists** are complete and sorted by creation, ' +
    'oldest first, then by id. Unknown query parameters are ignored.',

  '**Versions**: records and lists have an `ETag`. With `If-None-Match`, an unchanged record gets 304. With `If-Match`, ' +
    'a write to a changed record gets 412. A POST with an `Idempotency-Key` that is repeated with the same body within ' +
    '24 hours runs once and gets the same response. With a different body it gets 400.',

  '**Rate limits**, by default: 500 requests a second for each user, with bursts of 2,000; one wrong key a second for ' +
    'each address, with bursts of 30. Requests beyond them get 429, and `Retry-After` says when to retry.',

  '**Quotas**, by default: an account can have up to 100,000 resources, 1,000 swarms with 100,000 members each, ' +
    '10,000 open invitations sent, and 50 event streams. Requests beyond them get 409 with a code that names the quota, for example ' +
    '`resource.too_many`.',
].join('\n\n');

/** Returns the OpenAPI 3.1 document of all operations that `endpoint` registered. A test checks that none is missing. */
export function openApiDocument({
  app,
  serverUrl,
}: {
  app: Pick<OpenAPIHono, 'getOpenAPI31Document'>;
  serverUrl: string;
}): object {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Swarmdeck', version: '1', description },
    servers: [{ url: serverUrl }],
  });
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-serviceapikey' } },
    },
  };
}
