/** Who may do what. */
import { deviceOwner, type OperationOfCapability } from '../../tests/rights.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  // The device is offered to the user who was asked.
  offerResource: {
    request: ({ device }) => ({
      method: 'PUT',
      path: `/resources/${device}/handover`,
      body: { user_id: 'asked-user' },
    }),
    statuses: deviceOwner(200),
    keepsData: true,
    scope: 'all',
  },
  readHandover: {
    request: ({ device }) => ({ path: `/resources/${device}/handover` }),
    statuses: deviceOwner(200),
    scope: 'read',
  },
  endResourceOffer: {
    request: ({ device }) => ({ method: 'DELETE', path: `/resources/${device}/handover` }),
    statuses: [404, 404, 204, 404, 404, 404, 401, 401],
    ofAsked: 204,
    restore: async ({ device }, as) => void (await as('device owner').offerDevice({ id: device }, 'asked-user')),
    scope: 'all',
  },
  takeOverResource: {
    request: ({ device }) => ({ method: 'PUT', path: `/resources/${device}/owner`, body: { user_id: 'asked-user' } }),
    statuses: [404, 404, 403, 404, 404, 404, 401, 401],
    ofAsked: 204,
    scope: 'all',
  },
};
