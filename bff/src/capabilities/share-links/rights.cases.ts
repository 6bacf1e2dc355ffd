/** Who may do what. */
import type { NewShareLink } from '../../contract.ts';
import { deviceOwner, swarmOwner, type OperationOfCapability } from '../../tests/rights.fixture.ts';

export const operationRights: Record<string, OperationOfCapability> = {
  createShareLink: {
    request: ({ inAnHour, device }) => ({
      method: 'POST',
      path: `/resources/${device}/share-links`,
      body: { name: 'Ferry', expires_at: inAnHour },
    }),
    statuses: deviceOwner(201),
    keepsData: true,
    scope: 'all',
  },
  listShareLinks: {
    request: ({ device }) => ({ path: `/resources/${device}/share-links` }),
    statuses: deviceOwner(200),
    scope: 'read',
  },
  updateShareLink: {
    request: ({ inAnHour, device, shareLink }) => ({
      method: 'PUT',
      path: `/resources/${device}/share-links/${shareLink?.id}`,
      body: { expires_at: inAnHour },
    }),
    statuses: deviceOwner(200),
    scope: 'all',
  },
  endShareLink: {
    request: ({ device, shareLink }) => ({
      method: 'DELETE',
      path: `/resources/${device}/share-links/${shareLink?.id}`,
    }),
    statuses: deviceOwner(204),
    async restore({ device, inAnHour: expires_at }, as) {
      const made = await as('device owner').make<NewShareLink>(`/resources/${device}/share-links`, {
        name: 'Ferry',
        expires_at,
      });
      return { shareLink: { id: made.id, code: new URL(made.url).hash.slice(1) } };
    },
    scope: 'all',
  },
  createSwarmShareLink: {
    request: ({ inAnHour, swarm }) => ({
      method: 'POST',
      path: `/swarms/${swarm}/share-links`,
      body: { name: 'Race', expires_at: inAnHour },
    }),
    statuses: swarmOwner(201),
    scope: 'all',
  },
  listSwarmShareLinks: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/share-links` }),
    statuses: swarmOwner(200),
    scope: 'read',
  },
  updateSwarmShareLink: {
    request: ({ inAnHour, swarm, swarmLink }) => ({
      method: 'PUT',
      path: `/swarms/${swarm}/share-links/${swarmLink?.id}`,
      body: { expires_at: inAnHour },
    }),
    statuses: swarmOwner(200),
    scope: 'all',
  },
  endSwarmShareLink: {
    request: ({ swarm, swarmLink }) => ({
      method: 'DELETE',
      path: `/swarms/${swarm}/share-links/${swarmLink?.id}`,
    }),
    statuses: swarmOwner(204),
    scope: 'all',
  },
};
