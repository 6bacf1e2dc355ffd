import { Problem } from '../http/problem.ts';
import type { SwarmRow } from '../store/tables.ts';
import type { ServiceContext } from './endpoint.ts';
import { isId } from './ids.ts';
import { policy } from './policy.ts';
import type { Operation, ResourceRule, SwarmRule, Verdict } from './policy.ts';
import type { Resources, StoredResource } from './resources.store.ts';
import type { Swarms } from './swarms.store.ts';

export type OperationOn<Rule> = { [O in Operation]: (typeof policy)[O] extends Rule ? O : never }[Operation];

export interface Access {
  /**
   * The resource of the path, if the caller may execute the operation.
   * @throws `resource.not_found`, `resource.forbidden`
   */
  resource(c: ServiceContext, operation: OperationOn<ResourceRule>): Promise<StoredResource>;
  /**
   * The swarm of the path, and whether its members are hidden.
   * @throws `swarm.not_found`, `swarm.forbidden`
   */
  swarm(c: ServiceContext, operation: OperationOn<SwarmRule>): Promise<AllowedSwarm>;
  /** The same for a user without a key. */
  swarmFor(asked: { userId: string; id: string; operation: OperationOn<SwarmRule> }): Promise<AllowedSwarm>;
}

interface AllowedSwarm {
  swarm: SwarmRow;
  verdict: 'allow' | 'summary';
}

export function createAccess({ resources, swarms }: { resources: Resources; swarms: Swarms }): Access {
  const swarmFor: Access['swarmFor'] = async ({ userId, id, operation }) => {
    const swarm = isId(id) ? await swarms.find(id) : undefined;
    if (!swarm) throw new Problem('swarm.not_found');
    const rule: SwarmRule = policy[operation];
    return { swarm, verdict: allowed(rule[await swarms.relation({ swarm, userId })], 'swarm') };
  };

  return {
    swarmFor,
    async resource(c, operation) {
      const id = c.req.param('resource_id')!;
      const found = isId(id) ? await resources.find(id) : undefined;
      if (!found) throw new Problem('resource.not_found');
      const { userId } = c.env.caller;
      const relation = found.record.user_id === userId ? 'owner' : await resources.relation({ id, userId });
      allowed(policy[operation][relation], 'resource');
      return found;
    },
    swarm: (c, operation) => swarmFor({ userId: c.env.caller.userId, id: c.req.param('swarm_id')!, operation }),
  };
}

/** Throws unless the verdict is one of these two. */
function allowed(verdict: Verdict, noun: 'resource' | 'swarm'): 'allow' | 'summary' {
  if (verdict === 'allow' || verdict === 'summary') return verdict;
  throw new Problem(verdict === 'forbid' ? `${noun}.forbidden` : `${noun}.not_found`);
}
