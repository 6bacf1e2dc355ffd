/** Who may do what. */
import { deviceOwner, type OperationOfCapability } from '../../tests/rights.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  getValues: {
    request: ({ device }) => ({ path: `/resources/${device}/values` }),
    statuses: [200, 200, 200, 200, 404, 404, 401, 401],
    scope: 'read',
  },
  // Its values are not recorded.
  setValueKeys: {
    request: ({ device }) => ({ method: 'PUT', path: `/resources/${device}/values/keys`, body: { keys: null } }),
    statuses: deviceOwner(409),
    keepsData: true,
    scope: 'all',
  },
  getSwarmValues: {
    request: ({ swarm, device }) => ({ path: `/swarms/${swarm}/values?resource_ids=${device}&keys=temperature` }),
    statuses: {
      hidden: [200, 200, 200, 200, 403, 404, 401, 401],
      public: [200, 200, 200, 200, 403, 403, 401, 401],
    },
    scope: 'read',
  },
};
