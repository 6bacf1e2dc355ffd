/** Who may do what. */
import { deviceOwner, managers, onlyKey, swarmOwner, type OperationOfCapability } from '../../tests/rights.fixture.ts';

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
  listOffers: { request: () => ({ path: '/offers' }), statuses: onlyKey(200), scope: 'read' },
  // It is offered to the manager.
  offerSwarm: {
    request: ({ swarm }) => ({ method: 'PUT', path: `/swarms/${swarm}/handover`, body: { user_id: 'a-manager' } }),
    statuses: swarmOwner(200),
    keepsData: true,
    scope: 'all',
  },
  endSwarmOffer: {
    request: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm}/handover` }),
    statuses: managers(204),
    restore: async ({ swarm }, as) => void (await as('owner').offerSwarm({ id: swarm }, 'a-manager')),
    scope: 'all',
  },
  takeOverSwarm: {
    request: ({ swarm }) => ({ method: 'PUT', path: `/swarms/${swarm}/owner`, body: { user_id: 'a-manager' } }),
    statuses: {
      hidden: [403, 204, 403, 403, 403, 404, 401, 401],
      public: [403, 204, 403, 403, 403, 403, 401, 401],
    },
    scope: 'all',
  },
};
