// stores: SQLite, PostgreSQL
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minuteMs } from '../limits/durations.ts';
import { openStore } from '../store/open.ts';
import { isOnPostgres, openTestDatabase } from '../store/store.fixture.ts';
import { createSteps } from './steps.store.ts';

const secret = 'a secret of the tests, of 32 and more characters';
let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

let waited = 0;
const now = () => new Date(Date.now() + waited);
const stepsOf = (options: Partial<Parameters<typeof createSteps>[0]> = {}) =>
  createSteps({ db: database.db, secrets: [secret], feedName: 'feed', now, ...options });
/** The request that a browser sends after this `Set-Cookie` header. */
const after = (cookie: string) =>
  new Request('https://swarmdeck.test/', { headers: { cookie: `theme=dark; ${cookie.split(';')[0]}` } });

test('a step is opened by any process, and neither read nor used as another kind', () => {
  const cookie = stepsOf().seal('provider', { nonce: 'a nonce' });
  expect(cookie).toMatch(/^__Host-swarmdeck\.provider=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(Buffer.from(cookie.split(/[=;]/)[1]!, 'base64url').toString()).not.toContain('nonce');
  expect(stepsOf().open('provider', after(cookie))).toMatchObject({ value: { nonce: 'a nonce' } });
  expect(stepsOf().open('newcomer', after(cookie))).toBeUndefined();
  expect(stepsOf().open('newcomer', after(cookie.replace('.provider=', '.newcomer=')))).toBeUndefined();
});

test('a step is not opened after ten minutes', () => {
  const cookie = stepsOf().seal('provider', 1);
  waited += 10 * minuteMs - 1000;
  expect(stepsOf().open('provider', after(cookie))?.value).toBe(1);
  waited += 1001;
  expect(stepsOf().open('provider', after(cookie))).toBeUndefined();
});

test('a step is not opened if it was changed, or is of another secret, or from before a restored backup', () => {
  const cookie = stepsOf().seal('provider', 1);
  const other = 'another secret of the tests, of 32 characters';
  expect(stepsOf({ secrets: [other, secret] }).open('provider', after(cookie))?.value).toBe(1);
  expect(stepsOf({ secrets: [other] }).open('provider', after(cookie))).toBeUndefined();
  expect(stepsOf({ feedName: 'restored' }).open('provider', after(cookie))).toBeUndefined();
  const [name = '', value = ''] = cookie.split(/[=;]/);
  for (const changed of ['', 'x', value.slice(1), value.slice(0, -2), `A${value}`, 'A'.repeat(100_000), '%ff', '{}'])
    expect(stepsOf().open('provider', after(`${name}=${changed}`))).toBeUndefined();
  expect(stepsOf().open('provider', new Request('https://swarmdeck.test/'))).toBeUndefined();
});

test('what is too long for a cookie is an error, and not a sign-in that never ends', () => {
  expect(() => stepsOf().seal('provider', 'x'.repeat(4000))).toThrow('too long for a cookie');
});

test('steps of tabs do not replace each other, and those beyond four end, the oldest first', () => {
  const steps = stepsOf();
  const browser = new Map<string, string>([['theme', 'dark']]);
  const request = () =>
    new Request('https://swarmdeck.test/', {
      headers: { cookie: [...browser].map((pair) => pair.join('=')).join('; ') },
    });
  const begin = (tag: string) => {
    for (const cookie of steps.sealOfTab({ kind: 'provider', value: tag, tag, request: request() })) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') browser.delete(name);
      else browser.set(name, value);
    }
  };
  browser.set('__Host-swarmdeck.provider.malformed', 'x');
  const tags = ['a', 'b', 'c', 'd', 'e'];
  for (const tag of tags) {
    begin(tag);
    waited += 1;
  }
  expect(tags.map((tag) => steps.open('provider', request(), tag)?.value)).toEqual([undefined, 'b', 'c', 'd', 'e']);
  expect([...browser.keys()]).toHaveLength(5);
  expect(steps.open('provider', request())).toBeUndefined();
  expect(steps.open('passkey', request(), 'e')).toBeUndefined();
});

test('of many uses of a step at once, also on two processes, one works', async () => {
  const another = isOnPostgres ? await openStore({ url: database.db.url }) : database.db;
  const steps = stepsOf();
  const step = steps.open('provider', after(steps.seal('provider', 1)))!;
  const written = await Promise.all(
    [database.db, another, database.db, another].map((db) => db.write([steps.used(step)])),
  );
  expect(written.filter(({ ok }) => ok)).toHaveLength(1);
  expect(written.find(({ ok }) => !ok)).toEqual({ ok: false, failed: 'step used' });
  if (isOnPostgres) await another.close();
});

test('a step whose outcome was not written is not used', async () => {
  const steps = stepsOf();
  const step = steps.open('provider', after(steps.seal('provider', 1)))!;
  const refused = await database.db.write([steps.used(step), { sql: 'SELECT 1 WHERE false', orFail: 'refused' }]);
  expect(refused).toEqual({ ok: false, failed: 'refused' });
  expect(await database.db.write([steps.used(step)])).toMatchObject({ ok: true });
});

test('used steps are deleted an hour after they have expired', async () => {
  const steps = stepsOf();
  const step = steps.open('provider', after(steps.seal('provider', 1)))!;
  await database.db.write([steps.used(step)]);
  const isStored = async () =>
    (await database.db.read({ sql: 'SELECT 1 FROM used_steps WHERE id = $1', params: [step.id] })).length === 1;
  waited += 69 * minuteMs;
  await steps.purge();
  expect(await isStored()).toBe(true);
  waited += 2 * minuteMs;
  await steps.purge();
  expect(await isStored()).toBe(false);
});
