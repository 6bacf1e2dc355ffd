/** Responses that their clients do not read. Where their rows come from makes no difference. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { join, type TestUser } from './events.fixture.ts';
import { startHttpServer, type HttpTestServer } from './http-server.fixture.ts';
import { addDevices } from './many-devices.fixture.ts';

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
  const openMany = async (server: HttpTestServer, user: TestUser, count: number, path = list) =>
    Promise.all(Array.from({ length: count }, () => open(server, user, path)));
  const statusOf = ({ statusCode }: IncomingMessage) => statusCode;

  test('ends', async () => {
    await using server = await startHttpServer({ endsUnreadAfterMs: 300 });
    const ann = await owner(server);
    const answer = await open(server, ann);
    expect(answer.statusCode).toBe(200);
    // A connection of the test's other requests stays open.
    const before = await server.connections();
    await expect.poll(() => server.connections()).toBeLessThan(before);
    await expect(text(answer)).rejects.toThrow('aborted');
  });

  test('is a page of a screen: it counts too', async () => {
    await using server = await startHttpServer();
    const ann = await owner(server, { count: 1000, description: '🦀'.repeat(2000) });
    const page = '/api/devices?limit=1000';
    const pages = await openMany(server, ann, 25, page);
    expect(pages.map(statusOf)).toEqual(pages.map(() => 200));
    expect((await open(server, ann, page)).statusCode).toBe(429);
    expect((await open(server, ann, '/api/devices?limit=10')).statusCode).toBe(200);
    for (const answer of pages) answer.destroy();
  });

  test('counts for its user and address until it is closed', async () => {
    await using server = await startHttpServer();
    const [ann, ben, cat] = [await owner(server), await owner(server), await owner(server)];
    const ofAnn = await openMany(server, ann, 25);
    expect(ofAnn.map(statusOf)).toEqual(ofAnn.map(() => 200));
    const refused = await open(server, ann);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(await text(refused)).toContain('rate.exceeded');
    const ofBen = await openMany(server, ben, 25);
    expect(ofBen.map(statusOf)).toEqual(ofBen.map(() => 200));
    expect((await open(server, cat)).statusCode).toBe(429);
    ofAnn.pop()!.destroy();
    await expect.poll(async () => statusOf(await open(server, cat))).toBe(200);
    for (const answer of [...ofAnn, ...ofBen]) answer.destroy();
  });
});
