import { setImmediate as nextTurn } from 'node:timers/promises';
import { reportFailure, requestIdOf } from '../http/problem.ts';
import type { ServiceContext } from './endpoint.ts';

const wholeAtMost = 256 * 1024;
/** Smaller parts are joined, so that a long list does not take an event loop turn for each. */
const togetherUpTo = 16 * 1024;

/**
 * The body of an answer that may be long, from parts made one at a time: whole where it is short, else a stream
 * that makes a part only when the reader took the one before and lets others run in between.
 * A fault in the middle cuts the connection: it never ends as a valid answer that is short.
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
export function ownTurn(): Promise<void> {
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

/** `[`, the parts, `]`. */
export async function* arrayOf(parts: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield '[';
  yield* parts;
  yield ']';
}

export async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}
