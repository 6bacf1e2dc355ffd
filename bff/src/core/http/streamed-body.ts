import { performance } from 'node:perf_hooks';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { Context } from 'hono';
import { createMainThreadQueue } from '../limits/fair-queue.ts';
import { Problem, type Report } from '../problem.ts';
import { reportFailure } from './problem-response.ts';
import { bindingsOf, type CheckedBindings } from './request-bindings.ts';

/** A chunk of a body. What was made in a thread is bytes, so that the main thread does not encode it. */
export type BodyChunk = string | Uint8Array<ArrayBuffer>;

/** In characters or bytes: what is shorter is sent as a whole. */
const longLength = 256 * 1024;
/** In characters or bytes. Smaller chunks are joined, so that a long list does not take a tick of the event loop for each. */
const togetherUpTo = 16 * 1024;

interface MadeChunks {
  chunks: BodyChunk[];
  /** In characters or bytes. */
  length: number;
  isLast: boolean;
}

/**
 * What users read of lists, files and results is bounded in time of the main thread: they take turns. Most of their reads wait for
 * those of their user (long-reads.ts), so who has many must not take the slots of others.
 */
const queue = createMainThreadQueue({ atOnce: 64, mostOfUser: 4 });
/** What is made of a list at once: at most so many ms, and so many characters or bytes. */
const sliceMs = 2;
const sliceLength = 64 * 1024;

/**
 * Returns the chunks, which are made when it is the caller's turn.
 * @throws `request.aborted` if the client has gone
 */
export function inFairQueue(c: Context, chunks: AsyncIterator<BodyChunk>): AsyncIterator<BodyChunk[]> {
  const { outgoing, caller } = bindingsOf(c) as CheckedBindings & { caller?: { userId: string } };
  const requester = { user: outgoing?.user ?? caller?.userId ?? '' };
  let hasBegun = false;
  let hasEnded = false;

  async function slice() {
    if (outgoing?.destroyed) throw new Problem('request.aborted');
    hasBegun = true;
    const until = performance.now() + sliceMs;
    const made: BodyChunk[] = [];
    for (let length = 0; length < sliceLength && performance.now() < until;) {
      const chunk = await chunks.next();
      if (chunk.done) {
        hasEnded = true;
        break;
      }
      made.push(chunk.value);
      length += chunk.value.length;
    }
    return made;
  }

  return {
    async next() {
      if (hasEnded) return { done: true, value: undefined };
      return { done: false, value: await queue.run(requester, slice, { continues: hasBegun }) };
    },
  };
}

/**
 * The body of a response that may be long: text or bytes if it is short, otherwise a stream. A chunk is made only when the client has read
 * the one before, and has room for more, and when it is the user's turn. An error in the middle cuts the connection, so that a short list never looks
 * complete. So does the end of the key or session, whatever the client has read until then.
 * @throws `request.aborted` if the client has gone
 */
export async function bodyOf(
  c: Context,
  chunks: AsyncIterator<BodyChunk>,
  report: Report,
): Promise<BodyChunk | ReadableStream<Uint8Array>> {
  const made = inFairQueue(c, chunks);
  const head = await makeChunks(c, () => joined(made, longLength));
  return head.isLast ? joinedBody(head.chunks) : streamOf(c, { head: head.chunks, chunks: made, report });
}

const makeChunks = (c: Context, make: () => Promise<MadeChunks>): Promise<MadeChunks> =>
  bindingsOf(c).outgoing?.makeChunk(make) ?? make();

async function joined(made: AsyncIterator<BodyChunk[]>, upTo: number): Promise<MadeChunks> {
  const chunks: BodyChunk[] = [];
  let length = 0;
  for (let slice = await made.next(); !slice.done; slice = await made.next()) {
    chunks.push(...slice.value);
    length += slice.value.reduce((sum, chunk) => sum + chunk.length, 0);
    if (length >= upTo) return { chunks, length, isLast: false };
  }
  return { chunks, length, isLast: true };
}

const utf8 = new TextEncoder();
const bytesOf = (chunk: BodyChunk): Uint8Array<ArrayBuffer> => (typeof chunk === 'string' ? utf8.encode(chunk) : chunk);

/** A text, if all chunks are texts. */
const joinedBody = (chunks: readonly BodyChunk[]): BodyChunk =>
  chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : Buffer.concat(chunks.map(bytesOf));

/** The chunks of a stream: bytes stay as they are, and texts between them are one. */
function encodedChunks(chunks: readonly BodyChunk[]): Uint8Array<ArrayBuffer>[] {
  const encoded: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  for (const chunk of chunks) {
    if (typeof chunk === 'string') text += chunk;
    else {
      encoded.push(utf8.encode(text), chunk);
      text = '';
    }
  }
  encoded.push(utf8.encode(text));
  return encoded.filter(({ length }) => length > 0);
}

let lastTick: Promise<void> = Promise.resolve();

/** Makes each chunk in its own tick of the event loop, so that ten concurrent lists block it no longer than one. */
function ownTick(): Promise<void> {
  lastTick = lastTick.then(() => nextLoopTick());
  return lastTick;
}

function streamOf(
  c: Context,
  { head, chunks, report }: { head: readonly BodyChunk[]; chunks: AsyncIterator<BodyChunk[]>; report: Report },
): ReadableStream<Uint8Array> {
  const bindings = bindingsOf(c);
  let hasLeft = false;
  return new ReadableStream(
    {
      start: (controller) => encodedChunks(head).forEach((chunk) => controller.enqueue(chunk)),
      async pull(controller) {
        await ownTick();
        try {
          const made = await makeChunks(c, () => joined(chunks, togetherUpTo));
          // After the read: what is sent was read while the caller had access.
          await bindings.recheckAccess();
          // The client has closed the connection while this chunk was made.
          if (hasLeft) return;
          for (const chunk of encodedChunks(made.chunks)) controller.enqueue(chunk);
          if (made.isLast) controller.close();
        } catch (error) {
          reportFailure({ error, request: c.req.raw, bindings, report });
          throw error;
        }
      },
      cancel() {
        hasLeft = true;
      },
    },
    // No chunk is made in advance.
    { highWaterMark: 0 },
  );
}
