import { onlyKey, type AuthRow, type Rights } from '../../tests/rights.fixture.ts';

export const rights: Rights<object> = {
  data: async () => ({}),
  rows: {
    'GET /api/account/identities': { request: () => ({ path: '/account/identities' }), statuses: onlyKey(200) },
    'DELETE /api/account/identities/:provider': {
      request: () => ({ method: 'DELETE', path: '/account/identities/nobody' }),
      statuses: onlyKey(404),
    },
  },
};

export const authRights: Record<string, AuthRow> = {
  'GET /auth/oidc/:provider': { nobody: '303', otherSite: '303' },
  'GET /auth/oidc/:provider/callback': { nobody: '303', otherSite: '303' },
  'GET /auth/sign-up/identity': { nobody: '400 sign_in.step_ended', otherSite: '400 sign_in.step_ended' },
  'POST /auth/sign-up/identity': { body: { username: 'someone' }, nobody: '400 sign_in.step_ended' },
  'POST /auth/oidc/:provider': {
    body: { purpose: 'link', next: '/' },
    nobody: '401 session.missing',
    user: '404 provider.not_found',
    limited: '403 second_factor.required',
  },
};
