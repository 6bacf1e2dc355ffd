// stores: SQLite, PostgreSQL
/**
 * Random sequences of all actions of several users, compared with a model without a database: after every step each
 * user sees exactly what the model predicts, and a client that reconnects to a restarted server has the same lists. A
 * failing run prints its seed; SWARMDECK_SEED repeats it.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DirectoryPage, Invitation, ListedMember, Resource, Swarm, SwarmDetails, Track } from '../contract.ts';
import { isOnPostgres } from '../core/store/store.fixture.ts';
import {
  createTestServer,
  origin,
  type RequestOptions,
  type TestServer,
  type TestUser,
} from './test-server.fixture.ts';
import { long } from './process.fixture.ts';
import { actionsOf, type Start } from './actions.fixture.ts';
import { createServiceClient } from './service-client.fixture.ts';
import { serviceCommands, type TestedService } from './service-commands.fixture.ts';
import {
  detailsOf,
  emptyModel,
  noteTimes,
  order,
  relationTo,
  tracksFor,
  viewOf,
  type Details,
  type Model,
  type View,
} from './service-model.fixture.ts';
import { clear, seedModel } from './service-seed.fixture.ts';
import { expectInvariants } from './invariants.fixture.ts';
import { expectSame, listsOf, readLists } from './event-lists.fixture.ts';
import type { JoinRequest, Manager, SwarmOffer } from './records.fixture.ts';

const names = ['ann', 'ben', 'cleo'];
const baseUrl = `${origin}/service`;
// both-stores.test.ts holds PostgreSQL against SQLite, so most runs are on SQLite
const numRuns = isOnPostgres ? (long ? 500 : 8) : long ? 10_000 : 50;

let server: TestServer;
let users: Record<string, TestUser>;
beforeAll(async () => {
  server = await createTestServer();
  users = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await server.signUp(name)])));
});
afterAll(() => server[Symbol.asyncDispose]());

/** Ben uses a browser, the others use keys. */
const send = (user: string, asked: RequestOptions) =>
  server.request(user === 'ben' ? 'gateway' : 'direct', users[user], asked);

/** The action that does the same as a request. */
function asAction({
  method,
  path,
  body,
}: RequestOptions): (Pick<Start, 'kind' | 'about'> & { id: string }) | undefined {
  const [, noun = '', id = '', part, inner = ''] = path.split('/');
  const { status, ...fields } = (body ?? {}) as { status?: string; description?: string };
  if (part === 'invitations' && method === 'PUT')
    return { kind: 'answer', about: { answer: status as 'accept' }, id: inner };
  if (part === 'invitations' && method === 'DELETE') return { kind: 'withdraw', about: {}, id: inner };
  if (part !== undefined) return undefined;
  if (noun === 'requests') return method === 'DELETE' ? { kind: 'withdraw', about: {}, id } : undefined;
  if (method === 'PUT' && noun === 'resources' && Object.keys(fields).join() === 'description')
    return { kind: 'update', about: fields, id };
  if (method === 'DELETE') return { kind: noun === 'resources' ? 'delete' : 'delete_swarm', about: {}, id };
  return undefined;
}

let requests = 0;
/** Sends every fourth request that an action can do as an action. One that fails must also fail as a request. */
async function request(user: string, asked: RequestOptions): Promise<Response> {
  const same = asAction(asked);
  if (!same || (requests += 1) % 4 > 0) return send(user, asked);
  const { id: item, ...start } = same;
  const actions = actionsOf(createServiceClient(user, (options) => server.request('gateway', users[user], options)));
  const named = {
    id: item,
    name: 'a',
    ...(start.kind === 'answer' && { swarm: 'a' }),
    ...(asked.path.startsWith('/requests/') && { is_request: true }),
  };
  const { id } = await actions.start({ ...start, wait: 0, items: [named] } as Start);
  const { failed } = await actions.ended(id);
  if (failed > 0) {
    await actions.act(id, 'dismiss');
    return send(user, asked);
  }
  if (asked.method === 'DELETE') return new Response(null, { status: 204 });
  const path = asked.path.replace(/\/[^/]+$/, '');
  const answer = await send(user, { path: start.kind === 'update' ? asked.path : path });
  if (start.kind === 'update') return answer;
  return Response.json(((await answer.json()) as Invitation[]).find(({ id }) => id === item));
}

async function get<T>(user: string, path: string): Promise<T | undefined> {
  const answer = await request(user, { path });
  const text = await answer.text();
  if (answer.status === 404) return undefined;
  expect(answer.status).toBe(200);
  return JSON.parse(text) as T;
}

const all = <T>(user: string, paths: string[]) => Promise.all(paths.map((path) => get<T>(user, path)));

/** What the service shows this user, by single requests. */
async function seenBy(model: Model, user: string): Promise<View> {
  const paths = ['/resources', '/swarms', '/invitations', '/requests'];
  const [resources, swarms, received, asked] = (await all(user, paths)) as [
    Resource[],
    Swarm[],
    Invitation[],
    JoinRequest[],
  ];
  const listed = new Set([...resources, ...swarms].map(({ id }) => id));
  const others = (ids: string[]) => ids.filter((id) => !listed.has(id));
  const own = swarms.filter(({ user_id }) => user_id === user);
  const managed = swarms.filter(({ id }) => relationTo(model, model.swarms.get(id)!, user) === 'manager');
  const pathsOf = (some: Swarm[], part: string) => some.map(({ id }) => `/swarms/${id}/${part}`);
  const looksAfter = swarms.filter((swarm) => own.includes(swarm) || managed.includes(swarm));
  const managers = (await all(user, pathsOf(looksAfter, 'managers'))) as Manager[][];
  const offers = (await get<SwarmOffer[]>(user, '/offers'))!;
  const offered = (role: SwarmOffer['role']) =>
    offers.flatMap((offer) => (offer.role === role ? [offer.swarm.id] : [])).toSorted(order);
  return {
    resources,
    swarms: swarms.map(sorted),
    received,
    sent: (await all(user, pathsOf(own, 'invitations'))) as Invitation[][],
    managers: managers.map((of) =>
      of
        .map(({ user_id, role, status }) => ({ user_id, role, status }))
        .toSorted((a, b) => order(a.user_id, b.user_id)),
    ),
    managed: (await all(user, pathsOf(managed, 'invitations'))) as Invitation[][],
    offers: { manager: offered('manager'), watcher: offered('watcher'), owner: offered('owner') },
    asked: asked.map(({ answered_at: _at, ...request }) => request),
    toAnswer: (await all(user, pathsOf(own, 'requests'))) as JoinRequest[][],
    otherResources: await all(
      user,
      others(model.ever.resources).map((id) => `/resources/${id}`),
    ),
    otherSwarms: await all(
      user,
      others(model.ever.swarms).map((id) => `/swarms/${id}`),
    ),
    directory: await directoryFor(user),
  };
}

/** In pages of two, in the order of names: equal ones are by id. */
async function directoryFor(user: string): Promise<View['directory']> {
  const found: View['directory'] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: string = cursor && `&cursor=${cursor}`;
    const page: DirectoryPage | undefined = await get(user, `/directory?sort=name&limit=2${next}`);
    found.push(...page!.items.map(({ active_at: _active, ...swarm }) => swarm));
    cursor = page!.next;
  }
  return found;
}

async function detailsFor(user: string, { resources, swarms }: View): Promise<Details> {
  const members = async (path: string) =>
    (await get<ListedMember[]>(user, path))!.map(({ resource_id }) => resource_id).toSorted(order);
  return {
    resources: await Promise.all(
      resources.map(async ({ id }) => ({
        swarms: (await get<Swarm[]>(user, `/resources/${id}/swarms`))!.map(sorted),
        invitations: (await get<Invitation[]>(user, `/resources/${id}/invitations`))!,
      })),
    ),
    swarms: await Promise.all(
      swarms.map(async ({ id }) => ({
        whole: sorted((await get<SwarmDetails>(user, `/swarms/${id}`))!),
        producers: await members(`/swarms/${id}/resources?type=producer`),
        consumers: await members(`/swarms/${id}/resources?type=consumer`),
      })),
    ),
  };
}

/** The latitudes of the tracks of all devices that ever existed. */
const tracksSeenBy = async ({ ever }: Model, user: string) =>
  (
    await all<Track>(
      user,
      ever.resources.map((id) => `/resources/${id}/track`),
    )
  ).map((track) => track?.points.map(({ latitude }) => latitude));

const sorted = <Whole extends Swarm>(swarm: Whole): Whole => ({
  ...swarm,
  resources: swarm.resources.toSorted((a, b) => order(a.resource_id, b.resource_id)),
});

/** Copies the time of a rejection by the deletion of a resource, which only the lists have. */
function takeTimes(model: Model, received: Invitation[]) {
  for (const { id, sent_at, rejected_at = '' } of received) {
    const record = model.invitations.get(id)?.record;
    if (record?.rejected_at !== '') continue;
    expect(rejected_at >= sent_at).toBe(true);
    record.rejected_at = rejected_at;
  }
}

const service: TestedService = {
  request,
  async afterEach(model) {
    const seen = await Promise.all(names.map((name) => seenBy(model, name)));
    for (const { received } of seen) takeTimes(model, received);
    const stories = { sent: seen.flatMap((view) => view.sent.flat()), received: seen.flatMap((view) => view.received) };
    expect(byId(stories.sent)).toEqual(byId(stories.received));
    for (const [index, view] of seen.entries()) expectEqual(view, viewOf(model, names[index]!, baseUrl));
    // Points are a second apart.
    server.wait(1000);
  },
};

/** A client that applies the missed events to its lists of that time has the current lists. */
async function expectResumed(since: string) {
  const resumed = await server.resume(Object.values(users), since);
  const resets = resumed.flat().filter(({ type }) => type === 'reset');
  expect(resets, server.logged.slice(-15).join('\n')).toEqual([]);
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
      const model = emptyModel(names);
      requests = 0;
      const before = await server.newestEvent();
      await seedModel(model, request);
      noteTimes(model);
      server.wait(1000);
      try {
        await fc.asyncModelRun(() => ({ model, real: service }), commands);
        for (const name of names) {
          const details = await detailsFor(name, viewOf(model, name, baseUrl));
          expectEqual(details, detailsOf(model, name, baseUrl));
          expectEqual(await tracksSeenBy(model, name), tracksFor(model, name));
        }
        await expectResumed(before);
      } finally {
        await clear(model, request);
      }
    };
    await fc.assert(fc.asyncProperty(serviceCommands({ maxCommands: 16 }), run), { numRuns });
    await expectInvariants(server.db);
  },
  // however slow the machine is
  numRuns * 10_000,
);
