/**
 * Random sequences of all actions of several users, compared with a model without a database: after every step each
 * user sees exactly what the model predicts, and a client that reconnects to a restarted server has the same lists. A
 * failing run prints its seed; SWARMDECK_SEED repeats it.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Invitation, ListedMember, Resource, Swarm } from '../contract.ts';
import { isOnPostgres } from '../store/store.fixture.ts';
import { createHouse, origin } from './house.fixture.ts';
import type { Asked, House, Person } from './house.fixture.ts';
import { long } from './process.fixture.ts';
import { serviceCommands } from './service-commands.fixture.ts';
import type { Real } from './service-commands.fixture.ts';
import { detailsOf, emptyWorld, order, viewOf } from './service-model.fixture.ts';
import type { Details, View, World } from './service-model.fixture.ts';
import { clear, furnish } from './service-world.fixture.ts';
import { expectSound } from './soundness.fixture.ts';
import { expectSame, listsOf, readLists } from './event-lists.fixture.ts';

const names = ['ann', 'ben', 'cleo'];
const baseUrl = `${origin}/service`;

let house: House;
let people: Record<string, Person>;
beforeAll(async () => {
  house = await createHouse();
  people = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await house.person(name)])));
});
afterAll(() => house[Symbol.asyncDispose]());

/** Ben uses a browser, the others use keys. */
const ask = (person: string, asked: Asked) => house.ask(person === 'ben' ? 'gateway' : 'direct', people[person], asked);

async function get<T>(person: string, path: string): Promise<T | undefined> {
  const answer = await ask(person, { path });
  const text = await answer.text();
  if (answer.status === 404) return undefined;
  expect(answer.status).toBe(200);
  return JSON.parse(text) as T;
}

const all = <T>(person: string, paths: string[]) => Promise.all(paths.map((path) => get<T>(person, path)));

/** What the service shows this user, by single requests. */
async function seenBy(world: World, person: string): Promise<View> {
  const [resources, swarms, received] = (await all(person, ['/resources', '/swarms', '/invitations'])) as [
    Resource[],
    Swarm[],
    Invitation[],
  ];
  const listed = new Set([...resources, ...swarms].map(({ id }) => id));
  const others = (ids: string[]) => ids.filter((id) => !listed.has(id));
  const own = swarms.filter(({ user_id }) => user_id === person);
  return {
    resources,
    swarms: swarms.map(sorted),
    received,
    sent: (await all(
      person,
      own.map(({ id }) => `/swarms/${id}/invitations`),
    )) as Invitation[][],
    otherResources: await all(
      person,
      others(world.ever.resources).map((id) => `/resources/${id}`),
    ),
    otherSwarms: await all(
      person,
      others(world.ever.swarms).map((id) => `/swarms/${id}`),
    ),
  };
}

async function detailsFor(person: string, { resources, swarms }: View): Promise<Details> {
  const members = async (path: string) =>
    (await get<ListedMember[]>(person, path))!.map(({ resource_id }) => resource_id).toSorted(order);
  return {
    resources: await Promise.all(
      resources.map(async ({ id }) => ({
        swarms: (await get<Swarm[]>(person, `/resources/${id}/swarms`))!.map(sorted),
        invitations: (await get<Invitation[]>(person, `/resources/${id}/invitations`))!,
      })),
    ),
    swarms: await Promise.all(
      swarms.map(async ({ id }) => ({
        whole: sorted((await get<Swarm>(person, `/swarms/${id}`))!),
        producers: await members(`/swarms/${id}/resources?type=producer`),
        consumers: await members(`/swarms/${id}/resources?type=consumer`),
      })),
    ),
  };
}

const sorted = (swarm: Swarm): Swarm => ({
  ...swarm,
  resources: swarm.resources.toSorted((a, b) => order(a.resource_id, b.resource_id)),
});

/** Copies the time of a rejection by the deletion of a resource, which only the lists have. */
function takeTimes(world: World, received: Invitation[]) {
  for (const { id, sent_at, rejected_at = '' } of received) {
    const record = world.invitations.get(id)?.record;
    if (record?.rejected_at !== '') continue;
    expect(rejected_at >= sent_at).toBe(true);
    record.rejected_at = rejected_at;
  }
}

const real: Real = {
  ask,
  async afterEach(world) {
    const seen = await Promise.all(names.map((name) => seenBy(world, name)));
    for (const { received } of seen) takeTimes(world, received);
    const stories = { sent: seen.flatMap((view) => view.sent.flat()), received: seen.flatMap((view) => view.received) };
    expect(byId(stories.sent)).toEqual(byId(stories.received));
    for (const [index, view] of seen.entries()) expectEqual(view, viewOf(world, names[index]!, baseUrl));
  },
};

/** A client that applies the missed events to its lists of that time has the current lists. */
async function expectResumed(since: string) {
  const resumed = await house.resume(Object.values(people), since);
  expect(resumed.flat().filter(({ type }) => type === 'reset')).toEqual([]);
  for (const [index, user] of names.entries()) {
    const lists = await readLists({ get: async <T>(path: string) => (await get<T>(user, path))!, user });
    expectSame(listsOf(resumed[index]!, user), lists);
  }
}

/** A fast comparison first; the detailed one only for a failure. */
function expectEqual(seen: object, expected: object) {
  if (!isDeepStrictEqual(seen, expected)) expect(seen).toEqual(expected);
}

const byId = (invitations: Invitation[]) => invitations.toSorted((a, b) => order(a.id, b.id));

test(
  'for any sequence of actions, each user sees what the model predicts',
  async () => {
    const run = async (commands: ReturnType<typeof serviceCommands> extends fc.Arbitrary<infer C> ? C : never) => {
      const world = emptyWorld(names);
      const before = await house.newestEvent();
      await furnish(world, ask);
      try {
        await fc.asyncModelRun(() => ({ model: world, real }), commands);
        for (const name of names) {
          const details = await detailsFor(name, viewOf(world, name, baseUrl));
          expectEqual(details, detailsOf(world, name, baseUrl));
        }
        await expectResumed(before);
      } finally {
        await clear(world, ask);
      }
    };
    const commands = serviceCommands({ maxCommands: long ? 40 : 16 });
    await fc.assert(fc.asyncProperty(commands, run), { numRuns: long ? 10_000 : isOnPostgres ? 100 : 500 });
    await expectSound(house.db);
  },
  long ? 3_600_000 : 300_000,
);
