import type { GatewayEvent } from '../contract.ts';
import { listen, type Listener } from './events.fixture.ts';
import type { Client } from './restart.fixture.ts';
import { asEvents, listsOf, readLists, type EventLists } from './event-lists.fixture.ts';

/** A client that fetches the lists once and then applies events. */
export interface Follower {
  /** Reconnects after its last event. After a `reset`, it fetches the lists again. */
  resume(): Promise<void>;
  /** Its lists after all events have arrived. */
  lists(): Promise<EventLists>;
  /** How often it had to fetch the lists again. */
  resets(): number;
  close(): void;
}

/** `way`: with a key, or as a browser with a session. */
export async function follow(options: {
  client: Client;
  entryPoint: 'device' | 'browser';
  /** Of the server for the next connection. */
  origin: () => string;
}): Promise<Follower> {
  const { client, entryPoint, origin } = options;
  const connect = (after: string | undefined) => {
    const path = entryPoint === 'device' ? '/service/events' : '/api/events';
    return listen(`${origin()}${path}`, {
      ...client.proof[entryPoint],
      ...(after !== undefined && { 'last-event-id': after }),
    });
  };
  const read = async () => asEvents(await readLists({ get: client.get, user: client.name }), client.name);

  let listener = await connect(undefined);
  /** The events before the connection; after a `reset`, the fetched lists. */
  let before: GatewayEvent[] = await read();
  let again: Promise<GatewayEvent[]> | undefined;
  let resets = 0;
  watchForReset(listener);

  /** Fetches the lists after a `reset`, and then applies later events to them. */
  function watchForReset(listener: Listener) {
    again = listener
      .until(({ type }) => type === 'reset')
      .then(() => {
        resets += 1;
        return read();
      });
    // The stream ended without a reset.
    again.catch(() => {});
  }

  async function allEvents(): Promise<GatewayEvent[]> {
    const at = listener.events.findLastIndex(({ type }) => type === 'reset');
    return at < 0 ? [...before, ...listener.events] : [...(await again!), ...listener.events.slice(at + 1)];
  }

  async function mark() {
    const made = await client.request({
      method: 'POST',
      path: '/resources',
      body: { name: 'Mark', machine_type: 'pc' },
    });
    const { id } = JSON.parse(made.body) as { id: string };
    await client.request({ method: 'DELETE', path: `/resources/${id}` });
    await listener.until(({ type, data }) => type === 'resource.destroyed' && data.id === id);
  }

  return {
    async resume() {
      const after = listener.lastId();
      // The server stopped while the lists were fetched: the next one sends a `reset` too.
      before = await allEvents().catch(() => []);
      listener.close();
      await listener.ended;
      listener = await connect(after);
      watchForReset(listener);
    },
    async lists() {
      await mark();
      return listsOf(await allEvents(), client.name);
    },
    resets: () => resets,
    close: () => listener.close(),
  };
}
