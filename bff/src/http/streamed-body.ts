import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'hono';
import type { Report } from '../problem.ts';
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
 * The body of a response that may be long: text if it is short, otherwise a stream. A part is made only when the client has read
 * the one before, and has room for more. An error in the middle cuts the connection, so that a short list never looks
 * complete. So does the end of the key or session, whatever the client has read until then.
 * @throws `request.aborted` if the client has gone
 */
export async function bodyOf(
  c: Context,
  parts: AsyncIterator<string>,
  report: Report,
): Promise<string | ReadableStream<Uint8Array>> {
  const head = await makePart(c, () => joined(parts, longLength));
  return head.isLast ? head.text : streamOf(c, { head: head.text, parts, report });
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
