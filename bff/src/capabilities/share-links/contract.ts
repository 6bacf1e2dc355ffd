/** Links that show a device or a swarm to people without an account. */
import type { Declaration } from '../../core/declaration.ts';
import type { ShareLink } from './share-links.schema.ts';
import { resourceOwner, swarmOwner } from '../../core/endpoint/rules.ts';
import { purge } from '../../core/limits/job-rows.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';
import { shareLinkLimits } from './limits.ts';

export type {
  GuestEvent,
  NewShareLink,
  ShareLink,
  ShareLinkCreate,
  ShareLinkUpdate,
  SharedDevice,
} from './share-links.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/resources/:id/share-links': ShareLink[];
    '/api/swarms/:id/share-links': ShareLink[];
  }
}

export const shareLinksRows = {
  policy: {
    createShareLink: { rule: resourceOwner, scope: 'all' },
    listShareLinks: { rule: resourceOwner, scope: 'read' },
    updateShareLink: { rule: resourceOwner, scope: 'all' },
    endShareLink: { rule: resourceOwner, scope: 'all' },
    createSwarmShareLink: { rule: swarmOwner, scope: 'all' },
    listSwarmShareLinks: { rule: swarmOwner, scope: 'read' },
    updateSwarmShareLink: { rule: swarmOwner, scope: 'all' },
    endSwarmShareLink: { rule: swarmOwner, scope: 'all' },
  },
  limits: {
    createShareLink: written,
    listShareLinks: { ...point, rows: shareLinkLimits.open },
    updateShareLink: written,
    endShareLink: write,
    createSwarmShareLink: written,
    listSwarmShareLinks: { ...point, rows: shareLinkLimits.openOfSwarm },
    updateSwarmShareLink: written,
    endSwarmShareLink: write,
  },
  jobs: {
    shareLinksPurge: purge,
  },
  problems: {
    'share_link.not_found': [404, 'This link has ended, or there is no such link'],
    'share_link.too_many': [409, 'This account has reached the limit of open links that show devices'],
    'share_link.too_many_viewers': [429, 'Too many people look at once', 'app'],
  },
  tablesOfUser: ['share_links'],
  stored: [
    ['user', 'open links that show a device or a swarm', shareLinkLimits.open],
    ['swarm', 'open links that show it', shareLinkLimits.openOfSwarm],
  ],
} as const satisfies Declaration;
