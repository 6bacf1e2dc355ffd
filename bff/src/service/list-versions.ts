import { randomBytes } from 'node:crypto';

/**
 * A version for each user's list of resources, for its weak ETag and for answers kept in memory.
 * It starts anew with the process: a list is then simply sent once more.
 */
export interface ListVersions {
  etag(userId: string): string;
  changed(userId: string): void;
  /** Any list may have changed. */
  allChanged(): void;
  /** The whole answer, where it was kept under that etag. */
  kept(userId: string, etag: string): string | undefined;
  /** Keeps an answer of up to 1 MiB, 64 MiB in all, if the list is still at `etag`. */
  keep(userId: string, etag: string, answer: string): void;
}

const answerAtMost = 1024 * 1024;
const allAtMost = 64 * 1024 * 1024;

const newName = () => randomBytes(6).toString('base64url');

export function createListVersions(): ListVersions {
  let name = newName();
  const versions = new Map<string, number>();
  const answers = new Map<string, { etag: string; answer: string }>();
  let size = 0;

  function drop(userId: string) {
    size -= answers.get(userId)?.answer.length ?? 0;
    answers.delete(userId);
  }

  // with the name: the same address is another list for another user, and a browser keeps answers by address
  const etag = (userId: string) => `W/"${name}-${userId}-${versions.get(userId) ?? 0}"`;

  return {
    etag,
    changed(userId) {
      versions.set(userId, (versions.get(userId) ?? 0) + 1);
      drop(userId);
    },
    allChanged() {
      name = newName();
      answers.clear();
      size = 0;
    },
    kept(userId, wanted) {
      const entry = answers.get(userId);
      return entry?.etag === wanted ? entry.answer : undefined;
    },
    keep(userId, readUnder, answer) {
      if (answer.length > answerAtMost || readUnder !== etag(userId)) return;
      drop(userId);
      while (size + answer.length > allAtMost) drop(answers.keys().next().value!);
      answers.set(userId, { etag: readUnder, answer });
      size += answer.length;
    },
  };
}
