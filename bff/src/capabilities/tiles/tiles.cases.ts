import { onlyKey, type Rights } from '../../tests/rights.fixture.ts';

export const rights: Rights<object> = {
  data: async () => ({}),
  rows: { 'GET /api/tiles': { request: () => ({ path: '/tiles' }), statuses: onlyKey(200) } },
};
