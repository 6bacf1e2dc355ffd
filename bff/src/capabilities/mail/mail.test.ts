import { createServer, type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MailSettings } from '../../core/config/mail-settings.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import { mailLimits } from '../../core/limits/part-limits.ts';
import { openTestDatabase } from '../../core/store/store.fixture.ts';
import { certificate, mailLogin, openMailServer } from '../../tests/mail-server.fixture.ts';
import { createMail } from './mail.ts';

const trusted = getCACertificates('default');
beforeEach(() => setDefaultCACertificates([...trusted, certificate]));
afterAll(() => setDefaultCACertificates(trusted));

const written = { subject: 'A new password – gewählt', text: 'Grüße\n.\nann' };
const toAnn = { user_id: 'ann', kind: 'link', address: 'ann@example.org', language: 'en', user_agent: null };

async function open(given: { port: number; written?: typeof written } & Partial<MailSettings>) {
  const { written: text = written, ...settings } = given;
  const database = await openTestDatabase();
  const { db } = database;
  const user = `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
    VALUES ('ann', '', '', 0, '', '', 'ann')`;
  await db.write([{ sql: user }]);
  const started = Date.now();
  let waited = 0;
  const logged: unknown[] = [];
  const note = (message: string, facts: unknown) => void logged.push([message, facts]);
  const mail = createMail({
    settings: {
      host: 'localhost',
      tls: 'upgrade',
      login: mailLogin,
      from: { name: 'Swarmdeck', address: 'swarmdeck@devices.example.org' },
      greeting: 'devices.example.org',
      ...settings,
    },
    db,
    write: async () => text,
    now: () => new Date(started + waited),
    log: { info: note, warn: note },
    report: note as (error: unknown) => void,
  });
  return {
    ...mail,
    logged,
    /** So much later, what is due is sent. */
    async pass(ms: number) {
      waited += ms;
      await mail.deliver();
    },
    async [Symbol.asyncDispose]() {
      await mail.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
const refusal = (responseCode: number) => Object.assign(new Error('<ann@example.org>: refused'), { responseCode });

test('a mail is plain text with the headers of one that nobody has written, and encrypted by STARTTLS', async () => {
  await using server = await openMailServer();
  await using mail = await open(server);
  await mail.add([toAnn]);
  await expect.poll(() => server.received).toHaveLength(1);
  const [{ headers, ...received }] = server.received as [(typeof server.received)[number]];
  expect(received).toEqual({ to: 'ann@example.org', text: 'Grüße\n.\nann\n', isEncrypted: true, user: mailLogin.user });
  expect(Object.fromEntries(headers)).toEqual({
    from: 'Swarmdeck <swarmdeck@devices.example.org>',
    to: 'ann@example.org',
    subject: written.subject,
    'auto-submitted': 'auto-generated',
    'content-type': 'text/plain; charset=utf-8',
    'content-transfer-encoding': 'quoted-printable',
    'mime-version': '1.0',
    date: expect.any(String),
    'message-id': expect.stringMatching(/@devices\.example\.org>$/),
  });
  expect(await mail.examine()).toEqual({ host: 'localhost', failure: undefined });
  await expect.poll(mail.counts).toEqual({ sent: 1, failed: 0, dropped: 0 });
});

test('the mail server is greeted with the name of the settings', async () => {
  const greetings: string[] = [];
  await using server = await openMailServer({
    onMailFrom(_from, { hostNameAppearsAs }, done) {
      greetings.push(hostNameAppearsAs);
      done();
    },
  });
  await using mail = await open(server);
  await mail.add([toAnn]);
  await expect.poll(() => server.received).toHaveLength(1);
  expect(greetings).toEqual(['devices.example.org']);
});

test('TLS from the start, and none, if the operator says so', async () => {
  await using safe = await openMailServer({ secure: true });
  await using plain = await openMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] });
  await using bySafe = await open({ ...safe, tls: 'start' });
  await using byPlain = await open({ ...plain, tls: 'off', login: undefined });
  await bySafe.add([toAnn]);
  await byPlain.add([toAnn]);
  await expect.poll(() => [safe, plain].map(({ received }) => received[0]?.isEncrypted)).toEqual([true, false]);
});

test('a line break in a subject or an address makes no header and no command', async () => {
  await using server = await openMailServer();
  await using mail = await open({ ...server, written: { ...written, subject: 'new\r\nBcc: eve@example.org' } });
  await mail.add([toAnn]);
  await mail.add([{ ...toAnn, address: 'ann@example.org>\r\nRCPT TO:<eve@example.org' }]);
  await expect.poll(() => [server.received.length, mail.logged.length > 0]).toEqual([1, true]);
  const got = server.received.map(({ to, headers }) => [to, headers.get('subject'), headers.has('bcc')]);
  expect(got).toEqual([['ann@example.org', 'new Bcc: eve@example.org', false]]);
});

describe('nothing is sent, one line says why without an address of a user, and the operator is told', () => {
  const cases: [string, () => Promise<AsyncDisposable & { port: number }>, string, RegExp][] = [
    ['without STARTTLS', () => openMailServer({ disabledCommands: ['STARTTLS'] }), 'ETLS 500', /STARTTLS/],
    [
      'with a certificate that is not trusted',
      async () => {
        setDefaultCACertificates(trusted);
        return openMailServer();
      },
      'ESOCKET',
      /certificate/,
    ],
    [
      'with a wrong password',
      () => openMailServer({ onAuth: (_auth, _session, done) => done(refusal(535)) }),
      'EAUTH 535',
      /535/,
    ],
    ['that is down', async () => ({ port: await unusedPort(), async [Symbol.asyncDispose]() {} }), 'ESOCKET', /ECONN/],
  ];
  test.each(cases)('by a mail server %s', async (_title, openServer, reason, failure) => {
    await using server = await openServer();
    await using mail = await open({ port: server.port });
    await mail.add([toAnn]);
    await expect.poll(() => mail.logged).toEqual([['a mail could not be sent', { host: 'localhost', reason }]]);
    await mail.add([{ ...toAnn, kind: 'verify', address: 'new@example.org' }]);
    // Both are tried again, until they have ended.
    for (let tries = 0; tries < 10; tries += 1) await mail.pass(15 * minuteMs);
    expect(await mail.waiting()).toBe(0);
    expect(mail.counts()).toMatchObject({ sent: 0 });
    expect(mail.logged).toHaveLength(1);
    expect(await mail.examine()).toMatchObject({ failure: expect.stringMatching(failure) });
  });

  test('by a mail server that refuses the address', async () => {
    await using server = await openMailServer({ onRcptTo: (_to, _session, done) => done(refusal(550)) });
    await using mail = await open(server);
    await mail.add([toAnn]);
    await expect.poll(mail.counts).toEqual({ sent: 0, failed: 1, dropped: 0 });
    expect(await mail.waiting()).toBe(0);
    expect(JSON.stringify(mail.logged)).toContain('EENVELOPE 550');
    expect(JSON.stringify(mail.logged)).not.toContain('ann@');
  });
});

test('a mail that is refused for the moment is tried again', async () => {
  let tries = 0;
  await using server = await openMailServer({
    onRcptTo(_to, _session, done) {
      tries += 1;
      done(tries < 3 ? refusal(450) : null);
    },
  });
  await using mail = await open(server);
  await mail.add([toAnn]);
  await mail.pass(0);
  for (const [index, ms] of mailLimits.retryMs.slice(0, 2).entries()) {
    await mail.pass(ms - 1);
    expect(tries).toBe(index + 1);
    await mail.pass(1);
  }
  await expect.poll(mail.counts).toEqual({ sent: 1, failed: 0, dropped: 0 });
  expect(mail.logged.map((line) => (line as unknown[])[0])).toEqual([
    'a mail could not be sent',
    'mails are sent again',
  ]);
});

test('a mail to an address that is not verified is tried once, if the mail server refuses the address', async () => {
  let tries = 0;
  await using server = await openMailServer({
    onRcptTo: (_to, _session, done) => {
      tries += 1;
      done(refusal(450));
    },
  });
  await using mail = await open(server);
  await mail.add([{ ...toAnn, kind: 'verify' }]);
  await expect.poll(mail.counts).toEqual({ sent: 0, failed: 1, dropped: 0 });
  expect([tries, await mail.waiting()]).toEqual([1, 0]);
});

test('the end of the process waits a moment for what is being sent, which is sent after the next start', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const sockets = new Set<{ destroy: () => void }>();
  silent.on('connection', (socket) => sockets.add(socket));
  await using mail = await open({ port });
  for (let count = 0; count < 5; count += 1) await mail.add([{ ...toAnn, address: `ann${count}@example.org` }]);
  await expect.poll(() => sockets.size).toBe(mailLimits.atOnce);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const closed = mail.close();
  vi.advanceTimersByTime(mailLimits.closeMs);
  vi.useRealTimers();
  await closed;
  expect([await mail.waiting(), mail.counts()]).toEqual([5, { sent: 0, failed: 0, dropped: 0 }]);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

test('without settings nothing waits', async () => {
  await using database = await openTestDatabase();
  const log = { info: () => {}, warn: () => {} };
  const write = async () => written;
  const { db } = database;
  const mail = createMail({ settings: undefined, db, write, now: () => new Date(), log, report: () => {} });
  await mail.add([toAnn]);
  expect([mail.isAvailable, await mail.waiting(), await mail.examine()]).toEqual([false, 0, undefined]);
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
