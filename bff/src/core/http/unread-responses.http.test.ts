// stores: SQLite, PostgreSQL in the long run
/** Responses that their clients do not read. Where their rows come from makes no difference. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { join, type TestUser } from '../../tests/events.fixture.ts';
import { unsentLimits } from '../limits/operation-limits.ts';
import { testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { addDevices } from '../../tests/many-devices.fixture.ts';

describe('a response that nobody reads', () => {
  let users = 0;

  /** A user whose list of devices is longer than what the operating system buffers for a connection. */
  async function owner(server: HttpTestServer, { count = 8000, description = 'x'.repeat(1500) } = {}) {
    const user = await join(server.url, `owner-${users++}`);
    await addDevices({ db: server.db, userId: user.name, count, description });
    return user;
  }

  const list = '/service/resources';
  async function open(server: HttpTestServer, user: TestUser, path = list): Promise<IncomingMessage> {
    const headers = { 'x-serviceapikey': user.key, cookie: user.browser.cookie };
    const asked = request(`${server.url}${path}`, { headers, agent: false });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.on('error', () => {});
    return answer;
  }
  const statusOf = ({ statusCode }: IncomingMessage) => statusCode;

  testOnSqlite('ends', async () => {
    await using server = await startHttpServer({ endsUnreadAfterMs: 300 });
    const ann = await owner(server);
    const answer = await open(server, ann);
    expect(answer.statusCode).toBe(200);
    // A connection of the test's other requests stays open.
    const before = await server.connections();
    await expect.poll(() => server.connections()).toBeLessThan(before);
    await expect(text(answer)).rejects.toThrow('aborted');
  });

  /** Longer than the limit of a user, who may have one such response. */
  const page = '/api/devices?limit=1000';
  const withLongPage = { count: 1000, description: '🦀'.repeat(2000) };

  testOnSqlite.each([page, '/service/swarms/%/messages?limit=200'])(
    '%s counts for its user until it is closed',
    async (path) => {
      await using server = await startHttpServer({ unsentLimits: { ...unsentLimits, user: 1024 * 1024 } });
      const [ann, ben] = [await owner(server, withLongPage), await owner(server, withLongPage)];
      const swarm = await ann.request<{ id: string }>('POST', '/swarms', { name: 'Ring', description: 'x' });
      const unread = await open(server, ann, page);
      expect(unread.statusCode).toBe(200);
      await expect.poll(server.unsent).toBeGreaterThan(1024 * 1024);

      const refused = await open(server, ann, path.replace('%', swarm.id));
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
      expect(await text(refused)).toContain('rate.exceeded');
      const ofBen = await open(server, ben, page);
      expect(ofBen.statusCode).toBe(200);
      ofBen.destroy();

      unread.destroy();
      await expect.poll(async () => statusOf(await open(server, ann, path.replace('%', swarm.id)))).toBe(200);
    },
  );

  test('lets no write of its user begin, and no event stream end', async () => {
    await using server = await startHttpServer({ unsentLimits: { ...unsentLimits, user: 1024 * 1024 } });
    const ann = await owner(server, withLongPage);
    const stream = await ann.listen('direct');
    const unread = await open(server, ann, page);
    await expect.poll(server.unsent).toBeGreaterThan(1024 * 1024);
    const device = { name: 'Refused', machine_type: 'pc' };
    for (const [url, headers] of [
      ['/service/resources', { 'x-serviceapikey': ann.key }],
      ['/api/resources', { cookie: ann.browser.cookie, origin: server.url }],
      ['/api/account/keys', { cookie: ann.browser.cookie, origin: server.url }],
    ] as const) {
      const answer = await fetch(`${server.url}${url}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(device),
      });
      expect([url, answer.status]).toEqual([url, 429]);
    }
    const another = await ann.listen('gateway');
    expect([stream.status, another.status]).toEqual([200, 200]);
    unread.destroy();
    await expect.poll(server.unsent).toBe(0);
    const made = await ann.request<{ id: string }>('POST', '/resources', { ...device, name: 'Made' });
    const created = await stream.until(({ type }) => type === 'resource.created');
    expect(created).toMatchObject({ data: { id: made.id } });
    for (const each of [stream, another]) each.close();
  });

  test('makes lists of its user wait, which are then complete', async () => {
    await using server = await startHttpServer({ unsentLimits: { ...unsentLimits, user: 1024 * 1024 } });
    const ann = await owner(server, withLongPage);
    const unread = await open(server, ann, page);
    await expect.poll(server.unsent).toBeGreaterThan(1024 * 1024);
    const [first, second] = [open(server, ann), open(server, ann)];
    const gone = request(`${server.url}${list}`, { headers: { 'x-serviceapikey': ann.key }, agent: false });
    gone.on('error', () => {}).end();
    let answered = 0;
    for (const answer of [first, second]) void answer.then(() => (answered += 1));
    // Other requests are answered meanwhile.
    const ben = await owner(server, { count: 1 });
    expect((await text(await open(server, ben))).length).toBeGreaterThan(1000);
    expect(answered).toBe(0);
    gone.destroy();
    unread.destroy();
    const whole = async (answer: IncomingMessage) => JSON.parse(await text(answer)) as object[];
    const both = await Promise.all([first.then(whole), second.then(whole)]);
    expect(both.map(({ length }) => length)).toEqual([1000, 1000]);
    await expect.poll(server.unsent).toBe(0);
  });

  testOnSqlite('leaves each user of its address a share, and anonymous requests nothing', async () => {
    const small = { user: 16 * 1024 * 1024, address: 1024 * 1024, share: 64 * 1024, part: 16 * 1024 };
    await using server = await startHttpServer({ unsentLimits: { ...unsentLimits, ...small } });
    const [ann, ben] = [await owner(server, withLongPage), await owner(server, withLongPage)];
    const unread = await open(server, ann, page);
    await expect.poll(server.unsent).toBeGreaterThan(1024 * 1024);
    expect((await open(server, ben, page)).statusCode).toBe(429);
    expect((await open(server, ben, '/api/devices?limit=1')).statusCode).toBe(200);
    expect((await fetch(`${server.url}/docs`)).status).toBe(429);
    expect((await fetch(`${server.url}/docs`, { method: 'HEAD' })).status).toBe(200);
    unread.destroy();
    await expect.poll(async () => (await fetch(`${server.url}/docs`)).status).toBe(200);
  });

  testOnSqlite('that is a list is made only as far as its client reads it, however many there are', async () => {
    const small = { user: 1024 * 1024, part: 512 * 1024 };
    await using server = await startHttpServer({ unsentLimits: { ...unsentLimits, ...small } });
    const ann = await owner(server);
    // Each is answered when a part of it may be made.
    const asked = Array.from({ length: 20 }, () => open(server, ann).catch(() => undefined));
    await asked[0];
    const ben = await owner(server, { count: 1 });
    expect((await text(await open(server, ben))).length).toBeGreaterThan(1000);
    // The part of a thousand rows that reached the limit, of each that was made at the same time.
    expect(server.unsent()).toBeLessThan(8 * 1024 * 1024);
    for (const answer of asked) void answer.then((given) => given?.resume());
    const all = await Promise.all(asked);
    expect(all.map((answer) => answer?.statusCode)).toEqual(all.map(() => 200));
    await expect.poll(server.unsent).toBe(0);
  });
});
