import { expect } from 'vitest';
import type { Invitation, InvitationRole, MemberRole, Problem, Resource, Swarm } from '../contract.ts';
import type { RequestOptions, TestServer, TestUser, EntryPoint } from './test-server.fixture.ts';
import type { JoinLink, JoinOffer, Manager, ManagerRole, JoinRequest } from './records.fixture.ts';

type Ask = (asked: RequestOptions) => Promise<Response>;
/** A user of the service, with requests in one of the two ways. */
export type ServiceClient = { name: string; request: Ask } & ReturnType<typeof actionsOf>;

export function createServiceClient(name: string, request: Ask): ServiceClient {
  return { name, request, ...actionsOf(request) };
}

/** Signs up a user, who sends requests with a key or through the gateway. */
export async function signUpClient(
  server: TestServer,
  name: string,
  entryPoint: EntryPoint = 'direct',
): Promise<ServiceClient> {
  const user: TestUser = await server.signUp(name);
  return createServiceClient(name, (asked) => server.request(entryPoint, user, asked));
}

/** Such as `204` or `404 swarm.not_found`. */
export async function outcomeOf(answer: Response): Promise<string> {
  return answer.ok ? String(answer.status) : `${answer.status} ${((await answer.json()) as Problem).code}`;
}

/** The path that opens a link. */
export const opening = ({ url }: { url: string }) => `/links?code=${url.split('/').at(-1)}`;

/** The actions of a user. Those that return a record expect success; those that return a Response do not. */
type Answered = Pick<Invitation, 'resource_id' | 'id'>;

function actionsOf(request: Ask) {
  async function made<T>(asked: RequestOptions): Promise<T> {
    const answer = await request(asked);
    const text = await answer.text();
    expect(answer.ok, `${asked.method ?? 'GET'} ${asked.path}: ${answer.status} ${text}`).toBe(true);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const answer = ({ resource_id, id }: Answered, status: 'accept' | 'reject'): RequestOptions => ({
    method: 'PUT',
    path: `/resources/${resource_id}/invitations/${id}`,
    body: { status },
  });
  const sending = (
    swarm: { id: string },
    { id, user_id }: Resource,
    role: InvitationRole,
    more: object,
  ): RequestOptions => ({
    method: 'POST',
    path: `/swarms/${swarm.id}/invitations`,
    body: { to: user_id, resource_id: id, resource_type: role, ...more },
  });
  const member = ({ id }: { id: string }, resource: { id: string }) => `/swarms/${id}/resources/${resource.id}`;

  return {
    get: <T>(path: string) => made<T>({ path }),
    make: <T>(path: string, body: object) => made<T>({ method: 'POST', path, body }),
    change: <T>(path: string, body: object) => made<T>({ method: 'PUT', path, body }),
    remove: (path: string) => made<undefined>({ method: 'DELETE', path }),

    device: (more: object = {}) =>
      made<Resource>({ method: 'POST', path: '/resources', body: { name: 'Sensor', machine_type: 'bug', ...more } }),
    swarm: (more: object = {}) =>
      made<Swarm>({ method: 'POST', path: '/swarms', body: { name: 'Ring', description: '', ...more } }),
    add: (swarm: { id: string }, { id }: { id: string }, resource_type: MemberRole = 'both') =>
      request({ method: 'POST', path: `/swarms/${swarm.id}/resources`, body: { resource_id: id, resource_type } }),
    invite: (swarm: { id: string }, device: Resource, role: InvitationRole = 'consumer', more: object = {}) =>
      made<Invitation>(sending(swarm, device, role, more)),
    send: (swarm: { id: string }, device: Resource, role: InvitationRole = 'consumer', more: object = {}) =>
      request(sending(swarm, device, role, more)),
    accept: (invitation: Answered) => request(answer(invitation, 'accept')),
    reject: (invitation: Answered) => request(answer(invitation, 'reject')),
    withdraw: ({ swarm_id, id }: Pick<Invitation, 'swarm_id' | 'id'>) =>
      request({ method: 'DELETE', path: `/swarms/${swarm_id}/invitations/${id}` }),
    link: (swarm: { id: string }, more: object = {}) =>
      made<JoinLink>({
        method: 'POST',
        path: `/swarms/${swarm.id}/links`,
        body: { name: 'Workshop', resource_type: 'consumer', ...more },
      }),
    open: (link: { url: string }) => made<JoinOffer>({ path: opening(link) }),
    join: ({ id, pass }: Pick<JoinOffer, 'id' | 'pass'>, device: { id: string }) =>
      request({ method: 'POST', path: `/links/${id}/resources`, body: { pass, resource_id: device.id } }),
    endLink: ({ swarm_id, id }: { swarm_id: string; id: string }) =>
      request({ method: 'DELETE', path: `/swarms/${swarm_id}/links/${id}` }),
    nameManager: (swarm: { id: string }, user_id: string, role?: ManagerRole) =>
      made<Manager>({ method: 'POST', path: `/swarms/${swarm.id}/managers`, body: { user_id, role } }),
    agree: (swarm: { id: string }, user_id: string) =>
      request({ method: 'PUT', path: `/swarms/${swarm.id}/managers/${user_id}`, body: { status: 'agreed' } }),
    removeManager: (swarm: { id: string }, user_id: string) =>
      request({ method: 'DELETE', path: `/swarms/${swarm.id}/managers/${user_id}` }),
    ask: (swarm: { id: string }, device: { id: string }, more: object = {}) =>
      made<JoinRequest>({
        method: 'POST',
        path: `/swarms/${swarm.id}/requests`,
        body: { resource_id: device.id, resource_type: 'consumer', ...more },
      }),
    askFor: (swarm: { id: string }, device: { id: string }, resource_type: MemberRole = 'consumer') =>
      request({
        method: 'POST',
        path: `/swarms/${swarm.id}/requests`,
        body: { resource_id: device.id, resource_type },
      }),
    answerRequest: ({ swarm_id, id }: { swarm_id: string; id: string }, status: 'accept' | 'reject') =>
      request({ method: 'PUT', path: `/swarms/${swarm_id}/requests/${id}`, body: { status } }),
    withdrawRequest: ({ id }: { id: string }) => request({ method: 'DELETE', path: `/requests/${id}` }),
    block: (swarm: { id: string }, user: string) =>
      request({ method: 'PUT', path: `/swarms/${swarm.id}/blocked-users/${user}` }),
    unblock: (swarm: { id: string }, user: string) =>
      request({ method: 'DELETE', path: `/swarms/${swarm.id}/blocked-users/${user}` }),
    offerSwarm: (swarm: { id: string }, user_id: string) =>
      request({ method: 'PUT', path: `/swarms/${swarm.id}/handover`, body: { user_id } }),
    offerDevice: (device: { id: string }, user_id: string, with_history?: boolean) =>
      request({ method: 'PUT', path: `/resources/${device.id}/handover`, body: { user_id, with_history } }),
    endDeviceOffer: (device: { id: string }) => request({ method: 'DELETE', path: `/resources/${device.id}/handover` }),
    takeOverDevice: (device: { id: string }, user_id: string) =>
      request({ method: 'PUT', path: `/resources/${device.id}/owner`, body: { user_id } }),
    takeOver: (swarm: { id: string }, user_id: string) =>
      request({ method: 'PUT', path: `/swarms/${swarm.id}/owner`, body: { user_id } }),
    role: (swarm: { id: string }, resource: { id: string }, resource_type: MemberRole) =>
      request({ method: 'PUT', path: member(swarm, resource), body: { resource_type } }),
    leave: (swarm: { id: string }, resource: { id: string }) =>
      request({ method: 'DELETE', path: member(swarm, resource) }),
    destroy: (noun: 'resources' | 'swarms', { id }: { id: string }) =>
      request({ method: 'DELETE', path: `/${noun}/${id}` }),
  };
}
