import { createHash } from 'node:crypto';
import type { ServiceContext } from './endpoint.ts';
import { jsonType, notChanged } from './endpoint.ts';
import { noneMatch } from './etag.ts';
import { bodyOf, ownTurn } from './json-body-stream.ts';
import type { ListVersions } from './list-versions.ts';

/** Answers a list. One that is short enough to be held whole has a weak ETag, of its bytes. */
export async function answerList(c: ServiceContext, parts: AsyncIterator<string>): Promise<Response> {
  const body = await bodyOf(c, parts);
  if (typeof body !== 'string') return c.body(body, 200, jsonType);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
  return c.body(body, 200, { ...jsonType, etag });
}

/** Answers the list of a user whose version is known: it is read once for each, by the first of all who ask for it. */
export async function answerKeptList(
  c: ServiceContext,
  { versions, userId, read }: { versions: ListVersions; userId: string; read: () => AsyncIterator<string> },
): Promise<Response> {
  let etag = versions.etag(userId);
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
  if (versions.cached(userId, etag) === undefined) {
    await ownTurn();
    etag = versions.etag(userId);
  }
  // of many who wait for their turn the first one makes it for all
  const cached = versions.cached(userId, etag);
  if (cached !== undefined) return c.body(cached, 200, { ...jsonType, etag });
  const body = await bodyOf(c, read());
  if (typeof body === 'string') versions.cache(userId, etag, body);
  return c.body(body, 200, { ...jsonType, etag });
}
