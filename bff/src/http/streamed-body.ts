import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'hono';
import { createMainThreadQueue } from '../limits/fair-queue.ts';
import { Problem, type Report } from '../problem.ts';
import { reportFailure } from './problem-response.ts';
import { bindingsOf } from './request-bindings.ts';

/** In characters: what is shorter is sent as a whole. */
const longLength = 256 * 1024;
/** In characters. Smaller parts are joined, so that a long list does not take an event loop turn for each. */
const togetherUpTo = 16 * 1024;

interface BodyPart {
  text: string;
  isLast: boolean;
}

/**
 * What users read of lists, files and results is bounded in time of the main thread: they take turns.
 */
const turns = createMainThreadQueue();
/** What is made of a list in one turn: at most so many ms, and so many characters. */
const sliceMs = 2;
const sliceLength = 64 * 1024;

/**
 * The same parts, which are made when it is the caller's turn.
 * @throws `request.aborted` if the client has gone
 */
export function inTurns(c: Context, parts: AsyncIterator<string>): AsyncIterator<string> {
  const { outgoing, caller } = bindingsOf(c);
  const requester = { user: outgoing?.user ?? caller?.userId ?? '' };
  let hasBegun = false;
  let hasEnded = false;

  async function slice() {
    if (outgoing?.destroyed) throw new Problem('request.aborted');
    hasBegun = true;
    const until = performance.now() + sliceMs;
    let text = '';
    while (text.length < sliceLength && performance.now() < until) {
      const part = await parts.next();
      if (part.done) {
        hasEnded = true;
        break;
      }
      text += part.value;
    }
    return text;
  }

  return {
    async next() {
      if (hasEnded) return { done: true, value: undefined };
      return { done: false, value: await turns.run(requester, slice, { continues: hasBegun }) };
    },
  };
}

/**
 * The body of a response that may be long: text if it is short, otherwise a stream. A part is made only when the client has read
 * the one before, and has room for more, and when it is the user's turn. An error in the middle cuts the connection, so that a short list never looks
 * complete. So does the end of the key or session, whatever the client has read until then.
 * @throws `request.aborted` if the client has gone
 */
export async function bodyOf(
  c: Context,
  parts: AsyncIterator<string>,
  report: Report,
): Promise<string | ReadableStream<Uint8Array>> {
  const made = inTurns(c, parts);
  const head = await makePart(c, () => joined(made, longLength));
  return head.isLast ? head.text : streamOf(c, { head: head.text, parts: made, report });
}

const makePart = (c: Context, make: () => Promise<BodyPart>): Promise<BodyPart> =>
  bindingsOf(c).outgoing?.makePart?.(make) ?? make();

async function joined(parts: AsyncIterator<string>, upTo: number): Promise<BodyPart> {
  let text = '';
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    text += part.value;
    if (text.length >= upTo) return { text, isLast: false };
  }
  return { text, isLast: true };
}

let lastTurn: Promise<void> = Promise.resolve();

/** Runs each part in its own turn of the event loop, so that ten concurrent lists block it no longer than one. */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

function streamOf(
  c: Context,
  { head, parts, report }: { head: string; parts: AsyncIterator<string>; report: Report },
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  const bindings = bindingsOf(c);
  let hasLeft = false;
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(utf8.encode(head)),
      async pull(controller) {
        await ownTurn();
        try {
          const { text, isLast } = await makePart(c, () => joined(parts, togetherUpTo));
          // After the read: what is sent was read while the caller had access.
          await bindings.recheckAccess?.();
          // The client has closed the connection while this part was made.
          if (hasLeft) return;
          if (text !== '') controller.enqueue(utf8.encode(text));
          if (isLast) controller.close();
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
