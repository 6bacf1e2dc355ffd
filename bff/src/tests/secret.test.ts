// stores: SQLite, PostgreSQL
/** SECRET is checked at the start, and can be changed while users stay signed in. */
import { expect, test } from 'vitest';
import { createApp, type App } from '../app.ts';
import { dayMs } from '../core/limits/durations.ts';
import { createLog } from '../core/log.ts';
import { openTestDatabase } from '../core/store/store.fixture.ts';
import { createIdSource } from '../core/store/new-id.ts';
import { keyKinds } from '../core/store/key-kinds.ts';

const first = 'the first secret of the tests, of 32 characters';
const second = 'the second secret of the tests, of 32 characters';
const origin = 'http://localhost:3000';

async function createContext() {
  const database = await openTestDatabase();
  let time = Date.now();
  const now = () => new Date(time);
  const opened = new Set<App>();
  return {
    db: database.db,
    wait: (ms: number) => void (time += ms),
    async start(...secrets: [string, ...string[]]) {
      const app = await createApp({
        config: { signUp: 'open', rateLimit: Number.POSITIVE_INFINITY, quotas: 1, trustedProxies: [] },
        publicUrl: origin,
        secrets,
        db: database.db,
        siteFolder: undefined,
        log: createLog({ level: 'error', now, write: (line) => expect.fail(line) }),
        now,
        newId: createIdSource(),
      });
      opened.add(app);
      return app;
    },
    async [Symbol.asyncDispose]() {
      for (const app of opened) await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0];
const account = async (app: App, cookie: string) =>
  app.fetch(new Request(`${origin}/api/account`, { headers: { cookie } }));
/** Through the service with the user's gateway key. */
const devices = async (app: App, cookie: string) =>
  (await app.fetch(new Request(`${origin}/api/resources`, { headers: { cookie } }))).status;

async function signUp(app: App, username: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ username, password: 'correct horse battery', name: username });
  return cookieOf(await app.fetch(new Request(`${origin}/auth/sign-up`, { method: 'POST', headers, body })))!;
}

test('a start with another secret is refused in a sentence', async () => {
  await using context = await createContext();
  await context.start(first);
  const sentence = /^The database was used with another SECRET\. Set that one, /;
  await expect(context.start(second)).rejects.toThrow(sentence);
  await expect(context.start(second, `${second}.`)).rejects.toThrow(sentence);
  await context.start(first);
});

test('a changed secret: users stay signed in, gateway keys are encrypted again, and then the old one is not needed', async () => {
  await using context = await createContext();
  const { db } = context;
  const sealed = async () =>
    (await db.read<{ sealed: Uint8Array }>({ sql: 'SELECT sealed FROM held_keys ORDER BY user_id' })).map((row) =>
      Buffer.from(row.sealed).toString('hex'),
    );
  const keys = () => db.read({ sql: `SELECT id FROM api_keys WHERE kind = '${keyKinds.gateway}' ORDER BY id` });

  const before = await context.start(first);
  const cookies = [await signUp(before, 'ann'), await signUp(before, 'bob')] as const;
  for (const cookie of cookies) expect(await devices(before, cookie)).toBe(200);
  const webhooks = () => db.read({ sql: 'SELECT user_id FROM webhooks' });
  await db.write([{ sql: `INSERT INTO webhooks SELECT user_id, 'http://a.example', sealed, '' FROM held_keys` }]);
  const [sealedBefore, keysBefore] = [await sealed(), await keys()];
  expect(keysBefore).toHaveLength(2);

  const during = await context.start(second, first);
  // The database is still of the first one.
  await expect(context.start(second)).rejects.toThrow('another SECRET');
  await during.tidy();
  const sealedAgain = await sealed();
  expect(sealedAgain.filter((text) => sealedBefore.includes(text))).toEqual([]);
  await during.tidy();
  expect(await sealed()).toEqual(sealedAgain);
  for (const cookie of cookies) expect(await devices(during, cookie)).toBe(200);
  expect(await keys()).toEqual(keysBefore);

  // A cookie is signed again when its session is renewed, once an hour.
  context.wait(1.5 * dayMs);
  const renewed = cookieOf(await account(during, cookies[0]))!;
  expect(renewed).not.toBe(cookies[0]);

  const after = await context.start(second);
  expect((await account(after, renewed)).status).toBe(200);
  expect(await devices(after, renewed)).toBe(200);
  expect(await keys()).toEqual(keysBefore);
  expect((await account(after, cookies[1])).status).toBe(401);
  expect(await webhooks()).toHaveLength(2);
  await expect(context.start(first)).rejects.toThrow('another SECRET');
});
