// stores: SQLite, PostgreSQL in the long run
/** Mails that wait: for a mail server that is slow or away, and over a restart. */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../core/limits/durations.ts';
import { mailLimits } from '../../core/limits/part-limits.ts';
import { adoptCopy } from '../../core/store/adopt-copy.ts';
import { openMailServer, type MailServer } from '../../tests/mail-server.fixture.ts';
import { outcomeOf } from '../../tests/service-client.fixture.ts';
import { createTestServer, password, type TestServer } from '../../tests/test-server.fixture.ts';

const better = 'a better password';
let mailServer: MailServer;
let server: TestServer;
/** The mail server takes connections, and answers none of them. */
let isAway: boolean;
/** Is called for each mail before the mail server takes it. */
let taking: () => Promise<void>;

beforeEach(async () => {
  isAway = false;
  taking = async () => {};
  mailServer = await openMailServer({
    onConnect: (_session, done) => done(isAway ? Object.assign(new Error('away'), { responseCode: 421 }) : undefined),
    onRcptTo(_to, _session, done) {
      const take = async () => {
        await taking();
        done();
      };
      void take();
    },
  });
  const mail = {
    host: '127.0.0.1',
    port: mailServer.port,
    tls: 'off' as const,
    login: undefined,
    from: { name: 'Swarmdeck', address: 'swarmdeck@example.org' },
    greeting: 'example.org',
  };
  server = await createTestServer({ mail, isRepeatable: true });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await mailServer[Symbol.asyncDispose]();
});

async function withAddress(user: string, address = `${user}@example.org`) {
  const made = await server.signUp(user);
  const sql = `INSERT INTO addresses (user_id, address, language, asked_at, verified_at) VALUES ($1, $2, 'en', '', 'then')`;
  await server.db.write([{ sql, params: [user, address] }]);
  return made;
}
async function askForLink(username: string) {
  const answer = await server.fetch('/auth/mail-link', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username }),
  });
  expect(await outcomeOf(answer)).toBe('202');
}
const change = (name: string, to = better) => server.app.operator.setPassword({ name, password: to });
const sentTo = (user: string) => mailServer.received.filter(({ to }) => to === `${user}@example.org`);
const waiting = async () => (await server.app.measure()).mails.waiting;
/** A time has passed, after which what waits is looked for. */
async function pass(ms: number, app: Pick<TestServer['app'], 'mail'> = server.app) {
  server.wait(ms);
  await app.mail.deliver();
}

test('the next user gets a link for a lost password, whatever waits for 70 others', async () => {
  const users = Array.from({ length: 70 }, (_, number) => `user${number}`);
  for (const user of [...users, 'ann']) await withAddress(user);
  isAway = true;
  for (let count = 0; count < 6; count += 1) await Promise.all(users.map((user) => change(user, `${better} ${count}`)));
  await pass(minuteMs);
  isAway = false;
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  taking = () => isReleased;
  server.wait(hourMs);
  void server.app.mail.deliver();
  await askForLink('ann');
  await expect.poll(waiting).toBeGreaterThan(300);
  release();
  await expect.poll(() => sentTo('ann')).toHaveLength(1);
  expect(sentTo('ann')[0]!.text).toContain('#link=ann.');
  // A link is sent before the notices.
  expect(mailServer.received.findIndex(({ to }) => to === 'ann@example.org')).toBeLessThanOrEqual(mailLimits.atOnce);
  await expect.poll(waiting).toBe(0);
  for (const user of users) expect(sentTo(user)).toHaveLength(1);
});

test('a restart loses none, and no code is stored', async () => {
  await withAddress('ann');
  await withAddress('ben');
  isAway = true;
  await askForLink('ann');
  await change('ben');
  await expect.poll(waiting).toBe(2);
  const rows = await server.db.read<Record<string, unknown>>({ sql: 'SELECT * FROM mails ORDER BY seq' });
  expect(rows.map(({ user_id, kind, address, language }) => ({ user_id, kind, address, language }))).toEqual([
    { user_id: 'ann', kind: 'link', address: 'ann@example.org', language: 'en' },
    { user_id: 'ben', kind: 'password_changed', address: 'ben@example.org', language: 'en' },
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/#link|ann\.\d/);
  await using next = await server.restart();
  isAway = false;
  await pass(minuteMs, next);
  await expect.poll(() => sentTo('ann')).toHaveLength(1);
  await expect.poll(() => sentTo('ben')).toHaveLength(1);
  const code = /#link=(\S+)/.exec(sentTo('ann')[0]!.text)![1]!;
  const used = await server.fetch('/auth/password-link/use', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ code, newPassword: better }),
  });
  expect(await outcomeOf(used)).toBe('204');
});

test('one mail tells what changed within a minute', async () => {
  await withAddress('ann');
  await change('ann');
  server.wait(minuteMs / 2);
  await server.app.operator.setPassword({ name: 'ann', password });
  await pass(minuteMs / 2 - 1);
  expect(sentTo('ann')).toEqual([]);
  await pass(1);
  await expect.poll(waiting).toBe(0);
  expect(sentTo('ann')).toHaveLength(1);
  const times = [...sentTo('ann')[0]!.text.matchAll(/The password was changed\.\nTime: (.+)\nBy: the operator/g)];
  expect(times).toHaveLength(2);
  await change('ann');
  await pass(minuteMs);
  await expect.poll(() => sentTo('ann')).toHaveLength(2);
});

test('a link that cannot be sent for an hour ends, and a notice does not', async () => {
  await withAddress('ann');
  isAway = true;
  await askForLink('ann');
  await change('ann');
  await expect.poll(waiting).toBe(2);
  await server.app.mail.deliver();
  isAway = false;
  await pass(hourMs);
  await expect.poll(waiting).toBe(0);
  expect(sentTo('ann').map(({ text }) => /#link|was changed/.exec(text)?.[0])).toEqual(['was changed']);
});

test('a link to an address that was removed is not sent, and an account that ends leaves none', async () => {
  await withAddress('ann');
  await withAddress('ben');
  isAway = true;
  await askForLink('ann');
  await askForLink('ben');
  await change('ben');
  await expect.poll(waiting).toBe(3);
  await server.app.mail.deliver();
  await server.db.write([{ sql: `UPDATE addresses SET address = 'new@example.org' WHERE user_id = 'ann'` }]);
  await server.app.operator.deleteUser({ name: 'ben' });
  expect(await waiting()).toBe(1);
  isAway = false;
  await pass(minuteMs);
  await expect.poll(waiting).toBe(0);
  expect(mailServer.received).toEqual([]);
});

test('a restore deletes what waits', async () => {
  await withAddress('ann');
  isAway = true;
  await askForLink('ann');
  await change('ann');
  await expect.poll(waiting).toBe(2);
  await adoptCopy({ db: server.db });
  expect(await waiting()).toBe(0);
});

test('a mail is sent by one of two processes', async () => {
  const users = Array.from({ length: 6 }, (_, number) => `user${number}`);
  for (const user of users) await withAddress(user);
  const another = await server.startAnother(server.db);
  for (const user of users) await change(user);
  server.wait(minuteMs);
  await Promise.all([server.app.mail.deliver(), another.mail.deliver()]);
  await expect.poll(waiting).toBe(0);
  await nextLoopTick();
  expect(mailServer.received.map(({ to }) => to).toSorted()).toEqual(users.map((user) => `${user}@example.org`));
  await another.close();
});

test('a user has a number of places, and of all that wait the newest notice of who has most goes', async () => {
  await withAddress('ann');
  await withAddress('ben');
  isAway = true;
  for (let count = 0; count < 3; count += 1) await askForLink('ann');
  await expect.poll(waiting).toBe(3);
  for (let count = 0; count < mailLimits.ofUser; count += 1) await change('ann');
  expect(await waiting()).toBe(mailLimits.ofUser);
  const kinds = await server.db.read<{ kind: string }>({
    sql: `SELECT kind FROM mails WHERE user_id = 'ann' ORDER BY seq`,
  });
  expect(kinds.filter(({ kind }) => kind === 'link')).toHaveLength(3);
  // Many others, of whom each has two.
  const far = server.now().getTime() + hourMs;
  const others = JSON.stringify(Array.from({ length: mailLimits.waiting / 2 }, (_, number) => `other${number}`));
  const sql = `INSERT INTO mails (user_id, kind, address, language, at, next_at, ends_at)
    SELECT value, 'passkey_added', value, 'en', '', $2, $2 FROM elements($1)`;
  await server.db.write([{ sql, params: [others, far] }]);
  await server.db.write([{ sql, params: [others, far] }]);
  await askForLink('ben');
  await expect.poll(waiting).toBe(mailLimits.waiting);
  const left = await server.db.read<{ user_id: string; kind: string; amount: number }>({
    sql: `SELECT user_id, kind, count(*) AS amount FROM mails WHERE user_id IN ('ann', 'ben') GROUP BY user_id, kind ORDER BY user_id, kind`,
  });
  expect(left).toEqual([
    { user_id: 'ann', kind: 'link', amount: 3 },
    { user_id: 'ben', kind: 'link', amount: 1 },
  ]);
  expect((await server.app.measure()).mails.counts.dropped).toBeGreaterThan(0);
});
