import type { Context } from 'hono';
import type { Database } from '../store/database.ts';
import type { Asker, FairQueue } from '../limits/fair-queue.ts';
import { swarmOf } from './filters.ts';

/** The functions by which the views know who asks, and what that user may do. */
export interface Caller {
  /** The user name. Throws if nobody is signed in. */
  userOf: (c: Context) => Promise<string>;
  /** Throws `swarm.not_found` or `swarm.forbidden` if the caller may not do this with the swarm. */
  requireSwarm: (asked: { user: string; id: string; operation: SwarmOperation }) => void;
}

/** Names of the service's operations: what they show is shown to the same people. */
type SwarmOperation = 'getSwarm' | 'listMembers' | 'listSentInvitations';

/** The reads of one request. They wait for their user's turn and are dropped when the client disconnects. */
export type Reads = Pick<Database, 'query'>;

/** Who asks, and the reads for that request. */
export type AskerOf = (c: Context) => Promise<Asker & { db: Reads }>;

export function createAskerOf({
  db,
  queue,
  userOf,
}: { db: Reads; queue: FairQueue } & Pick<Caller, 'userOf'>): AskerOf {
  return async (c) => {
    const asker = { user: await userOf(c), signal: c.req.raw.signal };
    return { ...asker, db: { query: (sql, params) => queue.run(asker, () => db.query(sql, params)) } };
  };
}

/** The members of a swarm are an audience for everyone who may list them. */
export function requireAudience(
  { requireSwarm }: Pick<Caller, 'requireSwarm'>,
  { user, audience }: { user: string; audience: string },
) {
  const id = swarmOf(audience);
  if (id !== undefined) requireSwarm({ user, id, operation: 'listMembers' });
}
