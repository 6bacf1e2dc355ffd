import type { Context } from 'hono';
import { swarmOf } from './filters.ts';

/** What a screen is answered by: who asks, and whether they may. */
export interface Caller {
  /** The name of who asks. Throws where nobody is signed in. */
  userOf: (c: Context) => Promise<string>;
  /** Throws `swarm.not_found` or `swarm.forbidden` where the caller may not do this with the swarm. */
  requireSwarm: (asked: { user: string; id: string; operation: SwarmOperation }) => void;
}

/** Names of the service's operations: what they show is shown to the same people. */
type SwarmOperation = 'getSwarm' | 'listMembers' | 'listSentInvitations';

/** The members of a swarm are an audience for whoever may list them. */
export function requireAudience(caller: Caller, { user, audience }: { user: string; audience: string }) {
  const id = swarmOf(audience);
  if (id !== undefined) caller.requireSwarm({ user, id, operation: 'listMembers' });
}
