/** Users sign in with OpenID Connect. */
import type { Declaration } from '../../core/declaration.ts';
import { purge } from '../../core/limits/job-rows.ts';
import { point, small, write, written } from '../../core/limits/operation-rows.ts';

/** A newcomer by a provider chooses a user name. `user_id`: a suggestion, which may be too short or taken. */
export interface Newcomer {
  provider: string;
  user_id: string;
}

/** A provider by which the user can sign in. */
export interface Identity {
  provider: string;
  created_at: string;
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/account/identities': { items: Identity[] };
    '/auth/sign-up/identity': Newcomer;
  }
}

export const providersRows = {
  limits: {
    'GET /auth/oidc/:provider': point,
    'POST /auth/oidc/:provider': { ...point, body: small },
    'GET /auth/oidc/:provider/callback': write,
    'GET /auth/sign-up/identity': point,
    'POST /auth/sign-up/identity': written,
    'GET /api/account/identities': point,
    'DELETE /api/account/identities/:provider': write,
  },
  jobs: { rolesOfOthers: purge },
  problems: {
    'confirm.not_fresh': [403, 'The provider does not confirm that you have just signed in. Confirm in another way'],
    'identity.exists': [409, 'Your account is linked to another account of this provider'],
    'identity.differs': [409, 'This is another account of the provider than the linked one'],
    'identity.not_found': [404, 'Your account is not linked to this provider'],
    'identity.taken': [409, 'This account of the provider is linked to another user'],
    'provider.away': [424, 'The provider cannot be reached'],
    'provider.not_found': [404, 'There is no such provider'],
    'provider.refused': [424, 'The provider gave an answer that this server does not accept'],
    'sign_in.cancelled': [401, 'The sign-in at the provider was cancelled', 'app'],
  },
  tablesOfUser: ['identities'],
} as const satisfies Declaration;
