/** Who may do what. */
import { managers, swarmOwner, type OperationOfCapability } from '../../tests/rights.fixture.ts';

/** The user who was asked has agreed, or is asked no longer. */
const askAgain: OperationOfCapability['restore'] = async ({ swarm }, as) => {
  await as('owner').removeManager({ id: swarm }, 'asked-user');
  await as('owner').nameManager({ id: swarm }, 'asked-user');
};

export const operationRights: Record<string, OperationOfCapability> = {
  nameManager: {
    request: ({ swarm }) => ({ method: 'POST', path: `/swarms/${swarm}/managers`, body: { user_id: 'stranger' } }),
    statuses: swarmOwner(201),
    scope: 'all',
  },
  listManagers: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/managers` }),
    statuses: managers(200),
    scope: 'read',
  },
  agreeToManage: {
    request: ({ swarm }) => ({
      method: 'PUT',
      path: `/swarms/${swarm}/managers/asked-user`,
      body: { status: 'agreed' },
    }),
    statuses: {
      hidden: [403, 403, 403, 403, 403, 404, 401, 401],
      public: [403, 403, 403, 403, 403, 403, 401, 401],
    },
    ofAsked: 200,
    restore: askAgain,
    scope: 'all',
  },
  removeManager: {
    request: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm}/managers/asked-user` }),
    statuses: swarmOwner(204),
    ofAsked: 204,
    restore: askAgain,
    scope: 'all',
  },
  setWatcherEnd: {
    request: ({ inAnHour, swarm }) => ({
      method: 'PUT',
      path: `/swarms/${swarm}/managers/a-watcher/end`,
      body: { ends_at: inAnHour },
    }),
    statuses: swarmOwner(200),
    ofWatcher: 200,
    scope: 'all',
  },
};
