// stores: SQLite, PostgreSQL
/**
 * Random sequences of all actions of several users, over real connections: the events produce the same lists as the
 * service. A failing run prints its seed; SWARMDECK_SEED repeats it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOnPostgres } from '../store/store.fixture.ts';
import { listen, type Listener } from '../../tests/events.fixture.ts';
import { long } from '../../tests/process.fixture.ts';
import { signUpOverHttp, type HttpTestUser } from '../../tests/http-users.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { createOpenApi, type Document } from '../../tests/openapi.fixture.ts';
import { serviceCommands, type TestedService } from '../../tests/service-commands.fixture.ts';
import { emptyModel } from '../../tests/service-model.fixture.ts';
import { clear, seedModel } from '../../tests/service-seed.fixture.ts';
import { expectSame, listsOf, readLists } from '../../tests/event-lists.fixture.ts';

const names = ['ann', 'ben', 'cleo'];
const numRuns = long ? 1000 : isOnPostgres ? 4 : 10;

let server: HttpTestServer;
let users: Record<string, HttpTestUser>;
let listeners: Record<string, Listener>;
let isEvent: ReturnType<ReturnType<typeof createOpenApi>['validator']>;
beforeAll(async () => {
  server = await startHttpServer();
  const document = (await (await fetch(`${server.url}/service/openapi.json`)).json()) as Document;
  isEvent = createOpenApi(document).validator('Event');
  const made = await Promise.all(names.map((name) => signUpOverHttp(server.url, name)));
  users = Object.fromEntries(made.map((user, index) => [names[index]!, user]));
  // Ben listens as a browser.
  const streams = made.map(({ proof }, index) =>
    index === 1
      ? listen(`${server.url}/api/events`, proof.browser)
      : listen(`${server.url}/service/events`, proof.device),
  );
  listeners = Object.fromEntries((await Promise.all(streams)).map((listener, index) => [names[index]!, listener]));
});
afterAll(async () => {
  for (const listener of Object.values(listeners)) listener.close();
  await server[Symbol.asyncDispose]();
});

const service: TestedService = {
  request: (name, asked) => users[name]!.device.request(asked),
  afterEach: () => Promise.resolve(),
};

/** The events of this user since the event `from`, after all have arrived. */
async function eventsOf(name: string, from: number) {
  const listener = listeners[name]!;
  const mark = await users[name]!.device.device({ name: 'Mark' });
  await listener.until(({ data }) => (data as { id?: string }).id === mark.id);
  await users[name]!.device.destroy('resources', mark);
  await listener.until(({ type, data }) => type === 'resource.destroyed' && data.id === mark.id);
  return listener.events.slice(from);
}

async function expectListsFromEvents(name: string, from: number) {
  const events = await eventsOf(name, from);
  // the gateway sends one kind more
  for (const event of events.filter(({ type }) => type !== 'map.changed'))
    expect(isEvent(event), JSON.stringify([event, isEvent.errors])).toBe(true);
  const lists = listsOf(events, name);
  expectSame(lists, await readLists({ get: users[name]!.device.get, user: name }));
}

test(
  'for any sequence of actions, the events produce the same lists as the service',
  async () => {
    const commands = serviceCommands({ maxCommands: 40 });
    const run = async (sequence: typeof commands extends fc.Arbitrary<infer C> ? C : never) => {
      const model = emptyModel(names);
      const from = names.map((name) => listeners[name]!.events.length);
      await seedModel(model, service.request);
      try {
        await fc.asyncModelRun(() => ({ model, real: service }), sequence);
        await Promise.all(names.map((name, index) => expectListsFromEvents(name, from[index]!)));
      } finally {
        await clear(model, service.request);
        await Promise.all(names.map((name) => eventsOf(name, 0)));
      }
    };
    await fc.assert(fc.asyncProperty(commands, run), { numRuns: numRuns });
  },
  numRuns * 30_000,
);
