/** The mail address of a user, and links for a lost password. */
import type { Declaration } from '../../core/declaration.ts';
import { ofPassword, point, small, write, written } from '../../core/limits/operation-rows.ts';

/**
 * `is_available`: whether the server sends mail. The address counts when it is verified. `next_address`: one that replaces it as soon as it
 * is verified.
 */
export interface MailAddress {
  is_available: boolean;
  address: string | null;
  verified_at: string | null;
  next_address: string | null;
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/account/address': MailAddress;
  }
}

export const addressesRows = {
  limits: {
    'POST /auth/password-link': { ...point, body: small },
    'POST /auth/password-link/use': ofPassword,
    'POST /auth/mail-link': { ...point, body: small },
    'POST /auth/address': written,
    'GET /api/account/address': point,
    'PUT /api/account/address': written,
    'DELETE /api/account/address': write,
  },
  rates: {
    mail_links: {
      who: 'user, and mail address',
      what: 'mails with a link for a lost password; and of a user, as many to verify an address',
      most: 3,
      per: 'hour',
      burst: 3,
    },
    unverified_mails: {
      who: 'address',
      what: 'mails to addresses that are not verified',
      most: 10,
      per: 'hour',
      burst: 10,
    },
    unverified_mails_to: {
      who: 'mail address',
      what: 'mails to it while it is not verified, from all users; in any letter case, and with any `+…` before its `@`',
      most: 10,
      per: 'day',
      burst: 10,
    },
    mail_notices: {
      who: 'user',
      what: 'changes of the sign-in of which a mail tells',
      most: 20,
      per: 'hour',
      burst: 20,
    },
  },
  problems: {
    'address_link.not_found': [404, 'This link has expired or was used before'],
    'mail.off': [403, 'This server sends no emails'],
    'password_link.not_found': [404, 'This link has expired or was used before', 'app'],
  },
  tablesOfUser: ['addresses'],
} as const satisfies Declaration;
