import { z } from '@hono/zod-openapi';
import { problem } from '../contract.ts';

/** Responses and headers for the OpenAPI document. */

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
  415: { ...failed, description: 'The content type is not `application/json`' },
  429: { ...failed, description: 'Too many requests', headers: retryAfter(true) },
  503: { ...failed, description: 'The storage is temporarily unavailable', headers: retryAfter(false) },
  507: { ...failed, description: 'The disk is full' },
} as const;
