/** The two ways in which a device receives over HTTP: a stream, and an array of what is there. */
import type { EventStream, EventStreams } from '../../http/event-streams.ts';
import type { DeviceConnections } from '../../limits/device-connections.ts';
import { Problem } from '../../problem.ts';
import { messageLimits } from '../../limits/field-rules.ts';
import { inDigits } from '../../limits/limit-tables.ts';
import { jsonType } from '../endpoint/endpoint.ts';
import type { ServiceContext } from '../endpoint/service-app.ts';
import { arrayOfJson } from './message-json.ts';
import type { Messages } from './messages.ts';
import type { Outgoing, ReceiverOptions } from './receivers.ts';

export const lines = 'application/x-ndjson';
/** The bytes of the messages in one answer. */
const answerBytes = 256 * 1024;
const tooManyOfUser = `The devices of an account can have up to ${inDigits(messageLimits.streamsOfUser)} open streams and waiting requests.`;
const tooMany = () => new Problem('events.too_many', { detail: tooManyOfUser, headers: { 'retry-after': '5' } });

/** Who receives, and after which position. */
type Receiving = Pick<ReceiverOptions, 'userId' | 'keyId' | 'resourceId' | 'recheckAccess' | 'after'>;

export interface ReceiveParts {
  messages: Pick<Messages, 'receive'>;
  streams: EventStreams;
  connections: DeviceConnections;
}

const countedOf = ({ userId }: Receiving) => ({
  user: `devices of ${userId}`,
  most: messageLimits.streamsOfUser,
  tooMany,
});

/** Streams and waiting requests are counted for the device, and for all devices of its user. `end`: a newer one takes its place. */
const takePlace = ({ streams, connections }: ReceiveParts, receiver: Receiving, stop: () => void) =>
  connections.take({ id: receiver.resourceId, reserve: () => streams.reserve(countedOf(receiver)), stop });

/** Responds with a stream of events, or of lines, to which the hub writes until the client or the key has gone. */
export function respondWithStream(
  c: ServiceContext,
  parts: ReceiveParts,
  { receiver, isEvents }: { receiver: Receiving; isEvents: boolean },
): Response {
  const { session, outgoing } = c.env;
  // The position that is set there is one of events. Positions of messages are others.
  if (outgoing) outgoing.lastEventId = undefined;
  let mark = () => '';
  return parts.streams.open(c, {
    take: (stop) => takePlace(parts, receiver, stop),
    // The session of a browser ends before its key.
    proofs: [{ kind: 'key', id: receiver.keyId }, ...(session ? [{ kind: 'session', id: session.id } as const] : [])],
    cursorLine: () => mark(),
    ...(!isEvents && { lines }),
    begin(stream) {
      const receiving = parts.messages.receive({ ...receiver, ...writesTo(stream, isEvents) });
      mark = () => (isEvents ? `id: ${receiving.position()}\n` : '');
      return receiving;
    },
  });
}

/** What the hub does with the stream of a receiver. */
function writesTo(
  stream: EventStream,
  isEvents: boolean,
): Pick<ReceiverOptions, 'missing' | 'send' | 'ready' | 'failed'> {
  return {
    missing(missingAfter) {
      const data = JSON.stringify({ after: missingAfter });
      stream.send(isEvents ? `event: missing\ndata: ${data}\n\n` : `{"missing":${data}}\n`);
    },
    send(sent) {
      stream.sendAll(sent.map(({ event, line }) => (isEvents ? event : line)));
      return !stream.isSlow();
    },
    ready: stream.flushed,
    failed: (error) => error instanceof Problem && stream.revoke(),
  };
}

/** Responds with an array. With `wait`, it is counted with the streams, and not with the requests that are answered any more. */
export async function respondWithArray(
  c: ServiceContext,
  parts: ReceiveParts,
  request: { receiver: Receiving; wait: number | undefined; releaseSlot: () => void },
): Promise<Response> {
  const { receiver, wait, releaseSlot } = request;
  if (c.req.method === 'HEAD') return c.body(null, 200, jsonType);
  const takenOver = new AbortController();
  const release = wait === undefined ? () => {} : takePlace(parts, receiver, () => takenOver.abort());
  if (wait !== undefined) releaseSlot();
  try {
    const { signal: left } = c.req.raw;
    const signal = wait === undefined ? left : AbortSignal.any([left, takenOver.signal]);
    return await arrayOf({ messages: parts.messages, receiver, wait, signal });
  } finally {
    release();
  }
}

/** Responds with what is there, or with the first message within `wait` seconds. */
async function arrayOf({
  messages,
  receiver,
  wait = 0,
  signal,
}: {
  messages: Pick<Messages, 'receive'>;
  receiver: Receiving;
  wait: number | undefined;
  signal: AbortSignal;
}): Promise<Response> {
  const found: Outgoing[] = [];
  let size = 0;
  let missingAfter: string | undefined;
  let isStarted = false;
  const some = Promise.withResolvers<void>();
  const isFull = () => found.length >= messageLimits.page || size >= answerBytes;
  const { started, stop, position } = messages.receive({
    ...receiver,
    missing: (after) => (missingAfter ??= after),
    send(sent) {
      found.push(...sent);
      for (const { json: text } of sent) size += text.length;
      if (isStarted || isFull()) some.resolve();
      return !isFull();
    },
    // A full answer takes no more.
    ready: () => (isFull() ? new Promise(() => {}) : Promise.resolve()),
    failed: some.reject,
    stopped: some.resolve,
  });
  let timer: NodeJS.Timeout | undefined;
  if (signal.aborted) some.resolve();
  signal.addEventListener('abort', () => some.resolve(), { once: true });
  try {
    await Promise.race([started, some.promise]);
    isStarted = true;
    if (found.length === 0 && wait > 0) {
      timer = setTimeout(some.resolve, wait * 1000);
      await some.promise;
      // No event says that a key has expired.
      await receiver.recheckAccess();
    }
    const headers = {
      ...jsonType,
      'last-event-id': position(),
      ...(missingAfter !== undefined && { 'missing-after': missingAfter }),
    };
    return new Response(arrayOfJson(found), { headers });
  } finally {
    clearTimeout(timer);
    stop();
  }
}
