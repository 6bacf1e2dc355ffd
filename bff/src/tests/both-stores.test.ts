// stores: PostgreSQL
/**
 * Random sequences of all actions of several users, sent to a server on SQLite and to one on PostgreSQL: every response
 * has the same status and the same body. A failing run prints its seed; SWARMDECK_SEED repeats it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, type RequestOptions, type TestServer, type TestUser } from './test-server.fixture.ts';
import { long } from './process.fixture.ts';
import { serviceCommands, type TestedService } from './service-commands.fixture.ts';
import { emptyModel } from './service-model.fixture.ts';
import { clear, seedModel } from './service-seed.fixture.ts';

const names = ['ann', 'ben', 'cleo'];
const stores = ['sqlite', 'postgres'] as const;
const numRuns = long ? 1000 : 15;

let servers: { server: TestServer; users: Record<string, TestUser> }[];
beforeAll(async () => {
  servers = await Promise.all(
    stores.map(async (store) => {
      const server = await createTestServer({ store, isRepeatable: true, quotas: Number.POSITIVE_INFINITY });
      const users: Record<string, TestUser> = {};
      for (const name of names) users[name] = await server.signUp(name);
      return { server, users };
    }),
  );
});
afterAll(async () => {
  for (const { server } of servers) await server[Symbol.asyncDispose]();
});

let requests = 0;
/** Positions in logs and feeds are counted differently, and signs of life are written some time later. */
const comparable = (text: string) =>
  text.replaceAll(/"(?:id|next|read)":\d+/g, '"seq":0').replaceAll(/"presence":\{[^}]*\}/g, '"presence":{}');

async function send({ server, users }: (typeof servers)[number], user: string, request: RequestOptions) {
  server.wait(1);
  const entryPoint = user === 'ben' || request.path.startsWith('/api') ? 'gateway' : 'direct';
  const answer = await server.request(entryPoint, users[user], {
    ...request,
    path: request.path.replace(/^\/api/, ''),
  });
  return { status: answer.status, text: await answer.text() };
}

/** One request after the other, so that both servers give out the same ids. */
let last: Promise<unknown> = Promise.resolve();
function askBoth(user: string, request: RequestOptions): Promise<Response> {
  const asked = last.then(async () => {
    const [first, second] = [await send(servers[0]!, user, request), await send(servers[1]!, user, request)];
    requests += 1;
    const said = ({ status, text }: typeof first) => `${request.method} ${request.path}: ${status} ${comparable(text)}`;
    expect(said(second)).toBe(said(first));
    return new Response(first.text === '' ? null : first.text, { status: first.status });
  });
  last = asked.catch(() => {});
  return asked;
}

/** The lists and screens of every user. */
const reads = [
  '/resources',
  '/swarms',
  '/invitations',
  '/requests',
  '/export?format=csv',
  '/api/activity?limit=50',
  '/api/devices?audience=visible&sort=-changed',
  '/api/devices?q=sen',
  '/api/devices?swarm=none&sort=name',
  '/api/inbox',
  '/api/inbox?state=answered',
  '/api/inbox/summary?state=answered',
  '/api/swarm-list',
];

const service: TestedService = {
  request: askBoth,
  async afterEach() {
    const path = reads[requests % reads.length]!;
    await askBoth(names[requests % names.length]!, { path });
  },
};

test(
  'every request gets the same response from both stores',
  async () => {
    const run = async (commands: ReturnType<typeof serviceCommands> extends fc.Arbitrary<infer C> ? C : never) => {
      const model = emptyModel(names);
      await seedModel(model, askBoth);
      try {
        await fc.asyncModelRun(() => ({ model, real: service }), commands);
        for (const user of names) for (const path of reads) await askBoth(user, { path });
      } finally {
        await clear(model, askBoth);
      }
    };
    await fc.assert(fc.asyncProperty(serviceCommands({ maxCommands: 16 }), run), { numRuns });
    expect(requests).toBeGreaterThan(numRuns * names.length * reads.length);
  },
  numRuns * 30_000,
);
