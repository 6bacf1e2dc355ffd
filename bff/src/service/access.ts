import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';
import type { SwarmRow } from '../store/tables.ts';
import { policy } from './policy.ts';
import type { Operation, ResourceRule, SwarmRule, Verdict } from './policy.ts';
import type { Resources, StoredResource } from './resources.store.ts';
import type { Swarms } from './swarms.store.ts';

export type OperationOn<Rule> = { [O in Operation]: (typeof policy)[O] extends Rule ? O : never }[Operation];

interface AllowedSwarm {
  swarm: SwarmRow;
  verdict: 'allow' | 'summary';
}

export type Access = ReturnType<typeof createAccess>;

export function createAccess({ resources, swarms }: { resources: Resources; swarms: Swarms }) {
  return {
    /**
     * The resource with this id, if the user may execute the operation.
     * @throws `resource.not_found`, `resource.forbidden`
     */
    async resource(request: {
      userId: string;
      id: string;
      operation: OperationOn<ResourceRule>;
    }): Promise<StoredResource> {
      const { userId, id, operation } = request;
      const found = isId(id) ? await resources.find(id) : undefined;
      if (!found) throw new Problem('resource.not_found');
      const relation = found.record.user_id === userId ? 'owner' : await resources.relation({ id, userId });
      allowed(policy[operation][relation], 'resource');
      return found;
    },
    /**
     * The swarm with this id, if the user may execute the operation, and whether its members are hidden.
     * @throws `swarm.not_found`, `swarm.forbidden`
     */
    async swarm(request: { userId: string; id: string; operation: OperationOn<SwarmRule> }): Promise<AllowedSwarm> {
      const { userId, id, operation } = request;
      const swarm = isId(id) ? await swarms.find(id) : undefined;
      if (!swarm) throw new Problem('swarm.not_found');
      const rule: SwarmRule = policy[operation];
      return { swarm, verdict: allowed(rule[await swarms.relation({ swarm, userId })], 'swarm') };
    },
  };
}

/** Throws unless the verdict is one of these two. */
function allowed(verdict: Verdict, noun: 'resource' | 'swarm'): 'allow' | 'summary' {
  if (verdict === 'allow' || verdict === 'summary') return verdict;
  throw new Problem(verdict === 'forbid' ? `${noun}.forbidden` : `${noun}.not_found`);
}

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** All ids are UUIDv7 in lower case; any other text matches nothing. */
export function isId(text: string): boolean {
  return uuid7.test(text);
}

/** The resource belongs to another user or does not exist. The response does not reveal which. */
export const notYours = (pointer: string): FieldFault => ({
  pointer,
  code: 'resource.not_yours',
  detail: 'is not one of your resources',
});

export function foreignResource(pointer: string): Problem {
  return new Problem('body.invalid', { errors: [notYours(pointer)] });
}
