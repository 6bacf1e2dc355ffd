/** Users sign in with passkeys. */
import type { Declaration } from '../../core/declaration.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';

export const passkeysRows = {
  limits: {
    'POST /auth/sign-in/passkey/options': point,
    'POST /auth/sign-in/passkey': written,
    'GET /api/account/passkeys': point,
    'POST /api/account/passkeys/options': point,
    'POST /api/account/passkeys': written,
    'PUT /api/account/passkeys/:id': written,
    'DELETE /api/account/passkeys/:id': write,
  },
  problems: {
    'passkey.not_found': [404, 'Passkey not found'],
    'passkey.refused': [400, 'The passkey could not be added'],
    'passkey.too_many': [409, 'This account has reached the limit of passkeys'],
    'sign_in.wrong_passkey': [401, 'There is no account for this passkey, or it was not used in time', 'app'],
  },
  tablesOfUser: ['passkeys'],
} as const satisfies Declaration;
