import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'hono';
import { createMainThreadQueue } from '../limits/fair-queue.ts';
import { Problem, type Report } from '../problem.ts';
import { reportFailure } from './problem-response.ts';
import { bindingsOf, type CheckedBindings } from './request-bindings.ts';

/** A part of a body. What was made in a thread is bytes, so that the main thread does not encode it. */
export type BodyPart = string | Uint8Array<ArrayBuffer>;

/** In characters or bytes: what is shorter is sent as a whole. */
const longLength = 256 * 1024;
/** In characters or bytes. Smaller parts are joined, so that a long list does not take an event loop turn for each. */
const togetherUpTo = 16 * 1024;

interface MadePart {
  parts: BodyPart[];
  /** In characters or bytes. */
  length: number;
  isLast: boolean;
}

/**
 * What users read of lists, files and results is bounded in time of the main thread: they take turns. Most of their reads wait for
 * those of their user (long-reads.ts), so who has many must not hold the places of others.
 */
const turns = createMainThreadQueue({ atOnce: 64, mostOfUser: 4 });
/** What is made of a list in one turn: at most so many ms, and so many characters or bytes. */
const sliceMs = 2;
const sliceLength = 64 * 1024;

/**
 * Returns the parts, each of which is made when it is the caller's turn.
 * @throws `request.aborted` if the client has gone
 */
export function inTurns(c: Context, parts: AsyncIterator<BodyPart>): AsyncIterator<BodyPart[]> {
  const { outgoing, caller } = bindingsOf(c) as CheckedBindings & { caller?: { userId: string } };
  const requester = { user: outgoing?.user ?? caller?.userId ?? '' };
  let hasBegun = false;
  let hasEnded = false;

  async function slice() {
    if (outgoing?.destroyed) throw new Problem('request.aborted');
    hasBegun = true;
    const until = performance.now() + sliceMs;
    const made: BodyPart[] = [];
    for (let length = 0; length < sliceLength && performance.now() < until;) {
      const part = await parts.next();
      if (part.done) {
        hasEnded = true;
        break;
      }
      made.push(part.value);
      length += part.value.length;
    }
    return made;
  }

  return {
    async next() {
      if (hasEnded) return { done: true, value: undefined };
      return { done: false, value: await turns.run(requester, slice, { continues: hasBegun }) };
    },
  };
}

/**
 * The body of a response that may be long: text or bytes if it is short, otherwise a stream. A part is made only when the client has read
 * the one before, and has room for more, and when it is the user's turn. An error in the middle cuts the connection, so that a short list never looks
 * complete. So does the end of the key or session, whatever the client has read until then.
 * @throws `request.aborted` if the client has gone
 */
export async function bodyOf(
  c: Context,
  parts: AsyncIterator<BodyPart>,
  report: Report,
): Promise<BodyPart | ReadableStream<Uint8Array>> {
  const made = inTurns(c, parts);
  const head = await makePart(c, () => joined(made, longLength));
  return head.isLast ? joinedBody(head.parts) : streamOf(c, { head: head.parts, parts: made, report });
}

const makePart = (c: Context, make: () => Promise<MadePart>): Promise<MadePart> =>
  bindingsOf(c).outgoing?.makePart(make) ?? make();

async function joined(made: AsyncIterator<BodyPart[]>, upTo: number): Promise<MadePart> {
  const parts: BodyPart[] = [];
  let length = 0;
  for (let slice = await made.next(); !slice.done; slice = await made.next()) {
    parts.push(...slice.value);
    length += slice.value.reduce((sum, part) => sum + part.length, 0);
    if (length >= upTo) return { parts, length, isLast: false };
  }
  return { parts, length, isLast: true };
}

const utf8 = new TextEncoder();
const bytesOf = (part: BodyPart): Uint8Array<ArrayBuffer> => (typeof part === 'string' ? utf8.encode(part) : part);

/** A text, if all parts are texts. */
const joinedBody = (parts: readonly BodyPart[]): BodyPart =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : Buffer.concat(parts.map(bytesOf));

/** The parts of a stream: bytes stay as they are, and texts between them are one. */
function chunksOf(parts: readonly BodyPart[]): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      chunks.push(utf8.encode(text), part);
      text = '';
    }
  }
  chunks.push(utf8.encode(text));
  return chunks.filter(({ length }) => length > 0);
}

let lastTurn: Promise<void> = Promise.resolve();

/** Runs each part in its own turn of the event loop, so that ten concurrent lists block it no longer than one. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

function streamOf(
  c: Context,
  { head, parts, report }: { head: readonly BodyPart[]; parts: AsyncIterator<BodyPart[]>; report: Report },
): ReadableStream<Uint8Array> {
  const bindings = bindingsOf(c);
  let hasLeft = false;
  return new ReadableStream(
    {
      start: (controller) => chunksOf(head).forEach((chunk) => controller.enqueue(chunk)),
      async pull(controller) {
        await ownTurn();
        try {
          const made = await makePart(c, () => joined(parts, togetherUpTo));
          // After the read: what is sent was read while the caller had access.
          await bindings.recheckAccess();
          // The client has closed the connection while this part was made.
          if (hasLeft) return;
          for (const chunk of chunksOf(made.parts)) controller.enqueue(chunk);
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
    // No part is made in advance.
    { highWaterMark: 0 },
  );
}
