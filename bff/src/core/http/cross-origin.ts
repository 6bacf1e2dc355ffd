/**
 * Lets pages of origins that the operator has named use the service with a key
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Never with cookies: a page of another site must not act as the user who is
 * signed in here.
 */
import type { IncomingMessage } from 'node:http';
import type { NotedResponse } from './request-bindings.ts';

/** In seconds: browsers keep the answer to a preflight for two hours at most. */
const preflightKeptFor = 7200;
const methods = 'GET, HEAD, POST, PUT, DELETE';
/** What clients send beside the key. Clients of event streams send Cache-Control. */
const requestHeaders = [
  'cache-control',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'traceparent',
];
/** What a page may read of a response, beside what it always may. */
const responseHeaders = [
  'allow',
  'content-disposition',
  'etag',
  'last-event-id',
  'location',
  'missing-after',
  'retry-after',
  'www-authenticate',
];

export type CrossOrigin = ReturnType<typeof createCrossOrigin>;

export function createCrossOrigin({ origins, keyHeader }: { origins: readonly string[]; keyHeader: string }) {
  const ofOthers = { vary: 'Origin' };
  const ofPages = new Map(
    origins.map((origin) => [
      origin,
      {
        ...ofOthers,
        'access-control-allow-origin': origin,
        'access-control-expose-headers': responseHeaders.join(', '),
      },
    ]),
  );
  const ofPreflight = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [keyHeader, ...requestHeaders].join(', '),
    'access-control-max-age': String(preflightKeptFor),
  };

  /**
   * Notes the headers that the response gets, whatever it is. Returns the response to a preflight: a browser sends it without the
   * key.
   */
  return function admit(incoming: IncomingMessage, outgoing: NotedResponse): Response | undefined {
    const { method, headers } = incoming;
    const ofPage = ofPages.get(headers.origin ?? '');
    outgoing.crossOrigin = ofPage ?? ofOthers;
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    return ofPage && isPreflight ? new Response(null, { status: 204, headers: ofPreflight }) : undefined;
  };
}
