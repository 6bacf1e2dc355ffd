import { createHash } from 'node:crypto';
import { noneMatch } from '../http/etag.ts';
import { bodyOf, type BodyChunk } from '../http/streamed-body.ts';
import { BoundedMap } from '../limits/bounded-map.ts';
import { memoryTable } from '../limits/part-limits.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { jsonType, notChanged } from './endpoint.ts';
import type { ServiceContext } from './service-app.ts';

/** Responds with a list. A list that fits in memory has a weak ETag, which is a hash of its bytes. */
export async function listResponse(c: ServiceContext, chunks: AsyncIterator<BodyChunk>): Promise<Response> {
  const body = await bodyOf(c, chunks, c.env.report);
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
  }: { listCache: ListCache; userId: string; vary: string; read: () => AsyncIterator<BodyChunk> },
): Promise<Response> {
  await listCache.catchUp();
  const tagged = () => ({ ...jsonType, vary, etag: listCache.etag(userId) });
  if (!noneMatch(c.req.header('if-none-match'), listCache.etag(userId)))
    return notChanged(c, listCache.etag(userId), { vary });
  // Concurrent requests share one response: who comes while it is made waits for it.
  let cached = listCache.cached(userId);
  for (let made = listCache.beingMade(userId); !cached && made; made = listCache.beingMade(userId)) {
    await made;
    cached = listCache.cached(userId);
  }
  // Not charged as one that is made (long-reads.ts): 230 KiB take 0.2 ms of the main thread, so all that a user may ask for in a second, 500,
  // an eighth of a core.
  if (cached) return c.body(cached, 200, tagged());
  const headers = tagged();
  const body = await listCache.make(userId, () => bodyOf(c, read(), c.env.report));
  return c.body(body, 200, headers);
}

export type ListCache = ReturnType<typeof createListCache>;

/**
 * The version of each user's list of resources, for its weak ETag and for a cache of responses: the number of the last
 * feed entry that changed the list, or a later one.
 */
export function createListCache({ feed }: { feed: Pick<ChangeFeed, 'name' | 'newest' | 'subscribe' | 'catchUp'> }) {
  /** Nothing is cached for users without an entry. */
  const versions = new Map<string, number>();
  /** The responses of the current versions, by user. */
  const answers = new BoundedMap<string, Uint8Array<ArrayBuffer>>(memoryTable.lists.most, ({ length }) => length);
  /** The responses that are being made, by user. */
  const making = new Map<string, Promise<void>>();

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
    if (versions.size >= memoryTable.list_versions.most) forget(versions.keys().next().value!);
    versions.set(userId, feed.newest);
    return feed.newest;
  }

  // The tag has the user's name, because browsers cache by URL, and the same URL is another list for another user.
  const etag = (userId: string) => `W/"${feed.name}-${userId}-${versionOf(userId)}"`;

  return {
    /** Is awaited before a request uses a version, because another process may have changed the list. */
    catchUp: feed.catchUp,
    etag,
    /** The complete response of the current version. */
    cached: (userId: string) => answers.get(userId),
    /** Resolves when a response that is made now is there. */
    beingMade: (userId: string) => making.get(userId),
    /** Caches what `make` resolves to, if it is no stream, as a list from 256 KiB on is, and the list has not changed since. */
    async make(userId: string, make: () => Promise<BodyChunk | ReadableStream<Uint8Array>>) {
      const before = etag(userId);
      const { promise, resolve } = Promise.withResolvers<void>();
      making.set(userId, promise);
      try {
        const body = await make();
        if (body instanceof ReadableStream) return body;
        // The cache has bytes, because encoding a long text takes half of the time of a response.
        const bytes = typeof body === 'string' ? Buffer.from(body) : body;
        if (before === etag(userId)) answers.set(userId, bytes);
        return bytes;
      } finally {
        making.delete(userId);
        resolve();
      }
    },
  };
}
