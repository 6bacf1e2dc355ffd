// stores: SQLite, PostgreSQL in the long run
/** Links by which users join a swarm: their records, what they reveal, and their places. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  Activity,
  Invitation,
  InvitationPage,
  JoinLink,
  ListedMember,
  Resource,
  Swarm,
  SwarmFlow,
} from '../../contract.ts';
import { linkLimits } from './limits.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import {
  createServiceClient,
  opening,
  outcomeOf,
  signUpClient,
  type ServiceClient,
} from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let eve: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben, eve] = [
    await signUpClient(server, 'ann', 'gateway'),
    await signUpClient(server, 'ben', 'gateway'),
    await signUpClient(server, 'eve', 'gateway'),
  ];
});
afterAll(() => server[Symbol.asyncDispose]());

let swarm: Swarm;
let device: Resource;
beforeEach(async () => {
  swarm = await ann.swarm({ name: 'Harbour' });
  device = await ben.device();
});

const linksOf = () => ann.get<JoinLink[]>(`/swarms/${swarm.id}/links`);
const joinedBy = async (link: JoinLink) => (await linksOf()).find(({ id }) => id === link.id)?.joined;
const roles = async () =>
  (await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`)).map(({ resource_type }) => resource_type);
const sent = () => ann.get<Invitation[]>(`/swarms/${swarm.id}/invitations`);
const joins = async (link: JoinLink, what = device, who = ben) => outcomeOf(await who.join(await who.open(link), what));

describe('a resource that joins by a link', () => {
  test('has an invitation by the owner that was accepted at once, in both lists, for each role', async () => {
    const link = await ann.link(swarm, { resource_type: 'both' });
    expect(await joins(link)).toBe('201');
    expect(await roles()).toEqual(['both']);
    const found = await sent();
    expect(found.map(({ resource_type }) => resource_type).toSorted()).toEqual(['consumer', 'producer']);
    for (const invitation of found) {
      const { id, resource_type, sent_at, accepted_at } = invitation;
      expect(invitation).toEqual({
        id,
        from: 'ann',
        to: 'ben',
        swarm_id: swarm.id,
        resource_id: device.id,
        resource_type,
        sent_at,
        status: 'accepted',
        accepted_at,
      });
    }
    expect(await ben.get(`/resources/${device.id}/invitations`)).toEqual(found);
    expect(await joinedBy(link)).toBe(1);
  });

  test('accepts an open invitation for the same role, and adds only the role that it does not have', async () => {
    await ben.accept(await ann.invite(swarm, device, 'producer'));
    const open = await ann.invite(swarm, device, 'consumer', { description: 'Please' });
    expect(await joins(await ann.link(swarm, { resource_type: 'both' }))).toBe('201');
    expect(await roles()).toEqual(['both']);
    const found = await sent();
    expect(found.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    expect(found.find(({ id }) => id === open.id)).toMatchObject({ description: 'Please', status: 'accepted' });
  });

  test('a device that is a member already gets a conflict, and is not counted', async () => {
    const link = await ann.link(swarm, { max_resources: 2 });
    expect(await joins(link)).toBe('201');
    expect(await joins(link)).toBe('409 membership.exists');
    expect(await joinedBy(link)).toBe(1);
  });

  test('left and joins again: it keeps its place', async () => {
    const link = await ann.link(swarm, { max_resources: 2 });
    expect(await joins(link)).toBe('201');
    await ben.leave(swarm, device);
    expect(await joins(link)).toBe('201');
    expect(await joinedBy(link)).toBe(1);
    expect(await joins(link, await eve.device(), eve)).toBe('201');
    expect((await ben.request({ path: opening(link) })).status).toBe(404);
  });

  test('took the last place: a repeated request has the same response, and it can leave and join again', async () => {
    const link = await ann.link(swarm, { max_resources: 1 });
    const { id, pass } = await ben.open(link);
    const join = (headers = {}) =>
      ben.request({ method: 'POST', path: `/links/${id}/resources`, body: { pass, resource_id: device.id }, headers });
    const key = { 'idempotency-key': 'last-place' };
    const answers = [await join(key), await join(key)];
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      expect.objectContaining({ resource_id: device.id }),
      expect.objectContaining({ resource_id: device.id }),
    ]);
    expect(await outcomeOf(await join())).toBe('409 membership.exists');
    await ben.leave(swarm, device);
    expect(await outcomeOf(await join())).toBe('201');
    expect(await joinedBy(link)).toBe(1);
  });

  test('is on the board by its link, and in the activity of both', async () => {
    const [one, other] = [await ann.link(swarm), await ann.link(swarm)];
    const spare = await eve.device();
    await joins(one);
    await joins(other, spare, eve);
    const board = async (link: JoinLink) =>
      (await ann.get<InvitationPage>(`/swarms/${swarm.id}/board?link=${link.id}`)).items.map(({ to }) => to);
    expect([await board(one), await board(other)]).toEqual([['ben'], ['eve']]);
    for (const who of [ann, ben]) {
      const { items } = await who.get<{ items: Activity[] }>(`/activity?swarm_id=${swarm.id}`);
      expect(items.filter(({ actor }) => actor === 'ben').map(({ kind }) => kind)).toEqual(['member.joined']);
    }
  });

  test('until a time: the activity of both says so, of a member as the change that it is', async () => {
    const [first, second] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const joinsUntil = async (resource_type: 'producer' | 'consumer', ends_at?: string) => {
      const { id, pass } = await ben.open(await ann.link(swarm, { resource_type }));
      await ben.make(`/links/${id}/resources`, {
        pass,
        resource_id: device.id,
        ...(ends_at !== undefined && { ends_at }),
      });
    };
    await joinsUntil('producer', first);
    await joinsUntil('consumer', second);
    for (const who of [ann, ben]) {
      const { items } = await who.get<{ items: Activity[] }>(`/activity?swarm_id=${swarm.id}`);
      expect(items.filter(({ actor }) => actor === 'ben').map(({ kind, detail }) => [kind, detail])).toEqual([
        ['member.end_changed', second],
        ['member.joined', 'consumer'],
        ['member.joined', `producer\n${first}`],
      ]);
    }
  });

  test('does not need room among the open invitations of the owner', async () => {
    const link = await ann.link(swarm);
    await server.db.write([
      {
        sql: "INSERT INTO usage VALUES ('ann', 'invitations', 1000000) ON CONFLICT (user_id, kind) DO UPDATE SET amount = usage.amount + 1000000",
      },
    ]);
    expect(await joins(link)).toBe('201');
    await server.db.write([
      { sql: "UPDATE usage SET amount = amount - 1000000 WHERE user_id = 'ann' AND kind = 'invitations'" },
    ]);
  });

  test('can be many, by an action, each of which has a result', async () => {
    const devices = [device, await ben.device(), await ben.device(), await eve.device()];
    const { id: link, pass } = await ben.open(await ann.link(swarm, { max_resources: 2 }));
    const about = { link, pass, swarm: { id: swarm.id, name: swarm.name } };
    const items = devices.map(({ id }) => ({ id, name: 'Sensor' }));
    const { id } = await actionsOf(ben).start({ kind: 'join', about, wait: 0, items });
    expect(await actionsOf(ben).ended(id)).toMatchObject({ done: 4, failed: 2 });
    expect(await roles()).toEqual(['consumer', 'consumer']);
  });
});

test('a guest of a private swarm reads with the code what would flow, but not without it or in another swarm', async () => {
  const roles = ['producer', 'both', 'consumer'] as const;
  const members = await Promise.all(
    roles.map(async (resource_type) => ({ id: (await ann.device()).id, resource_type })),
  );
  const resources = members.map(({ id, resource_type }) => ({ resource_id: id, resource_type }));
  const full = await ann.swarm({ resources });
  const { url } = await ann.link(full);
  const flow = (of: Swarm, query = '') => ({ path: `/swarms/${of.id}/flow${query}` });
  const code = `?code=${url.split('/').at(-1)}`;
  expect(await ben.get<SwarmFlow>(flow(full, code).path)).toEqual({ producers: 2, consumers: 2, sent: 0 });
  expect(await outcomeOf(await ben.request(flow(full)))).toBe('404 swarm.not_found');
  expect(await outcomeOf(await ben.request(flow(swarm, code)))).toBe('404 swarm.not_found');
});

describe('a link that cannot be used', () => {
  test.each(['ended', 'expired', 'used up', 'forged', 'of a deleted swarm'])(
    '(%s) is not found, with the same response after the same reads',
    async (why) => {
      const expires_at = new Date(server.now().getTime() + 60_000).toISOString();
      const link = await ann.link(swarm, { max_resources: 1, expires_at });
      const offer = await ben.open(link);
      if (why === 'ended') await ann.endLink(link);
      if (why === 'expired') server.wait(60_000);
      if (why === 'used up') await ben.join(offer, device);
      if (why === 'of a deleted swarm') await ann.destroy('swarms', swarm);
      const last = link.url.at(-2) === 'A' ? 'B' : 'A';
      const url = why === 'forged' ? link.url.slice(0, -2) + last + link.url.at(-1) : link.url;
      const told = async (path: string) => {
        const read = vi.spyOn(server.db, 'read');
        const answer = await ben.request({ path });
        // Jobs read in between, but not links.
        const reads = read.mock.calls.map(([{ sql }]) => sql).filter((sql) => sql.includes('join_links'));
        read.mockRestore();
        const body = (await answer.text()).replace(/"request_id":"[^"]*"/, '');
        return { status: answer.status, body, reads };
      };
      const unknown = await told(`/links?code=${'x'.repeat(43)}`);
      expect(unknown.status).toBe(404);
      expect(unknown.reads.filter((sql) => sql.includes('join_links'))).toHaveLength(1);
      expect(await told(opening({ url }))).toEqual(unknown);
      const { status, body } = await told(opening({ url }).replace('/links', `/swarms/${swarm.id}/flow`));
      expect({ status, body }).toEqual({ status: 404, body: unknown.body });
      if (why !== 'forged') {
        expect(await outcomeOf(await ben.join(offer, await ben.device()))).toBe('404 link.not_found');
      }
    },
  );

  test('lets nobody see the swarm: neither does one that was only opened', async () => {
    await ben.open(await ann.link(swarm));
    expect((await ben.request({ path: `/swarms/${swarm.id}` })).status).toBe(404);
    expect(await ben.get('/swarms')).not.toContainEqual(expect.objectContaining({ id: swarm.id }));
  });
});

test('neither the code of a link nor a part of it is stored, also not with an action', async () => {
  const link = await ann.link(swarm);
  const code = link.url.split('/').at(-1)!;
  const { id, pass } = await ben.open(link);
  const about = { link: id, pass, swarm: { id: swarm.id, name: swarm.name } };
  await actionsOf(ben).start({ kind: 'join', about, wait: 60, items: [{ id: device.id, name: 'Sensor' }] });
  const mac = Buffer.from(code, 'base64url').subarray(16).toString('base64url');
  const stored = JSON.stringify([
    await server.db.read({ sql: 'SELECT * FROM join_links' }),
    await server.db.read({ sql: 'SELECT * FROM actions' }),
    await server.db.read({ sql: 'SELECT * FROM action_parts' }),
    await server.db.read({ sql: 'SELECT * FROM feed' }),
  ]);
  expect(stored).toContain(pass);
  expect(stored).not.toContain(code.slice(22));
  expect(stored).not.toContain(mac);
});

test('a link that failed is not in the log', async () => {
  const link = await ann.link(swarm);
  await ann.endLink(link);
  await ben.request({ path: opening(link) });
  const failures = server.logged.filter((line) => line.includes('request failed'));
  expect(failures.join('')).toContain('/links');
  expect(failures.join('')).not.toContain(link.url.split('/').at(-1));
});

test('of the ended links of a swarm, the newest are kept', async () => {
  for (let count = 0; count < linkLimits.ended + 3; count += 1) {
    await ann.endLink(await ann.link(swarm, { name: `Link ${count}` }));
    server.wait(1);
  }
  await ann.link(swarm, { name: 'Open' });
  const names = (await linksOf()).map(({ name }) => name);
  expect(names).toHaveLength(linkLimits.ended + 1);
  expect([names[0], names.at(-1)]).toEqual(['Link 3', 'Open']);
});

test('the owner gets events of a link, and nobody else', async () => {
  const users = [await server.signUp('finn'), await server.signUp('gus')];
  const [finn, gus] = users.map(({ name }, index) =>
    createServiceClient(name, (asked) => server.request('direct', users[index], asked)),
  ) as [ServiceClient, ServiceClient];
  const after = await server.newestEvent();
  const made = await finn.swarm();
  const link = await finn.link(made);
  await gus.join(await gus.open(link), await gus.device());
  await finn.endLink(link);
  const [ofFinn, ofGus] = await server.resume(users, after);
  const changes = ofFinn!.filter(({ type }) => type === 'link.changed');
  expect(changes.at(-1)!.data).toMatchObject({ id: link.id, swarm_id: made.id, joined: 1, url: link.url });
  expect(ofFinn!.map(({ type }) => type)).toContain('membership.changed');
  expect(ofGus!.map(({ type }) => type)).not.toContain('link.changed');
});

describe('before sign-in', () => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const preview = (code: string, at = server) =>
    at.fetch('/auth/join-link', { method: 'POST', headers, body: JSON.stringify({ code }) });
  const codeOf = ({ url }: JoinLink) => url.split('/').at(-1)!;

  test('a link shows what the swarm is, and nothing to join with', async () => {
    const link = await ann.link(swarm, { resource_type: 'consumer' });
    const answer = await preview(codeOf(link));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      resource_type: 'consumer',
      swarm: { name: 'Harbour', user_id: 'ann', description: swarm.description, public: false, member_count: 0 },
    });
  });

  test('a link that has ended and a code that was never given out show nothing', async () => {
    const link = await ann.link(swarm);
    await ann.endLink(link);
    for (const code of [codeOf(link), `${codeOf(link).slice(0, -1)}x`, '', 'x'.repeat(200)]) {
      expect(await outcomeOf(await preview(code))).toBe('404 link.not_found');
    }
    expect(await outcomeOf(await preview('x'.repeat(100_000)))).toBe('413 body.too_large');
  });

  test.each(['preview', 'list'])(
    'a link whose end was seen in the %s stays ended if the clock is set back',
    async (seen) => {
      const link = await ann.link(swarm, { expires_at: new Date(server.now().getTime() + 60_000).toISOString() });
      const found = async () => (await linksOf()).find(({ id }) => id === link.id);
      server.wait(60_000);
      if (seen === 'list') expect(await found()).toMatchObject({ expires_at: link.expires_at });
      else expect(await outcomeOf(await preview(codeOf(link)))).toBe('404 link.not_found');
      server.wait(-60_000);
      const later = await ann.link(swarm, { expires_at: link.expires_at });
      await expect.poll(async () => (await found())?.ended_at).toBe(link.expires_at);
      expect(await outcomeOf(await preview(codeOf(link)))).toBe('404 link.not_found');
      expect(await outcomeOf(await preview(codeOf(later)))).toBe('200');
      await ann.endLink(later);
    },
  );

  test('codes are not tried by guessing: an address has a limit', async () => {
    await using strict = await createTestServer({ rateLimit: 1 });
    const tried = await Promise.all(Array.from({ length: 11 }, (_, index) => preview(`x${index}`, strict)));
    expect(tried.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});
