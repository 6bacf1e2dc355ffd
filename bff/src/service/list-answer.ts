import { createHash } from 'node:crypto';
import type { ServiceContext } from './endpoint.ts';
import { jsonType, noneMatch, notChanged } from './endpoint.ts';
import { bodyOf, ownTurn } from './json-body-stream.ts';
import type { ListVersions } from './list-versions.ts';

/** Responds with a list. A list that fits in memory has a weak ETag, which is a hash of its bytes. */
export async function answerList(c: ServiceContext, parts: AsyncIterator<string>): Promise<Response> {
  const body = await bodyOf(c, parts);
  if (typeof body !== 'string') return c.body(body, 200, jsonType);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
  return c.body(body, 200, { ...jsonType, etag });
}

/** Responds with a versioned list of a user, which is read once per version for concurrent requests. */
export async function answerKeptList(
  c: ServiceContext,
  { versions, userId, read }: { versions: ListVersions; userId: string; read: () => AsyncIterator<string> },
): Promise<Response> {
  await versions.catchUp();
  let etag = versions.etag(userId);
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
  if (versions.cached(userId, etag) === undefined) {
    await ownTurn();
    etag = versions.etag(userId);
  }
  // Concurrent requests share the first response.
  const cached = versions.cached(userId, etag);
  if (cached !== undefined) return c.body(cached, 200, { ...jsonType, etag });
  const body = await bodyOf(c, read());
  if (typeof body === 'string') versions.cache(userId, etag, body);
  return c.body(body, 200, { ...jsonType, etag });
}
