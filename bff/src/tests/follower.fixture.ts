import type { GatewayEvent } from '../contract.ts';
import { listen } from './events.fixture.ts';
import type { Listener } from './events.fixture.ts';
import type { Client } from './restart.fixture.ts';
import { asEvents, listsOf, readLists } from './event-lists.fixture.ts';
import type { EventLists } from './event-lists.fixture.ts';

/** A client that reads the lists once, and from then on goes by what it is told. */
export interface Follower {
  /** Asks for what it missed since the last event it had; told `reset`, it reads the lists again. */
  resume(): Promise<void>;
  /** Its lists, once it has been told all that has happened. */
  lists(): Promise<EventLists>;
  /** How often it had to read the lists again. */
  resets(): number;
  close(): void;
}

/** `way`: with a key, or as a browser with a session. */
export async function follow(options: {
  client: Client;
  way: 'device' | 'browser';
  origin: string;
}): Promise<Follower> {
  const { client, way, origin } = options;
  const connect = (after: string | undefined) => {
    const path = way === 'device' ? '/service/events' : '/api/events';
    return listen(`${origin}${path}`, {
      ...client.proof[way],
      ...(after !== undefined && { 'last-event-id': after }),
    });
  };
  const read = async () => asEvents(await readLists({ get: client.get, user: client.name }), client.name);

  let listener = await connect(undefined);
  /** What it had been told when it connected; after a `reset`, what it read. */
  let before: GatewayEvent[] = await read();
  let again: Promise<GatewayEvent[]> | undefined;
  let resets = 0;

  /** Reads as soon as it is told to; what comes meanwhile is applied to what it read. */
  function watchForReset(listener: Listener) {
    again = listener
      .until(({ type }) => type === 'reset')
      .then(() => {
        resets += 1;
        return read();
      });
    // the stream ended without one
    again.catch(() => {});
  }

  async function told(): Promise<GatewayEvent[]> {
    const at = listener.events.findLastIndex(({ type }) => type === 'reset');
    return at < 0 ? [...before, ...listener.events] : [...(await again!), ...listener.events.slice(at + 1)];
  }

  async function mark() {
    const made = await client.ask({ method: 'POST', path: '/resources', body: { name: 'Mark', machine_type: 'pc' } });
    const { id } = JSON.parse(made.body) as { id: string };
    await client.ask({ method: 'DELETE', path: `/resources/${id}` });
    await listener.until(({ type, data }) => type === 'resource.destroyed' && (data as { id: string }).id === id);
  }

  return {
    async resume() {
      const after = listener.lastId();
      // a server that ended while the lists were read: the next one says `reset` as well
      before = await told().catch(() => []);
      listener.close();
      await listener.ended;
      listener = await connect(after);
      watchForReset(listener);
    },
    async lists() {
      await mark();
      return listsOf(await told(), client.name);
    },
    resets: () => resets,
    close: () => listener.close(),
  };
}
