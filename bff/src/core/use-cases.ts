/**
 * What users do to records. An endpoint and a kind of action are two callers of the same function: it checks the policy
 * at that moment, then the body, and throws the problems of the endpoint. It begins again if the record changes between
 * its read and its write. `versionOf` returns the version that a write expects; undefined for any. `once`: the write of a
 * request with an idempotency key.
 */
import { createInvitationUseCases } from './invitations/invitations.use-cases.ts';
import { createMemberUseCases } from './members/members.use-cases.ts';
import { createResourceUseCases } from './resources/resources.use-cases.ts';
import type { Stores } from './stores.ts';
import { createSilenceNoticeUseCases } from './swarms/silence-notices.use-cases.ts';
import type { SilenceNotices } from './swarms/silence-notices.store.ts';
import { createSwarmUseCases } from './swarms/swarms.use-cases.ts';

export type UseCases = ReturnType<typeof createUseCases>;

export function createUseCases(
  options: Stores &
    Pick<Parameters<typeof createResourceUseCases>[0], 'insertPoint'> & {
      notices: SilenceNotices;
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
  };
}
