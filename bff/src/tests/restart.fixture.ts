import type { Swarm } from '../contract.ts';
import type { Random } from './durability.fixture.ts';
import { sameOrigin, cookieOf, signUp, type Answer, type Send } from './process.fixture.ts';
import {
  possibleActions,
  stateAfter,
  initialState,
  openInvitation,
  type Action,
  type State,
} from './device-lifecycle.fixture.ts';

/** A user whose key and session outlive the server on which they were created. */
export interface Client {
  name: string;
  proof: Record<'device' | 'browser', Record<string, string>>;
  request(asked: { method?: string; path: string; body?: unknown; entryPoint?: 'device' | 'browser' }): Promise<Answer>;
  get<T>(path: string): Promise<T>;
}

/** Signs up a user. `send` goes to the server that runs at the time. */
export async function createClient({ send, name }: { send: Send; name: string }): Promise<Client> {
  const browser = { ...sameOrigin, cookie: cookieOf(await signUp({ send, name })) };
  const made = await send({ method: 'POST', path: '/api/account/keys', headers: browser, body: { name: 'test' } });
  const proof = { device: { 'x-serviceapikey': (JSON.parse(made.body) as { key: string }).key }, browser };
  const request: Client['request'] = ({ path, entryPoint = 'device', ...asked }) =>
    send({ ...asked, path: `${entryPoint === 'device' ? '/service' : '/api'}${path}`, headers: proof[entryPoint] });
  return {
    name,
    proof,
    request,
    async get<T>(path: string) {
      const answer = await request({ path });
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.body}`);
      return JSON.parse(answer.body) as T;
    },
  };
}

/** A device of the guest's, and its history with the owner's swarm. */
export interface Lifecycle {
  /** The unique name of the device. */
  name: string;
  owner: Client;
  guest: Client;
  swarm: Swarm;
  /** The acknowledged state. */
  known: State;
  /** The action without a response. */
  open?: Action;
}

export interface Load {
  lifecycles: Lifecycle[];
  acknowledged: number;
  /** Failures: an error response, or a closed connection while the server should run. */
  failures: string[];
  server: 'alive' | 'doomed';
  /** Stops the clients after their current request. */
  over: boolean;
}

/** Runs one lifecycle after another until the connection is closed. */
export async function runLifecycles(
  options: Pick<Lifecycle, 'owner' | 'guest' | 'swarm' | 'name'> & { load: Load; random: Random },
): Promise<void> {
  const { load, random, name, ...among } = options;
  for (let number = 0; ; number++) {
    const lifecycle: Lifecycle = { ...among, name: `${name} ${number}`, known: initialState };
    load.lifecycles.push(lifecycle);
    for (let step = 0; lifecycle.known.device !== 'gone'; step++) {
      if (load.over) return;
      const actions = possibleActions(lifecycle.known, `${lifecycle.name}, ${step} "ü"`);
      const action = actions[Math.floor(random() * actions.length)]!;
      if (!(await perform({ load, lifecycle, action, entryPoint: random() < 0.3 ? 'browser' : 'device' }))) return;
    }
  }
}

/** Returns false if the connection was closed. */
async function perform(options: {
  load: Load;
  lifecycle: Lifecycle;
  action: Action;
  entryPoint: 'device' | 'browser';
}): Promise<boolean> {
  const { load, lifecycle, action, entryPoint } = options;
  lifecycle.open = action;
  try {
    const { status, body } = await request(lifecycle, action, entryPoint);
    if (status > 299) load.failures.push(`${action.what} after ${JSON.stringify(lifecycle.known)}: ${status} ${body}`);
    else lifecycle.known = stateAfter(lifecycle.known, action, body === '' ? undefined : JSON.parse(body));
    delete lifecycle.open;
    load.acknowledged += 1;
    return status <= 299;
  } catch (error) {
    if (load.server === 'alive') load.failures.push(`${action.what}: ${String(error)}`);
    return false;
  }
}

function request(
  { owner, guest, swarm, name, known }: Lifecycle,
  action: Action,
  entryPoint: 'device' | 'browser',
): Promise<Answer> {
  const device = `/resources/${known.id}`;
  const asked = `/swarms/${swarm.id}/invitations`;
  switch (action.what) {
    case 'create':
      return guest.request({
        method: 'POST',
        path: '/resources',
        body: { name, machine_type: 'bug', description: '' },
        entryPoint,
      });
    case 'describe':
      return guest.request({ method: 'PUT', path: device, body: { description: action.text }, entryPoint });
    case 'destroy':
      return guest.request({ method: 'DELETE', path: device, entryPoint });
    case 'leave':
      return guest.request({ method: 'DELETE', path: `/swarms/${swarm.id}${device}`, entryPoint });
    case 'invite': {
      const body = { to: guest.name, resource_id: known.id, resource_type: action.role, description: action.text };
      return owner.request({ method: 'POST', path: asked, body, entryPoint });
    }
    case 'withdraw':
      return owner.request({
        method: 'DELETE',
        path: `${asked}/${openInvitation(known, action.role)?.body?.id}`,
        entryPoint,
      });
    default: {
      const path = `${device}/invitations/${openInvitation(known, action.role)?.body?.id}`;
      return guest.request({ method: 'PUT', path, body: { status: action.what }, entryPoint });
    }
  }
}
