import { z } from '@hono/zod-openapi';
import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { problem } from '../contract.ts';
import type { ServiceEnv } from './key-guard.ts';
import { policy } from './policy.ts';
import type { Operation } from './policy.ts';

export type ServiceApp = OpenAPIHono<ServiceEnv>;
export type ServiceContext = Context<ServiceEnv>;

/** Of every answer that is JSON: kept by nobody but who asked, and asked for again. */
export const jsonType = { 'content-type': 'application/json', 'cache-control': 'private, no-cache' };
/** For route definitions. */
export const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
/** The answers of a list. */
export const listOf = (description: string, schema: z.ZodType) => ({
  200: { description, content: json(z.array(schema)) },
  304: { description: 'Not changed since `If-None-Match`' },
});
export const ifMatch = z.object({ 'if-match': z.string().optional() });
export const idempotencyKey = z.object({ 'idempotency-key': z.string().optional() });

const problemContent = { 'application/problem+json': { schema: problem } };
const failures = {
  400: 'What is wrong with the request; `errors` names every fault',
  401: 'No key, or one that is not valid',
  403: 'You may see it but not do this',
  404: 'You may not see it, it does not exist, or the id is malformed',
  405: 'The path does not take this method; `Allow` says which it takes',
  409: 'The state forbids it',
  412: '`If-Match` failed',
  413: 'The body is larger than 64 KiB',
  415: 'The body is not JSON',
  429: 'Too many requests; `Retry-After` says how many seconds to wait',
  503: 'The store is away',
  507: 'The disk is full',
} as const;

/**
 * Registers an operation once for three readers: the router, the OpenAPI document and the policy.
 * `fails` names the problem answers beyond those that every operation has.
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
    /** Not in the spec: marked `x-extension`. */
    extension?: boolean;
  },
  handler: (c: ServiceContext) => Response | Promise<Response>,
): void {
  if (!policy[operation]) throw new Error(`${operation} has no row in the policy`);
  const codes = [...new Set([401, 429, 503, ...fails])] as (keyof typeof failures)[];
  app.openAPIRegistry.registerPath({
    ...route,
    operationId: operation,
    ...(extension && { 'x-extension': true }),
    security: [{ apiKey: [] }],
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: failures[code], content: problemContent }])),
      ...route.responses,
    },
  });
  app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler);
}
