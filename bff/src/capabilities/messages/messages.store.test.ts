// stores: SQLite, PostgreSQL
/** Messages and their table: by which indexes they are found, how many are written at once, and whom rates charge. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../../contract.ts';
import type { FeedSubscriber } from '../../core/feed/change-feed.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { createFairQueue } from '../../core/limits/fair-queue.ts';
import { createLimits } from '../../core/limits/limit-tables.ts';
import type { FeedRow, MessageRow } from '../../core/store/row-types.ts';
import { StorageError, type Query } from '../../core/store/statement.ts';
import { testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { isOnPostgres, openTestDatabase } from '../../core/store/store.fixture.ts';
import { lastOf } from './message-json.ts';
import { createMessages, type Messages } from './messages.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let messages: Messages;
/** What was read and written. */
let statements: Query[];
let clock: Date;
const subscribers: FeedSubscriber[] = [];
const publish: FeedSubscriber = (entries) => subscribers.forEach((subscriber) => subscriber(entries));
let noteWrite: (statement: Query) => void;
let noteCommitted: () => Promise<void>;
/** Called with the number of rows that were read, before the reader gets them. */
let noteRows: (rows: number) => void;
let open: (factor: number, swarms?: number, bytesOfAll?: number) => Messages;
const queue = createFairQueue({ mostWaiting: 10 });
const report = vi.fn<(error: unknown) => void>();

beforeEach(async () => {
  opened = await openTestDatabase();
  const { db } = opened;
  [statements, clock] = [[], new Date()];
  noteWrite = () => {};
  noteCommitted = async () => {};
  noteRows = () => {};
  open = (factor, swarms = Infinity, bytesOfAll = Infinity) =>
    createMessages({
      db: {
        ...db,
        async read<T>(query: Query) {
          statements.push(query);
          const rows = await db.read<T>(query);
          noteRows(rows.length);
          return rows;
        },
        async write(all) {
          all.forEach(noteWrite);
          statements.push(...all);
          const written = await db.write(all);
          await noteCommitted();
          return written;
        },
      },
      feed: {
        name: 'feed',
        subscribe: (subscriber) => (subscribers.push(subscriber), () => subscribers.splice(0)),
        readCommitted: async () => {},
      },
      queue,
      quotas: { swarms },
      bytesOfAll,
      unread: {
        due: () => {},
        cursor: () => Infinity,
        read: async () => {},
        countDeleted: () => ({ sql: 'SELECT 1' }),
      },
      ...createLimits({ factor, now: () => clock }),
      now: () => clock,
      newId: () => crypto.randomUUID(),
      report,
    });
  messages = open(1);
  await addUsers(['ann', 'ben']);
});
afterEach(async () => {
  await messages.close();
  await opened[Symbol.asyncDispose]();
  expect(report).not.toHaveBeenCalled();
});

const put = (sql: string, ...params: string[]) => opened.db.write([{ sql, params }]);

const addUsers = (users: string[]) =>
  put(
    `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
     SELECT value, value, value, 0, '2026-01-01', '2026-01-01', value FROM elements($1)`,
    JSON.stringify(users),
  );

/** Each device is in each swarm, all of a user. */
async function addMembers({ devices, swarms, user = 'ann' }: { devices: string[]; swarms: string[]; user?: string }) {
  const at = '2026-01-01';
  await put(
    `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
     SELECT value, $2, value, 'bug', '${at}', '${at}', 1, '', '' FROM elements($1)`,
    JSON.stringify(devices),
    user,
  );
  await put(
    `INSERT INTO swarms (id, user_id, name, description, public, created_at, version)
     SELECT value, $2, value, '', 0, '${at}', 1 FROM elements($1)`,
    JSON.stringify(swarms),
    user,
  );
  await put(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT s.value, r.value, 'producer', '${at}' FROM elements($1) s, elements($2) r`,
    JSON.stringify(swarms),
    JSON.stringify(devices),
  );
}
const send = (id: string, payload: unknown = 1, more: { swarm_id?: string } = {}, userId = 'ann') =>
  messages.send({ userId, id, body: { payload: JSON.stringify(payload), ...more } });
const sentBy = async (of: { id: string; limit: number }) =>
  JSON.parse(Buffer.from(await messages.sentBy({ requester: { user: 'ann' }, ...of })).toString()) as Message[];
/** A message with so many bytes, as if it was sent. */
const putMessage = (sender: string, { swarm = 's', bytes = 2 } = {}) =>
  put(
    `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named)
     VALUES ('x', $1, $2, '${clock.toISOString()}', $3, 0)`,
    swarm,
    sender,
    '0'.repeat(bytes),
  );
const sendersOf = async (swarm = 's') =>
  (
    await opened.db.read<{ sender_id: string }>({
      sql: 'SELECT sender_id FROM messages WHERE swarm_id = $1 ORDER BY seq',
      params: [swarm],
    })
  ).map(({ sender_id }) => sender_id);
/** How many notes there are of messages that somebody may have missed. */
const countGaps = async () => (await opened.db.read({ sql: 'SELECT 1 FROM message_gaps' })).length;
const entry = (values: Partial<FeedRow>) => values as FeedRow;
const listOf = (name: string, amount: number) => Array.from({ length: amount }, (_, n) => `${name}${n}`);

/** How SQLite executes it. */
const planOf = async ({ sql, params }: Query) =>
  (await opened.db.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, params: params ?? [] })).map(
    ({ detail }) => detail,
  );

// What SQLite plans is known before there are many rows.
testOnSqlite('of a sender are found by an index of the sender and the swarm, in lists and by deletions', async () => {
  await addMembers({ devices: ['a'], swarms: ['s'] });
  await send('a');
  /** What is asked of the index. */
  const asked = async (act: () => Promise<unknown>) => {
    statements = [];
    await act();
    const plans = await Promise.all(statements.map(planOf));
    return new Set(plans.flat().flatMap((detail) => /messages_of_sender ?(.*)/.exec(detail)?.slice(1) ?? []));
  };
  const [ofSender, ofBoth] = ['(<expr>=?)', '(<expr>=? AND <expr>=?)'];
  const list = { swarmId: 's', requester: { user: 'ann' }, readsAll: true, sender: 'a', limit: 10 };
  expect(await asked(() => messages.ofSwarm(list))).toEqual(new Set([ofBoth]));
  const [next, earlier] = ['(<expr>=? AND <expr>>?)', '(<expr>=? AND <expr>=? AND seq>? AND seq<?)'];
  expect(await asked(() => sentBy({ id: 'a', limit: 10 }))).toEqual(new Set([ofSender, next, ofBoth, earlier]));
  const left = ['', '(<expr>>?)', ofSender];
  expect(await asked(() => messages.purge())).toEqual(new Set(left));
  clock = new Date(clock.getTime() + 25 * hourMs);
  expect(await asked(() => messages.purge())).toEqual(new Set(['(<expr>=? AND <expr>=? AND seq>?)', ...left]));
  const destroyed = async () => {
    await putMessage('gone');
    publish([entry({ kind: 'resource.destroyed', resource_id: 'gone' })]);
    await expect.poll(() => sendersOf()).toEqual(['a']);
  };
  expect(await asked(destroyed)).toEqual(new Set([ofSender]));
});

test('of a device that was handed over are those that were sent for its owner, also with an id that was used before', async () => {
  await addMembers({ devices: ['a'], swarms: ['s'] });
  const sendNamed = (payload: unknown, userId: string) =>
    messages.send({ userId, id: 'a', body: { payload: JSON.stringify(payload), message_id: 'named' } });
  const { sent } = await sendNamed(1, 'ann');
  // From before the users of messages were stored.
  await put('UPDATE messages SET user_id = NULL');
  expect((await sendNamed(2, 'ann')).sent).toEqual(sent);
  expect(await sentBy({ id: 'a', limit: 10 })).toMatchObject([{ payload: 1 }]);
  await put(`UPDATE resources SET user_id = 'ben', owner_since = '2026-02-01' WHERE id = 'a'`);
  await put(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('s', 'a', 'producer', '2026-02-01')`,
  );
  publish([entry({ kind: 'membership.changed', resource_id: 'a' })]);
  expect(await sentBy({ id: 'a', limit: 10 })).toEqual([]);
  await sendNamed(3, 'ben');
  expect(await sentBy({ id: 'a', limit: 10 })).toMatchObject([{ payload: 3 }]);
});

test('of a swarm and of a device are read in a thread, users in turn, and become JSON there', async () => {
  await addMembers({ devices: ['a'], swarms: ['s'] });
  await send('a');
  statements = [];
  const run = vi.spyOn(queue, 'run');
  await messages.ofSwarm({ swarmId: 's', requester: { user: 'ann' }, readsAll: false, limit: 10 });
  await messages.sentBy({ requester: { user: 'ben' }, id: 'a', limit: 10 });
  expect(statements.map(({ isLong }) => isLong)).toEqual([true, true, true, true]);
  expect(statements.map(({ shape }) => shape?.name)).toEqual(['messageTexts', undefined, undefined, 'messageArray']);
  expect(run.mock.calls.map(([{ user }]) => user)).toEqual(['ann', 'ben', 'ben', 'ben']);
});

test('are written in statements of bounded rows and bytes, whose results have no payloads', async () => {
  const devices = listOf('d', 30);
  messages = open(Infinity);
  await addMembers({ devices, swarms: listOf('s', 100) });
  const lengths = async (payload: unknown, senders: string[]) => {
    statements = [];
    await Promise.all(senders.map((id) => send(id, payload)));
    const written = statements.filter(({ sql }) => sql.startsWith('INSERT'));
    expect(written.every(({ sql }) => !/RETURNING.*payload/.test(sql))).toBe(true);
    return written.map(({ params }) => (JSON.parse(String(params![0])) as unknown[]).length);
  };
  // From here on, the swarms of each are known, so that none waits for a read.
  await Promise.all(devices.map((id) => send(id)));
  expect(await lengths(1, devices)).toEqual([20, 10]);
  clock = new Date(clock.getTime() + 60_000);
  expect(await lengths('x'.repeat(4000), devices.slice(0, 5))).toEqual([2, 2, 1]);
  expect(await sendersOf('s99')).toHaveLength(65);
});

/** The senders of each statement that `act` causes. */
async function batchesOf(act: () => Promise<unknown>): Promise<string[]> {
  statements = [];
  await act();
  return statements
    .filter(({ sql }) => sql.startsWith('INSERT'))
    .map(({ params }) => {
      const sent = JSON.parse(String(params![0])) as { sender_id: string }[];
      return sent.map(({ sender_id }) => sender_id).join(' ');
    });
}

test('are written without those that the database does not take, wherever they are among them', async () => {
  messages = open(Infinity);
  const devices = listOf('d', 12);
  await addMembers({ devices, swarms: ['s'] });
  noteWrite = ({ params }) => {
    if (String(params?.[0]).includes('refused')) throw new StorageError('constraint', 'refused');
  };
  const taken = fc.array(fc.boolean(), { minLength: 1, maxLength: devices.length });
  const check = async (are: boolean[]) => {
    await put('DELETE FROM messages');
    statements = [];
    const sent = are.map((isTaken, n) => send(devices[n]!, isTaken ? n : 'refused'));
    const results = await Promise.all(sent.map((each) => each.then(() => 'sent', String)));
    expect(results).toEqual(are.map((isTaken) => (isTaken ? 'sent' : 'StorageError: refused')));
    expect(new Set(await sendersOf())).toEqual(new Set(devices.filter((_, n) => are[n])));
  };
  await fc.assert(fc.asyncProperty(taken, check), { numRuns: isOnPostgres ? 20 : 100 });
});

test('are written in turns by user, and before the next large one come those that wait meanwhile', async () => {
  const small = listOf('s', 100);
  await addMembers({ devices: ['a', 'a-large'], swarms: listOf('t', 100) });
  await addMembers({ devices: ['b', 'b-large'], swarms: listOf('u', 100), user: 'ben' });
  await addUsers(['cid']);
  await addMembers({ devices: ['c'], swarms: ['v'], user: 'cid' });
  messages = open(Infinity);
  const many = (id: string, user: string, amount: number) =>
    listOf('', amount).map(() => send(id, 1, { swarm_id: user === 'ann' ? 't0' : 'u0' }, user));
  // From here on, the swarms of each are known, so that none waits for a read.
  for (const [id, user] of Object.entries({ a: 'ann', 'a-large': 'ann', b: 'ben', 'b-large': 'ben', c: 'cid' }))
    await send(id, 1, {}, user);
  // Ann's come first.
  const turns = await batchesOf(() => Promise.all([...many('a', 'ann', 300), ...many('b', 'ben', 2)]));
  expect(turns.map((batch) => batch.split(' ').length)).toEqual([200, 102]);
  expect(turns[0]!.slice(0, 9)).toBe('a b a b a');
  const large = (id: string, user: string) => send(id, 'x'.repeat(16_000), {}, user);
  const alone = await batchesOf(() =>
    Promise.all([large('a-large', 'ann'), large('b-large', 'ben'), ...small.map(() => send('c', 1, {}, 'cid'))]),
  );
  expect(alone).toEqual(['a-large', small.map(() => 'c').join(' '), 'b-large']);
});

test.each(['x', '界'])('of “%s” count as bytes of all rows for their user, and for nobody else', async (character) => {
  const text = character.repeat(16_000 / Buffer.byteLength(character));
  await addMembers({ devices: listOf('d', 4), swarms: listOf('s', 100) });
  await addMembers({ devices: ['e'], swarms: listOf('t', 100), user: 'ben' });
  const outcome = (sent: Promise<unknown>) => sent.then(() => 'sent').catch(({ code }: { code: string }) => code);
  const large = (id: string, user: string) => outcome(send(id, text, {}, user));
  const outcomes = await Promise.all(listOf('d', 4).map((id) => large(id, 'ann')));
  expect(outcomes.toSorted()).toEqual(['rate.exceeded', 'rate.exceeded', 'sent', 'sent']);
  expect(await large('e', 'ben')).toBe('sent');
  clock = new Date(clock.getTime() + 1000);
  expect(await large('d3', 'ann')).toBe('sent');
});

test('of a sender are listed with a bounded number of rows, however many swarms it sends to', async () => {
  // As long as real ids. Some end like another one.
  const [swarms, limit] = [listOf('', 300).map((n) => `${n}-${Number(n) % 280}`.padStart(36, '0')), 50];
  const [own, other] = ['a', 'b'].map((name) => `${name}${'0'.repeat(35)}`);
  const naive = async () => {
    const sql = `SELECT seq, rest FROM messages WHERE sender_id = '${own}' ORDER BY seq DESC LIMIT ${limit}`;
    const rows = await opened.db.read<MessageRow>({ sql });
    return rows.map((row) => messages.cursorOf(lastOf(row)));
  };
  await addMembers({ devices: [own!], swarms: [] });
  let read = 0;
  noteRows = (rows) => (read += rows);
  // One in all swarms, then in a few of them, beside those of another sender.
  for (const often of [300, 7, 1, 20]) {
    const into = listOf('', 400).map((n) => (Number(n) % 3 === 0 ? other : own) + swarms[(Number(n) * 7919) % often]!);
    await put(
      `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named)
       SELECT 'x', substr(value, 37), substr(value, 1, 36), '2026-01-01', '1', 0 FROM elements($1)`,
      JSON.stringify(into),
    );
    read = 0;
    const listed = await sentBy({ id: own!, limit });
    expect(listed.map(({ id }) => id)).toEqual(await naive());
    expect(read).toBeLessThan(swarms.length + 6 * limit);
  }
});

test('go to the swarms of their sender at that moment, also if these change while they are read', async () => {
  await addMembers({ devices: ['a'], swarms: ['s'] });
  const readsOf = () => statements.filter(({ sql }) => sql.includes('LEFT JOIN memberships')).length;
  noteRows = () => {
    noteRows = () => {};
    publish([entry({ kind: 'membership.changed', resource_id: 'a' })]);
  };
  await send('a');
  await send('a');
  await send('a');
  expect(readsOf()).toBe(2);
});

/** How a message ends: where it was sent to and where it was too much, or the code of its refusal. */
const resultOf = (sent: ReturnType<typeof send>) =>
  sent.then(
    ({ sent: { swarms, rate_exceeded = [] } }) => ({ swarms, rate_exceeded }),
    ({ code }: { code: string }) => code,
  );
const sentTo = (...swarms: string[]) => ({ swarms, rate_exceeded: [] });

test('of one user are a quarter of what a swarm takes, and others send beside them', async () => {
  // 4 a second to a swarm, of each user 1.
  messages = open(0.002);
  const users = ['ann', 'ben', 'cid', 'dan', 'eve'];
  await addUsers(users.slice(2));
  for (const user of users) await addMembers({ devices: [`of-${user}`], swarms: user === 'ann' ? ['s'] : [], user });
  await put(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT 's', value, 'producer', '2026-01-01' FROM elements($1)`,
    JSON.stringify(users.slice(1).map((user) => `of-${user}`)),
  );
  const sendOf = (user: string) => resultOf(send(`of-${user}`, 1, { swarm_id: 's' }, user));
  expect(await sendOf('ann')).toEqual(sentTo('s'));
  expect(await sendOf('ann')).toBe('rate.exceeded');
  for (const user of ['ben', 'cid', 'dan']) expect(await sendOf(user), user).toEqual(sentTo('s'));
  // All together.
  expect(await sendOf('eve')).toBe('rate.exceeded');
  clock = new Date(clock.getTime() + 1000);
  expect(await sendOf('eve')).toEqual(sentTo('s'));
});

test('to all swarms leave out those that take no more, say so, and count for none of these', async () => {
  messages = open(0.002);
  await addMembers({ devices: ['a', 'a2'], swarms: ['s', 't', 'u'] });
  expect(await resultOf(send('a', 1, { swarm_id: 't' }, 'ann'))).toEqual(sentTo('t'));
  clock = new Date(clock.getTime() + 1);
  expect(await resultOf(send('a2', 2, {}, 'ann'))).toEqual({ swarms: ['s', 'u'], rate_exceeded: ['t'] });
  expect(await Promise.all(['s', 't', 'u'].map(sendersOf))).toEqual([['a2'], ['a'], ['a2']]);
  expect(await sentBy({ id: 'a2', limit: 10 })).toHaveLength(2);
  // None has room.
  expect(await resultOf(send('a2', 3, {}, 'ann'))).toBe('rate.exceeded');
  // What was left out or refused has taken nothing of the user's four.
  await addMembers({ devices: ['a3'], swarms: ['v'] });
  expect(await resultOf(send('a3', 4, { swarm_id: 'v' }, 'ann'))).toEqual(sentTo('v'));
});

test('say in how many seconds a swarm takes more that they were not sent to', async () => {
  // A swarm takes three messages of a user in four seconds.
  messages = open(0.0015);
  await addMembers({ devices: ['a', 'a2'], swarms: ['s', 't'] });
  expect(await send('a', 1, { swarm_id: 't' })).toMatchObject({ sent: { swarms: ['t'] }, retrySeconds: 0 });
  expect(await send('a2', 2)).toMatchObject({ sent: { swarms: ['s'], rate_exceeded: ['t'] }, retrySeconds: 2 });
});

test('count for the swarms that they are sent to, and for none if they are refused', async () => {
  messages = open(0.001);
  await addMembers({ devices: ['b'], swarms: ['s', 't'] });
  await addMembers({ devices: ['a'], swarms: [], user: 'ben' });
  await put(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('s', 'a', 'producer', '2026-01-01')`,
  );
  expect(await resultOf(send('b', 1, { swarm_id: 's' }))).toEqual(sentTo('s'));
  expect(await resultOf(send('b', 2, { swarm_id: 's' }))).toBe('rate.exceeded');
  await addMembers({ devices: ['c'], swarms: [] });
  // One who is not a member takes no turns of the swarm.
  for (const n of [1, 2, 3]) expect(await resultOf(send('c', n, { swarm_id: 's' }))).toBe('message.not_producer');
  expect(await resultOf(send('a', 3, { swarm_id: 's' }, 'ben'))).toEqual(sentTo('s'));
});

// On PostgreSQL, those of other processes are read after a commit.
testOnSqlite(
  'to a receiver are delivered without a read, though every commit may be one of another process',
  async () => {
    await addMembers({ devices: ['a', 'b'], swarms: ['s'] });
    await put(`UPDATE memberships SET resource_type = 'consumer' WHERE resource_id = 'b'`);
    const got: string[] = [];
    const { started, stop: end } = messages.receive({
      userId: 'ann',
      keyId: 'k',
      resourceId: 'b',
      after: await messages.newestCursor(),
      missing() {},
      send: (sent) => (got.push(...sent.map(({ row }) => row.payload)), true),
      ready: async () => {},
      recheckAccess() {},
      ended: report,
    });
    await started;
    await send('a', 1);
    await vi.waitFor(() => expect(got).toEqual(['1']));
    statements = [];
    await send('a', 2);
    await vi.waitFor(() => expect(got).toEqual(['1', '2']));
    expect(statements.filter(({ sql }) => sql.startsWith('SELECT'))).toEqual([]);
    end();
  },
);

test('to one swarm, and those that are refused, read the memberships of one swarm, and a refused one writes nothing', async () => {
  messages = open(Infinity);
  const swarms = listOf('s', 300);
  await addMembers({ devices: ['a'], swarms });
  await addMembers({ devices: ['b', 'r'], swarms: ['other'] });
  await addMembers({ devices: ['c'], swarms: [] });
  const consumer = `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT value, 'c', 'consumer', '2026-01-01' FROM elements($1)`;
  await put(consumer, JSON.stringify(swarms));
  // The swarms of a sender are read once, and known then.
  for (const id of ['a', 'c']) await resultOf(send(id, 1, { swarm_id: 'other' }, 'ann'));
  let read = 0;
  noteRows = (rows) => (read += rows);
  const codeOf = async (id: string, more: object) => {
    [statements, read] = [[], 0];
    const code = await resultOf(send(id, 1, more, 'ann'));
    expect(read).toBeLessThanOrEqual(1);
    return [code, statements.filter(({ sql }) => sql.startsWith('INSERT')).length];
  };
  expect(await codeOf('a', { swarm_id: 's7' })).toEqual([sentTo('s7'), 1]);
  const insert = statements.find(({ sql }) => sql.startsWith('INSERT'));
  if (!isOnPostgres)
    expect(await planOf(insert!)).toContainEqual(
      expect.stringMatching(/INDEX memberships_by_resource \(resource_id=\? AND swarm_id>\? AND swarm_id<\?\)/),
    );
  expect(await codeOf('a', { swarm_id: 'other' })).toEqual(['message.not_producer', 0]);
  expect(await codeOf('c', { swarm_id: 's7' })).toEqual(['message.not_producer', 0]);
  expect(await codeOf('c', {})).toEqual(['message.not_producer', 0]);
  // Only the write finds that there is no such recipient.
  expect(await codeOf('a', { swarm_id: 's7', to: 'b' })).toEqual(['body.invalid', 1]);
});

test('are sent by a device that another process has just added, and refused if it was removed there', async () => {
  await addMembers({ devices: ['a', 'b'], swarms: ['s'] });
  const at = '2026-01-01';
  await put(`DELETE FROM memberships WHERE resource_id = 'a'`);
  expect(await resultOf(send('a'))).toBe('message.not_producer');
  await put(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('s', 'a', 'producer', '${at}')`,
  );
  expect(await resultOf(send('a'))).toEqual(sentTo('s'));
  await put(`DELETE FROM memberships WHERE resource_id = 'a'`);
  expect(await resultOf(send('a'))).toBe('message.not_producer');
  await put(`DELETE FROM resources WHERE id = 'a'`);
  expect(await resultOf(send('a'))).toBe('resource.not_found');
});

test('that are the last ones of members are kept up to their replacement, the end of the membership, or too many bytes', async () => {
  await addMembers({ devices: ['a', 'b', 'c', 'd', 'e'], swarms: ['s'] });
  const large = { bytes: 11 * 1024 * 1024 };
  await putMessage('b');
  await putMessage('c', large);
  await putMessage('d', large);
  /** Waits until these are left, after so many messages that those beyond the share are looked for once more. */
  async function until(expected: string[]) {
    for (let sent = 0; sent < 4500; sent += 500) {
      clock = new Date(clock.getTime() + 1000);
      await Promise.all(listOf('', 500).map((n) => send('a', n)));
    }
    await expect.poll(async () => (await sendersOf()).filter((id) => id !== 'a')).toEqual(expected);
  }
  await putMessage('gone');
  await putMessage('e', { bytes: 9 * 1024 * 1024 });
  await until(['b', 'c', 'd', 'gone', 'e']);
  clock = new Date(clock.getTime() + 1000);
  await send('b');
  await until(['b', 'c', 'd', 'gone', 'e', 'b']);
  await putMessage('e', large);
  await until(['b', 'd', 'gone', 'e', 'b', 'e']);
  await opened.db.write([{ sql: `DELETE FROM memberships WHERE resource_id = 'd'` }]);
  clock = new Date(clock.getTime() + 25 * hourMs);
  await messages.purge();
  expect((await sendersOf()).toSorted()).toEqual(['a', 'b', 'e']);
});

test('of a swarm that are too many or too large are deleted of the senders who have most, and what is missing is noted', async () => {
  await addMembers({ devices: ['a', 'b', 'c'], swarms: ['s'] });
  const many = (sender: string, amount: number, bytes = 2) =>
    put(
      `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named)
       SELECT 'x', 's', $1, '${clock.toISOString()}', $2, 0 FROM elements($3)`,
      sender,
      '0'.repeat(bytes),
      JSON.stringify(listOf('', amount)),
    );
  const countOf = async (sender: string) => (await sendersOf()).filter((id) => id === sender).length;
  await many('a', 50);
  await many('c', 3000);
  await many('b', 11_000);
  await Promise.all(listOf('', 100).map((n) => send('b', n)));
  await expect.poll(() => countOf('b')).toBeLessThan(10_000);
  await messages.close();
  messages = open(1);
  expect(await Promise.all(['a', 'c'].map(countOf))).toEqual([50, 3000]);
  // All of them are b's.
  const gaps = await opened.db.read<{ sender_id: string; other_seq: number; seq: number }>({
    sql: `SELECT * FROM message_gaps WHERE swarm_id <> ''`,
  });
  expect(gaps).toMatchObject([{ swarm_id: 's', to_id: '', sender_id: 'b', other_seq: 0 }]);
  const missing = (id: string) => messages.newestMissing({ id, swarms: ['s', 't'] });
  expect([await missing('a'), await missing('b')]).toEqual([gaps[0]!.seq, 0]);
  // Now two have most. Of both, as many bytes are kept.
  await many('c', 2000, 16_000);
  await many('b', 2000, 16_000);
  await messages.close();
  messages = open(1);
  await Promise.all(listOf('', 100).map((n) => send('b', n)));
  await expect.poll(() => countOf('b')).toBeLessThan(1300);
  // The deletion of both ends first.
  await messages.close();
  messages = open(1);
  expect(await countOf('a')).toBe(50);
  expect(Math.abs((await countOf('b')) - (await countOf('c')) - 100)).toBeLessThan(30);
  expect(await missing('b')).toBeGreaterThan(0);
});

test('that a user has in many swarms are bounded together, also in a swarm to which nothing is sent any more', async () => {
  messages = open(1, 4);
  const bytesOf = async (swarm: string) => {
    const sql = 'SELECT coalesce(sum(octet_length(payload)), 0) AS bytes FROM messages WHERE swarm_id = $1';
    return (await opened.db.read<{ bytes: number }>({ sql, params: [swarm] }))[0]!.bytes;
  };
  const [megabyte, large] = [1024 * 1024, 'x'.repeat(16_000)];
  await addMembers({ devices: ['a', 'b'], swarms: ['s'] });
  await Promise.all(listOf('', 200).map(() => send('a', large)));
  await messages.purge();
  expect(await bytesOf('s')).toBeGreaterThan(3 * megabyte);
  await addMembers({ devices: ['c'], swarms: ['t', 'u', 'v'] });
  clock = new Date(clock.getTime() + 60_000);
  await Promise.all(listOf('', 200).map(() => send('c', large, { swarm_id: 't' })));
  await expect.poll(() => bytesOf('t')).toBeLessThan(1.25 * megabyte);
  await messages.purge();
  expect(await bytesOf('s')).toBeLessThan(megabyte);
});

test('of a user are bounded in all swarms together: the own oldest are deleted, and nobody else’s', async () => {
  // 4 MiB, of which a swarm may have all.
  messages = open(Infinity, 4);
  await addMembers({ devices: ['a', 'a2'], swarms: ['s'] });
  await addMembers({ devices: ['b'], swarms: ['t'], user: 'ben' });
  // Ann's are in ben's swarms, too.
  await put(
    `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT value, 'a', 'producer', '2026-01-01' FROM elements('["t"]')`,
  );
  const large = 'x'.repeat(15_872);
  const sendMany = (id: string, amount: number, user: string) =>
    Promise.all(listOf('', amount).map(() => send(id, large, {}, user)));
  await sendMany('b', 10, 'ben');
  await send('a2', 'last', {}, 'ann');
  await sendMany('a', 200, 'ann');
  const usage = async (user: string) => {
    const sql = `SELECT amount FROM usage WHERE kind = 'message_bytes' AND user_id = $1`;
    return (await opened.db.read<{ amount: number }>({ sql, params: [user] }))[0]!.amount;
  };
  const recount = async (user: string) => {
    const sql = `SELECT sum(octet_length(payload) + 512) AS amount FROM messages m JOIN resources r ON r.id = m.sender_id
      WHERE r.user_id = $1`;
    return (await opened.db.read<{ amount: number }>({ sql, params: [user] }))[0]!.amount;
  };
  await expect.poll(() => usage('ann')).toBeLessThan(4.3 * 1024 * 1024);
  await messages.close();
  expect(await usage('ann')).toBe(await recount('ann'));
  expect(await usage('ann')).toBeGreaterThan(3.5 * 1024 * 1024);
  expect(await usage('ben')).toBe(await recount('ben'));
  expect((await sendersOf('t')).filter((id) => id === 'b')).toHaveLength(10);
  expect(await sendersOf()).toContain('a2');
  expect(await messages.newestMissing({ id: 'b', swarms: ['t'] })).toBeGreaterThan(0);
});

test('of all users have a limit: who has most is refused, and loses the oldest ones', async () => {
  messages = open(Infinity, Infinity, 40_000);
  await addMembers({ devices: ['a'], swarms: ['s'] });
  await addMembers({ devices: ['b'], swarms: ['t'], user: 'ben' });
  const sendBy = (user: string, id: string) => send(id, 'x'.repeat(1000), {}, user);
  const sizeOfOne = 1002 + 512;
  await sendBy('ben', 'b');
  await Promise.all(Array.from({ length: 26 }, () => sendBy('ann', 'a')));
  // The refusal begins the deletion. One that was faster than it would leave ann room.
  const deletion = Promise.withResolvers<void>();
  const held = queue.run({ user: 'ben' }, () => deletion.promise);
  try {
    await expect(sendBy('ann', 'a')).rejects.toMatchObject({ code: 'message.no_space' });
    await sendBy('ben', 'b');
  } finally {
    deletion.resolve();
    await held;
  }
  await expect.poll(() => messages.bytes()).toBeLessThanOrEqual((40_000 * 15) / 16);
  await sendBy('ann', 'a');
  expect((await sendersOf('t')).length).toBe(2);
  // More may be deleted between the two reads.
  await expect.poll(async () => (await messages.bytes()) - ((await sendersOf('s')).length + 2) * sizeOfOne).toBe(0);
});

test('of all users have a limit: users who have little are never refused, however many have much', async () => {
  messages = open(Infinity, Infinity, 40_000);
  const many = Array.from({ length: 10 }, (_, n) => `user-${n}`);
  await addUsers(many);
  for (const user of many) await addMembers({ devices: [`of-${user}`], swarms: [`by-${user}`], user });
  await addMembers({ devices: ['b'], swarms: ['t'], user: 'ben' });
  const sent = { refused: 0 };
  for (let round = 0; round < 6; round++) {
    const sending = many.map((user) => send(`of-${user}`, 'x'.repeat(1000), {}, user));
    for (const { status } of await Promise.allSettled(sending)) if (status === 'rejected') sent.refused += 1;
    await send('b', round, {}, 'ben');
    // The sum is old.
    clock = new Date(clock.getTime() + 6000);
  }
  expect(await sendersOf('t')).toHaveLength(6);
  await expect.poll(() => messages.bytes()).toBeLessThanOrEqual((40_000 * 15) / 16);
});

test('that are the last ones of members cost the hourly deletion no commit', async () => {
  await addMembers({ devices: ['a', 'b'], swarms: ['s'] });
  await send('a');
  await send('a');
  await send('b');
  clock = new Date(clock.getTime() + 25 * hourMs);
  const deletions = async () => {
    statements = [];
    await messages.purge();
    return statements.filter(({ sql }) => sql.startsWith('DELETE') && sql.includes('later')).length;
  };
  expect(await deletions()).toBe(1);
  expect(await deletions()).toBe(0);
});

test('of what was destroyed are deleted, also if it happens meanwhile, but not of what was restored', async () => {
  await addMembers({ devices: ['a'], swarms: ['s'] });
  for (const sender of ['a', 'gone', 'later']) await putMessage(sender);
  await putMessage('a', { swarm: 'gone' });
  noteWrite = ({ sql }) => {
    if (!sql.startsWith('DELETE FROM messages')) return;
    noteWrite = () => {};
    publish([entry({ kind: 'resource.destroyed', resource_id: 'later' })]);
  };
  publish([
    ...listOf('other', 500).map((id) => entry({ kind: 'resource.destroyed', resource_id: id })),
    entry({ kind: 'resource.destroyed', resource_id: 'gone' }),
    entry({ kind: 'resource.destroyed', resource_id: 'a' }),
    entry({ kind: 'swarm.destroyed', swarm_id: 'gone' }),
  ]);
  await expect.poll(() => sendersOf()).toEqual(['a']);
  expect(await sendersOf('gone')).toEqual([]);
});

test('of many that were destroyed whose deletion fails are one line in the log', async () => {
  const error = new Error('the database is away');
  noteWrite = () => {
    throw error;
  };
  for (const swarm of listOf('gone', 10)) await putMessage('a', { swarm });
  for (const id of listOf('gone', 10)) publish([entry({ kind: 'swarm.destroyed', swarm_id: id })]);
  await expect.poll(() => report.mock.calls.length).toBeGreaterThan(0);
  await messages.close();
  expect(report.mock.calls).toEqual([[error]]);
  report.mockReset();
});

test('to many recipients of a swarm that is destroyed leave one note', async () => {
  const recipients = JSON.stringify(listOf('d', 1200));
  await put(
    `INSERT INTO messages (id, swarm_id, sender_id, to_id, sent_at, payload, is_named)
     SELECT value, 'gone', 'a', value, '${clock.toISOString()}', '1', 0 FROM elements($1)`,
    recipients,
  );
  const newest = await messages.newest();
  publish([entry({ kind: 'swarm.destroyed', swarm_id: 'gone' })]);
  await expect.poll(() => sendersOf('gone')).toEqual([]);
  expect(await countGaps()).toBe(1);
  expect(await messages.newest()).toBe(newest);
});

test('of a device that is destroyed, to many recipients, are noted in the small commits that delete them', async () => {
  const recipients = JSON.stringify(listOf('d', 1200));
  await addMembers({ devices: [], swarms: ['s'] });
  await put(
    `INSERT INTO messages (id, swarm_id, sender_id, to_id, sent_at, payload, is_named)
     SELECT value, 's', 'gone', value, '${clock.toISOString()}', '1', 0 FROM elements($1)`,
    recipients,
  );
  const noted: number[] = [];
  noteCommitted = async () => void noted.push(await countGaps());
  publish([entry({ kind: 'resource.destroyed', resource_id: 'gone' })]);
  await expect.poll(() => sendersOf()).toEqual([]);
  await messages.close();
  // With that of the newest number.
  expect(noted).toEqual([501, 1001, 1201]);
});

test('that are missing for nobody any more are forgotten, in small commits', async () => {
  await addMembers({ devices: ['a'], swarms: ['s', 't'] });
  const noteGaps = (swarm: string, recipients: string[]) =>
    put(
      `INSERT INTO message_gaps (swarm_id, to_id, seq, sender_id, other_seq) SELECT $1, value, 1, 'x', 0 FROM elements($2)`,
      swarm,
      JSON.stringify(recipients),
    );
  await noteGaps('', ['']);
  await noteGaps('ended', ['', ...listOf('d', 1100)]);
  await noteGaps('s', ['', 'a', ...listOf('d', 700)]);
  await noteGaps('t', ['', 'a']);
  const left: number[] = [];
  noteCommitted = async () => void left.push(await countGaps());
  await messages.purge();
  expect(left.at(-1)).toBe(5);
  const deleted = left.map((amount, index) => (left[index - 1] ?? 1806) - amount);
  expect(Math.max(...deleted)).toBeLessThanOrEqual(500);
  left.length = 0;
  await messages.purge();
  expect(left).toEqual([]);
});

test('that are being deleted are left to the next start when the server stops', async () => {
  await put(
    `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named)
     SELECT value, 's', 'gone', '', '1', 0 FROM elements($1)`,
    JSON.stringify(listOf('', 1500)),
  );
  publish([entry({ kind: 'resource.destroyed', resource_id: 'gone' })]);
  await messages.close();
  expect((await sendersOf()).length).toBeGreaterThan(0);
  messages = open(1);
  await messages.purge();
  expect(await sendersOf()).toEqual([]);
});

test('a read after a number never ends in the middle of a message', async () => {
  await put(
    `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named, rest)
     SELECT 'm', value, 'a', '2026-01-01', '1', 0, 599 - CAST(value AS integer) FROM elements($1)`,
    JSON.stringify(listOf('', 600)),
  );
  const rows = await messages.since(0);
  expect(rows).toHaveLength(600);
  expect(new Set(rows.map(lastOf)).size).toBe(1);
});
