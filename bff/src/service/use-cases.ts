/**
 * What users do to records. An endpoint and a kind of action are two callers of the same function: it checks the policy
 * at that moment, then the body, and throws the problems of the endpoint. It begins again if the record changes between
 * its read and its write. `versionOf` returns the version that a write expects; undefined for any. `once`: the write of a
 * request with an idempotency key.
 */
import { createHandoverUseCases } from '../capabilities/handovers/handovers.use-cases.ts';
import { createInvitationUseCases } from '../core/invitations/invitations.use-cases.ts';
import { createJoinLinkUseCases } from '../capabilities/join-links/join-links.use-cases.ts';
import { createJoinRequestUseCases } from '../capabilities/join-requests/join-requests.use-cases.ts';
import { createManagerUseCases } from '../capabilities/managers/managers.use-cases.ts';
import { createMemberUseCases } from '../core/members/members.use-cases.ts';
import { createResourceUseCases } from '../core/resources/resources.use-cases.ts';
import { createShareLinkUseCases } from '../capabilities/share-links/share-links.use-cases.ts';
import type { Rates } from '../core/limits/limit-tables.ts';
import type { Stores } from './stores.ts';
import type { Tracks } from '../capabilities/tracks/tracks.store.ts';
import { createSilenceNoticeUseCases } from '../core/swarms/silence-notices.use-cases.ts';
import type { SilenceNotices } from '../core/swarms/silence-notices.store.ts';
import { createSwarmUseCases } from '../core/swarms/swarms.use-cases.ts';

export type UseCases = ReturnType<typeof createUseCases>;

export function createUseCases(
  options: Stores & {
    tracks: Pick<Tracks, 'insert'>;
    notices: SilenceNotices;
    rates: Pick<Rates, 'managers'>;
    now: () => Date;
    newId: () => string;
  },
) {
  return {
    ...createResourceUseCases(options),
    ...createSwarmUseCases(options),
    ...createSilenceNoticeUseCases(options),
    ...createMemberUseCases(options),
    ...createInvitationUseCases(options),
    ...createJoinLinkUseCases(options),
    ...createJoinRequestUseCases(options),
    ...createShareLinkUseCases(options),
    ...createManagerUseCases(options),
    ...createHandoverUseCases(options),
  };
}
