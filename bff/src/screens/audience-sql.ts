/** What a user may see of an audience, as SQL. */
import { raw, sql, type Sql } from '../store/statement.ts';
import { seesDevice } from '../store/visibility.ts';
import { swarmOf } from './device-query.ts';

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
    OR ${seesDevice({ user: sql`${user}`, resource: raw('r.id') })}`;
}
