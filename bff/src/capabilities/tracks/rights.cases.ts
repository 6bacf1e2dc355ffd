/** Who may do what. */
import type { OperationOfCapability } from '../../tests/rights.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  getTrack: {
    request: ({ device }) => ({ path: `/resources/${device}/track` }),
    statuses: [200, 200, 200, 200, 404, 404, 401, 401],
    scope: 'read',
  },
};
