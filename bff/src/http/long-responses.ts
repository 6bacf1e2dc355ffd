/** Long responses that are open: each is in memory while its client reads slowly, or not at all. */
import { Counts } from '../limits/maps.ts';
import { Problem } from './problem.ts';
import type { RequestBindings } from './request-bindings.ts';

/** In characters or bytes. */
export const longLength = 256 * 1024;
const mostOpen = { user: 25, address: 50 };
const openCounts = new Counts();

interface LongResponse {
  method: string;
  user: string;
  bindings: Pick<RequestBindings, 'outgoing' | 'clientAddress'>;
}

/** Counts a long response until it is complete or its connection is closed. @throws `rate.exceeded` */
export function countLongResponse({ method, user, bindings: { outgoing, clientAddress } }: LongResponse): void {
  // Nobody reads the body of a HEAD request, and a write must not fail after it was executed.
  if (method !== 'GET' || !outgoing || outgoing.destroyed) return;
  const counted = [
    { key: `user ${user}`, most: mostOpen.user },
    { key: `address ${clientAddress?.()}`, most: mostOpen.address },
  ];
  for (const { key, most } of counted) {
    if (openCounts.of(key) < most) continue;
    const detail = 'Too many long responses are open. Read them to their ends, or close them';
    throw new Problem('rate.exceeded', { detail, headers: { 'retry-after': '5' } });
  }
  for (const { key } of counted) openCounts.change(key, 1);
  outgoing.once('close', () => {
    for (const { key } of counted) openCounts.change(key, -1);
  });
}

/** Returns the body of a response, and counts it if it is long. @throws `rate.exceeded` */
export function counted<Body extends string | Uint8Array>(body: Body, response: LongResponse): Body {
  if (body.length > longLength) countLongResponse(response);
  return body;
}
