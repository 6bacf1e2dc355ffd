import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { failures, ifNoneMatch } from './openapi-responses.ts';
import type { ServiceEnv } from './key-guard.ts';
import { policy } from './policy.ts';
import type { Operation } from './policy.ts';

export type ServiceApp = OpenAPIHono<ServiceEnv>;
export type ServiceContext = Context<ServiceEnv>;

/** Cacheable responses: only in a private cache, and always revalidated. */
const cacheable = { 'cache-control': 'private, no-cache' };
export const jsonType = { 'content-type': 'application/json', ...cacheable };
/** The response to a client that has the current version: with the headers of the full response (RFC 9110 15.4.5). */
export const notChanged = (c: ServiceContext, etag: string): Response => c.body(null, 304, { ...cacheable, etag });

/**
 * Registers an operation for the router, the OpenAPI document and the policy. `fails`: its problem responses, besides
 * those that every operation has.
 */
export function endpoint(
  app: ServiceApp,
  {
    operation,
    fails = [],
    extension = false,
    ...route
  }: Pick<RouteConfig, 'method' | 'path' | 'summary' | 'description' | 'request' | 'responses'> & {
    operation: Operation;
    fails?: (keyof typeof failures)[];
    /** Not in the spec; marked with `x-extension`. */
    extension?: boolean;
  },
  handler: (c: ServiceContext) => Response | Promise<Response>,
): void {
  if (!policy[operation]) throw new Error(`${operation} has no row in the policy`);
  const codes = [...new Set([400, 401, 429, 503, ...fails])] as (keyof typeof failures)[];
  app.openAPIRegistry.registerPath({
    ...route,
    ...(304 in route.responses && { request: { ...route.request, headers: ifNoneMatch } }),
    operationId: operation,
    ...(extension && { 'x-extension': true }),
    security: [{ apiKey: [] }],
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, failures[code]])),
      ...route.responses,
    },
  });
  app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler);
}
