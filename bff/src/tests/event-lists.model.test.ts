/**
 * Random sequences of all actions of several users, over real connections: the events produce the same lists as the
 * service. A failing run prints its seed; SWARMDECK_SEED repeats it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { listen } from './events.fixture.ts';
import type { Listener } from './events.fixture.ts';
import { long } from './process.fixture.ts';
import { servedPerson } from './served-people.fixture.ts';
import type { ServedPerson } from './served-people.fixture.ts';
import { serve } from './served.fixture.ts';
import type { Served } from './served.fixture.ts';
import { serviceCommands } from './service-commands.fixture.ts';
import type { Real } from './service-commands.fixture.ts';
import { emptyWorld } from './service-model.fixture.ts';
import { clear, furnish } from './service-world.fixture.ts';
import { expectSame, listsOf, readLists } from './event-lists.fixture.ts';

const names = ['ann', 'ben', 'cleo'];

let served: Served;
let people: Record<string, ServedPerson>;
let listeners: Record<string, Listener>;
beforeAll(async () => {
  served = await serve();
  const made = await Promise.all(names.map((name) => servedPerson(served.url, name)));
  people = Object.fromEntries(made.map((person, index) => [names[index]!, person]));
  // Ben listens as a browser.
  const streams = made.map(({ proof }, index) =>
    index === 1
      ? listen(`${served.url}/api/events`, proof.browser)
      : listen(`${served.url}/service/events`, proof.device),
  );
  listeners = Object.fromEntries((await Promise.all(streams)).map((listener, index) => [names[index]!, listener]));
});
afterAll(async () => {
  for (const listener of Object.values(listeners)) listener.close();
  await served[Symbol.asyncDispose]();
});

const real: Real = { ask: (name, asked) => people[name]!.device.ask(asked), afterEach: () => Promise.resolve() };

/** The events of this user since the event `from`, after all have arrived. */
async function toldTo(name: string, from: number) {
  const listener = listeners[name]!;
  const mark = await people[name]!.device.device({ name: 'Mark' });
  await listener.until(({ data }) => (data as { id?: string }).id === mark.id);
  await people[name]!.device.destroy('resources', mark);
  await listener.until(({ type, data }) => type === 'resource.destroyed' && (data as { id: string }).id === mark.id);
  return listener.events.slice(from);
}

async function expectToldLists(name: string, from: number) {
  const told = listsOf(await toldTo(name, from), name);
  expectSame(told, await readLists({ get: people[name]!.device.get, user: name }));
}

test(
  'for any sequence of actions, the events produce the same lists as the service',
  async () => {
    const commands = serviceCommands({ maxCommands: 40 });
    const run = async (sequence: typeof commands extends fc.Arbitrary<infer C> ? C : never) => {
      const world = emptyWorld(names);
      const from = names.map((name) => listeners[name]!.events.length);
      await furnish(world, real.ask);
      try {
        await fc.asyncModelRun(() => ({ model: world, real }), sequence);
        await Promise.all(names.map((name, index) => expectToldLists(name, from[index]!)));
      } finally {
        await clear(world, real.ask);
        await Promise.all(names.map((name) => toldTo(name, 0)));
      }
    };
    await fc.assert(fc.asyncProperty(commands, run), { numRuns: long ? 1000 : 25 });
  },
  long ? 1_800_000 : 600_000,
);
