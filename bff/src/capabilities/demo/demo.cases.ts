import { onlyKey, type JobCases, type Rights } from '../../tests/rights.fixture.ts';
import { insertDemoRecords } from './demo.store.ts';

export const rights: Rights<object> = {
  // To make one takes long, so only the owner has none yet.
  prepare: ({ db, others }) => db.write(others.flatMap((user) => insertDemoRecords(user, 'partner', [`of-${user}`]))),
  data: async () => ({}),
  rows: {
    'GET /api/demo': { request: () => ({ path: '/demo' }), statuses: onlyKey(200) },
    'POST /api/demo': {
      request: () => ({ method: 'POST', path: '/demo' }),
      statuses: [201, 200, 200, 200, 200, 200, 401, 401],
      keepsData: true,
    },
    'DELETE /api/demo': { request: () => ({ method: 'DELETE', path: '/demo' }), statuses: onlyKey(204) },
  },
};

export const jobs: JobCases = { demo: { method: 'POST', path: '/api/demo' } };
