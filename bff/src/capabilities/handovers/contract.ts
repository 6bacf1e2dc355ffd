/** A device or a swarm gets another owner. */
import type { z } from '@hono/zod-openapi';
import type { Declaration } from '../../core/declaration.ts';
import type { Handover, handoverEvent, Offer } from './handovers.schema.ts';
import { anyKey, ownerAndManagers, resourceOwner, swarmOwner } from '../../core/endpoint/rules.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';
import { handoverLimits } from './limits.ts';

export type { Handover, HandoverCreate, Offer, ResourceOffer } from './handovers.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/offers': Offer[];
    '/api/resources/:id/handover': Handover | undefined;
  }
}

declare module '../../core/contract/events.schema.ts' {
  interface ServiceEvents {
    handover: z.infer<typeof handoverEvent>;
  }
}

export const handoversRows = {
  policy: {
    offerResource: { rule: resourceOwner, scope: 'all', confirmed: true },
    readHandover: { rule: resourceOwner, scope: 'read' },
    // No relation is asked: these two find only offers that the caller has made or got.
    endResourceOffer: { rule: anyKey, scope: 'all' },
    takeOverResource: { rule: anyKey, scope: 'all' },
    listOffers: { rule: anyKey, scope: 'read' },
    offerSwarm: { rule: swarmOwner, scope: 'all', confirmed: true },
    endSwarmOffer: { rule: { ...ownerAndManagers, manager: 'own' }, scope: 'all' },
    takeOverSwarm: { rule: ownerAndManagers, scope: 'all' },
  },
  limits: {
    offerResource: written,
    readHandover: point,
    endResourceOffer: write,
    takeOverResource: written,
    listOffers: { ...point, rows: handoverLimits.shown + handoverLimits.swarmsShown },
    offerSwarm: written,
    endSwarmOffer: write,
    takeOverSwarm: written,
  },
  problems: {
    'handover.no_manager': [409, 'Only a manager of the swarm can take it over'],
    'handover.not_found': [404, 'This is not offered, or not to you'],
    'handover.own_resource': [409, 'You own this resource'],
    'handover.too_many': [409, 'This account has reached the limit of resources that it offers'],
  },
} as const satisfies Declaration;
