import { limits } from '../limits/limits.ts';
import type { ServiceApp } from './endpoint.ts';

/** What holds for every operation. Paragraphs of Markdown: the page of the document shows them too. */
const description = [
  'Device resources, their membership in swarms, and invitations to join one. Operations marked `x-extension` are ' +
    'ours: the interface that this implements leaves them out.',

  '**Who asks** is told by an API key in the header `x-serviceapikey`, and by nothing else: `swb_`, 30 characters and ' +
    'a checksum of 6. None and a wrong one get the same 401.',

  '**Errors** are `application/problem+json` (RFC 9457). `code` is for programs, as in `invitation.already_answered`, ' +
    '`detail` for people; for a body `errors` has every fault at once, each with its JSON pointer. What you may not see ' +
    'and what is not there get the same 404, and so does an id that is none. 405 says in `Allow` what a path takes. ' +
    'A request with the header `X-HTTP-Method-Override` gets 400.',

  `**Bodies** are JSON, sent as \`application/json\`, of ${limits.bodyBytes / 1024} KiB and ${limits.bodyDepth} levels at ` +
    'most. A field that is not known, or comes twice, is refused by name. A name has 1 to ' +
    `${limits.nameLength} characters, one visible at least, and is never trimmed; a description has up to ` +
    `${limits.descriptionLength.toLocaleString('en')}, and \`""\` is one. Control characters are refused but for line ` +
    'breaks and tabs. `longitude` is -180 to 180, `latitude` -90 to 90. A field that has no value is absent, never null.',

  '**PUT** changes the fields that it has; `null` clears one that may be absent. What the service sets may come along ' +
    'as it is stored, so that a record can be read, changed and put back.',

  '**Ids** are UUIDv7 in lower case; times are UTC with milliseconds. **Lists** are whole, oldest first, ties by id. ' +
    'Query parameters that are not known are ignored.',

  '**Versions**: records and lists have an `ETag`. With `If-None-Match` what has not changed is 304; with `If-Match` ' +
    'a write is 412 where the record is another by now. A POST with an `Idempotency-Key`, sent again with the same body ' +
    'within 24 hours, acts once and gets the same answer; with another body it is 400.',

  '**Limits**, unless the operator has set others: 500 requests a second of a user, 2,000 at once; one wrong key a ' +
    'second from an address, 30 at once. Beyond them 429 says in `Retry-After` when to come again.',

  '**Quotas**, unless the operator has set others: a user may have 100,000 resources, 1,000 swarms of 100,000 members ' +
    'each, 10,000 open invitations sent, and 50 event streams. Beyond them a request is rejected with 409 and a code ' +
    'that names the quota, as in `resource.too_many`.',
].join('\n\n');

/** OpenAPI 3.1 of all that is registered by `endpoint`; a test holds that no handler is missing from it. */
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
