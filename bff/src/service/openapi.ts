import { limits } from '../limits/field-limits.ts';
import type { ServiceApp } from './endpoint.ts';

/** General rules of the API, as paragraphs of Markdown. The page `/docs` shows them too. */
const description = [
  'Device resources, their membership in swarms, and invitations to join a swarm. Operations marked `x-extension` are ' +
    'additions to the specified interface.',

  '**Authentication**: an API key in the header `x-serviceapikey` identifies the caller. A key is `swb_`, 30 characters, ' +
    'and a checksum of 6. A missing key and a wrong key get the same 401.',

  '**Errors** are `application/problem+json` (RFC 9457). `code` is for programs, for example ' +
    '`invitation.already_answered`. `detail` is for people. For an invalid body, `errors` lists every fault with its ' +
    'JSON pointer. A missing record, a record that you may not see, and a malformed id get the same 404. A 405 lists the ' +
    'supported methods in `Allow`. A request with the header `X-HTTP-Method-Override` gets 400.',

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

  '**Quotas**, by default: a user can have 100,000 resources, 1,000 swarms with 100,000 members each, 10,000 open ' +
    'invitations sent, and 50 event streams. Requests beyond them get 409 with a code that names the quota, for example ' +
    '`resource.too_many`.',
].join('\n\n');

/** Returns the OpenAPI 3.1 document of all operations that `endpoint` registered. A test checks that none is missing. */
export function openApiDocument({ app, serverUrl }: { app: ServiceApp; serverUrl: string }): object {
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
