import { z } from '@hono/zod-openapi';
import { problem } from '../contract.ts';

/** What the document says of an operation's answers and of the headers around them. A leaf but for the contract. */

export const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

const header = (description: string, required = true) => ({
  description,
  required,
  schema: { type: 'string' as const },
});
/** Of a record that has versions. */
export const tagged = { ETag: header('Its version, for `If-Match` and `If-None-Match`') };
const retryAfter = (required: boolean) => ({ 'Retry-After': header('Seconds to wait', required) });

export const created = (description: string, schema: z.ZodType, headers: Partial<typeof tagged> = {}) => ({
  201: { description, headers: { Location: header('Its address'), ...headers }, content: json(schema) },
});
export const record = (description: string, schema: z.ZodType) => ({
  200: { description, headers: tagged, content: json(schema) },
});
const notChanged = { 304: { description: 'Not changed since `If-None-Match`', headers: tagged } };
/** Of what is read with `ifNoneMatch`. */
export const readRecord = (description: string, schema: z.ZodType) => ({
  ...record(description, schema),
  ...notChanged,
});
export const readList = (description: string, schema: z.ZodType) => ({
  200: {
    description,
    headers: { ETag: header('For `If-None-Match`; a very long list may have none', false) },
    content: json(z.array(schema)),
  },
  ...notChanged,
});

const inHeader = (name: string, description: string) =>
  z.object({ [name]: z.string().optional().openapi({ param: { description } }) });
export const ifMatch = inHeader('if-match', 'Only where it still has one of these tags, else 412');
export const ifNoneMatch = inHeader('if-none-match', 'Where it still has one of these tags: 304 without a body');
export const idempotencyKey = inHeader(
  'idempotency-key',
  'Sent again with the same body within 24 hours, it acts once',
);
export const lastEventId = inHeader('last-event-id', 'The newest event that was heard: what came after it follows');

const failed = { content: { 'application/problem+json': { schema: problem } } };
export const failures = {
  400: { ...failed, description: 'What is wrong with the request; `errors` names every fault' },
  401: { ...failed, description: 'No key, or one that is not valid' },
  403: { ...failed, description: 'You may see it but not do this' },
  404: { ...failed, description: 'You may not see it, it does not exist, or the id is malformed' },
  409: { ...failed, description: 'The state forbids it', headers: retryAfter(false) },
  412: { ...failed, description: '`If-Match` failed', headers: tagged },
  413: { ...failed, description: 'The request body is larger than 64 KiB' },
  415: { ...failed, description: 'The body is not JSON' },
  429: { ...failed, description: 'Too many requests', headers: retryAfter(true) },
  503: { ...failed, description: 'The store is away', headers: retryAfter(false) },
  507: { ...failed, description: 'The disk is full' },
} as const;
