import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { Database } from '../core/store/database.ts';
import type { Requester } from '../core/limits/fair-queue.ts';
import type { LongReads } from '../core/limits/long-reads.ts';
import { swarmOf } from './devices/device-query.ts';

/** The functions that tell the screens who the caller is, and what the caller may see. */
export interface Caller {
  /** The user name. Throws if there is no session. */
  userOf: (c: Context) => string;
  /**
   * Throws `swarm.not_found` or `swarm.forbidden` if the caller may not do this with the swarm. With the code of a link to
   * this swarm every user may; throws `link.not_found` if nobody can use the link, or not this user.
   */
  requireSwarm: (request: {
    user: string;
    id: string;
    operation: SwarmOperation;
    code?: string | undefined;
  }) => Promise<void>;
}

/** Operations of the service. A screen is visible to the users who may call the operation. */
type SwarmOperation = 'getSwarm' | 'listMembers' | 'listSentInvitations';

/** The reads of one request. They wait in the queue of their user, and are dropped when the client disconnects. */
export type Reads = Pick<Database, 'read'>;

/** The caller, with the reads of this request. */
export type RequesterOf = (c: Context) => Requester & { db: Reads };

/** What the routes of all screens need. */
export interface ViewOptions extends Pick<Caller, 'requireSwarm'> {
  now: () => Date;
  requesterOf: RequesterOf;
}

export function createRequesterOf({ readsOf, userOf }: { readsOf: LongReads } & Pick<Caller, 'userOf'>): RequesterOf {
  return (c) => {
    const requester = { user: userOf(c), signal: c.req.raw.signal };
    return { ...requester, db: readsOf(requester) };
  };
}

/** Checks access to an audience: a swarm is an audience for users who may list its members. */
export async function requireAudience(
  requireSwarm: Caller['requireSwarm'],
  { user, audience }: { user: string; audience: string },
) {
  const id = swarmOf(audience);
  if (id !== undefined) await requireSwarm({ user, id, operation: 'listMembers' });
}

/** Accepted, and not refused by `;q=0`. */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/;
/** For responses that a thread makes and compresses. */
export const acceptsGzip = (c: Context): boolean => takesGzip.test(c.req.header('accept-encoding') ?? '');
export const packedJson = (isGzip: boolean) => ({
  ...noStore,
  'content-type': 'application/json',
  vary: 'accept-encoding',
  ...(isGzip && { 'content-encoding': 'gzip' }),
});

/** In characters. To compress a shorter text takes longer than to send it. */
const longLength = 1024;
const compress = promisify(gzip);

/** Responds with JSON that may be long: mostly numbers and ids, which become a tenth. A thread of libuv compresses it. */
export async function replyLong<T extends object>(c: Context, value: T): Promise<Response> {
  const text = JSON.stringify(value);
  const isGzip = text.length >= longLength && acceptsGzip(c);
  return c.body(isGzip ? await compress(text, { level: 3 }) : text, 200, packedJson(isGzip));
}

/** Responses to the web app must not be cached. */
export const noStore = { 'cache-control': 'no-store' };
