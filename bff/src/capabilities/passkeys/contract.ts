/** Users sign in with passkeys. */
import type { Declaration } from '../../core/declaration.ts';
import { point, write, written } from '../../core/limits/operation-rows.ts';
import { passkeyLimits } from './limits.ts';

/** A passkey of the user. `last_used_at`: a day in UTC, if an earlier version has stored it. */
export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** What a browser asks of an authenticator to sign in or to confirm: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export interface PasskeyRequest {
  challenge: string;
  rpId?: string;
  timeout?: number;
}

/** What the browser is asked for a new passkey: `PublicKeyCredentialCreationOptionsJSON`. */
export interface PasskeyCreation {
  challenge: string;
  rp: { id?: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { alg: number; type: 'public-key' }[];
  timeout?: number;
  excludeCredentials?: { id: string; type: string }[];
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/account/passkeys': { items: Passkey[] };
  }
}

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
  toSetUp: ['GET /api/account/passkeys', 'POST /api/account/passkeys', 'POST /api/account/passkeys/options'],
  tablesOfUser: ['passkeys'],
  stored: [['user', 'passkeys', passkeyLimits.ofUser]],
} as const satisfies Declaration;
