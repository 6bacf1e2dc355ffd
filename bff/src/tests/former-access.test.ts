// stores: SQLite, PostgreSQL
/** What remains for users who rejected an invitation to a private swarm, left it or were removed: its name at that time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InboxSummary, Invitation, InvitationItem, InvitationPage, Resource, Swarm } from '../contract.ts';
import { createServiceClient, signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, entryPoints, type TestServer, type TestUser } from './test-server.fixture.ts';
import { expectInvariants } from './invariants.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let benUser: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  ann = await signUpClient(server, 'ann');
  benUser = await server.signUp('ben');
  ben = createServiceClient('ben', (asked) => server.request('direct', benUser, asked));
});
afterAll(() => server[Symbol.asyncDispose]());

interface Ended {
  swarm: Swarm;
  device: Resource;
  sent: Invitation;
}

/** How Ben's access to the swarm ends. */
const ends: Record<string, (test: Ended) => Promise<Response>> = {
  'rejected the invitation': ({ sent }) => ben.reject(sent),
  'deleted the invited device': ({ device }) => ben.destroy('resources', device),
  async left({ swarm, device, sent }) {
    await ben.accept(sent);
    return ben.leave(swarm, device);
  },
  async 'was removed'({ swarm, device, sent }) {
    await ben.accept(sent);
    return ann.leave(swarm, device);
  },
  async 'deleted the member'({ device, sent }) {
    await ben.accept(sent);
    return ben.destroy('resources', device);
  },
};

let names = 0;
const put = (swarm: Swarm, body: object) => ann.request({ method: 'PUT', path: `/swarms/${swarm.id}`, body });

/** Ben's access ends while the swarm has the name `before`. Afterwards it has other texts. */
async function endAccess(end: (test: Ended) => Promise<Response>) {
  const before = `before${++names}x`;
  const after = `after${names}x`;
  const swarm = await ann.swarm();
  const device = await ben.device();
  const sent = await ann.invite(swarm, device);
  expect((await put(swarm, { name: before, description: 'no longer this' })).status).toBe(200);
  expect((await end({ swarm, device, sent })).status).toBeLessThan(300);
  const position = await server.newestEvent();
  expect((await put(swarm, { name: after, description: 'a secret' })).status).toBe(200);
  await ann.add(swarm, await ann.device());
  return { swarm, device, sent, before, after, position };
}

const page = async (path: string) =>
  (await (await server.request('gateway', benUser, { path })).json()) as InvitationPage;

describe.each(Object.entries(ends))('a user who %s', (_, end) => {
  test('cannot read the swarm', async () => {
    const { swarm } = await endAccess(end);
    for (const entryPoint of entryPoints) {
      const answer = await server.request(entryPoint, benUser, { path: `/swarms/${swarm.id}` });
      expect(answer.status).toBe(404);
    }
    const overview = await server.request('gateway', benUser, { path: `/swarms/${swarm.id}/overview` });
    expect(overview.status).toBe(404);
  });

  test('sees the name at that time in their history, and nothing else of the swarm', async () => {
    const { swarm, sent, before, after } = await endAccess(end);
    const shown = { id: swarm.id, user_id: 'ann', name: before };
    const { items } = await page(`/inbox?swarm=${swarm.id}`);
    expect(items.map((item) => item.swarm)).toEqual([shown]);
    const one = await server.request('gateway', benUser, { path: `/inbox/${sent.id}` });
    expect(((await one.json()) as InvitationItem).swarm).toEqual(shown);
    const summary = await server.request('gateway', benUser, { path: `/inbox/summary?swarm=${swarm.id}` });
    expect(((await summary.json()) as InboxSummary).swarms).toEqual([{ ...shown, producer: 0, consumer: 1 }]);
    for (const entryPoint of entryPoints) {
      for (const path of ['/invitations', '/activity?limit=200', `/swarms`]) {
        expect(await (await server.request(entryPoint, benUser, { path })).text()).not.toContain(after);
      }
    }
  });

  test('finds it by that name only', async () => {
    const { sent, before, after } = await endAccess(end);
    const found = async (q: string) => (await page(`/inbox?q=${q}`)).items.map(({ id }) => id);
    expect(await found(before)).toContain(sent.id);
    expect(await found(after)).not.toContain(sent.id);
  });

  test('receives no event about it', async () => {
    const { position } = await endAccess(end);
    const [events] = await server.resume([benUser], position);
    expect(events).toEqual([]);
  });

  test('sees it again after another invitation, and if it becomes public', async () => {
    const { swarm, before, after } = await endAccess(end);
    const shown = async () => (await page(`/inbox?swarm=${swarm.id}`)).items.map((item) => item.swarm.name);
    const again = await ann.invite(swarm, await ben.device());
    expect(await shown()).toEqual([after, after]);
    await ann.withdraw(again);
    expect(await shown()).toEqual([before]);
    await put(swarm, { public: true });
    expect(await shown()).toEqual([after]);
    await put(swarm, { public: false });
    expect(await shown()).toEqual([before]);
  });
});

test('a user with another device in the swarm still sees it', async () => {
  const swarm = await ann.swarm();
  const [leaving, staying] = [await ben.device(), await ben.device()];
  for (const device of [leaving, staying]) await ben.accept(await ann.invite(swarm, device));
  await ben.leave(swarm, leaving);
  await put(swarm, { name: 'renamed' });
  const { items } = await page(`/inbox?swarm=${swarm.id}`);
  expect(items.map((item) => [item.swarm.name, item.swarm.member_count])).toEqual([
    ['renamed', 1],
    ['renamed', 1],
  ]);
  await expectInvariants(server.db);
});
