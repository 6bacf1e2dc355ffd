import type { Feed } from '../feed/feed.ts';

const mostOfAnswer = 1024 * 1024;
const mostOfAll = 64 * 1024 * 1024;
const mostUsers = 10_000;

export type ListCache = ReturnType<typeof createListCache>;

/**
 * The version of each user's list of resources, for its weak ETag and for a cache of responses: the number of the last
 * feed entry that changed the list, or a later one.
 */
export function createListCache({ feed }: { feed: Feed }) {
  /** Nothing is cached for users without an entry. */
  const versions = new Map<string, number>();
  const answers = new Map<string, { etag: string; answer: string }>();
  let size = 0;

  feed.subscribe((entries) => {
    for (const { kind, owner, seq } of entries) {
      if (owner === null || !versions.has(owner) || !(kind.startsWith('resource.') || kind === 'account.ended'))
        continue;
      versions.set(owner, seq);
      drop(owner);
    }
  });

  function drop(userId: string) {
    size -= answers.get(userId)?.answer.length ?? 0;
    answers.delete(userId);
  }

  function versionOf(userId: string): number {
    const known = versions.get(userId);
    if (known !== undefined) return known;
    if (versions.size >= mostUsers) {
      const [oldest] = versions.keys();
      versions.delete(oldest!);
      drop(oldest!);
    }
    versions.set(userId, feed.newest);
    return feed.newest;
  }

  // With the name, because browsers cache by URL, and the same URL is another list for another user.
  const etag = (userId: string) => `W/"${feed.name}-${userId}-${versionOf(userId)}"`;

  return {
    /** To be awaited before a request uses a version: another process may have changed the list. */
    catchUp: feed.catchUp,
    etag,
    /** The complete response, if it is cached with this ETag. */
    cached(userId: string, wanted: string): string | undefined {
      const entry = answers.get(userId);
      return entry?.etag === wanted ? entry.answer : undefined;
    },
    /** Caches a response of up to 1 MiB, 64 MiB in total, unless the list has changed since `readUnder`. */
    cache(userId: string, readUnder: string, answer: string): void {
      if (answer.length > mostOfAnswer || readUnder !== etag(userId)) return;
      drop(userId);
      while (size + answer.length > mostOfAll) drop(answers.keys().next().value!);
      answers.set(userId, { etag: readUnder, answer });
      size += answer.length;
    },
  };
}
