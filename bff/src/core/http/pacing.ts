/**
 * Which responses are paced: a connection gets one in a second, and the next ones wait. A refusal costs as much as a small answer, and who
 * is refused asks again at once, on all connections. A client that opens a connection for each request is not paced.
 */
import type { IncomingMessage } from 'node:http';
import type { Rate } from '../limits/rate.ts';

export type Pacing = ReturnType<typeof createPacing>;

export function createPacing({
  anonymous,
  addressOf,
  isTrusted,
}: {
  /** The rate of an address for responses without a user. */
  anonymous: Rate;
  addressOf: (incoming: IncomingMessage) => string;
  /** Its connections are those of many clients, and a response that waits would take one from all of them. */
  isTrusted: (remoteAddress: string) => boolean;
}) {
  let waited = 0;
  return {
    /** A 429, or a response without a user beyond their rate. */
    isPaced(
      response: { req: IncomingMessage; user?: string | undefined; isEventStream: boolean },
      status: number,
    ): boolean {
      const { req, user, isEventStream } = response;
      if (status !== 429 && (user !== undefined || isEventStream)) return false;
      if (isTrusted(req.socket.remoteAddress ?? '')) return false;
      return status === 429 || anonymous.take(addressOf(req)) > 0;
    },
    count: () => void (waited += 1),
    /** How many have waited. */
    measure: () => waited,
  };
}
