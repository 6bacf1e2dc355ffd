import { createHash } from 'node:crypto';
import { noneMatch } from '../../http/etag.ts';
import { bodyOf, ownTurn, type BodyPart } from '../../http/streamed-body.ts';
import { BoundedMap } from '../../limits/bounded-map.ts';
import type { ChangeFeed } from '../../change-feed/change-feed.ts';
import { jsonType, notChanged } from './endpoint.ts';
import type { ServiceContext } from './service-app.ts';

/** Responds with a list. A list that fits in memory has a weak ETag, which is a hash of its bytes. */
export async function listResponse(c: ServiceContext, parts: AsyncIterator<BodyPart>): Promise<Response> {
  const body = await bodyOf(c, parts, c.env.report);
  if (body instanceof ReadableStream) return c.body(body, 200, jsonType);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
  return c.body(body, 200, { ...jsonType, etag });
}

/**
 * Responds with a versioned list of a user, which is read once per version for concurrent requests. `vary`: what its representation
 * was chosen by.
 */
export async function cachedListResponse(
  c: ServiceContext,
  {
    listCache,
    userId,
    vary,
    read,
  }: { listCache: ListCache; userId: string; vary: string; read: () => AsyncIterator<BodyPart> },
): Promise<Response> {
  const type = { ...jsonType, vary };
  await listCache.catchUp();
  let etag = listCache.etag(userId);
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag, { vary });
  if (listCache.cached(userId, etag) === undefined) {
    await ownTurn();
    etag = listCache.etag(userId);
  }
  // Concurrent requests share the first response.
  const cached = listCache.cached(userId, etag);
  if (cached !== undefined) return c.body(cached, 200, { ...type, etag });
  const body = await bodyOf(c, read(), c.env.report);
  if (body instanceof ReadableStream) return c.body(body, 200, { ...type, etag });
  // The cache has bytes, because encoding a long text takes half of the time of a response.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  listCache.cache(userId, etag, bytes);
  return c.body(bytes, 200, { ...type, etag });
}

const mostOfAnswer = 1024 * 1024;
const mostOfAll = 64 * 1024 * 1024;
const mostUsers = 10_000;

export type ListCache = ReturnType<typeof createListCache>;

/**
 * The version of each user's list of resources, for its weak ETag and for a cache of responses: the number of the last
 * feed entry that changed the list, or a later one.
 */
export function createListCache({ feed }: { feed: ChangeFeed }) {
  /** Nothing is cached for users without an entry. */
  const versions = new Map<string, number>();
  /** The responses of the current versions, by user. */
  const answers = new BoundedMap<string, Uint8Array<ArrayBuffer>>(mostOfAll, ({ length }) => length);

  feed.subscribe((entries) => {
    if (!entries) for (const userId of versions.keys()) forget(userId);
    for (const { kind, owner, seq } of entries ?? []) {
      if (owner === null || !versions.has(owner) || !(kind.startsWith('resource.') || kind === 'account.ended'))
        continue;
      versions.set(owner, seq);
      answers.delete(owner);
    }
  });

  function forget(userId: string) {
    versions.delete(userId);
    answers.delete(userId);
  }

  function versionOf(userId: string): number {
    const known = versions.get(userId);
    if (known !== undefined) return known;
    if (versions.size >= mostUsers) forget(versions.keys().next().value!);
    versions.set(userId, feed.newest);
    return feed.newest;
  }

  // The tag has the user's name, because browsers cache by URL, and the same URL is another list for another user.
  const etag = (userId: string) => `W/"${feed.name}-${userId}-${versionOf(userId)}"`;

  return {
    /** Is awaited before a request uses a version, because another process may have changed the list. */
    catchUp: feed.catchUp,
    etag,
    /** The complete response, if it is cached with this ETag. */
    cached: (userId: string, wanted: string) => (wanted === etag(userId) ? answers.get(userId) : undefined),
    /** Caches a response of up to 1 MiB, 64 MiB in total, unless the list has changed since `readUnder`. */
    cache(userId: string, readUnder: string, answer: Uint8Array<ArrayBuffer>): void {
      if (answer.length > mostOfAnswer || readUnder !== etag(userId)) return;
      answers.set(userId, answer);
    },
  };
}
