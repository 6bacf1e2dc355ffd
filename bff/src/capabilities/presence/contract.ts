/** Which devices are online or silent. */
import type { Declaration } from '../../core/declaration.ts';
import { purge } from '../../core/limits/job-rows.ts';
import { presenceRound } from '../../core/limits/part-limits.ts';
import { presenceMemory } from './limits.ts';

export const presenceRows = {
  jobs: {
    presencePurge: purge,
    presence: { rows: presenceRound.rows, KiB: 256, statements: 9, in: ['capabilities/presence/presence.ts'] },
  },
  memory: presenceMemory,
} as const satisfies Declaration;
