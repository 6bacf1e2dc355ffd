import { isDeepStrictEqual } from 'node:util';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { RouteConfig, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readJsonBody } from '../http/json-body.ts';
import type { BodyChecks } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';
import { failures, ifNoneMatch, json } from './openapi-responses.ts';
import type { ServiceEnv } from './api-keys.store.ts';
import { policy } from './policy.ts';
import type { Operation } from './policy.ts';

export type ServiceApp = OpenAPIHono<ServiceEnv>;
export type ServiceContext = Context<ServiceEnv>;

/** The first segment of a request's path (`/service`, or `/api` behind the gateway) is ignored. */
export const createServiceApp = (): ServiceApp => new OpenAPIHono<ServiceEnv>({ getPath: withoutMount });

function withoutMount(request: Request): string {
  const { url } = request;
  const path = url.indexOf('/', url.indexOf('://') + 3);
  const rest = url.indexOf('/', path + 1);
  const query = url.indexOf('?', path);
  if (path === -1 || rest === -1 || (query !== -1 && rest > query)) return '/';
  return decoded(url.slice(rest, query === -1 ? undefined : query));
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

/** Cacheable responses: only in a private cache, and always revalidated. */
const cacheable = { 'cache-control': 'private, no-cache' };
export const jsonType = { 'content-type': 'application/json', ...cacheable };
/** The response to a client that has the current version: with the headers of the full response (RFC 9110 15.4.5). */
export const notChanged = (c: ServiceContext, etag: string): Response => c.body(null, 304, { ...cacheable, etag });

type Responses = RouteConfig['responses'];

/** The type of the record in a successful response. */
type RecordOf<R extends Responses> = {
  [Status in keyof R]: R[Status] extends { content: { 'application/json': { schema: infer Schema } } }
    ? z.output<Extract<Schema, z.ZodType>>
    : never;
}[keyof R & (200 | 201)];

/** A request and its response, typed by the schemas of the endpoint. */
interface TypedRequest<Params extends z.ZodObject, Query extends z.ZodObject, Body, R extends Responses> {
  /** The caller. */
  userId: string;
  params: z.output<Params>;
  /** @throws `query.invalid` */
  query: () => z.output<Query>;
  /** See `readJsonBody`. */
  readBody: <Found>(checks: BodyChecks<Found>) => Promise<{ body: Body; text: string; found: Found }>;
  /** Responds with a record. */
  reply: (record: RecordOf<R>, headers?: { etag?: string; location?: string }) => Response;
  /** The same for a record that is JSON already. */
  replyJson: (json: string | ReadableStream, headers?: { etag?: string; location?: string }) => Response;
}

/**
 * Registers an operation for the router, the OpenAPI document and the policy. `fails`: its problem responses, besides
 * those that every operation has. The handler is typed by the schemas.
 */
export function endpoint<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body = never,
  const R extends Responses = Responses,
>(
  app: ServiceApp,
  {
    operation,
    fails = [],
    extension = false,
    params,
    query,
    headers,
    body,
    responses,
    ...route
  }: Pick<RouteConfig, 'method' | 'path' | 'summary' | 'description'> & {
    operation: Operation;
    responses: R;
    params?: Params;
    query?: Query;
    headers?: z.ZodObject;
    /** The schema of a JSON body. */
    body?: z.ZodType<Body>;
    fails?: (keyof typeof failures)[];
    /** Not in the spec; marked with `x-extension`. */
    extension?: boolean;
  },
  handler: (c: ServiceContext, request: TypedRequest<Params, Query, Body, R>) => Response | Promise<Response>,
): void {
  if (!policy[operation]) throw new Error(`${operation} has no row in the policy`);
  const ofBody = body ? ([413, 415] as const) : [];
  const codes = [...new Set([400, 401, 429, 503, ...ofBody, ...fails])] as (keyof typeof failures)[];
  const headersOf = 304 in responses ? ifNoneMatch : headers;
  app.openAPIRegistry.registerPath({
    ...route,
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headersOf && { headers: headersOf }),
      ...(body && { body: { content: json(body), required: true } }),
    },
    operationId: operation,
    ...(extension && { 'x-extension': true }),
    security: [{ apiKey: [] }],
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, failures[code]])),
      ...responses,
    },
  });
  const status = 201 in responses ? 201 : 200;
  app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c: ServiceContext) => {
    const replyJson = (text: string | ReadableStream, headers = {}) =>
      c.body(text, status, { ...jsonType, ...headers });
    return handler(c, {
      userId: c.env.caller.userId,
      // All parameters of a path are text, and a route matches only with all of them.
      params: c.req.param() as z.output<Params>,
      query: () => readQuery(c.req.query(), query!),
      readBody: (checks) => readJsonBody(c, body!, checks),
      reply: (record, headers) => replyJson(JSON.stringify(record), headers),
      replyJson,
    });
  });
}

function readQuery<Query extends z.ZodObject>(sent: Record<string, string>, schema: Query): z.output<Query> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, code, message }) => ({
    pointer: `?${String(path[0])}`,
    code: code === 'invalid_value' ? 'field.not_allowed' : 'query.invalid',
    detail: message,
  }));
  throw new Problem('query.invalid', { errors });
}

/** Entity tags of records: their version, strong. RFC 9110, 8.8.3 and 13.1. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** If-None-Match: weak comparison. */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true;
  const plain = etag.replace(/^W\//, '');
  return header.trim() !== '*' && !tags(header).some((tag) => tag.replace(/^W\//, '') === plain);
}

/**
 * The version that a write expects by its If-Match; undefined for any version.
 * @throws `changed` if the current version is another one
 */
export function expectedVersion({
  header,
  version,
  changed,
}: {
  header: string | undefined;
  version: number;
  changed: 'resource.changed' | 'swarm.changed';
}): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const etag = etagOf(version);
  // Strong comparison: a weak ETag never matches.
  if (!tags(header).includes(etag)) throw new Problem(changed, { headers: { etag } });
  return version;
}

function tags(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}

interface SentFields {
  body: object;
  stored: object;
  /** The fields that the service sets. */
  fields: readonly string[];
}

/**
 * Read-only fields of a PUT are accepted if they equal the stored ones, so that clients can read, change and put back a
 * record.
 */
export function readOnlyFaults({ body, stored, fields }: SentFields): FieldFault[] {
  const sent = body as Record<string, unknown>;
  const storedFields = stored as Record<string, unknown>;
  return fields
    .filter((field) => sent[field] !== undefined && !isDeepStrictEqual(sent[field], storedFields[field]))
    .map((field) => ({
      pointer: `/${field}`,
      code: 'field.read_only',
      detail: 'is set by the service and differs from the stored value',
    }));
}

/** @throws `body.invalid` */
export function refuseReadOnly(sent: SentFields): void {
  const errors = readOnlyFaults(sent);
  if (errors.length > 0) throw new Problem('body.invalid', { errors });
}
