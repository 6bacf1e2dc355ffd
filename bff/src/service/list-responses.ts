import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { reportFailure, requestIdOf } from '../http/problem.ts';
import { jsonType, noneMatch, notChanged } from './endpoint.ts';
import type { ServiceContext } from './endpoint.ts';
import type { ListCache } from './list-cache.ts';

/** Responds with a list. A list that fits in memory has a weak ETag, which is a hash of its bytes. */
export async function listResponse(c: ServiceContext, parts: AsyncIterator<string>): Promise<Response> {
  const body = await bodyOf(c, parts);
  if (typeof body !== 'string') return c.body(body, 200, jsonType);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
  return c.body(body, 200, { ...jsonType, etag });
}

/** Responds with a versioned list of a user, which is read once per version for concurrent requests. */
export async function cachedListResponse(
  c: ServiceContext,
  { listCache, userId, read }: { listCache: ListCache; userId: string; read: () => AsyncIterator<string> },
): Promise<Response> {
  await listCache.catchUp();
  let etag = listCache.etag(userId);
  if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
  if (listCache.cached(userId, etag) === undefined) {
    await ownTurn();
    etag = listCache.etag(userId);
  }
  // Concurrent requests share the first response.
  const cached = listCache.cached(userId, etag);
  if (cached !== undefined) return c.body(cached, 200, { ...jsonType, etag });
  const body = await bodyOf(c, read());
  if (typeof body === 'string') listCache.cache(userId, etag, body);
  return c.body(body, 200, { ...jsonType, etag });
}

/** In characters. Longer responses are streamed. */
const wholeAtMost = 256 * 1024;
/** Smaller parts are joined, so that a long list does not take an event loop turn for each. */
const togetherUpTo = 16 * 1024;

/**
 * The body of a response that may be long: text if it is short, otherwise a stream. The stream requests a part only when
 * the client has read the previous one. An error in the middle cuts the connection, so that a short list never looks
 * complete.
 */
export async function bodyOf(
  c: ServiceContext,
  parts: AsyncIterator<string>,
): Promise<string | ReadableStream<Uint8Array>> {
  let head = '';
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    head += part.value;
    if (head.length > wholeAtMost) return streamOf(c, head, parts);
  }
  return head;
}

let lastTurn: Promise<void> = Promise.resolve();

/** Runs each part in its own turn of the event loop, so that ten concurrent lists block it no longer than one. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

function streamOf(c: ServiceContext, head: string, parts: AsyncIterator<string>): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(utf8.encode(head)),
    async pull(controller) {
      await ownTurn();
      try {
        let text = '';
        let part = await parts.next();
        for (; !part.done; part = await parts.next()) {
          text += part.value;
          if (text.length >= togetherUpTo) break;
        }
        if (text !== '') controller.enqueue(utf8.encode(text));
        if (part.done) controller.close();
      } catch (error) {
        reportFailure({ error, requestId: requestIdOf(c), request: c.req.raw, report: c.env.report });
        throw error;
      }
    },
  });
}
