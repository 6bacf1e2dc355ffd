/** Codes for a lost password. */
import type { Declaration } from '../../core/declaration.ts';
import { ofPassword, point, written } from '../../core/limits/operation-rows.ts';
import { codesOfUser } from './limits.ts';

/** `left`: how many codes were not used. */
export interface RecoveryCodes {
  left: number;
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/account/recovery-codes': RecoveryCodes;
  }
}

export const recoveryRows = {
  limits: {
    'POST /auth/recover': ofPassword,
    'GET /api/account/recovery-codes': point,
    'POST /api/account/recovery-codes': written,
    'PUT /api/account/recovery-codes/stored': written,
  },
  problems: {
    'recovery_codes.replaced': [409, 'These recovery codes were replaced by newer ones, or all of them were used'],
    'sign_in.wrong_code': [401, 'Incorrect user name or recovery code', 'app'],
  },
  toSetUp: [
    'GET /api/account/recovery-codes',
    'POST /api/account/recovery-codes',
    'PUT /api/account/recovery-codes/stored',
  ],
  tablesOfUser: ['recovery_codes'],
  stored: [['user', 'recovery codes', codesOfUser]],
} as const satisfies Declaration;
