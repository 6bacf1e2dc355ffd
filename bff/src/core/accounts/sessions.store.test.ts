// stores: SQLite, PostgreSQL
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createChangeFeed } from '../feed/change-feed.ts';
import { dayMs, hourMs } from '../limits/durations.ts';
import { createSessions, type Sessions, type SessionTimes } from './sessions.store.ts';
import { createTestSignIn, requestWith, type TestSignIn } from './sign-in.fixture.ts';

const secret = 'a secret of the tests, of 32 and more characters';
let context: TestSignIn;
beforeAll(async () => {
  context = await createTestSignIn();
});
afterAll(() => context[Symbol.asyncDispose]());

const session = (cookie: string) => context.signIn.sessions.check(requestWith(cookie));

describe('a session', () => {
  it('identifies the user', async () => {
    const cookie = await context.signUp('ann');
    expect(await session(cookie)).toMatchObject({ userName: 'ann' });
    expect(await session(`theme=dark; ${cookie}`)).toMatchObject({ userName: 'ann' });
  });

  it('is missing without a cookie, with a forged one and with one of another server', async () => {
    const cookie = await context.signUp('bob');
    const { token } = (
      await context.db.read<{ token: string }>({
        sql: 'SELECT token FROM session WHERE "userId" = (SELECT id FROM "user" WHERE username = $1)',
        params: ['bob'],
      })
    )[0]!;
    expect(await session('')).toBeUndefined();
    expect(await session(`${cookie.split('=')[0]}=${token}`)).toBeUndefined();
    expect(await session(cookie.replace(token, token.toLowerCase()))).toBeUndefined();
    await using other = await createTestSignIn();
    expect(await session(await other.signUp('bob'))).toBeUndefined();
  });

  it('is invalid immediately after it is ended', async () => {
    const cookie = await context.signUp('carl');
    const { sessionId } = (await session(cookie))!;
    expect(await context.signIn.sessions.end({ userName: 'carl', sessionId })).toBe(true);
    expect(await session(cookie)).toBeUndefined();
  });
});

describe('a session in use', () => {
  it('is renewed once an hour, with a new cookie', async () => {
    await using slow = await createTestSignIn();
    const cookie = await slow.signUp('dora');
    const use = () => slow.signIn.sessions.check(requestWith(cookie));
    const first = await use();
    expect(first?.setCookie).toBeUndefined();

    slow.wait(hourMs - 1000);
    expect((await use())?.setCookie).toBeUndefined();
    slow.wait(1000);
    const renewed = await use();
    expect(renewed?.setCookie).toMatch(
      /^__Host-swarmdeck\.session=.+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(renewed?.setCookie).toContain(cookie);
    expect(renewed!.expiresAt.getTime() - first!.expiresAt.getTime()).toBeGreaterThanOrEqual(hourMs);
    expect((await use())?.setCookie).toBeUndefined();
    const [listed] = await slow.signIn.sessions.list({ userName: 'dora', currentId: '' });
    expect(Date.parse(listed!.active_at)).toBe(renewed!.expiresAt.getTime() - 30 * dayMs);
  });

  it('continues after 30 days, and ends after 180 days in any case', async () => {
    await using slow = await createTestSignIn();
    const cookie = await slow.signUp('emil');
    const use = () => slow.signIn.sessions.check(requestWith(cookie));
    for (let used = 0; used < 8; used++) {
      slow.wait(22 * dayMs);
      expect(await use()).toMatchObject({ userName: 'emil' });
    }
    slow.wait(3.9 * dayMs);
    expect(await use()).toBeDefined();
    slow.wait(0.2 * dayMs);
    expect(await use()).toBeUndefined();
  });

  it('has a cookie that expires with it', async () => {
    await using slow = await createTestSignIn();
    const cookie = await slow.signUp('fay');
    const use = () => slow.signIn.sessions.check(requestWith(cookie));
    for (let used = 0; used < 7; used++) {
      slow.wait(25 * dayMs);
      await use();
    }
    slow.wait(2 * dayMs);
    const last = await use();
    const maxAge = Number(/Max-Age=(\d+)/.exec(last!.setCookie!)![1]);
    expect(maxAge).toBeLessThanOrEqual(3 * 86_400);
  });

  it('is invalid if it is ended while it is renewed', async () => {
    await using slow = await createTestSignIn();
    const cookie = await slow.signUp('gus');
    slow.wait(2 * dayMs);
    const ended = slow.db.write([{ sql: 'DELETE FROM session' }]);
    expect(await slow.signIn.sessions.check(requestWith(cookie))).toBeUndefined();
    await ended;
  });

  it('remains valid if its renewal cannot be written', async () => {
    await using slow = await createTestSignIn();
    const cookie = await slow.signUp('gil');
    slow.wait(2 * dayMs);
    slow.db.write = () => Promise.reject(new Error('the disk is full'));
    const session = await slow.signIn.sessions.check(requestWith(cookie));
    expect(session).toMatchObject({ userName: 'gil' });
    expect(session?.setCookie).toBeUndefined();
    expect(slow.reported).toHaveLength(1);
  });
});

test('the times of sessions are settings', async () => {
  await using short = await createTestSignIn({ sessionTimes: { idleMs: 10 * hourMs, maxMs: dayMs } });
  const cookie = await short.signUp('ann');
  const check = () => short.signIn.sessions.check(requestWith(cookie));
  // In use, it goes on to its end.
  for (let passed = 0; passed < 20; passed += 5) {
    expect(await check()).toMatchObject({ userName: 'ann' });
    short.wait(5 * hourMs);
  }
  expect(await check()).toMatchObject({ expiresAt: expect.any(Date) as Date });
  short.wait(4 * hourMs);
  expect(await check()).toBeUndefined();
  const unused = await short.signUp('ben');
  short.wait(10 * hourMs);
  expect(await short.signIn.sessions.check(requestWith(unused))).toBeUndefined();
});

test('shorter times hold for the sessions that exist', async () => {
  await using before = await createTestSignIn();
  const { db, now } = before;
  const cookie = await before.signUp('ann');
  const { sessionId } = (await before.signIn.sessions.check(requestWith(cookie)))!;
  const feed = await createChangeFeed({ db, report: () => {} });
  const restarted = (times: SessionTimes) =>
    createSessions({ db, feed, secrets: [secret], times, now, report: () => {} });
  const outcome = async ({ check, ended, list }: Sessions) => ({
    isAccepted: (await check(requestWith(cookie))) !== undefined,
    ended: await ended([sessionId]),
    listed: (await list({ userName: 'ann', currentId: '' })).map(({ id }) => id),
  });
  before.wait(2 * hourMs);
  expect((await restarted({ idleMs: 3 * hourMs }).check(requestWith(cookie)))?.userName).toBe('ann');
  before.wait(2 * hourMs);
  const isOver = { isAccepted: false, ended: [sessionId], listed: [] };
  expect(await outcome(restarted({ idleMs: hourMs }))).toEqual(isOver);
  expect(await outcome(restarted({ maxMs: hourMs }))).toEqual(isOver);
  await restarted({ idleMs: hourMs }).purge();
  expect(await db.read({ sql: 'SELECT 1 FROM session' })).toEqual([]);
});

describe('an unused session', () => {
  it('ends after 30 days', async () => {
    await using slow = await createTestSignIn();
    const cookie = await slow.signUp('hal');
    const { sessionId } = (await slow.signIn.sessions.check(requestWith(cookie)))!;
    slow.wait(30 * dayMs - 60_000);
    // Checking it by its cookie would be a use.
    expect(await slow.signIn.sessions.ended([sessionId])).toEqual([]);
    slow.wait(120_000);
    expect(await slow.signIn.sessions.ended([sessionId])).toEqual([sessionId]);
    expect(await slow.signIn.sessions.check(requestWith(cookie))).toBeUndefined();
  });

  it('is alive just before its 30 days end, and this use renews it', async () => {
    await using slow = await createTestSignIn();
    const cookie = await slow.signUp('ian');
    slow.wait(30 * dayMs - 60_000);
    expect(await slow.signIn.sessions.check(requestWith(cookie))).toMatchObject({ userName: 'ian' });
    slow.wait(120_000);
    expect(await slow.signIn.sessions.check(requestWith(cookie))).toMatchObject({ userName: 'ian' });
  });

  it('is deleted after its end, also if its user never returns', async () => {
    await using slow = await createTestSignIn();
    await slow.signUp('jil');
    const used = await slow.signUp('kim');
    slow.wait(29 * dayMs);
    const users = async () => {
      const sql = 'SELECT username FROM session JOIN "user" u ON u.id = "userId" ORDER BY username';
      return (await slow.db.read<{ username: string }>({ sql })).map(({ username }) => username);
    };
    expect(await slow.signIn.sessions.check(requestWith(used))).toMatchObject({ userName: 'kim' });
    await slow.signIn.sessions.purge();
    expect(await users()).toEqual(['jil', 'kim']);
    slow.wait(2 * dayMs);
    await slow.signIn.sessions.purge();
    expect(await users()).toEqual(['kim']);
  });
});
