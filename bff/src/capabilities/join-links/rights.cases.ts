/** Who may do what. */
import { managers, onlyKey, type OperationOfCapability } from '../../tests/rights.fixture.ts';
import { opening } from '../../tests/service-client.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  createJoinLink: {
    request: ({ swarm }) => ({
      method: 'POST',
      path: `/swarms/${swarm}/links`,
      body: { name: 'Workshop', resource_type: 'both' },
    }),
    statuses: managers(201),
    keepsData: true,
    scope: 'all',
  },
  listJoinLinks: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/links` }),
    statuses: managers(200),
    scope: 'read',
  },
  endJoinLink: {
    request: ({ swarm, link }) => ({ method: 'DELETE', path: `/swarms/${swarm}/links/${link.id}` }),
    statuses: managers(204),
    async restore({ swarm }, as) {
      const link = await as('owner').link({ id: swarm });
      const { pass } = await as('link holder').open(link);
      return { link: { ...link, pass } };
    },
    scope: 'all',
  },
  // The code is what allows it.
  openJoinLink: { request: ({ link }) => ({ path: opening(link) }), statuses: onlyKey(200), scope: 'read' },
  // A pass is of no use to others.
  joinByLink: {
    request: ({ link: { id, pass }, joining }) => ({
      method: 'POST',
      path: `/links/${id}/resources`,
      body: { pass, resource_id: joining },
    }),
    statuses: onlyKey(404),
    ofHolder: 201,
    scope: 'all',
  },
};
