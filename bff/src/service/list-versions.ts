import type { Feed } from '../feed/feed.ts';

/**
 * A version for each user's list of resources, for its weak ETag and for a cache of answers: the number of the last
 * entry of the feed that changed the list, or a later one.
 */
export interface ListVersions {
  etag(userId: string): string;
  /** The whole answer, if it is cached under that etag. */
  cached(userId: string, etag: string): string | undefined;
  /** Caches an answer of up to 1 MiB, 64 MiB in all, if the list is still at `etag`. */
  cache(userId: string, etag: string, answer: string): void;
}

const mostOfAnswer = 1024 * 1024;
const mostOfAll = 64 * 1024 * 1024;
const mostUsers = 10_000;

export function createListVersions({ feed }: { feed: Feed }): ListVersions {
  /** Of a user who is not in it, nothing is cached. */
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

  // with the name: the same address is another list for another user, and a browser caches answers by address
  const etag = (userId: string) => `W/"${feed.name}-${userId}-${versionOf(userId)}"`;

  return {
    etag,
    cached(userId, wanted) {
      const entry = answers.get(userId);
      return entry?.etag === wanted ? entry.answer : undefined;
    },
    cache(userId, readUnder, answer) {
      if (answer.length > mostOfAnswer || readUnder !== etag(userId)) return;
      drop(userId);
      while (size + answer.length > mostOfAll) drop(answers.keys().next().value!);
      answers.set(userId, { etag: readUnder, answer });
      size += answer.length;
    },
  };
}
