import type { ListVersions } from './list-versions.ts';
import { listStart } from './resources.store.ts';
import type { ListCursor, Resources } from './resources.store.ts';

const chunkSize = 1000;

/**
 * The caller's whole list as a JSON array. Read by key in chunks with no transaction open between them, so
 * neither memory nor the log of the database grows with a long list or a slow reader; whatever exists
 * throughout is in it exactly once.
 */
export function listBody({
  resources,
  versions,
  userId,
  etag,
}: {
  resources: Resources;
  versions: ListVersions;
  userId: string;
  etag: string;
}): string | ReadableStream<Uint8Array> {
  const kept = versions.kept(userId, etag);
  if (kept !== undefined) return kept;
  const first = resources.chunk({ userId, after: listStart, size: chunkSize });
  if (!first) return '[]';
  const second = resources.chunk({ userId, after: first.next, size: 1 });
  if (second) return streamFrom({ resources, userId, head: first.json, after: first.next });
  const answer = `[${first.json}]`;
  versions.keep(userId, etag, answer);
  return answer;
}

function streamFrom({
  resources,
  userId,
  head,
  after,
}: {
  resources: Resources;
  userId: string;
  head: string;
  after: ListCursor;
}): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  let cursor = after;
  return new ReadableStream({
    start: (controller) => controller.enqueue(utf8.encode(`[${head}`)),
    pull(controller) {
      // a fault ends the stream with an error: the connection is cut, never a valid array that is short
      const chunk = resources.chunk({ userId, after: cursor, size: chunkSize });
      if (chunk) {
        cursor = chunk.next;
        controller.enqueue(utf8.encode(`,${chunk.json}`));
      } else {
        controller.enqueue(utf8.encode(']'));
        controller.close();
      }
    },
  });
}
