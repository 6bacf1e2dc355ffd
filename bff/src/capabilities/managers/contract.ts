/** Users who manage or watch a swarm. */
import type { z } from '@hono/zod-openapi';
import type { Declaration } from '../../core/declaration.ts';
import type { Manager, managerEvent } from './managers.schema.ts';
import { aboutCaller, ownerAndManagers, swarmOwner } from '../../core/endpoint/rules.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';
import { managerLimits } from './limits.ts';

export type { ManagerRole } from '../../core/limits/field-rules.ts';
export type { Manager, SwarmOffer } from './managers.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/swarms/:id/managers': Manager[];
  }
}

declare module '../../core/contract/events.schema.ts' {
  interface ServiceEvents {
    manager: z.infer<typeof managerEvent>;
  }
}

export const managersRows = {
  policy: {
    nameManager: { rule: swarmOwner, scope: 'all' },
    listManagers: { rule: ownerAndManagers, scope: 'read' },
    agreeToManage: { rule: aboutCaller, scope: 'all' },
    setWatcherEnd: { rule: { ...aboutCaller, owner: 'allow' }, scope: 'all' },
    removeManager: { rule: { ...aboutCaller, owner: 'allow' }, scope: 'all' },
  },
  limits: {
    nameManager: written,
    listManagers: point,
    agreeToManage: written,
    setWatcherEnd: written,
    removeManager: write,
  },
  rates: {
    managers: {
      who: 'user',
      what: 'users who are asked to manage, watch or own a swarm, and devices that are offered',
      most: 60,
      per: 'hour',
      burst: 60,
    },
  },
  problems: {
    'manager.exists': [409, 'This user was named for the swarm already'],
    'manager.not_found': [404, 'Not found, or you do not have access'],
    'manager.own_swarm': [409, 'You own this swarm'],
    'manager.too_many': [409, 'This swarm has reached the limit of managers and watchers'],
    'manager.too_many_unanswered': [409, 'This user has not answered your earlier requests to manage or watch swarms'],
  },
  tablesOfUser: ['managers'],
  stored: [['swarm', 'managers and watchers', managerLimits.ofSwarm]],
} as const satisfies Declaration;
