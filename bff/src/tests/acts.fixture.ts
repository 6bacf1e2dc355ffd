import { expect } from 'vitest';
import type { Invitation, InvitationRole, MemberRole, Problem, Resource, Swarm } from '../contract.ts';
import type { Asked, House, Person, Way } from './house.fixture.ts';

type Ask = (asked: Asked) => Promise<Response>;
/** A user of the service, with requests in one of the two ways. */
export type Actor = { name: string; ask: Ask } & ReturnType<typeof actsOf>;

export function actor(name: string, ask: Ask): Actor {
  return { name, ask, ...actsOf(ask) };
}

/** Signs up a user, who sends requests with a key or through the gateway. */
export async function personIn(house: House, name: string, way: Way = 'direct'): Promise<Actor> {
  const person: Person = await house.person(name);
  return actor(name, (asked) => house.ask(way, person, asked));
}

/** Such as `204` or `404 swarm.not_found`. */
export async function outcomeOf(answer: Response): Promise<string> {
  return answer.ok ? String(answer.status) : `${answer.status} ${((await answer.json()) as Problem).code}`;
}

/** The actions of a user. Those that return a record expect success; those that return a Response do not. */
function actsOf(ask: Ask) {
  async function made<T>(asked: Asked): Promise<T> {
    const answer = await ask(asked);
    const text = await answer.text();
    expect(answer.ok, `${asked.method ?? 'GET'} ${asked.path}: ${answer.status} ${text}`).toBe(true);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const answer = ({ resource_id, id }: Invitation, status: 'accept' | 'reject'): Asked => ({
    method: 'PUT',
    path: `/resources/${resource_id}/invitations/${id}`,
    body: { status },
  });
  const sending = (swarm: { id: string }, { id, user_id }: Resource, role: InvitationRole, more: object): Asked => ({
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
      ask({ method: 'POST', path: `/swarms/${swarm.id}/resources`, body: { resource_id: id, resource_type } }),
    invite: (swarm: { id: string }, device: Resource, role: InvitationRole = 'consumer', more: object = {}) =>
      made<Invitation>(sending(swarm, device, role, more)),
    send: (swarm: { id: string }, device: Resource, role: InvitationRole = 'consumer', more: object = {}) =>
      ask(sending(swarm, device, role, more)),
    accept: (invitation: Invitation) => ask(answer(invitation, 'accept')),
    reject: (invitation: Invitation) => ask(answer(invitation, 'reject')),
    withdraw: ({ swarm_id, id }: Invitation) =>
      ask({ method: 'DELETE', path: `/swarms/${swarm_id}/invitations/${id}` }),
    role: (swarm: { id: string }, resource: { id: string }, resource_type: MemberRole) =>
      ask({ method: 'PUT', path: member(swarm, resource), body: { resource_type } }),
    leave: (swarm: { id: string }, resource: { id: string }) =>
      ask({ method: 'DELETE', path: member(swarm, resource) }),
    destroy: (noun: 'resources' | 'swarms', { id }: { id: string }) =>
      ask({ method: 'DELETE', path: `/${noun}/${id}` }),
  };
}
