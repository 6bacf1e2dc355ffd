/** A device gets another owner. */
import type { Declaration } from '../../core/declaration.ts';
import type { Handover, Offer } from './handovers.schema.ts';
import { anyKey, resourceOwner } from '../../core/endpoint/rules.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';

export type { Handover, HandoverCreate, Offer, ResourceOffer } from './handovers.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/offers': Offer[];
    '/api/resources/:id/handover': Handover | undefined;
  }
}

export const handoversRows = {
  policy: {
    offerResource: { rule: resourceOwner, scope: 'all', confirmed: true },
    readHandover: { rule: resourceOwner, scope: 'read' },
    // No relation is asked: these two find only offers that the caller has made or got.
    endResourceOffer: { rule: anyKey, scope: 'all' },
    takeOverResource: { rule: anyKey, scope: 'all' },
  },
  limits: {
    offerResource: written,
    readHandover: point,
    endResourceOffer: write,
    takeOverResource: written,
  },
  problems: {
    'handover.no_manager': [409, 'Only a manager of the swarm can take it over'],
    'handover.not_found': [404, 'This is not offered, or not to you'],
    'handover.own_resource': [409, 'You own this resource'],
    'handover.too_many': [409, 'This account has reached the limit of resources that it offers'],
  },
} as const satisfies Declaration;
