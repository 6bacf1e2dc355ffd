/** What a user may see of an audience, as SQL. */
import { sql } from '../store/statement.ts';
import type { Sql } from '../store/statement.ts';
import { swarmOf } from './query-types.ts';

/** The user may know of the row `m` of `memberships`. A swarm that is being deleted has no viewers. */
export const knownMembership = (user: string): Sql =>
  sql`EXISTS (SELECT 1 FROM swarm_viewers known WHERE known.swarm_id = m.swarm_id AND known.user_id = ${user})`;

/**
 * The devices with these refs that belong to the audience, for use after FROM: `resources r`, and `memberships here` if the
 * audience is a swarm. Only these rows are read.
 */
export function devicesByRef(options: { user: string; audience: string; refs: readonly number[] }): Sql {
  const { user, audience, refs } = options;
  const swarm = swarmOf(audience);
  const wanted = sql`elements(${JSON.stringify(refs)}) wanted
    JOIN /*in this order*/ resources r ON r.ref = CAST(wanted.value AS bigint)`;
  if (swarm !== undefined) {
    return sql`${wanted} JOIN /*in this order*/ memberships here
      ON here.resource_id = r.id AND here.swarm_id = ${swarm}`;
  }
  if (audience === 'own') return sql`${wanted} WHERE r.user_id = ${user}`;
  return sql`${wanted} WHERE r.user_id = ${user}
    OR EXISTS (SELECT 1 FROM memberships m WHERE m.resource_id = r.id AND ${knownMembership(user)})`;
}
