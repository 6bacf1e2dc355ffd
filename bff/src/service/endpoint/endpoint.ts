/** What all endpoints of the service share: rates, typed parameters, bodies and responses, versions. */
import { OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { noneMatch, tagsIn } from '../../http/etag.ts';
import { receiveJsonBody } from '../../http/json-body.ts';
import type { SentBody } from '../../sent-body.ts';
import { notRouted, problemResponse } from '../../http/problem-response.ts';
import { tooMuchUnread } from '../../http/unsent-bytes.ts';
import { Problem, type Report } from '../../problem.ts';
import { paramsOf, readQuery } from '../../http/query.ts';
import type { RequestBindings } from '../../http/request-bindings.ts';
import type { PlacesByName, Rates } from '../../limits/limit-tables.ts';
import { limitsOf } from '../../limits/operation-limits.ts';
import type { Release } from '../../limits/places.ts';
import { requireTurn, takeTurns, tooFast } from '../../limits/rate.ts';
import type { Caller } from '../keys/api-keys.store.ts';
import { noteRefused, type DeviceNotes } from './device-notes.ts';
import type { Idempotency, Once } from './idempotency.store.ts';
import { failureReference, idempotencyKey, ifNoneMatch, json, type failures, type Tag } from './openapi.ts';
import { deviceKey, ofDevice, policy, type Operation } from './policy.ts';

interface ServiceEnv {
  Bindings: RequestBindings & {
    caller: Caller;
    idempotency: Idempotency;
    report: Report;
    takePlace: (caller: Caller) => Release;
    devices: DeviceNotes;
    /** What the request asks for, when it is routed. */
    operation?: Operation;
    /** It gets a success, because its client would send it again for ever. */
    isRefused?: true;
  };
}

/** Serves a request whose key was verified. @throws `rate.exceeded` */
export type Serve = (request: Request, bindings: RequestBindings & { caller: Caller }) => Response | Promise<Response>;

export type ServiceApp = OpenAPIHono<ServiceEnv>;
export type ServiceContext = Context<ServiceEnv>;

/** The app of the endpoints, and `serve`, which counts and answers the requests of a caller. */
export function createServiceApp({
  idempotency,
  rates,
  places,
  devices,
  report,
}: {
  idempotency: Idempotency;
  rates: Pick<Rates, 'service' | 'device' | 'devices_of_user'>;
  places: Pick<PlacesByName, 'service' | 'device' | 'devices_of_user'>;
  devices: DeviceNotes;
  report: Report;
}): { app: ServiceApp; serve: Serve } {
  const takePlace = createPlacesOfCallers(places);
  const app: ServiceApp = new OpenAPIHono<ServiceEnv>({ getPath: routedPath });
  app.notFound((c) => {
    throw notRouted(app, c.req.path);
  });
  app.onError((error, { req: { raw: request }, env: bindings }) => {
    noteRefused(devices, bindings.caller, { error, operation: bindings.operation });
    return problemResponse({ error, request, bindings, report, challenge: challengeOf(request, bindings) });
  });
  return {
    app,
    serve(request, bindings) {
      const { caller, outgoing } = bindings;
      if (outgoing) {
        outgoing.user = caller.userId;
        outgoing.keyId = caller.keyId;
      }
      if (caller.resourceId === undefined) requireTurn(rates.service, caller.userId);
      else {
        if (!bindings.isWill) devices.heard(caller.resourceId);
        const seconds = takeTurns([
          { rate: rates.device, key: caller.resourceId },
          { rate: rates.devices_of_user, key: caller.userId },
        ]);
        if (seconds > 0) {
          const error = tooFast(seconds);
          noteRefused(devices, caller, { error, operation: undefined });
          throw error;
        }
      }
      return app.fetch(request, { ...bindings, idempotency, report, takePlace, devices });
    },
  };
}

/**
 * The resource was heard: its owner's program has sent something for it, with a key in its own header. A request with the key of the
 * resource is noted when it arrives. What a browser sends, for which the gateway attaches a key, is no sign of life.
 */
export function noteHeard(c: ServiceContext, id: string): void {
  if (c.env.caller.resourceId === undefined && c.env.apiKey === undefined) c.env.devices.heard(id);
}

/**
 * Counts the requests of each caller until their handlers have ended, also if the client has left. Devices with keys of their
 * own take no places of their user: they may all connect at once.
 */
function createPlacesOfCallers(places: Pick<PlacesByName, 'service' | 'device' | 'devices_of_user'>) {
  return ({ userId, resourceId }: Caller): Release => {
    if (resourceId === undefined) return places.service.take(userId);
    const release = places.device.take(resourceId);
    try {
      const releaseAlso = places.devices_of_user.take(userId);
      return () => {
        release();
        releaseAlso();
      };
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** The address of the app OwnTracks, which users type. It takes Basic authentication, because the app has no setting for a header. */
export const ownTracksPath = '/owntracks';

const schemes = {
  key: 'ApiKey realm="Swarmdeck"',
  basic: 'Basic realm="Swarmdeck", charset="UTF-8"',
};

/**
 * How a client can authenticate. Only the app OwnTracks is asked for a password. A browser with a session, whose key the gateway
 * attaches, is asked for nothing: it would show a dialog of its own.
 */
export function challengeOf(request: Request, { apiKey }: RequestBindings): string | undefined {
  if (apiKey !== undefined) return undefined;
  return routedPath(request) === ownTracksPath ? schemes.basic : schemes.key;
}

/** The path by which a request is routed: without its first segment (`/service`, or `/api` behind the gateway). */
export function routedPath({ url }: Request): string {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  const rest = url.indexOf('/', path + 1);
  const query = url.indexOf('?', path);
  if (path === -1 || rest === -1 || (query !== -1 && rest > query)) return '/';
  const routed = decoded(url.slice(rest, query === -1 ? undefined : query));
  return routed === `${ownTracksPath}/` ? ownTracksPath : routed;
}

/** A path that cannot be decoded matches no route. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

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
    headers?: { etag?: string; location?: string },
  ) => Response;
  /** A handler calls it before it waits for something else than the server. Its request is counted elsewhere then. */
  releasePlace: Release;
}

/**
 * Returns a function that registers an operation for the router, the OpenAPI document and the policy. `fails`: its problem
 * responses, besides those that every operation has. The handler is typed by the schemas. Operations that respond with 201
 * accept an Idempotency-Key, unless they declare headers: their handlers write with `once`.
 */
export function endpointsOf(app: ServiceApp, { tag, isExtension = false }: { tag: Tag; isExtension?: boolean }) {
  return function endpoint<
    Params extends z.ZodObject = z.ZodObject,
    Query extends z.ZodObject = z.ZodObject,
    Body = never,
    const R extends Responses = Responses,
  >(
    {
      operation,
      fails = [],
      extension = isExtension,
      security = [{ apiKey: [] }],
      params,
      query,
      headers,
      body,
      responses,
      ...route
    }: Pick<RouteConfig, 'method' | 'path' | 'summary' | 'description' | 'security'> & {
      operation: Operation;
      responses: R;
      params?: Params;
      query?: Query;
      headers?: z.ZodObject;
      /** The schema of a JSON body. */
      body?: z.ZodType<Body>;
      fails?: (keyof typeof failures)[];
      /** It is not in the spec, and is marked with `x-extension`. The default is `isExtension`. */
      extension?: boolean;
    },
    handler: (c: ServiceContext, request: TypedRequest<Params, Query, Body, R>) => Result<R>,
  ): void {
    if (!policy[operation]) throw new Error(`${operation} has no row in the policy`);
    const most = limitsOf(operation);
    if ((most.body === undefined) !== (body === undefined))
      throw new Error(`The row of ${operation} is wrong about a body`);
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
      responses: {
        ...Object.fromEntries(codes.map((code) => [code, failureReference(code)])),
        ...responses,
      },
    });
    const status = 201 in responses ? 201 : 200;
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c: ServiceContext) => {
      if (c.env.outgoing) c.env.outgoing.operation = operation;
      c.env.operation = operation;
      // Faster than `c.body`, which copies the headers into a `Headers` object.
      const replyJson = (text: string | Uint8Array<ArrayBuffer> | ReadableStream, headers = {}) =>
        new Response(text, { status, headers: { ...jsonType, ...headers } });
      const { userId, resourceId } = c.env.caller;
      const isAllowed =
        policy[operation] === deviceKey
          ? resourceId !== undefined
          : resourceId === undefined || (ofDevice.has(operation) && c.req.param('resource_id') === resourceId);
      if (!isAllowed) {
        const other = c.req.param('resource_id');
        // The other device is the one that its owner looks at.
        if (other !== undefined && other !== resourceId) c.env.devices.wrongKey(other, `user ${userId}`);
        throw new Problem('key.not_allowed');
      }
      if (!most.isStreamed && c.env.outgoing?.hasRoom?.() === false) throw tooMuchUnread();
      const releasePlace = c.env.takePlace(c.env.caller);
      try {
        const response = await handler(c, {
          userId,
          // All parameters of a path are text, and a route matches only with all of them.
          params: c.req.param() as z.output<Params>,
          query: () => readQuery(paramsOf(c.req), query!, { keepsEmpty: true }),
          receiveBody: () =>
            c.env.body ? Promise.resolve(c.env.body() as SentBody<Body>) : receiveJsonBody(c, body!, most.body!),
          once: ({ text }, act) =>
            c.env.idempotency.once({
              userId,
              key: c.req.header('idempotency-key'),
              text,
              act,
              operation: [operation, ...Object.values(c.req.param())].join(' '),
            }),
          reply: (record, headers) => replyJson(JSON.stringify(record), headers),
          replyJson,
          releasePlace,
        });
        if (resourceId !== undefined && !c.env.isRefused) c.env.devices.accepted(resourceId, operation);
        return response ?? c.body(null, 204);
      } finally {
        releasePlace();
      }
    });
  };
}

/** Entity tags of records: their version, strong. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * The version that a write expects by its If-Match; undefined for any version.
 * @throws `changed` if the current version is another one, or one that If-None-Match excludes (`*`: all)
 */
export function expectedVersion(
  c: ServiceContext,
  { version }: { version: number },
  changed: 'resource.changed' | 'swarm.changed',
): number | undefined {
  const etag = etagOf(version);
  if (!noneMatch(c.req.header('if-none-match'), etag))
    throw new Problem(changed, {
      detail: 'The record exists in a version that `If-None-Match` excludes',
      headers: { etag },
    });
  const header = c.req.header('if-match');
  if (header === undefined || header.trim() === '*') return undefined;
  // Strong comparison: a weak ETag never matches.
  if (!tagsIn(header).includes(etag)) throw new Problem(changed, { headers: { etag } });
  return version;
}
