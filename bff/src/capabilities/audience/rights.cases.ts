/** Who may do what. */
import type { OperationOfCapability } from '../../tests/rights.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  getResourceAudience: {
    request: ({ device }) => ({ path: `/resources/${device}/audience` }),
    statuses: [200, 200, 200, 200, 404, 404, 401, 401],
    scope: 'read',
  },
  getSwarmAudience: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/audience` }),
    statuses: {
      hidden: [200, 200, 200, 200, 403, 404, 401, 401],
      public: [200, 200, 200, 200, 403, 403, 401, 401],
    },
    scope: 'read',
  },
};
