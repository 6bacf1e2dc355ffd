/** Who sees a device or a swarm. */
import type { Declaration } from '../../core/declaration.ts';
import type { Audience } from './audience.schema.ts';
import { members, ownersAndFellowMembers } from '../../core/endpoint/rules.ts';
import { inReader } from '../../core/limits/operation-rows.ts';

export type { Audience, AudienceRole, Reach, SwarmAudience } from './audience.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/resources/:id/audience': Audience;
    '/api/swarms/:id/audience': Audience;
  }
}

export const audienceRows = {
  policy: {
    getResourceAudience: { rule: ownersAndFellowMembers, scope: 'read' },
    getSwarmAudience: { rule: members, scope: 'read' },
  },
  limits: {
    getResourceAudience: inReader,
    getSwarmAudience: inReader,
  },
} as const satisfies Declaration;
