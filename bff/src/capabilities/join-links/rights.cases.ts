/** Who may do what. */
import type { ListedMember } from '../../contract.ts';
import type { ActionKindCases } from '../../tests/actions.fixture.ts';
import { managers, onlyKey, type AuthRow, type OperationOfCapability } from '../../tests/rights.fixture.ts';
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
    action: ({ swarm, link, joining }) => ({
      kind: 'join',
      about: { link: link?.id, pass: link?.pass, swarm: { id: swarm, name: 'shown' } },
      item: { id: joining, name: 'shown' },
    }),
  },
};

export const authRights: Record<string, AuthRow> = {
  'POST /auth/join-link': { body: { code: 'x' }, nobody: '404 link.not_found' },
};

export const actionKinds: ActionKindCases = {
  async join(ann, ben) {
    const [swarm, { id }] = [await ann.swarm(), await ben.device()];
    const { id: link, pass } = await ben.open(await ann.link(swarm));
    const about = { link, pass, swarm: { id: swarm.id, name: swarm.name } };
    const read = async () =>
      (await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`)).find(({ resource_id }) => resource_id === id)
        ?.resource_type;
    return {
      client: ben,
      action: { kind: 'join', about, wait: 0, items: [{ id, name: 'shown' }] },
      read,
      after: 'consumer',
    };
  },
};
