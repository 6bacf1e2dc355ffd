import type { Swarm } from '../contract.ts';
import type { Random } from './durability.fixture.ts';
import { sameOrigin, cookieOf, signUp } from './process.fixture.ts';
import type { Answer, Send } from './process.fixture.ts';
import { actsIn, after, nothing, openOf } from './story.fixture.ts';
import type { Act, State } from './story.fixture.ts';

/** A user whose key and session outlive the server on which they were created. */
export interface Client {
  name: string;
  proof: Record<'device' | 'browser', Record<string, string>>;
  ask(asked: { method?: string; path: string; body?: unknown; way?: 'device' | 'browser' }): Promise<Answer>;
  get<T>(path: string): Promise<T>;
}

/** Signs up a user. `send` goes to the server that runs at the time. */
export async function createClient({ send, name }: { send: Send; name: string }): Promise<Client> {
  const browser = { ...sameOrigin, cookie: cookieOf(await signUp({ send, name })) };
  const made = await send({ method: 'POST', path: '/api/account/keys', headers: browser, body: { name: 'test' } });
  const proof = { device: { 'x-serviceapikey': (JSON.parse(made.body) as { key: string }).key }, browser };
  const ask: Client['ask'] = ({ path, way = 'device', ...asked }) =>
    send({ ...asked, path: `${way === 'device' ? '/service' : '/api'}${path}`, headers: proof[way] });
  return {
    name,
    proof,
    ask,
    async get<T>(path: string) {
      const answer = await ask({ path });
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.body}`);
      return JSON.parse(answer.body) as T;
    },
  };
}

/** A device of the guest's, and its history with the owner's swarm. */
export interface Story {
  /** The unique name of the device. */
  name: string;
  owner: Client;
  guest: Client;
  swarm: Swarm;
  /** The acknowledged state. */
  known: State;
  /** The action without a response. */
  open?: Act;
}

export interface Load {
  stories: Story[];
  acknowledged: number;
  /** Failures: an error response, or a closed connection while the server should run. */
  failures: string[];
  server: 'alive' | 'doomed';
  /** Stops the clients after their current request. */
  over: boolean;
}

/** Runs one story after another until the connection is closed. */
export async function tellStories(
  options: Pick<Story, 'owner' | 'guest' | 'swarm' | 'name'> & { load: Load; random: Random },
): Promise<void> {
  const { load, random, name, ...among } = options;
  for (let number = 0; ; number++) {
    const story: Story = { ...among, name: `${name} ${number}`, known: nothing };
    load.stories.push(story);
    for (let step = 0; story.known.device !== 'gone'; step++) {
      if (load.over) return;
      const acts = actsIn(story.known, `${story.name}, ${step} "ü"`);
      const act = acts[Math.floor(random() * acts.length)]!;
      if (!(await perform({ load, story, act, way: random() < 0.3 ? 'browser' : 'device' }))) return;
    }
  }
}

/** Returns false if the connection was closed. */
async function perform(options: { load: Load; story: Story; act: Act; way: 'device' | 'browser' }): Promise<boolean> {
  const { load, story, act, way } = options;
  story.open = act;
  try {
    const { status, body } = await request(story, act, way);
    if (status > 299) load.failures.push(`${act.what} after ${JSON.stringify(story.known)}: ${status} ${body}`);
    else story.known = after(story.known, act, body === '' ? undefined : JSON.parse(body));
    delete story.open;
    load.acknowledged += 1;
    return status <= 299;
  } catch (error) {
    if (load.server === 'alive') load.failures.push(`${act.what}: ${String(error)}`);
    return false;
  }
}

function request({ owner, guest, swarm, name, known }: Story, act: Act, way: 'device' | 'browser'): Promise<Answer> {
  const device = `/resources/${known.id}`;
  const asked = `/swarms/${swarm.id}/invitations`;
  switch (act.what) {
    case 'create':
      return guest.ask({
        method: 'POST',
        path: '/resources',
        body: { name, machine_type: 'bug', description: '' },
        way,
      });
    case 'describe':
      return guest.ask({ method: 'PUT', path: device, body: { description: act.text }, way });
    case 'destroy':
      return guest.ask({ method: 'DELETE', path: device, way });
    case 'leave':
      return guest.ask({ method: 'DELETE', path: `/swarms/${swarm.id}${device}`, way });
    case 'invite': {
      const body = { to: guest.name, resource_id: known.id, resource_type: act.role, description: act.text };
      return owner.ask({ method: 'POST', path: asked, body, way });
    }
    case 'withdraw':
      return owner.ask({ method: 'DELETE', path: `${asked}/${openOf(known, act.role)?.body?.id}`, way });
    default: {
      const path = `${device}/invitations/${openOf(known, act.role)?.body?.id}`;
      return guest.ask({ method: 'PUT', path, body: { status: act.what }, way });
    }
  }
}
