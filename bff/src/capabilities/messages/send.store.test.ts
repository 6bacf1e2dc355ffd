import { expect, test, vi } from 'vitest';
import { createLimits, rateTable } from '../../core/limits/limit-tables.ts';
import type { Database } from '../../core/store/database.ts';
import { StorageError, type Statement, type StorageFault } from '../../core/store/statement.ts';
import { createSending } from './send.store.ts';

interface Sent {
  id: string;
  sender_id: string;
  payload: string;
}

const sentIn = ([statement]: readonly Statement<string>[]) => JSON.parse(String(statement!.params![0])) as Sent[];

/** The rows of these messages, each in one swarm. */
const rowsOf = (messages: readonly Sent[]) =>
  messages.map(({ id, sender_id }, index) => ({
    seq: index + 1,
    rest: 0,
    id,
    sender_id,
    swarm_id: 's',
    to_user: null,
  }));

function setUp({
  write = (messages) => rowsOf(messages),
  swarmsOf = async () => ['s'],
  forget = () => undefined,
  add = () => {},
  factor = 1,
}: {
  /** Returns the rows of these messages, or throws. */
  write?: (messages: readonly Sent[]) => ReturnType<typeof rowsOf> | Promise<ReturnType<typeof rowsOf>>;
  swarmsOf?: () => Promise<readonly string[]>;
  forget?: (id: string) => undefined;
  add?: () => void;
  /** Of `RATE_LIMIT`. */
  factor?: number;
} = {}) {
  const now = () => new Date('2026-01-01');
  const report = vi.fn<(error: unknown) => void>();
  const written: string[][] = [];
  /** Knows each sender as a producer. */
  const db = {
    read: async () => [{ role: 'producer' }],
    async write(statements: readonly Statement<string>[]) {
      const messages = sentIn(statements);
      written.push(messages.map(({ payload }) => payload));
      return { ok: true, rows: await write(messages) };
    },
  } as unknown as Database;
  const { rates } = createLimits({ factor, now });
  const { send } = createSending({
    db,
    senders: { swarmsOf, forget },
    totalBytes: { requireRoom: async () => {}, add },
    trimming: { add: () => {} },
    rates,
    deliver: (rows) => rows,
    now,
    newId: () => crypto.randomUUID(),
    report,
  });
  return { send, rates, report, written };
}

const from = (id: string, payload: string, message_id?: string) => ({
  userId: 'ann',
  id,
  body: { payload, ...(message_id !== undefined && { message_id }) },
});

test('what fails after messages were written is reported, and the next ones are sent', async () => {
  const error = new Error('a mistake');
  const { send, report } = setUp({
    add() {
      throw error;
    },
  });
  for (const payload of ['1', '2']) {
    const { sent } = await send(from('a', payload));
    expect(sent.swarms).toEqual(['s']);
  }
  await expect.poll(() => report.mock.calls).toEqual([[error], [error]]);
});

test('the same message of a sender that is sent twice at once is written once, and both get its result', async () => {
  const { send, written } = setUp();
  const messages = [from('a', '1', 'x'), from('a', '1', 'x'), from('b', '2', 'x')];
  const [first, second, other] = await Promise.all(messages.map(send));
  expect(written).toEqual([['1', '2']]);
  expect(second).toEqual(first);
  expect(other!.sent.message_id).toBe('x');
});

test('a user pays only for the swarms that have taken the message', async () => {
  const { send, rates } = setUp({ swarmsOf: async () => ['s', 't', 'u'] });
  for (const swarm of ['t', 'u']) rates.swarm_messages.take(swarm, rateTable.swarm_messages.burst);
  const { sent, retrySeconds } = await send(from('a', '"four"'));
  expect([sent.swarms, sent.rate_exceeded, retrySeconds]).toEqual([['s'], ['t', 'u'], 1]);
  for (const [rate, cost] of [
    ['user_messages', 1],
    ['message_bytes_of_user', 6],
  ] as const) {
    expect(rates[rate].take('ann', rateTable[rate].burst - cost)).toBe(0);
    expect(rates[rate].take('ann')).toBeGreaterThan(0);
  }
});

test('a user with a small rate pays for a large message that most swarms do not take', async () => {
  const swarms = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const factor = 0.1;
  const { send, rates } = setUp({ swarmsOf: async () => swarms, factor });
  for (const swarm of swarms.slice(10)) rates.swarm_messages.take(swarm, rateTable.swarm_messages.burst);
  const { sent } = await send(from('a', JSON.stringify('x'.repeat(16_000))));
  expect(sent.rate_exceeded).toHaveLength(90);
  const left = rateTable.message_bytes_of_user.burst * factor - 10 * 16_002;
  expect(rates.message_bytes_of_user.take('ann', left)).toBe(0);
  expect(rates.message_bytes_of_user.take('ann')).toBeGreaterThan(0);
});

test('a message that is refused for the rate of its user takes nothing of its swarms', async () => {
  const { send, rates } = setUp();
  rates.user_messages.charge('ann', rateTable.user_messages.burst);
  await expect(send(from('a', '1'))).rejects.toMatchObject({ code: 'rate.exceeded' });
  expect(rates.swarm_messages.take('s', rateTable.swarm_messages.burst)).toBe(0);
});

test('a sender that another process has just added to a swarm is read again, and the write decides', async () => {
  let swarms: string[] = [];
  const forget = vi.fn<(id: string) => undefined>(() => void (swarms = ['s']));
  const { send } = setUp({ swarmsOf: async () => swarms, forget });
  expect((await send(from('a', '1'))).sent.swarms).toEqual(['s']);
  expect(forget.mock.calls).toEqual([['a']]);
  // It is known only to the database.
  const { send: sendUnknown } = setUp({ swarmsOf: async () => [] });
  expect((await sendUnknown(from('a', '1'))).sent.swarms).toEqual(['s']);
});

const failing = (kind: StorageFault) => (messages: readonly Sent[]) => {
  if (messages.some(({ payload }) => payload === '"bad"')) throw new StorageError(kind, 'no');
  return rowsOf(messages);
};
const sendFour = ({ send }: ReturnType<typeof setUp>) =>
  Promise.allSettled(['1', '2', '"bad"', '4'].map((payload, index) => send(from(`d${index}`, payload))));

test.each(['constraint', 'unexpected'] as const)('a message that fails as %s fails alone', async (kind) => {
  const sending = setUp({ write: failing(kind) });
  const outcomes = await sendFour(sending);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(sending.written).toEqual([['1', '2', '"bad"', '4'], ['1', '2'], ['"bad"', '4'], ['"bad"'], ['4']]);
});

test.each(['away', 'full'] as const)('when the storage is %s, messages are not tried again', async (kind) => {
  const sending = setUp({ write: failing(kind) });
  const outcomes = await sendFour(sending);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  expect(sending.written).toHaveLength(1);
});

test('messages that come while others are written share the next statement', async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { send, written } = setUp({
    async write(messages) {
      begun.resolve();
      await ended.promise;
      return rowsOf(messages);
    },
  });
  const first = send(from('a', '1'));
  await begun.promise;
  const others = [send(from('b', '2')), send(from('c', '3'))];
  await new Promise(setImmediate);
  expect(written).toEqual([['1']]);
  ended.resolve();
  await Promise.all([first, ...others]);
  expect(written).toEqual([['1'], ['2', '3']]);
});
