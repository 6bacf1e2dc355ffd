/** Who may do what. */
import { managers, onlyKey, type OperationOfCapability } from '../../tests/rights.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  // The device is the asker's.
  askToJoin: {
    request: ({ swarm, asking: resource_id }) => ({
      method: 'POST',
      path: `/swarms/${swarm}/requests`,
      body: { resource_id, resource_type: 'consumer' },
    }),
    statuses: { hidden: [403, 400, 400, 400, 400, 404, 401, 401], public: [403, 400, 400, 400, 400, 400, 401, 401] },
    ofAsker: 404,
    ofPublicAsker: 201,
    scope: 'all',
  },
  listJoinRequests: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/requests` }),
    statuses: managers(200),
    scope: 'read',
  },
  answerJoinRequest: {
    request: ({ swarm, requested }) => ({
      method: 'PUT',
      path: `/swarms/${swarm}/requests/${requested}`,
      body: { status: 'reject' },
    }),
    statuses: managers(200),
    scope: 'all',
  },
  listOwnJoinRequests: { request: () => ({ path: '/requests' }), statuses: onlyKey(200), scope: 'read' },
  withdrawJoinRequest: {
    request: ({ requested }) => ({ method: 'DELETE', path: `/requests/${requested}` }),
    statuses: onlyKey(404),
    ofAsker: 204,
    scope: 'all',
  },
  listBlockedUsers: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/blocked-users` }),
    statuses: managers(200),
    scope: 'read',
  },
  blockUser: {
    request: ({ swarm }) => ({ method: 'PUT', path: `/swarms/${swarm}/blocked-users/asker` }),
    statuses: managers(204),
    scope: 'all',
  },
  unblockUser: {
    request: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm}/blocked-users/asker` }),
    statuses: managers(204),
    keepsData: true,
    scope: 'all',
  },
};
