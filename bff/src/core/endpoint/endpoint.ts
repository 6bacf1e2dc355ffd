/** An endpoint of the service: its entry in the API document, its right, and its typed request and response. */
import type { RouteConfig, z } from '@hono/zod-openapi';
import { receiveJsonBody } from '../http/json-body.ts';
import { paramsOf, readQuery } from '../http/query.ts';
import { tooMuchUnread } from '../http/unsent-bytes.ts';
import type { Requester } from '../limits/fair-queue.ts';
import { limitsOf } from '../limits/operation-limits.ts';
import type { OperationLimits } from '../limits/operation-rows.ts';
import type { Release } from '../limits/slots.ts';
import { Problem } from '../problem.ts';
import type { SentBody } from '../sent-body.ts';
import type { Once } from './idempotency.store.ts';
import { failureReference, idempotencyKey, ifNoneMatch, json, type failures, type Tag } from './openapi.ts';
import { confirmed, isOnlyForDevices, mayDo, ofDevice, outOfScope, scopesOf, type Operation } from './policy.ts';
import type { ServiceApp, ServiceContext } from './service-app.ts';

/** A browser must not leave the user's data on the disk. Clients with caches of their own send `If-None-Match`. */
export const notStored = { 'cache-control': 'no-store' };
export const jsonType = { 'content-type': 'application/json', ...notStored };
/** The response to a client that has the current version: with the headers of the full response (RFC 9110 15.4.5). */
export const notChanged = (c: ServiceContext, etag: string, headers: { vary?: string } = {}): Response =>
  c.body(null, 304, { ...notStored, ...headers, etag });

type Responses = RouteConfig['responses'];

/** The type of the record in a successful response. */
type RecordOf<R extends Responses> = {
  [Status in keyof R]: R[Status] extends { content: { 'application/json': { schema: infer Schema } } }
    ? z.output<Extract<Schema, z.ZodType>>
    : never;
}[keyof R & (200 | 201)];

/** A handler without a result responds with 204. */
type Result<R extends Responses> = Response | Promise<Response> | (204 extends keyof R ? Promise<void> : never);

/** A request and its response, typed by the schemas of the endpoint. */
interface TypedRequest<Params extends z.ZodObject, Query extends z.ZodObject, Body, R extends Responses> {
  /** The caller. */
  userId: string;
  /** Who waits for a long read. */
  requester: Requester;
  params: z.output<Params>;
  /** @throws `query.invalid` */
  query: () => ReturnType<typeof readQuery<Query>>;
  receiveBody: () => Promise<SentBody<Body>>;
  /** The write of an endpoint that creates: executed once if the request has an Idempotency-Key. */
  once: Once;
  /** Responds with a record. */
  reply: (
    record: RecordOf<R>,
    headers?: { etag?: string; location?: string; 'retry-after'?: string; vary?: string },
  ) => Response;
  /** Responds with a record that is JSON already. */
  replyJson: (
    json: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers?: { etag?: string; location?: string; vary?: string },
  ) => Response;
  /** A handler calls it before it waits for something else than the server. Its request is counted elsewhere then. */
  releaseSlot: Release;
}

/**
 * Requires a key of the kind that the operation takes, and with its scope. The key of a device may do what `ofDevice` says, and only
 * for this device.
 * @throws `key.not_allowed`, `key.scope`
 */
function requireKeyFor(operation: Operation, c: ServiceContext, device: string | undefined): void {
  const { userId, resourceId, scope } = c.env.caller;
  if (!mayDo(scope, operation)) throw outOfScope(scope);
  const isAllowed = isOnlyForDevices(operation)
    ? resourceId !== undefined
    : resourceId === undefined || (ofDevice.has(operation) && device === resourceId);
  if (isAllowed) return;
  // Noted for the device in the path, not for the one of the key: its owner looks there for why nothing arrives.
  if (device !== undefined && device !== resourceId) c.env.devices.wrongKey(device, `user ${userId}`);
  throw new Problem('key.not_allowed');
}

/** What an operation is, as far as the OpenAPI document has it. */
interface Declared<Params, Query, Body, R> extends Pick<
  RouteConfig,
  'method' | 'path' | 'summary' | 'description' | 'security'
> {
  operation: Operation;
  responses: R;
  params?: Params;
  query?: Query;
  headers?: z.ZodObject;
  /** The schema of a JSON body. */
  body?: z.ZodType<Body>;
  /** Its problem responses, besides those that every operation has. */
  fails?: (keyof typeof failures)[];
  /** It is not in the spec, and is marked with `x-extension`. */
  extension?: boolean;
}

/**
 * Returns a function that registers an operation for the router, the OpenAPI document and the policy. The handler is typed by the
 * schemas. Operations that respond with 201 accept an Idempotency-Key, unless they declare headers: their handlers write with `once`.
 * `isExtension`: the default of `extension`.
 */
export function endpointsOf(app: ServiceApp, { tag, isExtension = false }: { tag: Tag; isExtension?: boolean }) {
  return function endpoint<
    Params extends z.ZodObject = z.ZodObject,
    Query extends z.ZodObject = z.ZodObject,
    Body = never,
    const R extends Responses = Responses,
  >(
    { extension = isExtension, ...declared }: Declared<Params, Query, Body, R>,
    handler: (c: ServiceContext, request: TypedRequest<Params, Query, Body, R>) => Result<R>,
  ): void {
    const { operation, method, path, query, body, responses } = declared;
    const limits = limitsOf(operation);
    if ((limits.body === undefined) !== (body === undefined))
      throw new Error(`The row of ${operation} is wrong about a body`);
    document(app, tag, { ...declared, extension });
    const isConfirmed = confirmed.has(operation);
    const served = { operation, limits, isConfirmed, query, body, status: 201 in responses ? 201 : 200 };
    app.on(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c: ServiceContext) => {
      // All parameters of a path are text, and a route matches only with all of them.
      const params: Record<string, string> = c.req.param();
      const releaseSlot = admit(c, served, params['resource_id']);
      try {
        const response = await handler(c, typedRequest<Params, Query, Body, R>(c, served, { params, releaseSlot }));
        const { caller, devices, isRefused } = c.env;
        if (caller.resourceId !== undefined && !isRefused) devices.accepted(caller.resourceId, operation);
        return response ?? c.body(null, 204);
      } finally {
        releaseSlot();
      }
    });
  };
}

/** An endpoint, as its requests need it. */
interface ServedEndpoint<Query, Body> {
  operation: Operation;
  limits: OperationLimits;
  /** Its user must have shown lately that it is them. */
  isConfirmed: boolean;
  query: Query | undefined;
  body: z.ZodType<Body> | undefined;
  /** Of a successful response. */
  status: number;
}

/**
 * Lets a request in: its key may make it, its user has not too many bytes that are not read yet, and its caller has a slot for it. Returns what gives
 * the slot back. `device`: the id in its path.
 * @throws `key.not_allowed`, `key.scope`, `rate.exceeded`, and what `requireConfirmed` throws
 */
function admit(
  c: ServiceContext,
  { operation, limits, isConfirmed }: ServedEndpoint<unknown, unknown>,
  device: string | undefined,
): Release {
  const { env } = c;
  if (env.outgoing) env.outgoing.operation = operation;
  env.operation = operation;
  requireKeyFor(operation, c, device);
  if (isConfirmed) env.requireConfirmed();
  if (!limits.isStreamed && env.outgoing?.hasRoom() === false) throw tooMuchUnread();
  return env.takeRequestSlot(env.caller);
}

/**
 * Who waits for a long read: until the client leaves. Most operations need no signal, which takes time to make. A class, because each
 * object literal with a getter has a shape of its own, which keeps the request in memory until the next large collection of garbage.
 */
class WaitingClient implements Requester {
  readonly user: string;
  readonly #c: ServiceContext;

  constructor(c: ServiceContext) {
    this.user = c.env.caller.userId;
    this.#c = c;
  }

  get signal(): AbortSignal {
    return this.#c.req.raw.signal;
  }
}

function typedRequest<Params extends z.ZodObject, Query extends z.ZodObject, Body, R extends Responses>(
  c: ServiceContext,
  { operation, limits, query, body, status }: ServedEndpoint<Query, Body>,
  { params, releaseSlot }: { params: Record<string, string>; releaseSlot: Release },
): TypedRequest<Params, Query, Body, R> {
  const { env } = c;
  const { userId } = env.caller;
  // Faster than `c.body`, which copies the headers into a `Headers` object.
  const replyJson = (text: string | Uint8Array<ArrayBuffer> | ReadableStream, headers = {}) =>
    new Response(text, { status, headers: { ...jsonType, ...headers } });
  return {
    userId,
    requester: new WaitingClient(c),
    params: params as z.output<Params>,
    query: () => readQuery(paramsOf(c.req), query!, { keepsEmpty: true }),
    receiveBody: () =>
      env.body
        ? Promise.resolve(env.body() as SentBody<Body>)
        : receiveJsonBody(c, body!, limits.body!, (bytes) => env.chargeBody(env.caller, bytes)),
    once: ({ text }, act) =>
      env.idempotency.once({
        userId,
        key: c.req.header('idempotency-key'),
        text,
        act,
        operation: [operation, ...Object.values(params)].join(' '),
      }),
    reply: (record, headers) => replyJson(JSON.stringify(record), headers),
    replyJson,
    releaseSlot,
  };
}

function document(app: ServiceApp, tag: Tag, declared: Declared<z.ZodObject, z.ZodObject, unknown, Responses>): void {
  const {
    operation,
    fails = [],
    extension,
    security = [{ apiKey: [] }],
    params,
    query,
    headers,
    body,
    responses,
    ...route
  } = declared;
  const ofBody = body ? ([413, 415] as const) : [];
  const codes = [...new Set([400, 401, 403, 429, 503, ...ofBody, ...fails])] as (keyof typeof failures)[];
  const headersOf = headers ?? (304 in responses ? ifNoneMatch : 201 in responses ? idempotencyKey : undefined);
  app.openAPIRegistry.registerPath({
    ...route,
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headersOf && { headers: headersOf }),
      ...(body && { body: { content: json(body), required: true } }),
    },
    operationId: operation,
    tags: [tag],
    ...(extension && { 'x-extension': true }),
    security,
    'x-scopes': scopesOf(operation),
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, failureReference(code)])),
      ...responses,
    },
  });
}
