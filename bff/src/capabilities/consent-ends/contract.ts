/** Ends memberships, watchers and requests when their time is over. */
import type { Declaration } from '../../core/declaration.ts';
import { consentLimits } from '../../core/limits/part-limits.ts';

export const consentEndsRows = {
  jobs: {
    consentEnds: {
      rows: consentLimits.ofRound,
      KiB: 512,
      statements: 6,
      in: ['capabilities/consent-ends/consent-ends.ts'],
    },
  },
} as const satisfies Declaration;
