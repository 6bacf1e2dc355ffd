/** Links by which users join a swarm. */
import type { z } from '@hono/zod-openapi';
import type { Declaration } from '../../core/declaration.ts';
import { linkHolder, ownerAndManagers } from '../../core/endpoint/rules.ts';
import { point, small, write, written } from '../../core/limits/operation-rows.ts';
import type { ActionSwarm, NamedItem } from '../actions/action-types.ts';
import { linkLimits } from './limits.ts';
import type { JoinLink, joinLinkEvent, JoinOffer } from './join-links.schema.ts';

export type { JoinLink, JoinLinkCreate, JoinOffer, JoinPreview } from './join-links.schema.ts';

declare module '../actions/action-types.ts' {
  interface ActionKinds {
    /** Own devices join a swarm by a link. `link` and `pass`: of the offer. */
    join: {
      about: { link: string; pass: string; swarm: ActionSwarm; ends_at?: string; shown_by_links?: true };
      item: NamedItem;
    };
  }
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/links': JoinOffer;
    '/api/swarms/:id/links': JoinLink[];
  }
}

declare module '../../core/contract/events.schema.ts' {
  interface ServiceEvents {
    joinLink: z.infer<typeof joinLinkEvent>;
  }
}

export const joinLinksRows = {
  policy: {
    createJoinLink: { rule: ownerAndManagers, scope: 'all' },
    listJoinLinks: { rule: ownerAndManagers, scope: 'read' },
    endJoinLink: { rule: ownerAndManagers, scope: 'all' },
    openJoinLink: { rule: linkHolder, scope: 'read' },
    joinByLink: { rule: linkHolder, scope: 'all' },
  },
  limits: {
    createJoinLink: written,
    listJoinLinks: { ...point, rows: linkLimits.open + linkLimits.ended },
    endJoinLink: write,
    openJoinLink: point,
    joinByLink: written,
    'POST /auth/join-link': { ...point, body: small },
  },
  problems: {
    'link.not_found': [404, 'Not found, or it can no longer be used'],
    'link.own_swarm': [409, 'You own this swarm. Add your resources to it directly'],
    'link.too_many': [409, 'This swarm has reached the limit of links that have not ended'],
  },
  stored: [['swarm', 'open links', linkLimits.open]],
} as const satisfies Declaration;
