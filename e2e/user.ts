import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type {
  ActionHistory,
  ActionStart,
  CreatedApiKey,
  Invitation,
  InvitationSend,
  JoinLink,
  ManagerRole,
  MemberRole,
  NewRecoveryCodes,
  Resource,
  ResourceCreate,
  SavedView,
  Swarm,
  SwarmCreate,
  SwarmUpdate,
} from '@swarmdeck/bff/contract';
import type { APIRequestContext } from 'playwright/test';

/** A user who prepares a journey over HTTP. */
export interface User {
  name: string;
  password: string;
  add(device: ResourceCreate): Promise<Resource>;
  addMany(devices: ResourceCreate[]): Promise<Resource[]>;
  deleteDevice(device: Pick<Resource, 'id'>): Promise<void>;
  createKey(name: string): Promise<string>;
  /** A key of an own device. */
  createDeviceKey(device: Pick<Resource, 'id'>): Promise<string>;
  createSwarm(swarm: SwarmCreate): Promise<Swarm>;
  /** Invites another user's device to an own swarm. */
  invite(swarm: Swarm, invitation: InvitationSend): Promise<Invitation>;
  withdraw(invitation: Invitation): Promise<void>;
  /** Creates a link to join an own swarm. */
  createLink(swarm: Swarm): Promise<JoinLink>;
  /** Asks another user to manage or to watch an own swarm. */
  askForRole(swarm: Swarm, asked: { user_id: string; role: ManagerRole }): Promise<void>;
  /** Adds an own device to an own swarm. */
  join(swarm: Swarm, member: { resource_id: string; resource_type: MemberRole }): Promise<void>;
  /** Removes a member from an own swarm. */
  removeMember(swarm: Swarm, device: Resource): Promise<void>;
  changeSwarm(swarm: Swarm, change: SwarmUpdate): Promise<void>;
  deleteSwarm(swarm: Swarm): Promise<void>;
  /** Has an own device send a request with its key. */
  hear(device: Pick<Resource, 'id'>): Promise<void>;
  /** Sends a message as an own device, to all swarms in which it is a producer. */
  sendAs(device: Resource, payload: object): Promise<void>;
  saveView(view: Pick<SavedView, 'name' | 'url'>): Promise<SavedView>;
  devices(): Promise<Resource[]>;
  /** Starts an action that the server executes at once, and waits until it has ended. */
  act(action: Omit<Extract<ActionStart, { items: unknown }>, 'id' | 'wait'>): Promise<void>;
  /** Answers all open invitations for own devices, or for one of them. */
  answerAll(status: 'accept' | 'reject', device?: Resource): Promise<void>;
}

/** Signs up a new user. The cookies stay in the browser context that `request` belongs to. */
export async function signUp({ request, origin }: { request: APIRequestContext; origin: string }): Promise<User> {
  const name = `harbour-${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('base64url');

  async function post<T>(path: string, data: object): Promise<T> {
    const answer = await request.post(`${origin}${path}`, { data, headers: { origin } });
    if (!answer.ok()) throw new Error(`POST ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async function get<T>(path: string): Promise<T> {
    return (await (await request.get(`${origin}${path}`)).json()) as T;
  }

  async function put(path: string, data: object): Promise<void> {
    const answer = await request.put(`${origin}${path}`, { data, headers: { origin } });
    if (!answer.ok()) throw new Error(`PUT ${path}: ${answer.status()} ${await answer.text()}`);
  }

  async function remove(path: string): Promise<void> {
    const answer = await request.delete(`${origin}${path}`, { headers: { origin } });
    if (!answer.ok()) throw new Error(`DELETE ${path}: ${answer.status()} ${await answer.text()}`);
  }

  const { set_id } = await post<NewRecoveryCodes>('/auth/sign-up', { username: name, password, name });
  await put('/api/account/recovery-codes/stored', { set_id });
  const devices = () => get<Resource[]>('/api/resources');
  const add = (device: ResourceCreate) => post<Resource>('/api/resources', device);
  return {
    name,
    password,
    add,
    addMany: (devices) => Promise.all(devices.map(add)),
    deleteDevice: ({ id }) => remove(`/api/resources/${id}`),
    createDeviceKey: async ({ id }) => (await post<CreatedApiKey>(`/api/devices/${id}/keys`, { name: 'client' })).key,
    createSwarm: (swarm) => post<Swarm>('/api/swarms', swarm),
    createLink: ({ id }) => post<JoinLink>(`/api/swarms/${id}/links`, { name: 'Workshop', resource_type: 'producer' }),
    invite: (swarm, invitation) => post<Invitation>(`/api/swarms/${swarm.id}/invitations`, invitation),
    withdraw: ({ id, swarm_id }) => remove(`/api/swarms/${swarm_id}/invitations/${id}`),
    removeMember: (swarm, device) => remove(`/api/swarms/${swarm.id}/resources/${device.id}`),
    async askForRole({ id }, asked) {
      await post(`/api/swarms/${id}/managers`, asked);
    },
    async join(swarm, member) {
      await post(`/api/swarms/${swarm.id}/resources`, member);
    },
    async hear({ id }) {
      const { key } = await post<CreatedApiKey>(`/api/devices/${id}/keys`, { name: 'client' });
      await request.get(`${origin}/service/resources/${id}`, { headers: { 'x-serviceapikey': key } });
    },
    async sendAs({ id }, payload) {
      await post(`/api/resources/${id}/messages`, { payload });
    },
    saveView: (view) => post<SavedView>('/api/saved-views', view),
    changeSwarm: (swarm, change) => put(`/api/swarms/${swarm.id}`, change),
    deleteSwarm: ({ id }) => remove(`/api/swarms/${id}`),
    async answerAll(status, device) {
      const answer = await request.get(`${origin}/api/invitations`);
      const open = ((await answer.json()) as Invitation[]).filter(
        (invitation) =>
          invitation.status === 'new' && (device ?? { id: invitation.resource_id }).id === invitation.resource_id,
      );
      await Promise.all(
        open.map(({ id, resource_id }) => put(`/api/resources/${resource_id}/invitations/${id}`, { status })),
      );
    },
    devices,
    async act(action) {
      const id = randomUUID();
      await post('/api/actions', { ...action, id, wait: 0 });
      for (let state = ''; state !== 'ended';) {
        await wait(50);
        const { actions } = await get<ActionHistory>('/api/actions/history');
        state = actions.find((each) => each.id === id)?.state ?? '';
      }
    },
    createKey: async (label) => (await post<CreatedApiKey>('/api/account/keys', { name: label })).key,
  };
}
