/**
 * A server that stops during writes, by SIGTERM or kill -9, and starts again: the lists have all acknowledged writes,
 * and clients that apply events have the same lists. SWARMDECK_SEED repeats a run.
 */
import { expect, test } from 'vitest';
import { createRandom } from './durability.fixture.ts';
import { expectSame, readLists } from './event-lists.fixture.ts';
import { follow } from './follower.fixture.ts';
import { createSender, long, seed, startServer, temporaryDataDir, type Send } from './process.fixture.ts';
import { createSwarm, faultsOf, loadUntil, readAll, unknownRecords } from './load.fixture.ts';
import { createClient, type Lifecycle } from './restart.fixture.ts';

const seeds = Array.from({ length: long ? 20 : 1 }, (_, round) => seed + round);

test.each(seeds)(
  'after a restart under load, the lists and a resumed client have all acknowledged writes (seed %i)',
  async (seed) => {
    using folder = temporaryDataDir();
    await using server = await startRestartable(folder);
    const random = createRandom(seed);
    const clients = await Promise.all(['ann', 'ben', 'cleo'].map((name) => createClient({ send: server.send, name })));
    const swarms = await Promise.all(clients.map(createSwarm));
    const followers = await Promise.all(
      clients.map((client, index) =>
        follow({ client, entryPoint: index === 1 ? 'browser' : 'device', origin: () => server.origin }),
      ),
    );
    const lifecycles: Lifecycle[] = [];

    for (const end of ['SIGTERM', 'SIGKILL', undefined] as const) {
      const load = await loadUntil({ end, server, clients, swarms, followers, random, lifecycles });
      expect(load.failures).toEqual([]);
      const lists = await readAll(clients, swarms);
      expect(lifecycles.flatMap((lifecycle) => faultsOf(lifecycle, lists))).toEqual([]);
      expect(unknownRecords(lifecycles, lists)).toEqual([]);
      if (end === 'SIGKILL') expect(load.lifecycles.filter(({ open }) => open).length).toBeGreaterThan(0);
      if (end) await Promise.all(followers.map((follower) => follower.resume()));
      for (const [index, client] of clients.entries()) {
        expectSame(await followers[index]!.lists(), await readLists({ get: client.get, user: client.name }));
      }
    }
    // Clients that reconnect receive the missed events, even from before the restart.
    expect(followers.map((follower) => follower.resets())).toEqual([0, 0, 0]);
    followers.forEach((follower) => follower.close());
    const { code, stderr } = await server.end('SIGTERM');
    expect({ code, errors: stderr.split('\n').filter((line) => line.includes('"level":"error"')) }).toEqual({
      code: 0,
      errors: [],
    });
  },
);

interface Restartable extends AsyncDisposable {
  origin: string;
  send: Send;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; stderr: string }>;
  start(): Promise<void>;
}

/** Starts the server again with the same data and port. */
async function startRestartable({ dataDir }: { dataDir: string }): Promise<Restartable> {
  let server = await startServer({ dataDir });
  const { origin } = server;
  let send = createSender(origin);
  return {
    origin,
    send: (asked) => send(asked),
    end: (signal) => server.end(signal),
    async start() {
      server = await startServer({ dataDir, env: { PORT: new URL(origin).port } });
      send = createSender(origin);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
