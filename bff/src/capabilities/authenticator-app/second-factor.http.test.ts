// stores: SQLite, PostgreSQL in the long run
/** A second factor: the code of an authenticator app after the password. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityPage, ConfirmingWays, NewRecoveryCodes, NewTotp } from '../../contract.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import type { Database } from '../../core/store/database.ts';
import { outcomeOf } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, password, type TestServer } from '../../tests/test-server.fixture.ts';
import { browserOf, type Browser } from '../../core/accounts/browser.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());
// Each test begins with a code that was not used.
beforeEach(() => server.wait(60_000));

const better = 'a better password';

const createBrowser = (fetch: TestServer['fetch'] = server.fetch) => browserOf(fetch);

const appOf = ({ secret }: NewTotp) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return { code: (ago = 0) => totp.generate({ timestamp: server.now().getTime() - ago }) };
};
const signIn = (browser: Browser, username: string, typed = password) =>
  browser.send('POST', '/auth/sign-in/username', { username, password: typed });
const second = async (browser: Browser, code: string) =>
  outcomeOf(await browser.send('POST', '/auth/second-factor', { code }));

/** A user with an app, which has shown its first code a minute ago. */
async function signUp(name: string) {
  const browser = createBrowser();
  const answer = await browser.send('POST', '/auth/sign-up', { username: name, password });
  const { recovery_codes: codes } = (await answer.json()) as NewRecoveryCodes;
  const made = (await (await browser.send('POST', '/api/account/totp', {})).json()) as NewTotp;
  const app = appOf(made);
  const first = app.code();
  expect((await browser.send('POST', '/api/account/totp/confirm', { code: first })).status).toBe(200);
  server.wait(60_000);
  return { browser, codes, made, app, first };
}

test('an app counts when its first code has confirmed it, and its secret is nowhere in the clear', async () => {
  const browser = createBrowser();
  await browser.send('POST', '/auth/sign-up', { username: 'ann', password });
  const made = (await (await browser.send('POST', '/api/account/totp', {})).json()) as NewTotp;
  expect(made.url).toMatch(/^otpauth:\/\/totp\/Swarmdeck%20localhost%3A3000:ann\?/);
  expect((await signIn(createBrowser(), 'ann')).status).toBe(200);
  const wrong = await browser.send('POST', '/api/account/totp/confirm', { code: '000000' });
  expect(await outcomeOf(wrong)).toBe('400 totp.wrong_code');
  const spaced = appOf(made).code().replace(/^.../, '$& ');
  expect((await browser.send('POST', '/api/account/totp/confirm', { code: spaced })).status).toBe(200);
  expect(await (await signIn(createBrowser(), 'ann')).json()).toEqual({ second_factor: true });
  expect(await outcomeOf(await browser.send('POST', '/api/account/totp', {}))).toBe('409 totp.exists');
  const activity = (await (await browser.send('GET', '/api/activity')).json()) as ActivityPage;
  expect(activity.items.map(({ kind }) => kind)).toContain('account.totp_set_up');
  const { hex } = Secret.fromBase32(made.secret);
  const rows = await server.db.read<{ sealed: Uint8Array }>({ sql: 'SELECT * FROM totp' });
  const stored = Buffer.from(rows[0]!.sealed).toString('latin1') + JSON.stringify(rows) + server.logged.join('');
  for (const text of [made.secret, hex, hex.toLowerCase()]) expect(stored).not.toContain(text);
});

describe('a sign-in', () => {
  test('with a code gives a session, and none before', async () => {
    const { app } = await signUp('ben');
    const browser = createBrowser();
    expect(await (await signIn(browser, 'ben')).json()).toEqual({ second_factor: true });
    expect((await browser.send('GET', '/api/account')).status).toBe(401);
    expect(await second(browser, app.code())).toBe('200');
    expect((await browser.send('GET', '/api/account')).status).toBe(200);
    const logged = server.logged.map((line) => JSON.parse(line)).filter(({ user }) => user === 'ben');
    expect(logged).toMatchObject([{ message: 'signed in', way: 'password+app' }]);
  });

  test('takes the code of this step, the one before and the one after, each once', async () => {
    const { app, first } = await signUp('cyd');
    const browser = createBrowser();
    await signIn(browser, 'cyd');
    // The beginning of a step: the requests are within it.
    server.wait(30_000 - (server.now().getTime() % 30_000));
    for (const code of [first, app.code(60_000), app.code(-60_000), '12345', 'x'])
      expect(await second(browser, code)).toBe('401 second_factor.wrong');
    for (const ago of [30_000, 0, -30_000]) {
      const again = createBrowser();
      await signIn(again, 'cyd');
      expect(await second(again, app.code(ago))).toBe('200');
      await signIn(again, 'cyd');
      expect(await second(again, app.code(ago))).toBe('401 second_factor.wrong');
    }
    await signIn(browser, 'cyd');
    expect(await second(browser, app.code())).toBe('401 second_factor.wrong');
  });

  test('takes an app whose clock is ahead from its first code on', async () => {
    const browser = createBrowser();
    await browser.send('POST', '/auth/sign-up', { username: 'cal', password });
    const app = appOf((await (await browser.send('POST', '/api/account/totp', {})).json()) as NewTotp);
    server.wait(30_000 - (server.now().getTime() % 30_000));
    const turnOn = async (code: string) => outcomeOf(await browser.send('POST', '/api/account/totp/confirm', { code }));
    expect(await turnOn(app.code(-60_000))).toBe('400 totp.wrong_code');
    expect(await turnOn(app.code(-30_000))).toBe('200');
  });

  test('of two with one code at once, also on two processes, one works', async () => {
    const { app } = await signUp('dot');
    const another = await server.startAnother(server.db);
    const elsewhere: TestServer['fetch'] = async (path, init) => another.fetch(new Request(`${origin}${path}`, init));
    const browsers = [server.fetch, elsewhere, server.fetch, elsewhere].map((fetch) => createBrowser(fetch));
    for (const browser of browsers) await signIn(browser, 'dot');
    const code = app.code();
    const outcomes = await Promise.all(browsers.map((browser) => second(browser, code)));
    expect(outcomes.toSorted()).toEqual(['200', ...Array.from({ length: 3 }, () => '401 second_factor.wrong')]);
    await another.close();
  });

  test('takes a step once, and not after ten minutes or a change of the password', async () => {
    const { app, browser } = await signUp('eva');
    const here = createBrowser();
    await signIn(here, 'eva');
    const there = createBrowser();
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    expect(await second(here, app.code())).toBe('200');
    server.wait(30_000);
    expect(await second(there, app.code())).toBe('401 second_factor.wrong');
    await signIn(there, 'eva');
    server.wait(10 * minuteMs);
    expect(await second(there, app.code())).toBe('401 second_factor.too_late');
    await signIn(there, 'eva');
    const change = { currentPassword: password, newPassword: better };
    expect((await browser.send('POST', '/auth/change-password', change)).status).toBe(204);
    expect(await second(there, app.code())).toBe('401 second_factor.too_late');
    expect(await second(createBrowser(), app.code())).toBe('401 second_factor.too_late');
  });

  test('does not go on with a password that is changed right after it was verified', async () => {
    const { app, browser } = await signUp('eve');
    const change = () =>
      browser.send('POST', '/auth/change-password', { currentPassword: password, newPassword: better });
    let isChanged = false;
    const read: Database['read'] = async (query) => {
      if (!isChanged && query.sql.includes('FROM totp')) {
        isChanged = true;
        expect((await change()).status).toBe(204);
      }
      return server.db.read(query);
    };
    const slow = await server.startAnother({ ...server.db, read });
    const here = createBrowser(async (path, init) => slow.fetch(new Request(`${origin}${path}`, init)));
    expect(await (await signIn(here, 'eve')).json()).toEqual({ second_factor: true });
    expect(await second(here, app.code())).toBe('401 second_factor.too_late');
    await slow.close();
  });

  test('takes a recovery code instead, which is used up', async () => {
    const { codes } = await signUp('fay');
    const browser = createBrowser();
    await signIn(browser, 'fay');
    expect(await second(browser, ` ${codes[0]!.toUpperCase()}`)).toBe('200');
    const again = createBrowser();
    await signIn(again, 'fay');
    expect(await second(again, codes[0]!)).toBe('401 second_factor.wrong');
  });

  test('after a lost password still asks for the code', async () => {
    const { app, codes } = await signUp('gil');
    const browser = createBrowser();
    const recovery = { username: 'gil', code: codes[0]!, newPassword: better };
    expect((await browser.send('POST', '/auth/recover', recovery)).status).toBe(204);
    expect(await (await signIn(browser, 'gil', better)).json()).toEqual({ second_factor: true });
    expect(await second(browser, app.code())).toBe('200');
  });
});

describe('turning the app on', () => {
  test('makes recovery codes in the same write for a user who has none', async () => {
    await server.app.operator.addUser({ name: 'jim', password });
    const browser = createBrowser();
    await signIn(browser, 'jim');
    const app = appOf((await (await browser.send('POST', '/api/account/totp', {})).json()) as NewTotp);
    const answer = await browser.send('POST', '/api/account/totp/confirm', { code: app.code() });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { recovery_codes: codes, set_id } = (await answer.json()) as NewRecoveryCodes;
    expect(new Set(codes).size).toBe(10);
    expect(await (await browser.send('GET', '/api/account')).json()).toMatchObject({ unstored_codes: true });
    expect((await browser.send('PUT', '/api/account/recovery-codes/stored', { set_id })).status).toBe(204);
    const { items } = (await (await browser.send('GET', '/api/activity')).json()) as ActivityPage;
    expect(items.map(({ kind }) => kind)).toContain('account.recovery_codes_made');
    const elsewhere = createBrowser();
    await signIn(elsewhere, 'jim');
    expect(await second(elsewhere, codes[9]!)).toBe('200');
  });

  test('again with a code, after a lost answer, ends well: with new recovery codes until they are stored', async () => {
    await server.app.operator.addUser({ name: 'jon', password });
    const browser = createBrowser();
    await signIn(browser, 'jon');
    const app = appOf((await (await browser.send('POST', '/api/account/totp', {})).json()) as NewTotp);
    const turnOn = (code: string) => browser.send('POST', '/api/account/totp/confirm', { code });
    const first = app.code();
    const codesOf = async (answer: Response) => {
      expect(answer.status).toBe(200);
      return (await answer.json()) as NewRecoveryCodes;
    };
    // A browser may send it twice at one moment.
    const [lost] = await Promise.all([turnOn(first), turnOn(first)].map(async (answer) => codesOf(await answer)));
    await codesOf(await turnOn(first));
    server.wait(60_000);
    expect(await outcomeOf(await turnOn(first))).toBe('409 totp.exists');
    const { recovery_codes: codes, set_id } = await codesOf(await turnOn(app.code()));
    expect(codes).toHaveLength(10);
    const elsewhere = createBrowser();
    await signIn(elsewhere, 'jon');
    expect(await second(elsewhere, lost!.recovery_codes[0]!)).toBe('401 second_factor.wrong');
    expect(await second(elsewhere, codes[0]!)).toBe('200');
    expect((await browser.send('PUT', '/api/account/recovery-codes/stored', { set_id })).status).toBe(204);
    expect(await codesOf(await turnOn(app.code()))).toEqual({ recovery_codes: [] });
    const { items } = (await (await browser.send('GET', '/api/activity')).json()) as ActivityPage;
    expect(items.filter(({ kind }) => kind === 'account.totp_set_up')).toHaveLength(1);
  });

  test('again takes the last code that was used, also to sign in, and no older one', async () => {
    const { browser, app } = await signUp('joy');
    const turnOn = async (code: string) => outcomeOf(await browser.send('POST', '/api/account/totp/confirm', { code }));
    const [older, newer] = [app.code(30_000), app.code()];
    expect(await turnOn(older)).toBe('200');
    const elsewhere = createBrowser();
    await signIn(elsewhere, 'joy');
    expect(await second(elsewhere, older)).toBe('401 second_factor.wrong');
    expect(await second(elsewhere, newer)).toBe('200');
    expect(await turnOn(older)).toBe('409 totp.exists');
    expect(await turnOn(newer)).toBe('200');
  });

  test('again does not take a code while a newer one is used', async () => {
    const { app, browser } = await signUp('jan');
    const elsewhere = createBrowser();
    await signIn(elsewhere, 'jan');
    const older = app.code(30_000);
    let isUsed = false;
    const read: Database['read'] = async (query) => {
      const rows = await server.db.read<never>(query);
      if (!isUsed && query.sql.includes('FROM totp')) {
        isUsed = true;
        expect(await second(elsewhere, app.code())).toBe('200');
      }
      return rows;
    };
    const slow = await server.startAnother({ ...server.db, read });
    const here = createBrowser(async (path, init) => slow.fetch(new Request(`${origin}${path}`, init)));
    for (const [name, value] of browser.cookies) here.cookies.set(name, value);
    const late = await here.send('POST', '/api/account/totp/confirm', { code: older });
    expect([isUsed, await outcomeOf(late)]).toEqual([true, '409 totp.exists']);
    await slow.close();
  });

  test('leaves the codes of a user who has some', async () => {
    const { browser, codes } = await signUp('kim');
    const left = (await (await browser.send('GET', '/api/account/recovery-codes')).json()) as object;
    expect(left).toEqual({ left: codes.length });
  });
});

test('the operator removes the app of a user who has lost it, which ends the sessions', async () => {
  const { browser } = await signUp('lea');
  const { operator } = server.app;
  await operator.removeApp({ name: 'Lea' });
  expect((await browser.send('GET', '/api/account')).status).toBe(401);
  const again = createBrowser();
  expect(await (await signIn(again, 'lea')).json()).toEqual({ user_id: 'lea' });
  const { items } = (await (await again.send('GET', '/api/activity')).json()) as ActivityPage;
  expect(items.filter(({ kind }) => kind === 'account.totp_removed')).toMatchObject([{ actor: '(operator)' }]);
  await expect(operator.removeApp({ name: 'lea' })).rejects.toThrow('This account has no authenticator app');
  expect((await again.send('GET', '/api/account')).status).toBe(200);
  await expect(operator.removeApp({ name: 'nobody-here' })).rejects.toThrow('User not found');
});

test('a sign-in with a browser that shows a session of the user is no notice', async () => {
  const browser = createBrowser();
  await browser.send('POST', '/auth/sign-up', { username: 'mia', password });
  // As browsers that have signed in before the update that introduced the cookie.
  browser.cookies.delete('__Host-swarmdeck.browser');
  expect((await signIn(browser, 'mia')).status).toBe(200);
  const { items } = (await (await browser.send('GET', '/api/activity')).json()) as ActivityPage;
  const signIns = items.filter(({ kind }) => kind.startsWith('account.signed_in'));
  expect(signIns).toMatchObject([{ kind: 'account.signed_in', detail: expect.stringMatching(/^password\n/) }]);
});

test('a sign-in with a browser that the server does not know is a notice', async () => {
  const { browser, app } = await signUp('zoe');
  const kinds = async () => {
    const { items } = (await (await browser.send('GET', '/api/activity')).json()) as ActivityPage;
    return items.map(({ kind }) => kind).filter((kind) => kind.startsWith('account.signed_in'));
  };
  const webhook = { url: 'https://example.org/hook' };
  expect((await browser.send('PUT', '/api/account/webhook', webhook)).status).toBeLessThan(300);
  const other = createBrowser();
  await signIn(other, 'zoe');
  expect(await kinds()).toEqual([]);
  expect(await second(other, app.code())).toBe('200');
  expect(await kinds()).toEqual(['account.signed_in_new']);
  server.wait(30_000);
  await signIn(other, 'zoe');
  expect(await second(other, app.code())).toBe('200');
  expect(await kinds()).toEqual(['account.signed_in', 'account.signed_in_new']);
  const forged = createBrowser();
  const cookie = other.cookies.get('__Host-swarmdeck.browser')!;
  forged.cookies.set('__Host-swarmdeck.browser', `${cookie.slice(0, -3)}AAA`);
  server.wait(30_000);
  await signIn(forged, 'zoe');
  expect(await second(forged, app.code())).toBe('200');
  const deliveries = await server.db.read<{ kind: string; amount: number }>({
    sql: `SELECT kind, amount FROM webhook_deliveries WHERE user_id = 'zoe'`,
  });
  // Two, if the first is being sent when the second sign-in comes.
  expect(new Set(deliveries.map(({ kind }) => kind))).toEqual(new Set(['account.signed_in_new']));
  expect(deliveries.reduce((sum, { amount }) => sum + amount, 0)).toBe(2);
});

test('a sign-up whose response was lost is tried again: the sign-in is no notice within the first minutes', async () => {
  const post = (path: string, agent: string) =>
    server.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': agent },
      body: JSON.stringify({ username: 'una', password }),
    });
  const signIns = async () => {
    const rows = await server.db.read<{ kind: string }>({
      sql: `SELECT kind FROM activity WHERE user_id = 'una' AND kind LIKE 'account.signed_in%' ORDER BY seq`,
    });
    return rows.map(({ kind }) => kind);
  };
  // No cookie of an answer is sent again.
  expect((await post('/auth/sign-up', 'Chrome 140')).status).toBe(201);
  expect((await post('/auth/sign-up', 'Chrome 140')).status).toBe(409);
  await post('/auth/sign-in/username', 'Chrome 140');
  expect(await signIns()).toEqual(['account.signed_in']);
  await post('/auth/sign-in/username', 'Netscape 4');
  server.wait(11 * minuteMs);
  await post('/auth/sign-in/username', 'Chrome 140');
  expect(await signIns()).toEqual(['account.signed_in', 'account.signed_in_new', 'account.signed_in_new']);
});

test('the app confirms that it is the user, and is removed after that', async () => {
  const { browser, app } = await signUp('hal');
  const ways = (await (await browser.send('GET', '/auth/confirm')).json()) as ConfirmingWays;
  expect(ways.ways).toContain('totp');
  server.wait(10 * minuteMs);
  expect(await outcomeOf(await browser.send('DELETE', '/api/account/totp'))).toBe('403 session.confirm');
  const totp = app.code();
  expect((await browser.send('POST', '/auth/confirm', { totp })).status).toBe(204);
  expect(await outcomeOf(await browser.send('POST', '/auth/confirm', { totp }))).toBe('400 confirm.wrong');
  expect((await browser.send('DELETE', '/api/account/totp')).status).toBe(204);
  expect(await outcomeOf(await browser.send('DELETE', '/api/account/totp'))).toBe('404 totp.not_found');
  expect(await (await signIn(createBrowser(), 'hal')).json()).toEqual({ user_id: 'hal' });
});

test('guesses are bounded by name after a right password, and the user’s own browser has a budget of its own', async () => {
  await using strict = await createTestServer({ rateLimit: 1 });
  const fetchFrom = strict.fetch;
  const own = createBrowser(fetchFrom);
  await own.send('POST', '/auth/sign-up', { username: 'ida', password });
  const made = (await (await own.send('POST', '/api/account/totp', {})).json()) as NewTotp;
  const totp = new TOTP({ secret: Secret.fromBase32(made.secret) });
  const code = () => totp.generate({ timestamp: strict.now().getTime() });
  expect((await own.send('POST', '/api/account/totp/confirm', { code: code() })).status).toBe(200);
  const guesser = createBrowser(fetchFrom);
  const guess = async (browser: Browser, typed: string) => {
    // Addresses earn attempts back; the name does so slowly.
    strict.wait(60_000);
    await signIn(browser, 'ida');
    return second(browser, typed);
  };
  const outcomes: string[] = [];
  for (let tries = 0; tries < 14; tries += 1) outcomes.push(await guess(guesser, '000000'));
  expect(outcomes.at(0)).toBe('401 second_factor.wrong');
  expect(outcomes.at(-1)).toBe('429 rate.exceeded');
  await own.send('POST', '/auth/sign-out', {});
  strict.wait(60_000);
  await signIn(own, 'ida');
  expect(await second(own, code())).toBe('200');
});
