import { onlyKey, type AuthRow, type Rights } from '../../tests/rights.fixture.ts';

export const rights: Rights<object> = {
  data: async () => ({}),
  rows: {
    'GET /api/account/totp': { request: () => ({ path: '/account/totp' }), statuses: onlyKey(200), ofLimited: true },
    'POST /api/account/totp': {
      ofLimited: true,
      request: () => ({ method: 'POST', path: '/account/totp', body: {} }),
      statuses: onlyKey(201),
      keepsData: true,
    },
    'POST /api/account/totp/confirm': {
      ofLimited: true,
      request: () => ({ method: 'POST', path: '/account/totp/confirm', body: { code: 'x' } }),
      statuses: onlyKey(400),
    },
    // What was begun above does not count.
    'DELETE /api/account/totp': {
      request: () => ({ method: 'DELETE', path: '/account/totp' }),
      statuses: onlyKey(404),
    },
  },
};

export const authRights: Record<string, AuthRow> = {
  'POST /auth/second-factor': { body: { code: '000000' }, nobody: '401 second_factor.too_late' },
};
