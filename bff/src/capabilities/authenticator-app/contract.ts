/** A second factor: the codes of an app. */
import type { Declaration } from '../../core/declaration.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';

/** Whether the sign-in asks for a code of an authenticator app. */
export interface Totp {
  is_on: boolean;
}

/** For the app: the secret in Base32, and the address with it that the app scans. */
export interface NewTotp {
  secret: string;
  url: string;
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/account/totp': Totp;
  }
}

export const authenticatorAppRows = {
  limits: {
    'POST /auth/second-factor': written,
    'GET /api/account/totp': point,
    'POST /api/account/totp': written,
    'POST /api/account/totp/confirm': written,
    'DELETE /api/account/totp': write,
  },
  rates: {
    // An attacker who knows the password has a chance of 0.05 % a day: two codes of a million are right.
    app_codes: {
      who: 'user name, and user in a known browser',
      what: 'codes of the authenticator app, after a password or a provider, or in a session',
      most: 10,
      per: 'hour',
      burst: 10,
    },
  },
  problems: {
    'second_factor.too_late': [401, 'The sign-in has taken too long. Sign in again'],
    'second_factor.wrong': [401, 'This code is wrong, or was used before. Check the clock of the phone'],
    'totp.exists': [409, 'This account has an authenticator app'],
    'totp.not_found': [404, 'This account has no authenticator app'],
    'totp.wrong_code': [400, 'This is not the code of the authenticator app. Check the clock of the phone'],
  },
  toSetUp: ['GET /api/account/totp', 'POST /api/account/totp', 'POST /api/account/totp/confirm'],
  tablesOfUser: ['totp'],
} as const satisfies Declaration;
