/** Long responses that are open: each is in memory while its client reads slowly, or not at all. */
import type { Context } from 'hono';
import { Counts } from '../limits/bounded-map.ts';
import { Problem } from '../problem.ts';
import { bindingsOf } from './request-bindings.ts';

/** In characters or bytes. */
export const longLength = 256 * 1024;
const mostOpen = { user: 25, address: 50 };
const openCounts = new Counts();

/** Counts a long response until it is complete or its connection is closed. @throws `rate.exceeded` */
export function countLongResponse(c: Context, user: string): void {
  const { outgoing, clientAddress } = bindingsOf(c);
  // Nobody reads the body of a HEAD request, and a write must not fail after it was executed.
  if (c.req.method !== 'GET' || !outgoing || outgoing.destroyed) return;
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
export function counted<Body extends string | Uint8Array>(c: Context, user: string, body: Body): Body {
  if (body.length > longLength) countLongResponse(c, user);
  return body;
}

/** Responds to the web app with a record that may be long. @throws `rate.exceeded` */
export function replyLong<Record extends object>(c: Context, user: string, record: Record): Response {
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json' };
  return c.body(counted(c, user, JSON.stringify(record)), 200, headers);
}
