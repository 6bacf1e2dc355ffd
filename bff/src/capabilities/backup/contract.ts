/** Regular backups of a SQLite database. */
import type { Declaration } from '../../core/declaration.ts';
import { few } from '../../core/limits/job-rows.ts';

export const backupRows = {
  jobs: {
    backup: few,
  },
} as const satisfies Declaration;
