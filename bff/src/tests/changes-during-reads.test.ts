// stores: SQLite, PostgreSQL
/** What is read may change before the read returns. Each test holds a read back and changes what was read. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createChangeFeed } from '../core/feed/change-feed.ts';
import { createGatewayKeys } from '../core/gateway/gateway-keys.store.ts';
import { createKeyTable } from '../core/gateway/gateway-keys.fixture.ts';
import { createLimits } from '../core/limits/limit-tables.ts';
import { noQuotas } from '../core/limits/quotas.ts';
import { createIdempotency } from '../core/endpoint/idempotency.store.ts';
import { createKeys } from '../core/keys/api-keys.store.ts';
import { testBindings } from './bindings.fixture.ts';
import { createKeyGuard, keyHeader } from '../core/endpoint/key-guard.ts';
import { newKey } from '../core/keys/key-text.ts';
import { createTestSignIn, requestWith } from '../core/accounts/sign-in.fixture.ts';
import type { Database } from '../core/store/database.ts';

/** Reads of SQL that includes `part` return their rows only after `release`. */
function holdReads(db: Database, part: string) {
  const held = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const { read } = db;
  db.read = async (query) => {
    const rows = await read<never>(query);
    if (query.sql.includes(part)) {
      started.resolve();
      await held.promise;
    }
    return rows;
  };
  /** Later reads are not held. */
  const pass = () => void (db.read = read);
  return {
    started: started.promise,
    pass,
    release() {
      pass();
      held.resolve();
    },
  };
}

const fail = (error: unknown) => {
  throw error;
};

test('a key that is revoked while it is read is not cached', async () => {
  await using table = await createKeyTable();
  const { db, now } = table;
  await table.addUser('ann');
  const feed = await createChangeFeed({ db, report: fail });
  const keys = createKeys({ db, feed, quotas: noQuotas, now, newId: randomUUID, report: fail });
  const { id, key } = await keys.mint({ userId: 'ann', kind: 'own', name: 'k' });
  const reads = holdReads(db, 'FROM api_keys k JOIN');
  const verified = keys.verify(key);
  await reads.started;
  await keys.revoke({ userId: 'ann', id });
  reads.release();
  expect(await verified).toMatchObject({ userId: 'ann' });
  expect(await keys.verify(key)).toBeUndefined();
});

test('a session that is ended while it is read is not cached', async () => {
  await using context = await createTestSignIn();
  const cookie = await context.signUp('ann');
  const [session] = await context.db.read<{ id: string }>({ sql: 'SELECT id FROM session' });
  const reads = holdReads(context.db, 'FROM session s JOIN');
  const found = context.signIn.sessions.check(requestWith(cookie));
  await reads.started;
  await context.signIn.sessions.end({ userName: 'ann', sessionId: session!.id });
  reads.release();
  expect(await found).toMatchObject({ userName: 'ann' });
  expect(await context.signIn.sessions.check(requestWith(cookie))).toBeUndefined();
});

test('a gateway key that another process replaces while it is read is not cached', async () => {
  await using table = await createKeyTable();
  await table.addUser('ann');
  const { db, feed, now } = table;
  const secret = 'a secret of the tests, of 32 and more characters';
  const create = () => createGatewayKeys({ db, feed, secrets: [secret], now, mint: table.mint });
  const [one, other] = [create(), create()];
  const { key: old } = await one.keyFor('ann');
  const reads = holdReads(db, 'FROM held_keys');
  const read = other.keyFor('ann');
  await reads.started;
  reads.pass();
  await one.replace('ann');
  reads.release();
  expect(await read).toMatchObject({ key: old });
  const { key } = await one.keyFor('ann');
  expect(key).not.toBe(old);
  expect(await other.keyFor('ann')).toMatchObject({ key });
});

test('one of two concurrent requests with the same idempotency key acts', async () => {
  await using table = await createKeyTable();
  const { db, now } = table;
  const idempotency = createIdempotency({ db, now });
  let acted = 0;
  const send = () =>
    idempotency.once({
      userId: 'ann',
      key: 'k',
      operation: 'r',
      text: '{}',
      async act(claim) {
        acted += 1;
        await db.write(claim(() => 'answer'));
        return 'answer';
      },
    });
  const reads = holdReads(db, 'FROM idempotency');
  const first = send();
  await expect(send()).rejects.toMatchObject({ code: 'idempotency.in_flight' });
  reads.release();
  expect(await first).toBe('answer');
  expect(await send()).toBe('answer');
  expect(acted).toBe(1);
});

test('one of two processes with the same idempotency key acts, and both send the same response', async () => {
  await using table = await createKeyTable();
  const { db, now } = table;
  const processes = [createIdempotency({ db, now }), createIdempotency({ db, now })];
  const reads = holdReads(db, 'FROM idempotency');
  const sent = processes.map((idempotency, index) =>
    idempotency.once({
      userId: 'ann',
      key: 'k',
      operation: 'r',
      text: '{}',
      async act(claim) {
        await db.write([...claim(() => `answer ${index}`), { sql: `INSERT INTO retired_names VALUES ('${index}')` }]);
        return `answer ${index}`;
      },
    }),
  );
  await reads.started;
  reads.release();
  const responses = await Promise.all(sent);
  // Which of them writes first is not known on PostgreSQL.
  const acted = await db.read<{ name: string }>({ sql: 'SELECT name FROM retired_names' });
  expect(acted).toHaveLength(1);
  expect(responses).toEqual(Array(2).fill(`answer ${acted[0]!.name}`));
});

test('concurrent unknown keys of one address are read together, and the wrong ones are counted after it', async () => {
  await using table = await createKeyTable();
  const { db, now } = table;
  await table.addUser('ann');
  const feed = await createChangeFeed({ db, report: fail });
  const made = createKeys({ db, feed, quotas: noQuotas, now, newId: randomUUID, report: fail });
  const { key } = await made.mint({ userId: 'ann', kind: 'own', name: 'k' });
  // As after a restart.
  const keys = createKeys({ db, feed, quotas: noQuotas, now, newId: randomUUID, report: fail });
  const guard = createKeyGuard({
    feed,
    keys,
    invalidKeys: createLimits({ factor: 1, now }).rates.invalid_keys,
    devices: { wrongKey() {} },
    report: () => {},
    serve: () => new Response('{"code":"served"}'),
  });
  let statements = 0;
  const { read } = db;
  db.read = (query) => {
    if (query.sql.includes('FROM api_keys')) statements += 1;
    return read(query);
  };
  const ask = async (asked: string) => {
    const request = new Request('http://localhost/service/resources', { headers: { [keyHeader]: asked } });
    const answer = await guard(request, testBindings());
    return ((await answer.json()) as { code: string }).code;
  };
  const [right, ...wrong] = await Promise.all([...Array.from({ length: 600 }, newKey), key].toReversed().map(ask));
  expect(right).toBe('served');
  expect(wrong.filter((code) => code === 'key.invalid')).toHaveLength(30);
  expect(wrong.filter((code) => code === 'key.throttled')).toHaveLength(570);
  expect(statements).toBe(4);
});

test('a user who is enabled while a key of theirs is read is not refused from then on', async () => {
  await using table = await createKeyTable();
  const { db, now } = table;
  await table.addUser('ann');
  const feed = await createChangeFeed({ db, report: fail });
  const keys = createKeys({ db, feed, quotas: noQuotas, now, newId: randomUUID, report: fail });
  const { key } = await keys.mint({ userId: 'ann', kind: 'own', name: 'k' });
  const guard = createKeyGuard({
    feed,
    keys,
    invalidKeys: createLimits({ factor: 1, now }).rates.invalid_keys,
    devices: { wrongKey() {} },
    report: () => {},
    serve: () => new Response(),
  });
  const request = () => new Request('http://localhost/service/resources', { headers: { [keyHeader]: key } });
  const ask = () => guard(request(), testBindings());
  const disable = (at: string | null) =>
    db.write([{ sql: 'UPDATE "user" SET disabled_at = $1 WHERE username = $2', params: [at, 'ann'] }]);
  await disable(now().toISOString());
  const reads = holdReads(db, 'FROM api_keys k JOIN');
  const refused = ask();
  await reads.started;
  await disable(null);
  reads.release();
  expect((await refused).status).toBe(401);
  expect((await ask()).status).toBe(200);
});
