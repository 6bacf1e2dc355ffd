/** Notices to owners when more users see their devices. */
import type { Declaration } from '../../core/declaration.ts';
import { purge } from '../../core/limits/job-rows.ts';
import { audienceLimits } from '../../core/limits/part-limits.ts';

export const audienceNoticesRows = {
  jobs: {
    audiencePurge: purge,
    audienceNotices: {
      rows: audienceLimits.changes,
      KiB: 256,
      statements: 6,
      in: ['capabilities/audience-notices/audience.ts'],
    },
  },
} as const satisfies Declaration;
