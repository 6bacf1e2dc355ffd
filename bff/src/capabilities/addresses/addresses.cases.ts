import { onlyKey, type AuthRow, type Rights } from '../../tests/rights.fixture.ts';

export const rights: Rights<object> = {
  data: async () => ({}),
  rows: {
    'GET /api/account/address': { request: () => ({ path: '/account/address' }), statuses: onlyKey(200) },
    // This server sends no mail.
    'PUT /api/account/address': {
      request: () => ({
        method: 'PUT',
        path: '/account/address',
        body: { address: 'ann@example.org', language: 'en' },
      }),
      statuses: onlyKey(403),
    },
    'DELETE /api/account/address': {
      request: () => ({ method: 'DELETE', path: '/account/address' }),
      statuses: onlyKey(204),
    },
  },
};

export const authRights: Record<string, AuthRow> = {
  'POST /auth/password-link': { body: { code: 'x' }, nobody: '404 password_link.not_found' },
  'POST /auth/password-link/use': {
    body: { code: 'x', newPassword: 'a better password' },
    nobody: '404 password_link.not_found',
  },
  'POST /auth/mail-link': { body: { username: 'someone' }, nobody: '403 mail.off' },
  'POST /auth/address': { body: { code: 'x' }, nobody: '404 address_link.not_found' },
};
