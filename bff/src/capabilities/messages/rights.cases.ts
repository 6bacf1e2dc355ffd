/** Who may do what. */
import { deviceOwner, type OperationOfCapability } from '../../tests/rights.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  sendMessage: {
    request: ({ device }) => ({ method: 'POST', path: `/resources/${device}/messages`, body: { payload: 21 } }),
    statuses: deviceOwner(201),
    keepsData: true,
    scope: 'all',
    ofDeviceKey: 201,
  },
  receiveMessages: {
    request: ({ device }) => ({ path: `/resources/${device}/messages` }),
    statuses: deviceOwner(200),
    scope: 'all',
    ofDeviceKey: 200,
  },
  listSentMessages: {
    request: ({ device }) => ({ path: `/resources/${device}/messages/sent` }),
    statuses: deviceOwner(200),
    scope: 'read',
  },
  listMessages: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/messages` }),
    statuses: {
      hidden: [200, 200, 200, 200, 403, 404, 401, 401],
      public: [200, 200, 200, 200, 403, 403, 401, 401],
    },
    scope: 'read',
  },
  exportMessages: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/messages/export` }),
    statuses: {
      hidden: [200, 200, 200, 200, 403, 404, 401, 401],
      public: [200, 200, 200, 200, 403, 403, 401, 401],
    },
    scope: 'read',
  },
  sendHeartbeat: {
    request: ({ device }) => ({ method: 'POST', path: `/resources/${device}/heartbeat` }),
    statuses: deviceOwner(204),
    scope: 'position',
    ofDeviceKey: 204,
  },
};
