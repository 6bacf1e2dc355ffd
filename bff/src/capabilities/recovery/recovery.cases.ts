import { onlyKey, type AuthRow, type Rights } from '../../tests/rights.fixture.ts';

export const rights: Rights<object> = {
  data: async () => ({}),
  rows: {
    'GET /api/account/recovery-codes': {
      request: () => ({ path: '/account/recovery-codes' }),
      statuses: onlyKey(200),
      ofLimited: true,
    },
    // With an unknown field it is rejected for every actor.
    'POST /api/account/recovery-codes': {
      ofLimited: true,
      request: () => ({ method: 'POST', path: '/account/recovery-codes', body: { unknown: 'x' } }),
      statuses: onlyKey(400),
    },
    'PUT /api/account/recovery-codes/stored': {
      ofLimited: true,
      request: () => ({ method: 'PUT', path: '/account/recovery-codes/stored', body: { set_id: 'x' } }),
      statuses: onlyKey(409),
    },
  },
};

export const authRights: Record<string, AuthRow> = {
  'POST /auth/recover': { nobody: '400 body.invalid' },
};
