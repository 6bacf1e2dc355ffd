/** Emails to users, which wait in a table. */
import type { Declaration } from '../../core/declaration.ts';
import { mailLimits } from '../../core/limits/part-limits.ts';

export const mailRows = {
  jobs: {
    /** A write adds mails, and those who wait for them. */
    mails: {
      rows: mailLimits.ofMail,
      KiB: 16,
      statements: 2 * mailLimits.ofMail + 1,
      in: ['capabilities/mail/mail.ts'],
    },
  },
  tablesOfUser: ['mails'],
} as const satisfies Declaration;
