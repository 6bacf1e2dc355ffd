// stores: SQLite, PostgreSQL in the long run
/** The mail address of a user: links to verify it and for a lost password, and notices of changes. */
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { URI, type TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ActivityPage, MailAddress, NewRecoveryCodes, SignInOptions } from '../../contract.ts';
import { hourMs, minuteMs } from '../../core/limits/durations.ts';
import { describeOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { openMailServer, type MailServer, type ReceivedMail } from '../../tests/mail-server.fixture.ts';
import { createServiceClient, outcomeOf } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, password, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';
import { signInLimits } from '../../core/limits/part-limits.ts';

let mailServer: MailServer;
let server: TestServer;
const settingsOf = ({ port }: MailServer) => ({
  host: '127.0.0.1',
  port,
  tls: 'off' as const,
  login: undefined,
  from: { name: 'Swarmdeck', address: 'swarmdeck@example.org' },
  greeting: 'example.org',
});
beforeAll(async () => {
  mailServer = await openMailServer();
  server = await createTestServer({ mail: settingsOf(mailServer), isRepeatable: true });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mailServer[Symbol.asyncDispose]();
});

const better = 'a better password';
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
type Asked = (path: string, init: RequestInit) => Promise<Response>;
const post = (path: string, body: object, fetch: Asked = server.fetch) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': agent },
    body: JSON.stringify(body),
  });
const ask = (user: TestUser, method = 'GET', body?: object) =>
  server.request('gateway', user, {
    method,
    path: '/account/address',
    headers: { 'user-agent': agent },
    ...(body && { body }),
  });
const stateOf = async (user: TestUser) => (await (await ask(user)).json()) as MailAddress;
const name = async (user: TestUser, address: string, language = 'en') =>
  outcomeOf(await ask(user, 'PUT', { address, language }));
const askForLink = async (username: string, more: { language?: string } = {}) =>
  outcomeOf(await post('/auth/mail-link', { username, ...more }));
const codeIn = ({ text }: ReceivedMail) => /\/sign-in#(?:link|address)=(\S+)/.exec(text)?.[1] ?? '';
const verify = async (code: string) => outcomeOf(await post('/auth/address', { code }));
const choose = async (code: string, newPassword = better, fetch?: Asked) =>
  outcomeOf(await post('/auth/password-link/use', { code, newPassword }, fetch));
const signIn = async (username: string, typed: string) =>
  (await post('/auth/sign-in/username', { username, password: typed })).status;
const sentTo = (address: string) => mailServer.received.filter(({ to }) => to === address);

/** What has changed within a minute is told. */
async function noticesSent(of = server) {
  of.wait(minuteMs);
  await of.app.mail.deliver();
}

/** The mail with this number to this address, when it has come. */
async function mailTo(address: string, index = 0): Promise<ReceivedMail> {
  await expect.poll(() => sentTo(address).length).toBeGreaterThan(index);
  return sentTo(address)[index]!;
}

/** A user with a verified address. The clock has advanced since, so that no rate is used up. */
async function withAddress(user: string, address = `${user}@example.org`): Promise<TestUser> {
  const made = await server.signUp(user);
  const before = sentTo(address).length;
  expect(await name(made, address)).toBe('204');
  expect(await verify(codeIn(await mailTo(address, before)))).toBe('200');
  return made;
}

async function insertAddress({ signUp, db }: TestServer, user: string, address: string, { exists = false } = {}) {
  if (!exists) await signUp(user);
  const sql = `INSERT INTO addresses (user_id, address, language, asked_at, verified_at) VALUES ($1, $2, 'en', '', 'then')`;
  await db.write([{ sql, params: [user, address] }]);
}

/** The user has confirmed again that it is them. */
async function confirmed(user: TestUser): Promise<TestUser> {
  const answer = await server.fetch('/auth/confirm', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: user.cookie },
    body: JSON.stringify({ password }),
  });
  return { ...user, cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! };
}

/** Everything that was asked for has been sent: this link was asked for later. */
async function allSent() {
  const before = sentTo('last@example.org').length;
  expect(await askForLink('last')).toBe('202');
  await mailTo('last@example.org', before);
  await noticesSent();
  await idle(server);
}
const idle = ({ app }: TestServer) => expect.poll(async () => (await app.measure()).mails.waiting).toBe(0);
beforeAll(() => insertAddress(server, 'last', 'last@example.org'));
beforeEach(() => server.wait(hourMs));

describe('an address', () => {
  test('counts when the link of a mail to it was used, once, within an hour', async () => {
    const ann = await server.signUp('ann');
    expect(await stateOf(ann)).toEqual({ is_available: true, address: null, verified_at: null, next_address: null });
    expect(await name(ann, 'Ann@example.org')).toBe('204');
    expect(await stateOf(ann)).toMatchObject({ address: 'Ann@example.org', verified_at: null, next_address: null });
    const mail = await mailTo('Ann@example.org');
    expect(mail.headers.get('subject')).toBe('localhost:3000: confirm your email address');
    expect(mail.text).toContain(`Hello ann,\n\n`);
    expect(mail.text).toContain(`\n\n${origin}/sign-in#address=ann.`);
    expect(await verify(`${codeIn(mail)}x`)).toBe('404 address_link.not_found');
    expect(await choose(codeIn(mail))).toBe('404 password_link.not_found');
    expect(await Promise.all([verify(codeIn(mail)), verify(codeIn(mail))])).toEqual(
      expect.arrayContaining(['200', '404 address_link.not_found']),
    );
    expect((await stateOf(ann)).verified_at).not.toBeNull();
    const { items } = await createServiceClient('ann', (asked) =>
      server.request('direct', ann, asked),
    ).get<ActivityPage>('/activity');
    expect(items.map(({ kind }) => kind)).toContain('account.address_added');
    // Nothing to do.
    expect(await name(ann, 'Ann@example.org')).toBe('204');
    await allSent();
    expect(sentTo('Ann@example.org')).toHaveLength(1);
  });

  test('is not verified after an hour, and not by the link to another one', async () => {
    let ben = await server.signUp('ben');
    await name(ben, 'ben@example.org');
    const first = codeIn(await mailTo('ben@example.org'));
    server.wait(hourMs);
    expect(await verify(first)).toBe('404 address_link.not_found');
    ben = await confirmed(ben);
    await name(ben, 'ben@example.org');
    const second = codeIn(await mailTo('ben@example.org', 1));
    await name(ben, 'new@example.org', 'de-AT');
    const { headers, text } = await mailTo('new@example.org');
    expect(headers.get('subject')).toBe('localhost:3000: Bestätige deine E-Mail-Adresse');
    expect(text).toContain('Hallo ben,');
    expect(await verify(second)).toBe('404 address_link.not_found');
    await ask(ben, 'DELETE');
    expect(await verify(codeIn(await mailTo('new@example.org')))).toBe('404 address_link.not_found');
  });

  test('is refused if it is none, or could be more than one', async () => {
    const lia = await server.signUp('lia');
    const wrong = ['', 'ann', 'ann@', 'a@b.org\r\nBcc: e@b.org', '<a@b.org>', 'a@b.org, e@b.org'];
    const hosts = [
      'a@b.org/x',
      'a@b.org?x',
      'a@b.o\nrg',
      'a@1',
      'a@0x7f000001',
      'a@１.org／x',
      'a@127.0.0.1',
      'a@[::1]',
    ];
    for (const address of [...wrong, ...hosts, `${'a'.repeat(250)}@b.org`])
      expect(await name(lia, address)).toBe('400 body.invalid');
  });

  test('may have a domain in any script', async () => {
    const kim = await server.signUp('kim');
    expect(await name(kim, 'kim@müller.example')).toBe('204');
    expect((await stateOf(kim)).address).toBe('kim@xn--mller-kva.example');
  });

  test('is told when it is replaced or removed, without a link', async () => {
    const cyd = await withAddress('cyd');
    await name(cyd, 'other@example.org');
    expect(await verify(codeIn(await mailTo('other@example.org')))).toBe('200');
    await noticesSent();
    const { text, headers } = await mailTo('cyd@example.org', 1);
    expect(headers.get('subject')).toBe('localhost:3000: your sign-in has changed');
    expect(text).toContain('This email address was removed or replaced');
    expect(text).toMatch(/\nTime: \d{4}-\d\d-\d\d \d\d:\d\d UTC\nBy: Firefox on Linux\n/);
    expect(text).not.toMatch(/:\/\/|other@/);
    expect(await outcomeOf(await ask(cyd, 'DELETE'))).toBe('204');
    await noticesSent();
    expect((await mailTo('other@example.org', 1)).text).toContain('was removed');
    expect(await stateOf(cyd)).toMatchObject({ address: null });
    expect(await outcomeOf(await ask(cyd, 'DELETE'))).toBe('204');
  });

  test('counts until the one that replaces it is verified, also if that is never', async () => {
    const eli = await withAddress('eli');
    const typo = async (address: string) => {
      expect(await name(eli, address)).toBe('204');
      expect(await stateOf(eli)).toMatchObject({ address: 'eli@example.org', next_address: address });
      return codeIn(await mailTo(address));
    };
    const first = await typo('elli@example.org');
    const second = await typo('ely@example.org');
    expect(await verify(first)).toBe('404 address_link.not_found');
    expect(await askForLink('eli')).toBe('202');
    expect((await mailTo('eli@example.org', 1)).text).toContain('#link=eli.');
    expect(await verify(second)).toBe('200');
    expect(await stateOf(eli)).toMatchObject({ address: 'ely@example.org', next_address: null });
    await noticesSent();
    expect((await mailTo('eli@example.org', 2)).text).toContain('This email address was removed or replaced');
    expect(await choose(codeIn(sentTo('eli@example.org')[1]!))).toBe('404 password_link.not_found');
    const { items } = await createServiceClient('eli', (asked) =>
      server.request('direct', eli, asked),
    ).get<ActivityPage>('/activity');
    expect(items.filter(({ kind }) => /address_(?:added|removed)/.test(kind))).toHaveLength(3);
  });

  test('needs a confirmation to be named and removed', async () => {
    const dot = await server.signUp('dot');
    server.wait(signInLimits.confirmedMs);
    expect(await name(dot, 'dot@example.org')).toBe('403 session.confirm');
    expect(await outcomeOf(await ask(dot, 'DELETE'))).toBe('403 session.confirm');
  });
});

describe('a lost password', () => {
  test('is replaced by a link, which works once, ends all sessions, and the user is told', async () => {
    const eva = await withAddress('eva');
    expect(await askForLink(' Eva ')).toBe('202');
    const mail = await mailTo('eva@example.org', 1);
    expect(mail.text).toContain(`\n\n${origin}/sign-in#link=eva.`);
    const code = codeIn(mail);
    expect(await verify(code)).toBe('404 address_link.not_found');
    expect(await choose(code, 'short')).toBe('400 password.too_weak');
    expect(await choose(code)).toBe('204');
    expect((await ask(eva)).status).toBe(401);
    expect(await choose(code, 'another password')).toBe('404 password_link.not_found');
    expect([await signIn('eva', password), await signIn('eva', better)]).toEqual([401, 200]);
    await noticesSent();
    expect((await mailTo('eva@example.org', 2)).text).toContain('A new password was set without the old one.');
    const { items } = await createServiceClient('eva', (asked) =>
      server.request('direct', eva, asked),
    ).get<ActivityPage>('/activity');
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'account.recovered', actor: 'eva', detail: expect.stringMatching(/^mail\n/) }),
    );
    const lines = server.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ message, user }) => message === 'recovered' && user === 'eva')).toMatchObject([
      { level: 'info', way: 'mail' },
    ]);
  });

  test('of two uses at once, also on two processes, one works', async () => {
    await withAddress('fay');
    await askForLink('fay');
    const code = codeIn(await mailTo('fay@example.org', 1));
    const another = await server.startAnother(server.db);
    const elsewhere: Asked = (path, init) => Promise.resolve(another.fetch(new Request(`${origin}${path}`, init)));
    const outcomes = await Promise.all(
      [undefined, elsewhere, undefined, elsewhere].map((fetch, index) => choose(code, `${better} ${index}`, fetch)),
    );
    expect(outcomes.toSorted()).toEqual(['204', ...Array<string>(3).fill('404 password_link.not_found')]);
    expect(await signIn('fay', `${better} ${outcomes.indexOf('204')}`)).toBe(200);
    await another.close();
  });

  test('a link ends after an hour, and with its address', async () => {
    const gil = await withAddress('gil');
    await askForLink('gil');
    const first = codeIn(await mailTo('gil@example.org', 1));
    await name(gil, 'gil2@example.org');
    await verify(codeIn(await mailTo('gil2@example.org')));
    expect(await choose(first)).toBe('404 password_link.not_found');
    await askForLink('gil');
    const second = codeIn(await mailTo('gil2@example.org', 1));
    server.wait(hourMs);
    expect(await choose(second)).toBe('404 password_link.not_found');
  });

  test('a link ends with its address, also if that is named again', async () => {
    const guy = await withAddress('guy');
    await askForLink('guy');
    const code = codeIn(await mailTo('guy@example.org', 1));
    await ask(guy, 'DELETE');
    await noticesSent();
    await name(guy, 'guy@example.org');
    expect(await verify(codeIn(await mailTo('guy@example.org', 3)))).toBe('200');
    expect(await choose(code)).toBe('404 password_link.not_found');
  });

  test('a link ends if the address is removed while the password is hashed', async () => {
    const hal = await withAddress('hal');
    await askForLink('hal');
    const code = codeIn(await mailTo('hal@example.org', 1));
    const { write } = server.db;
    const held = vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (statements.some(({ sql }) => sql.startsWith('UPDATE account SET password'))) {
        held.mockRestore();
        await ask(hal, 'DELETE');
      }
      return write(statements);
    });
    expect(await choose(code)).toBe('404 password_link.not_found');
    expect(await signIn('hal', password)).toBe(200);
  });

  test('a code that is not genuine is looked up alike, whether there is such a user or not', async () => {
    const ned = await withAddress('ned');
    await askForLink(ned.name);
    const genuine = codeIn(await mailTo('ned@example.org', 1));
    const read = vi.spyOn(server.db, 'read');
    const readsOf = async (code: string) => {
      read.mockClear();
      expect(await outcomeOf(await post('/auth/password-link', { code }))).toBe('404 password_link.not_found');
      // The server looks for actions and mails in between.
      return read.mock.calls.map(([{ sql }]) => sql).filter((sql) => !/FROM (actions|mails)/.test(sql));
    };
    const known = await readsOf(`${genuine.slice(0, -2)}${genuine.endsWith('AA') ? 'BB' : 'AA'}`);
    expect(known).toHaveLength(2);
    expect(await readsOf(genuine.replace('ned', 'nobody'))).toEqual(known);
    read.mockRestore();
  });

  test('the second factor is still asked for', async () => {
    const ida = await withAddress('ida');
    await server.db.write([
      {
        sql: `INSERT INTO totp (user_id, sealed, last_step, confirmed_at) VALUES ('ida', $1, 0, 'now')`,
        params: [new Uint8Array(40)],
      },
    ]);
    await askForLink('ida');
    expect(await choose(codeIn(await mailTo('ida@example.org', 1)))).toBe('204');
    const answer = await post('/auth/sign-in/username', { username: 'ida', password: better });
    expect(await answer.json()).toEqual({ second_factor: true });
    expect((await ask(ida)).status).toBe(401);
  });

  test('the address takes the place of the name: one mail has the name and the link of each of its accounts', async () => {
    const shared = 'Home@müller.example';
    const stored = 'Home@xn--mller-kva.example';
    for (const user of ['mum', 'dad', 'kid', 'gran']) await insertAddress(server, user, stored);
    await server.app.operator.disableUser({ name: 'gran' });
    const thief = await server.signUp('thief');
    await name(thief, stored);
    await mailTo(shared);
    expect(await askForLink(` ${shared} `, { language: 'de' })).toBe('202');
    const { text, headers } = await mailTo(shared, 1);
    expect(headers.get('subject')).toBe('localhost:3000: Neues Passwort wählen');
    const links = [...text.matchAll(/\n\n(.+):\n.+#link=((\w+)\..+)$/gm)].map(([, user, code, of]) => ({
      user,
      code,
      of,
    }));
    expect(links.map(({ user, of }) => [user, of])).toEqual([
      ['dad', 'dad'],
      ['kid', 'kid'],
      ['mum', 'mum'],
    ]);
    expect(await choose(links[1]!.code!)).toBe('204');
    expect(await signIn('kid', better)).toBe(200);
    await allSent();
    expect(sentTo(shared).filter(({ text }) => text.includes('#link='))).toHaveLength(1);
  });

  test('the mail is in the language of the page, if that is known', async () => {
    await withAddress('liv');
    await askForLink('liv@example.org', { language: 'de-AT' });
    expect((await mailTo('liv@example.org', 1)).text).toContain('Hallo liv,');
    await askForLink('liv');
    expect((await mailTo('liv@example.org', 2)).text).toContain('Hello liv,');
    expect(await askForLink('liv', { language: '<de>' })).toBe('400 body.invalid');
  });

  test('everybody gets the same answer, before anything is read, and only a verified address of an enabled user a mail', async () => {
    const [jo, lou] = [await server.signUp('joe'), await withAddress('lou')];
    await name(jo, 'joe@example.org');
    await mailTo('joe@example.org');
    await server.app.operator.disableUser({ name: 'lou' });
    await withAddress('max', 'lou@example.org');
    const read = vi.spyOn(server.db, 'read');
    for (const asked of [
      'joe',
      'lou',
      'max',
      'no-such-user',
      'no name at all',
      'joe@example.org',
      'lou@Example.org',
      'a@b@c',
      '@',
      '',
    ]) {
      read.mockClear();
      const answer = await post('/auth/mail-link', { username: asked });
      expect([answer.status, await answer.text(), read.mock.calls.length]).toEqual([202, '', 0]);
      await nextLoopTick();
    }
    read.mockRestore();
    await allSent();
    expect(sentTo('joe@example.org')).toHaveLength(1);
    // One mail has what was asked for while it waited.
    const sent = sentTo('lou@example.org').map(({ text }) => /#(\w+)=(\w+)/.exec(text)?.slice(1).join(' '));
    expect([...new Set(sent)]).toEqual(['address lou', 'address max', 'link max']);
    expect((await ask(lou)).status).toBe(401);
  });
});

describe('a change of the sign-in', () => {
  test('is told with time and browser, and in the language of the user', async () => {
    const nan = await withAddress('nan');
    const send = (method: string, path: string, body: object = {}) =>
      server.request('gateway', nan, {
        method,
        path,
        body,
        headers: { 'user-agent': `${agent} https://evil.example` },
      });
    expect((await send('POST', '/account/recovery-codes')).status).toBe(201);
    await noticesSent();
    const { text } = await mailTo('nan@example.org', 1);
    expect(text).toMatch(
      /^Hello nan,\n\nThe sign-in to your account nan at localhost:3000 has changed:\n\nNew recovery codes/,
    );
    expect(text).toContain('By: Firefox on Linux');
    expect(text).not.toMatch(/:\/\/|evil/);
    await server.app.operator.setPassword({ name: 'nan', password: better });
    await noticesSent();
    const byOperator = await mailTo('nan@example.org', 2);
    expect(byOperator.text).toContain('The password was changed.');
    expect(byOperator.text).toContain('By: the operator of the server');
  });

  test('of each kind is told', async () => {
    const rita = await withAddress('rita');
    const send = async (method: string, path: string, body?: object) =>
      server.request('gateway', rita, { method, path, headers: { 'user-agent': agent }, ...(body && { body }) });
    const told: string[] = [];
    const next = async (answer: Response | void) => {
      if (answer) expect(answer.status).toBeLessThan(300);
      await noticesSent();
      const { text } = await mailTo('rita@example.org', told.length + 1);
      told.push([/has changed:\n\n(.+)/, /By: (.+)/].map((what) => what.exec(text)?.[1]).join(' '));
    };
    const turnOn = async () => {
      const { url } = (await (await send('POST', '/account/totp', {})).json()) as { url: string };
      const code = (URI.parse(url) as TOTP).generate({ timestamp: server.now().getTime() });
      return send('POST', '/account/totp/confirm', { code });
    };
    await next(await turnOn());
    await next(await send('DELETE', '/account/totp'));
    await server.db.write([
      { sql: `INSERT INTO passkeys VALUES ('p', 'rita', 'phone', $1, 0, '', '', NULL)`, params: [new Uint8Array(1)] },
      { sql: `INSERT INTO identities VALUES ('home', 'r', 'rita', '')` },
    ]);
    await next(await send('DELETE', '/account/passkeys/p'));
    await next(await send('DELETE', '/account/identities/home'));
    await turnOn();
    await next();
    await server.app.operator.removeApp({ name: 'rita' });
    await next();
    const { recovery_codes: codes } = (await (
      await post('/auth/sign-up', { username: 'rio', password })
    ).json()) as NewRecoveryCodes;
    await insertAddress(server, 'rio', 'rio@example.org', { exists: true });
    expect((await post('/auth/recover', { username: 'rio', code: codes[0], newPassword: better })).status).toBe(204);
    await noticesSent();
    expect((await mailTo('rio@example.org')).text).toContain('A new password was set');
    expect(told).toEqual([
      'An authenticator app was set up. Firefox on Linux',
      'The authenticator app was removed. Firefox on Linux',
      'A passkey was removed. Firefox on Linux',
      'A provider was unlinked. Firefox on Linux',
      'An authenticator app was set up. Firefox on Linux',
      'The authenticator app was removed. the operator of the server',
    ]);
  });

  test('is not told to a disabled user, or to an address that is not verified', async () => {
    const [ole, pam] = [await withAddress('ole'), await server.signUp('pam')];
    await name(pam, 'pam@example.org');
    await server.app.operator.disableUser({ name: ole.name });
    for (const user of [ole, pam]) await server.app.operator.setPassword({ name: user.name, password: better });
    await noticesSent();
    await allSent();
    expect([sentTo('ole@example.org').length, sentTo('pam@example.org').length]).toEqual([1, 1]);
  });
});

test('no address, code or link is in the log, and nobody else is shown an address', async () => {
  const uta = await withAddress('uta');
  expect(codeIn(await mailTo('uta@example.org'))).not.toBe('');
  const text = server.logged.join('');
  for (const { to } of mailServer.received) expect(text).not.toContain(to);
  for (const mail of mailServer.received) if (codeIn(mail)) expect(text).not.toContain(codeIn(mail));
  expect(text).not.toContain('@example.org');
  expect(JSON.stringify(await server.app.operator.showUser({ name: uta.name }))).not.toContain('@');
});

describeOnSqlite('how many', () => {
  test('three links an hour for a name, and for an address; by client address, 429', async () => {
    const limited = await createTestServer({ mail: settingsOf(mailServer), rateLimit: 1 });
    const asked = async (username: string, from: string) => {
      const incoming = { socket: { remoteAddress: from }, headers: {}, rawHeaders: ['host', 'localhost'] };
      const request = new Request(`${origin}/auth/mail-link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ username }),
      });
      return outcomeOf(await limited.app.fetch(request, { incoming: incoming as unknown as IncomingMessage }));
    };
    for (const user of ['quy', 'ron', 'sam'])
      await insertAddress(limited, user, user === 'sam' ? 'sam@r.org' : 'both@r.org');
    for (let count = 0; count < 3; count += 1) {
      expect(await asked('quy', '192.0.2.1')).toBe('202');
      await mailTo('both@r.org', count);
    }
    expect(await asked('quy', '192.0.2.1')).toBe('202');
    expect(await asked('ron', '192.0.2.2')).toBe('202');
    expect(await asked('sam', '192.0.2.3')).toBe('202');
    await mailTo('sam@r.org');
    await idle(limited);
    expect(sentTo('both@r.org')).toHaveLength(3);
    limited.wait(hourMs);
    expect(await asked('ron', '192.0.2.2')).toBe('202');
    await mailTo('both@r.org', 3);
    const outcomes = await Promise.all(Array.from({ length: 11 }, () => asked('nobody', '192.0.2.4')));
    expect(outcomes).toEqual([...Array<string>(10).fill('202'), '429 rate.exceeded']);
    await limited[Symbol.asyncDispose]();
  });

  test('three mails an hour to verify addresses of a user, and ten by client address, whomever they name', async () => {
    const limited = await createTestServer({ mail: settingsOf(mailServer), rateLimit: 1 });
    const put = async (user: TestUser, address: string) =>
      outcomeOf(
        await limited.request('gateway', user, {
          method: 'PUT',
          path: '/account/address',
          body: { address, language: 'en' },
        }),
      );
    const tim = await limited.signUp('tim');
    for (let count = 0; count < 3; count += 1) {
      expect(await put(tim, `tim${count}@r.org`)).toBe('204');
      await mailTo(`tim${count}@r.org`);
    }
    expect(await put(tim, 'tim3@r.org')).toBe('429 rate.exceeded');
    const others = await Promise.all(['ulf', 'vic', 'wim', 'xen'].map((user) => limited.signUp(user)));
    for (const user of others) expect(await put(user, 'victim@r.org')).toBe('204');
    await idle(limited);
    expect(sentTo('victim@r.org')).toHaveLength(4);
    for (const user of others.slice(0, 3)) expect(await put(user, `${user.name}@r.org`)).toBe('204');
    expect(await put(others[3]!, 'xen@r.org')).toBe('429 rate.exceeded');
    await idle(limited);
    expect(mailServer.received.filter(({ to }) => /^(?:tim|ulf|vic|wim|xen|victim)\d?@r/.test(to))).toHaveLength(10);
    await limited[Symbol.asyncDispose]();
  });

  test('ten mails a day to an address that is not verified, for all users, who are told when it works again', async () => {
    const limited = await createTestServer({ mail: settingsOf(mailServer), rateLimit: 1, isRepeatable: true });
    const put = (user: TestUser, address: string) =>
      limited.request('gateway', user, { method: 'PUT', path: '/account/address', body: { address, language: 'en' } });
    const answers: Response[] = [];
    const spelled = ['stranger@r.org', 'Stranger@r.org', 'stranger+a@R.org', 'STRANGER+a+b@r.org'];
    for (let count = 0; count < 8; count += 1) {
      limited.wait(hourMs);
      const user = await limited.signUp(`asks${count}`);
      for (let times = 0; times < 3; times += 1) {
        answers.push(await put(user, spelled[(count + times) % 4]!));
        await idle(limited);
      }
    }
    const refused = answers.filter(({ status }) => status === 429);
    // Of ten a day, three more have become free in seven hours.
    expect(answers.length - refused.length).toBeLessThanOrEqual(13);
    expect(answers.slice(0, 10).every(({ status }) => status === 204)).toBe(true);
    expect(mailServer.received.filter(({ to }) => /^stranger/i.test(to))).toHaveLength(answers.length - refused.length);
    const seconds = Number(refused.at(-1)!.headers.get('retry-after'));
    expect(await outcomeOf(refused.at(-1)!)).toBe('429 rate.exceeded');
    // It has no share in the links of a verified address.
    await insertAddress(limited, 'owner', 'stranger@r.org');
    const asked = await post('/auth/mail-link', { username: 'stranger@r.org' }, limited.fetch);
    expect(asked.status).toBe(202);
    await expect.poll(() => mailServer.received.filter(({ text }) => text.includes('#link=owner.'))).toHaveLength(1);
    limited.wait((seconds - 60) * 1000);
    const late = await limited.signUp('late');
    expect((await put(late, 'stranger@r.org')).status).toBe(429);
    limited.wait(60_000);
    expect((await put(late, 'stranger@r.org')).status).toBe(204);
    await limited[Symbol.asyncDispose]();
  });

  test('a user is told of twenty changes an hour', async () => {
    const limited = await createTestServer({ mail: settingsOf(mailServer), rateLimit: 1 });
    for (const user of ['yan', 'zoe']) await insertAddress(limited, user, `${user}@r.org`);
    for (let count = 0; count < 21; count += 1)
      await limited.app.operator.setPassword({ name: 'yan', password: `${better} ${count}` });
    await limited.app.operator.setPassword({ name: 'zoe', password: better });
    await noticesSent(limited);
    await mailTo('zoe@r.org');
    await mailTo('yan@r.org');
    expect(sentTo('yan@r.org').flatMap(({ text }) => text.match(/was changed/g))).toHaveLength(20);
    await limited[Symbol.asyncDispose]();
  });
});

test('without a mail server nothing is offered, and an address can still be removed', async () => {
  const without = await createTestServer();
  const user = await without.signUp('ann');
  const asked = (method: string, body?: object) =>
    without.request('gateway', user, { method, path: '/account/address', ...(body && { body }) });
  const options = (await (await without.fetch('/auth/options')).json()) as SignInOptions;
  expect(options.mail_link).toBe(false);
  expect(await outcomeOf(await asked('PUT', { address: 'ann@r.org', language: 'en' }))).toBe('403 mail.off');
  expect(await outcomeOf(await post('/auth/mail-link', { username: 'ann' }, without.fetch))).toBe('403 mail.off');
  expect(await (await asked('GET')).json()).toMatchObject({ is_available: false, address: null });
  expect(await outcomeOf(await asked('DELETE'))).toBe('204');
  await without[Symbol.asyncDispose]();
});

test('on a server without passwords, the address is for notices only', async () => {
  const home = { name: 'home', label: 'Home', issuer: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' };
  const provider = { ...home, scope: 'openid', operator: undefined };
  await using only = await createTestServer({
    mail: settingsOf(mailServer),
    oidcOnly: true,
    oidcProviders: [provider],
  });
  const options = (await (await only.fetch('/auth/options')).json()) as SignInOptions;
  expect(options.mail_link).toBe(false);
  expect(await outcomeOf(await post('/auth/mail-link', { username: 'ann' }, only.fetch))).toBe(
    '403 sign_in.provider_only',
  );
});
