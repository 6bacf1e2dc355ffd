/** Who may do what. */
import type { JoinRequest } from '../../contract.ts';
import type { ActionKindCases } from '../../tests/actions.fixture.ts';
import { managers, onlyKey, type OperationOfCapability } from '../../tests/rights.fixture.ts';

const named = (id: string) => ({ id, name: 'shown' });

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
    action: ({ swarm, asking }) => ({
      kind: 'ask_to_join',
      about: { swarm: named(swarm), resource_type: 'consumer' },
      item: named(asking),
    }),
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
    action: ({ requested }) => ({
      kind: 'answer',
      about: { answer: 'reject' },
      item: { ...named(requested), swarm: 's', is_request: true },
    }),
  },
  listOwnJoinRequests: { request: () => ({ path: '/requests' }), statuses: onlyKey(200), scope: 'read' },
  withdrawJoinRequest: {
    request: ({ requested }) => ({ method: 'DELETE', path: `/requests/${requested}` }),
    statuses: onlyKey(404),
    ofAsker: 204,
    scope: 'all',
    action: ({ requested }) => ({ kind: 'withdraw', about: {}, item: { ...named(requested), is_request: true } }),
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

export const actionKinds: ActionKindCases = {
  async ask_to_join(ann, ben) {
    const [{ id, name }, device] = [await ann.swarm({ public: true }), await ben.device()];
    const about = { swarm: { id, name }, resource_type: 'both' as const, message: 'Please' };
    const read = async () => (await ann.get<JoinRequest[]>(`/swarms/${id}/requests`)).map(({ message }) => message);
    return {
      client: ben,
      action: { kind: 'ask_to_join', about, wait: 0, items: [named(device.id)] },
      read,
      after: ['Please'],
    };
  },
};
