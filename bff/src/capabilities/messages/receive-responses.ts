/** The two ways in which a device receives over HTTP: a stream, and an array of what is there. */
import type { EventStream, EventStreams } from '../../core/http/event-streams.ts';
import type { DeviceConnections } from '../../core/limits/device-connections.ts';
import { Problem } from '../../core/problem.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { inDigits } from '../../core/limits/limit-tables.ts';
import { jsonType } from '../../core/endpoint/endpoint.ts';
import type { ServiceContext } from '../../core/endpoint/service-app.ts';
import { arrayOfJson } from './message-json.ts';
import type { Messages } from './messages.ts';
import type { Outgoing, ReceiverOptions } from './receivers.ts';

export const lines = 'application/x-ndjson';
/** In bytes: the messages of an array. */
const answerBytes = 256 * 1024;
const tooManyOfUser = `The devices of an account can have up to ${inDigits(messageLimits.streamsOfUser)} open streams and waiting requests.`;
const tooMany = () => new Problem('events.too_many', { detail: tooManyOfUser, headers: { 'retry-after': '5' } });

/** Who receives, and after which cursor. */
type Receiving = Pick<ReceiverOptions, 'userId' | 'keyId' | 'resourceId' | 'recheckAccess' | 'after'>;

export interface ReceiveDeps {
  messages: Pick<Messages, 'receive'>;
  streams: EventStreams;
  connections: DeviceConnections;
}

const countedOf = ({ userId }: Receiving) => ({
  user: `devices of ${userId}`,
  most: messageLimits.streamsOfUser,
  tooMany,
});

/** Streams and waiting requests are counted for the device, and for all devices of its user. `stop`: a newer one takes its slot. */
const takeStreamSlot = ({ streams, connections }: ReceiveDeps, receiver: Receiving, stop: () => void) =>
  connections.take({ id: receiver.resourceId, reserve: () => streams.reserve(countedOf(receiver)), stop });

/** Responds with a stream of events, or of lines, to which the hub writes until the client or the key has gone. */
export function respondWithStream(
  c: ServiceContext,
  deps: ReceiveDeps,
  { receiver, isEvents }: { receiver: Receiving; isEvents: boolean },
): Response {
  const { session, outgoing } = c.env;
  // It is the id of an event, and no cursor of messages.
  if (outgoing) outgoing.lastEventId = undefined;
  let cursorLine = () => '';
  return deps.streams.open(c, {
    take: (stop) => takeStreamSlot(deps, receiver, stop),
    // The session of a browser ends before its key.
    proofs: [{ kind: 'key', id: receiver.keyId }, ...(session ? [{ kind: 'session', id: session.id } as const] : [])],
    cursorLine: () => cursorLine(),
    ...(!isEvents && { lines }),
    begin(stream) {
      const receiving = deps.messages.receive({ ...receiver, ...writesTo(stream, isEvents) });
      cursorLine = () => (isEvents ? `id: ${receiving.cursor()}\n` : '');
      return receiving;
    },
  });
}

/** What the hub calls to write to the stream of a receiver. */
function writesTo(
  stream: EventStream,
  isEvents: boolean,
): Pick<ReceiverOptions, 'missing' | 'send' | 'ready' | 'ended'> {
  return {
    missing(missingAfter) {
      const data = JSON.stringify({ after: missingAfter });
      stream.send(isEvents ? `event: missing\ndata: ${data}\n\n` : `{"missing":${data}}\n`);
    },
    send(outgoing) {
      stream.sendAll(outgoing.map(({ event, line }) => (isEvents ? event : line)));
      return !stream.isSlow();
    },
    ready: stream.flushed,
    ended({ code }) {
      if (code === 'server.failed') stream.fail();
      else stream.revoke();
    },
  };
}

/** Responds with an array. A request that may wait has the slot of a stream, and no longer that of a request. */
export async function respondWithArray(
  c: ServiceContext,
  deps: ReceiveDeps,
  request: { receiver: Receiving; longPollSeconds: number | undefined; releaseSlot: () => void },
): Promise<Response> {
  const { receiver, longPollSeconds, releaseSlot } = request;
  if (c.req.method === 'HEAD') return c.body(null, 200, jsonType);
  const takenOver = new AbortController();
  const release = longPollSeconds === undefined ? () => {} : takeStreamSlot(deps, receiver, () => takenOver.abort());
  if (longPollSeconds !== undefined) releaseSlot();
  try {
    const { signal: left } = c.req.raw;
    const signal = longPollSeconds === undefined ? left : AbortSignal.any([left, takenOver.signal]);
    return await arrayResponse({ messages: deps.messages, receiver, longPollSeconds, signal });
  } finally {
    release();
  }
}

/** Responds with what is there, or with the first message within `longPollSeconds`. */
async function arrayResponse({
  messages,
  receiver,
  longPollSeconds = 0,
  signal,
}: {
  messages: Pick<Messages, 'receive'>;
  receiver: Receiving;
  longPollSeconds: number | undefined;
  signal: AbortSignal;
}): Promise<Response> {
  const found: Outgoing[] = [];
  let size = 0;
  let missingAfter: string | undefined;
  let isStarted = false;
  const enough = Promise.withResolvers<void>();
  const isFull = () => found.length >= messageLimits.page || size >= answerBytes;
  const { started, stop, cursor } = messages.receive({
    ...receiver,
    missing: (after) => (missingAfter ??= after),
    send(outgoing) {
      found.push(...outgoing);
      for (const { json: text } of outgoing) size += text.length;
      if (isStarted || isFull()) enough.resolve();
      return !isFull();
    },
    // A full answer takes no more.
    ready: () => (isFull() ? new Promise(() => {}) : Promise.resolve()),
    ended: enough.reject,
    away: enough.reject,
    stopped: enough.resolve,
  });
  let timer: NodeJS.Timeout | undefined;
  if (signal.aborted) enough.resolve();
  signal.addEventListener('abort', () => enough.resolve(), { once: true });
  try {
    await Promise.race([started, enough.promise]);
    isStarted = true;
    if (found.length === 0 && longPollSeconds > 0) {
      timer = setTimeout(enough.resolve, longPollSeconds * 1000);
      await enough.promise;
      // No event says that a key has expired.
      await receiver.recheckAccess();
    }
    const headers = {
      ...jsonType,
      'last-event-id': cursor(),
      ...(missingAfter !== undefined && { 'missing-after': missingAfter }),
    };
    return new Response(arrayOfJson(found), { headers });
  } finally {
    clearTimeout(timer);
    stop();
  }
}
