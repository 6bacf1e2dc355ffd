import { createHash } from 'node:crypto';
import type { ServiceContext } from './endpoint.ts';
import { jsonType } from './endpoint.ts';
import { noneMatch } from './etag.ts';
import { bodyOf } from './json-body-stream.ts';

/** Answers a list. One that is short enough to be held whole has a weak ETag, of its bytes. */
export function answerList(c: ServiceContext, parts: Iterator<string>): Response {
  const body = bodyOf(parts);
  if (typeof body !== 'string') return c.body(body, 200, jsonType);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (!noneMatch(c.req.header('if-none-match'), etag)) return c.body(null, 304, { etag });
  return c.body(body, 200, { ...jsonType, etag });
}
