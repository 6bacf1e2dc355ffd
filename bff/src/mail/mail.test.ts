import { createServer, type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MailSettings } from '../config/mail-settings.ts';
import { mailLimits } from '../limits/part-limits.ts';
import { certificate, mailLogin, openMailServer } from '../tests/mail-server.fixture.ts';
import { createMail } from './mail.ts';

const trusted = getCACertificates('default');
beforeEach(() => setDefaultCACertificates([...trusted, certificate]));
afterAll(() => setDefaultCACertificates(trusted));

function open(given: { port: number; retryMs?: number[] } & Partial<MailSettings>) {
  const { retryMs = [], ...settings } = given;
  const logged: unknown[] = [];
  const note = (message: string, facts: unknown) => void logged.push([message, facts]);
  const mail = createMail({
    settings: {
      host: 'localhost',
      tls: 'upgrade',
      login: mailLogin,
      from: { name: 'Swarmdeck', address: 'swarmdeck@devices.example.org' },
      ...settings,
    },
    retryMs,
    log: { info: note, warn: note },
  });
  return { ...mail, logged, counts: () => mail.measure().counts, [Symbol.asyncDispose]: () => mail.close() };
}
const toAnn = {
  to: 'ann@example.org',
  subject: 'A new password – gewählt',
  text: 'Grüße\n.\nann',
  user: 'ann',
  isVerified: true,
};
const refusal = (responseCode: number) => Object.assign(new Error('<ann@example.org>: refused'), { responseCode });

test('a mail is plain text with the headers of one that nobody has written, and encrypted by STARTTLS', async () => {
  await using server = await openMailServer();
  await using mail = open(server);
  mail.send(toAnn);
  await expect.poll(() => server.received).toHaveLength(1);
  const [{ headers, ...received }] = server.received as [(typeof server.received)[number]];
  expect(received).toEqual({ to: 'ann@example.org', text: 'Grüße\n.\nann\n', isEncrypted: true, user: mailLogin.user });
  expect(Object.fromEntries(headers)).toEqual({
    from: 'Swarmdeck <swarmdeck@devices.example.org>',
    to: 'ann@example.org',
    subject: toAnn.subject,
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

test('TLS from the start, and none, if the operator says so', async () => {
  await using safe = await openMailServer({ secure: true });
  await using plain = await openMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] });
  await using bySafe = open({ ...safe, tls: 'start' });
  await using byPlain = open({ ...plain, tls: 'off', login: undefined });
  bySafe.send(toAnn);
  byPlain.send(toAnn);
  await expect.poll(() => [safe, plain].map(({ received }) => received[0]?.isEncrypted)).toEqual([true, false]);
});

test('a line break in a subject or an address makes no header and no command', async () => {
  await using server = await openMailServer();
  await using mail = open(server);
  mail.send({ ...toAnn, subject: 'new\r\nBcc: eve@example.org' });
  mail.send({ ...toAnn, to: 'ann@example.org>\r\nRCPT TO:<eve@example.org' });
  await expect.poll(() => Object.values(mail.counts()).reduce((sum, count) => sum + count)).toBe(2);
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
    await using mail = open({ port: server.port });
    mail.send(toAnn);
    mail.send(toAnn);
    await expect.poll(mail.counts).toEqual({ sent: 0, failed: 2, dropped: 0 });
    expect(mail.logged).toEqual([['a mail could not be sent', { host: 'localhost', reason }]]);
    expect(await mail.examine()).toMatchObject({ failure: expect.stringMatching(failure) });
  });

  test('by a mail server that refuses the address', async () => {
    await using server = await openMailServer({ onRcptTo: (_to, _session, done) => done(refusal(550)) });
    await using mail = open({ ...server, retryMs: [0] });
    mail.send(toAnn);
    await expect.poll(mail.counts).toEqual({ sent: 0, failed: 1, dropped: 0 });
    expect(JSON.stringify(mail.logged)).toContain('EENVELOPE 550');
    expect(JSON.stringify(mail.logged)).not.toContain('ann@');
  });
});

test('a mail that is refused for the moment is tried again, a few times', async () => {
  let tries = 0;
  await using server = await openMailServer({
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith('ann')) tries += 1;
      done(tries < 3 || address.startsWith('ben') ? refusal(450) : null);
    },
  });
  await using mail = open({ ...server, retryMs: [0, 0] });
  mail.send(toAnn);
  await expect.poll(mail.counts).toEqual({ sent: 1, failed: 0, dropped: 0 });
  expect(mail.logged.map((line) => (line as unknown[])[0])).toEqual([
    'a mail could not be sent',
    'mails are sent again',
  ]);
  mail.send({ ...toAnn, to: 'ben@example.org' });
  await expect.poll(mail.counts).toEqual({ sent: 1, failed: 1, dropped: 0 });
});

test('a mail to an address that is not verified is tried once', async () => {
  let tries = 0;
  await using server = await openMailServer({
    onRcptTo: (_to, _session, done) => {
      tries += 1;
      done(refusal(450));
    },
  });
  await using mail = open({ ...server, retryMs: [0] });
  mail.send({ ...toAnn, isVerified: false });
  await expect.poll(mail.counts).toEqual({ sent: 0, failed: 1, dropped: 0 });
  expect(tries).toBe(1);
});

test('a user who has many mails keeps nobody waiting, and has a number of places, also for mails that are tried again', async () => {
  await using server = await openMailServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('no') ? refusal(450) : null),
  });
  await using mail = open({ ...server, tls: 'off', login: undefined, retryMs: [60_000] });
  for (let count = 0; count < mailLimits.ofUser; count += 1) mail.send(toAnn);
  for (let count = 0; count < 2; count += 1) mail.send(toAnn);
  mail.send({ ...toAnn, to: 'ben@example.org', user: 'ben' });
  await expect.poll(mail.counts).toEqual({ sent: mailLimits.ofUser + 1, failed: 0, dropped: 2 });
  expect(server.received.findIndex(({ to }) => to === 'ben@example.org')).toBeLessThan(3);
  expect(mail.logged).toEqual([['mails are dropped: too many wait', { user: 'ann' }]]);
  for (let count = 0; count < mailLimits.ofUser; count += 1) mail.send({ ...toAnn, to: 'no@example.org' });
  await expect.poll(() => mail.logged.length).toBe(2);
  mail.send(toAnn);
  expect(mail.measure()).toMatchObject({ waiting: mailLimits.ofUser, counts: { dropped: 3 } });
});

test('beyond a number of mails that wait, more are dropped; the end of the process waits a moment', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const sockets = new Set<{ destroy: () => void }>();
  silent.on('connection', (socket) => sockets.add(socket));
  const mail = open({ port });
  for (let count = 0; count < mailLimits.waiting + 5; count += 1) mail.send({ ...toAnn, user: `user${count}` });
  expect(mail.measure()).toEqual({ waiting: mailLimits.waiting, counts: { sent: 0, failed: 0, dropped: 5 } });
  await expect.poll(() => sockets.size).toBe(mailLimits.atOnce);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const closed = mail.close();
  vi.advanceTimersByTime(mailLimits.closeMs);
  vi.useRealTimers();
  await closed;
  expect(mail.measure()).toMatchObject({ waiting: 0, counts: { failed: mailLimits.atOnce } });
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

test('without settings nothing is sent', async () => {
  const mail = createMail({ settings: undefined, log: { info: () => {}, warn: () => {} } });
  mail.send(toAnn);
  expect([mail.isAvailable, mail.measure().waiting, await mail.examine()]).toEqual([false, 0, undefined]);
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
