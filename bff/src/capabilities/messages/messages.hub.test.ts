import { setImmediate as nextLoopTick } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { FeedSubscriber } from '../../core/feed/change-feed.ts';
import { deliveryCosts } from '../../core/limits/part-limits.ts';
import { createLimits } from '../../core/limits/limit-tables.ts';
import type { Problem } from '../../core/problem.ts';
import type { FeedRow, MessageRow } from '../../core/store/row-types.ts';
import { lastOf, type MessageCursors } from './message-json.ts';
import { createMessageHub, type MessageHub } from './messages.hub.ts';
import type { MessageReads } from './messages.store.ts';
import type { ReceiverOptions } from './receivers.ts';

let rows: MessageRow[];
/** The swarms in which the receivers are, the end of their memberships, and the swarms of some of them. */
let swarms: string[] | undefined;
let endsAt: string | null;
let swarmsOf: Map<string, string[]>;
let beforeRights: Promise<void>;
let reads: number;
let rightsReads: number;
let publish: FeedSubscriber;
let commit: () => void;
let isAway: boolean;
let duringRead: () => void;
/** The numbers of rows that were read with their payloads. */
let wholeReads: number[];
let duringWhole: () => void;
let beforeDelivery: () => void;
let hub: MessageHub;
const report = vi.fn<(error: unknown) => void>();
const unreadable = new Error('not readable');

const between = (after: number, upTo: number) => rows.filter(({ seq }) => seq > after && seq <= upTo);
beforeEach(() => {
  report.mockReset();
  duringRead = duringWhole = beforeDelivery = () => {};
  wholeReads = [];
  [rows, swarms, reads, rightsReads, isAway] = [[], ['s'], 0, 0, false];
  [endsAt, swarmsOf, beforeRights] = [null, new Map(), Promise.resolve()];
  const away = () => {
    if (isAway) throw new Error('the database is away');
  };
  const positions: Partial<MessageCursors> = {
    cursorOf: (seq) => `m-${seq}`,
    seqOf: (position) => Number(position.slice(2)),
    jsonOf(row) {
      if (row.payload === 'none') throw unreadable;
      return JSON.stringify(row.payload);
    },
  };
  const messages: Partial<MessageReads> = {
    newest: async () => rows.at(-1)?.seq ?? 0,
    async receivedBy({ id: device }) {
      away();
      rightsReads += 1;
      const own = swarmsOf.get(device);
      if (own) await beforeRights;
      return swarms && new Map((own ?? swarms).map((id) => [id, endsAt]));
    },
    async firstAfter({ swarms: own, after }) {
      reads += 1;
      return rows.find(({ seq, swarm_id }) => seq > after && own.includes(swarm_id))?.seq;
    },
    async received({ swarms: own, after, upTo }) {
      reads += 1;
      duringRead();
      const found = between(after, upTo).filter(({ swarm_id }) => own.includes(swarm_id));
      return found.map((row) => ({ ...row, size: row.payload.length }));
    },
    async whole(seqs) {
      wholeReads.push(seqs.length);
      duringWhole();
      return rows.filter(({ seq }) => seqs.includes(seq));
    },
    newestMissing: async () => 0,
    since: async (after) => between(after, Infinity),
  };
  hub = createMessageHub({
    messages: messages as MessageReads,
    cursors: positions as MessageCursors,
    feed: {
      subscribe: (subscriber) => ((publish = subscriber), () => {}),
      readCommitted: async () => beforeDelivery(),
    },
    onUnknownCommit: (subscriber) => ((commit = subscriber), () => {}),
    deliveries: createLimits({ factor: 1, now: () => new Date() }).deliveries,
    now: () => new Date(),
    report,
  });
});

/** This process has written them. */
const onSent = (sent: MessageRow[]) => void hub.deliver(Promise.resolve(sent));

const rowOf = (seq: number, more: Partial<MessageRow> = {}): MessageRow => ({
  seq,
  rest: 0,
  id: `id-${seq}`,
  swarm_id: 's',
  sender_id: 'sender',
  to_id: null,
  sent_at: '',
  payload: `p${seq}`,
  encoding: null,
  properties: null,
  ...more,
});

function receive(more: Partial<ReceiverOptions> = {}) {
  const got: string[] = [];
  const receiver = hub.receive({
    userId: 'ann',
    keyId: 'k',
    resourceId: 'device',
    after: 'm-0',
    recheckAccess: () => {},
    ended: () => {},
    send: (sent) => got.push(...sent.map(({ json }) => Buffer.from(json).toString())) > 0,
    ready: async () => {},
    missing: () => {},
    ...more,
  });
  return { ...receiver, got };
}

test('a receiver that has missed much lets other work run', async () => {
  rows = Array.from({ length: 3000 }, (_, index) => rowOf(index * 1000 + 1));
  const receiver = receive();
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await nextLoopTick();
      turns += 1;
    }
  })();
  await receiver.started;
  isOver = true;
  await counting;
  expect(receiver.got).toHaveLength(3000);
  expect(turns).toBeGreaterThan(2);
  receiver.stop();
});

test('rows of a message to many swarms are one message, also if they are read in two parts', async () => {
  const receiver = receive();
  await receiver.started;
  swarms = ['s', 'last'];
  publish([{ kind: 'membership.changed', resource_id: 'device' } as FeedRow]);
  for (let n = 0; n < 3; n++) await nextLoopTick();
  const one = { id: 'm', payload: 'once' };
  const parts = [rowOf(1, { ...one, rest: 2, swarm_id: 'other' }), rowOf(2, { ...one, rest: 1, swarm_id: 's' })];
  onSent([...parts, rowOf(3, { ...one, swarm_id: 'last' })]);
  await vi.waitFor(() => expect(receiver.got).toEqual(['"once"']));
  expect(receiver.cursor()).toBe('m-3');
  expect(lastOf(parts[0]!)).toBe(3);
  receiver.stop();
});

test('a receiver gets the messages before one that is too large for the memory', async () => {
  const receiver = receive();
  await receiver.started;
  const large = { id: 'm', payload: 'x'.repeat(600 * 1024) };
  rows = [rowOf(1), ...[2, 1, 0].map((rest, n) => rowOf(n + 2, { ...large, rest }))];
  onSent(rows);
  await vi.waitFor(() => expect(receiver.got.map((text) => text.length)).toEqual([4, large.payload.length + 2]));
  receiver.stop();
});

test('of what a receiver has missed, only what its client takes is read with its payload, and a message to many swarms once', async () => {
  const payload = 'x'.repeat(12 * 1024);
  swarms = Array.from({ length: 60 }, (_, n) => `s-${n}`);
  rows = [1, 2, 3].flatMap((message) =>
    swarms!.map((swarm_id, n) => {
      const rest = swarms!.length - 1 - n;
      return rowOf(message * 60 - rest, { rest, id: `id-${message}`, swarm_id, payload });
    }),
  );
  const next = Promise.withResolvers<void>();
  let ready = Promise.resolve();
  const writes: number[] = [];
  const receiver = receive({
    ready: () => ready,
    send(sent) {
      writes.push(sent.length);
      ready = next.promise;
      return writes.length > 1;
    },
  });
  for (let n = 0; n < 5; n++) await nextLoopTick();
  expect([writes, wholeReads, receiver.cursor()]).toEqual([[1], [1], 'm-60']);
  next.resolve();
  await receiver.started;
  expect([writes, wholeReads, receiver.cursor()]).toEqual([[1, 1, 1], [1, 1, 1], 'm-180']);
  receiver.stop();
});

test('a message that is deleted before its payload is read is not passed over: the receiver reads again what there is', async () => {
  rows = [rowOf(1), rowOf(2)];
  duringWhole = () => (rows = rows.filter(({ seq }) => seq !== 1));
  const receiver = receive();
  await receiver.started;
  expect([receiver.got, wholeReads]).toEqual([['"p2"'], [2, 1]]);
  receiver.stop();
});

test('a right that ends while a payload is read ends the delivery', async () => {
  rows = [rowOf(1)];
  duringWhole = () => {
    swarms = [];
    publish([{ kind: 'membership.changed', resource_id: 'device' } as FeedRow]);
  };
  const receiver = receive();
  await receiver.started;
  expect(receiver.got).toEqual([]);
  receiver.stop();
});

test('a message to many swarms is once in memory, and once more for each form: who comes back reads the last ones there', async () => {
  swarms = Array.from({ length: 100 }, (_, n) => `s-${n}`);
  const live = receive({ resourceId: 'live' });
  await live.started;
  const payload = 'x'.repeat(16 * 1024);
  const messages = Array.from({ length: 20 }, (_, message) =>
    swarms!.map((swarm_id, n) =>
      rowOf(message * 100 + n + 1, { rest: 99 - n, id: `id-${message}`, swarm_id, payload }),
    ),
  );
  for (const [n, sent] of messages.entries()) {
    onSent(sent);
    await vi.waitFor(() => expect(live.got).toHaveLength(n + 1));
  }
  const resumed = receive({ after: 'm-1000' });
  await resumed.started;
  expect([resumed.got.length, reads]).toEqual([10, 0]);
  for (const { stop } of [live, resumed]) stop();
});

test('forms that were made for those who come back count in the memory, too', async () => {
  const all = Array.from({ length: 100 }, (_, n) => `s-${n}`);
  swarms = all;
  const live = receive({ resourceId: 'live' });
  await live.started;
  const payload = 'x'.repeat(16 * 1024);
  rows = Array.from({ length: 2000 }, (_, n) =>
    rowOf(n + 1, { rest: 99 - (n % 100), id: `id-${Math.floor(n / 100)}`, swarm_id: all[n % 100]!, payload }),
  );
  onSent(rows);
  await vi.waitFor(() => expect(live.got).toHaveLength(20));
  const back = [];
  for (const swarm of all.slice(0, 10)) {
    swarms = [swarm];
    const one = receive({ resourceId: `in ${swarm}`, after: 'm-1000' });
    await one.started;
    back.push(one);
  }
  expect(back.map(({ got }) => got.length)).toEqual(back.map(() => 10));
  expect(reads).toBeGreaterThan(0);
  for (const { stop } of [live, ...back]) stop();
});

test('receivers that come back drop nothing from the memory that others are due', async () => {
  const all = Array.from({ length: 30 }, (_, n) => `s-${n}`);
  swarms = ['s-0'];
  const isHeld = Promise.withResolvers<void>();
  beforeRights = isHeld.promise;
  const release = () => isHeld.resolve();
  const due = Array.from({ length: 40 }, (_, n) => receive({ userId: 'ben', resourceId: `device-${n}` }));
  await Promise.all(due.map(({ started }) => started));
  const back = all.map((swarm) => {
    swarmsOf.set(`in ${swarm}`, [swarm]);
    return receive({ resourceId: `in ${swarm}` });
  });
  // Each receiver is sent in a turn of its own.
  let time = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 0.3));
  beforeDelivery = release;
  const payload = 'x'.repeat(15 * 1024);
  onSent(
    [0, 1, 2, 3].flatMap((message) =>
      all.map((swarm_id, n) => rowOf(message * 30 + n + 1, { rest: 29 - n, id: `id-${message}`, swarm_id, payload })),
    ),
  );
  await vi.waitFor(() => expect([...due, ...back].map(({ got }) => got.length)).toEqual(Array<number>(70).fill(4)));
  expect(reads).toBe(0);
  for (const { stop } of [...due, ...back]) stop();
});

test('a receiver goes on after messages that are not for it, before one whose rows were not all read', async () => {
  // The clock of the sender is ahead of the end of the membership.
  endsAt = '2026-01-01';
  rows = [rowOf(1, { sent_at: '2026-01-02' }), rowOf(50, { id: 'm', rest: 5 }), rowOf(55, { id: 'm' })];
  const receiver = receive();
  duringRead = () => void (reads > 20 && receiver.stop());
  await receiver.started;
  expect(receiver.got).toEqual(['"p55"']);
  receiver.stop();
});

test('a receiver that cannot be sent a message is told that it misses some, and those behind it get theirs', async () => {
  rows = [rowOf(1), rowOf(2)];
  const error = new Error('a property that no packet can have');
  const [ended, missing] = [vi.fn<(problem: Problem) => void>(), vi.fn<(after: string) => void>()];
  const got: string[] = [];
  const first = receive({
    resourceId: 'first',
    after: 'm-1',
    ended,
    missing,
    send(sent) {
      const seqs = sent.map(({ row }) => row.seq);
      if (seqs.some((seq) => seq === 2 || seq === 3)) throw error;
      return got.push(...seqs.map(String)) > 0;
    },
  });
  // It has missed one.
  await first.started;
  expect(missing.mock.calls).toEqual([['m-1']]);
  const second = receive({ after: 'm-2' });
  await second.started;
  // Now it is live.
  onSent([rowOf(3)]);
  await vi.waitFor(() => expect(second.got).toEqual(['"p3"']));
  onSent([rowOf(4)]);
  await vi.waitFor(() => expect(second.got).toEqual(['"p3"', '"p4"']));
  expect(got).toEqual(['4']);
  expect(missing.mock.calls).toEqual([['m-1'], ['m-2']]);
  expect(report.mock.calls).toEqual([[error], [error]]);
  expect(ended).not.toHaveBeenCalled();
  for (const { stop } of [first, second]) stop();
});

test('a message that cannot be read costs its receivers no other one, wherever it is', async () => {
  const ended = vi.fn<() => void>();
  let last = 0;
  const next = (are: readonly boolean[]) => {
    const some = are.map((isReadable) => rowOf((last += 1), isReadable ? {} : { payload: 'none' }));
    rows.push(...some);
    return some;
  };
  const expectedOf = (some: MessageRow[]) =>
    some.map(({ seq, payload }) => (payload === 'none' ? `missing after m-${seq - 1}` : `"${payload}"`));
  const readable = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
  const check = async (are: boolean[]) => {
    const after = `m-${last}`;
    const missed = next(are);
    const got: string[] = [];
    const receiver = receive({
      after,
      ended,
      missing: (position) => void got.push(`missing after ${position}`),
      send: (sent) => got.push(...sent.map(({ json }) => Buffer.from(json).toString())) > 0,
    });
    await receiver.started;
    expect(got).toEqual(expectedOf(missed));
    const live = next(are);
    onSent(live);
    await vi.waitFor(() => expect(got).toEqual(expectedOf([...missed, ...live])));
    receiver.stop();
  };
  await fc.assert(fc.asyncProperty(readable, check));
  expect(ended).not.toHaveBeenCalled();
  expect(new Set(report.mock.calls.flat())).toEqual(new Set([unreadable]));
});

test('a message that cannot be read is one line in the log, however many receive it', async () => {
  rows = [rowOf(1, { payload: 'none' }), rowOf(2)];
  for (const resourceId of ['first', 'second']) {
    const receiver = receive({ resourceId });
    await receiver.started;
    expect(receiver.got).toEqual(['"p2"']);
    receiver.stop();
  }
  expect(report.mock.calls).toEqual([[unreadable]]);
});

test('a receiver whose door fails ends, and those behind it get theirs', async () => {
  const ended = vi.fn<(problem: Problem) => void>();
  const error = new Error('a door fails');
  const first = receive({
    resourceId: 'first',
    ended,
    send() {
      throw error;
    },
    missing() {
      throw error;
    },
  });
  await first.started;
  const second = receive();
  await second.started;
  onSent([rowOf(1), rowOf(2)]);
  await vi.waitFor(() => expect(second.got).toEqual(['"p1"', '"p2"']));
  expect(report.mock.calls).toEqual([[error], [error]]);
  expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'server.failed' }));
  for (const { stop } of [first, second]) stop();
});

test('messages that were sent together are one write for each receiver, in bounded parts, and none of them follows a removal', async () => {
  const writes: number[] = [];
  const first = receive({
    resourceId: 'first',
    send(sent) {
      // While it is written, the right of the second receiver ends.
      swarms = [];
      publish([{ kind: 'membership.changed', resource_id: 'device' } as FeedRow]);
      return writes.push(sent.length) > 0;
    },
  });
  await first.started;
  const second = receive();
  await second.started;
  onSent(Array.from({ length: 400 }, (_, n) => rowOf(n + 1)));
  await vi.waitFor(() => expect(writes.reduce((sum, amount) => sum + amount, 0)).toBe(400));
  expect(writes.length).toBeGreaterThan(1);
  expect(writes.length).toBeLessThan(5);
  for (let n = 0; n < 5; n++) await nextLoopTick();
  expect(second.got).toEqual([]);
  for (const { stop } of [first, second]) stop();
});

test('a swarm that is destroyed while a receiver catches up delivers nothing more', async () => {
  rows = [rowOf(1)];
  duringRead = () => {
    swarms = [];
    publish([{ kind: 'swarm.destroyed', swarm_id: 's' } as FeedRow]);
  };
  const receiver = receive();
  await receiver.started;
  expect(receiver.got).toEqual([]);
  receiver.stop();
});

test.each(['swarm.destroyed', 'account.ended'] as const)(
  'the rights of a receiver that catches up are not read again for what does not concern it (%s)',
  async (kind) => {
    rows = [rowOf(1)];
    const readsWith = async (swarm_id?: string) => {
      rightsReads = 0;
      duringRead = () => {
        duringRead = () => {};
        if (swarm_id !== undefined) publish([{ kind, swarm_id, owner: 'ben', record_id: null } as FeedRow]);
      };
      const receiver = receive();
      await receiver.started;
      receiver.stop();
      return rightsReads;
    };
    const undisturbed = await readsWith();
    expect(await readsWith('of others')).toBe(undisturbed);
    if (kind === 'swarm.destroyed') expect(await readsWith('s')).toBeGreaterThan(undisturbed);
  },
);

test('a receiver that joins again before it has got everything also gets what was sent meanwhile, as one that resumes', async () => {
  const slow = Promise.withResolvers<void>();
  let ready = Promise.resolve();
  const receiver = receive({ ready: () => ready });
  await receiver.started;
  const changeMembership = () => publish([{ kind: 'membership.changed', resource_id: 'device' } as FeedRow]);
  ready = slow.promise;
  swarms = [];
  changeMembership();
  rows = [rowOf(1)];
  onSent(rows);
  for (let n = 0; n < 5; n++) await nextLoopTick();
  expect(receiver.got).toEqual([]);
  swarms = ['s'];
  changeMembership();
  slow.resolve();
  await vi.waitFor(() => expect(receiver.got).toEqual(['"p1"']));
  receiver.stop();
});

test('a receiver that resumes gets no messages of a sender that was destroyed meanwhile', async () => {
  const live = receive({ resourceId: 'live' });
  await live.started;
  onSent([rowOf(1), rowOf(2, { sender_id: 'other' })]);
  await vi.waitFor(() => expect(live.got).toHaveLength(2));
  publish([{ kind: 'resource.destroyed', resource_id: 'sender' } as FeedRow]);
  const resumed = receive();
  await resumed.started;
  expect(resumed.got).toEqual(['"p2"']);
  for (const { stop } of [live, resumed]) stop();
});

test('of a device with another owner, only what it has sent for the former one is not delivered', async () => {
  const live = receive();
  await live.started;
  // This process reads of the new owner when their first messages are in memory already.
  beforeDelivery = () => publish([{ kind: 'resource.destroyed', resource_id: 'sender', owner: 'ann' } as FeedRow]);
  onSent([
    rowOf(1, { user_id: 'ann' }),
    rowOf(2, { user_id: 'ben' }),
    rowOf(3, { user_id: null }),
    rowOf(4, { user_id: 'ben' }),
  ]);
  await vi.waitFor(() => expect(live.got.at(-1)).toBe('"p4"'));
  expect(live.got).toEqual(['"p2"', '"p4"']);
  live.stop();
});

test('of what was sent to a device with another owner, only what was for the former one is not delivered', async () => {
  const live = receive();
  await live.started;
  beforeDelivery = () => publish([{ kind: 'resource.destroyed', resource_id: 'device', owner: 'ann' } as FeedRow]);
  onSent([rowOf(1, { to_id: 'device', to_user: 'ann' }), rowOf(2, { to_id: 'device', to_user: 'ben' }), rowOf(3)]);
  await vi.waitFor(() => expect(live.got.at(-1)).toBe('"p3"'));
  expect(live.got).toEqual(['"p2"', '"p3"']);
  live.stop();
});

test('an outage of the database is one line in the log, and everything arrives after it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const receivers = Array.from({ length: 10 }, (_, n) => receive({ resourceId: `device-${n}` }));
  await Promise.all(receivers.map(({ started }) => started));
  vi.useRealTimers();
  isAway = true;
  publish(undefined);
  await vi.waitFor(() => expect(report).toHaveBeenCalled());
  await nextLoopTick();
  expect(report).toHaveBeenCalledTimes(1);
  isAway = false;
  rows.push(rowOf(1));
  commit();
  await vi.waitFor(() => expect(receivers.map(({ got }) => got.length)).toEqual(Array<number>(10).fill(1)));
  receivers.forEach(({ stop }) => stop());
});

test('deliveries are charged to the user of the receivers: these catch up in turn, and nobody else waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const [burst, perSecond] = [40_000, 20_000];
  const amount = 50;
  const many = Array.from({ length: 1000 }, (_, n) => receive({ resourceId: `device-${n}` }));
  const other = receive({ userId: 'ben', resourceId: 'other' });
  const settle = async () => {
    for (let n = 0; n < 3 * many.length; n++) await nextLoopTick();
  };
  for (let second = 0; second < 4; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    await settle();
  }
  const delivered = () => many.reduce((sum, { got }) => sum + got.length, 0);
  for (let seq = 1; seq <= amount; seq++) {
    onSent([rowOf(seq, { payload: 'x'.repeat(deliveryCosts.bytes) })]);
    rows.push(rowOf(seq));
    for (let n = 0; n < 100 && other.got.length < seq; n++) await nextLoopTick();
    expect(other.got).toHaveLength(seq);
  }
  // Two deliveries each, because of their bytes.
  const most = burst / 2 + many.length;
  expect(delivered()).toBeLessThanOrEqual(most);
  expect(delivered()).toBeGreaterThan(most - 2 * many.length);
  expect(hub.waitingForBudget()).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(500);
  await settle();
  expect(delivered()).toBeLessThanOrEqual(most + perSecond / 2);
  for (let second = 0; second < 4; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    await settle();
  }
  expect(new Set(many.map(({ got }) => got.length))).toEqual(new Set([amount]));
  expect(hub.waitingForBudget()).toBe(0);
  vi.useRealTimers();
  for (const { stop } of [...many, other]) stop();
});

test('a request that waits is answered when the server stops', async () => {
  const stopped = vi.fn<() => void>();
  const receiver = receive({ stopped });
  await receiver.started;
  hub.endWaiting();
  expect(stopped).toHaveBeenCalledTimes(1);
  receiver.stop();
});

test('who watches a swarm gets its first message at once, and the next ones together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const reads: string[] = [];
  const read = async ({ before }: { before: string }) => (reads.push(before), [before]);
  const watcher = hub.watch({ userId: 'ann', swarmId: 's', read, ready: async () => {}, send: () => {} });
  const send = async (seq: number) => {
    onSent([rowOf(seq)]);
    for (let n = 0; n < 5; n++) await nextLoopTick();
    await vi.advanceTimersByTimeAsync(0);
  };
  await watcher.started;
  await vi.advanceTimersByTimeAsync(1000);
  for (const seq of [1, 2, 3]) await send(seq);
  expect(reads).toEqual(['m-1', 'm-2']);
  await vi.advanceTimersByTimeAsync(500);
  expect(reads).toEqual(['m-1', 'm-2', 'm-4']);
  vi.useRealTimers();
  watcher.stop();
});

test('who may not read a swarm costs one read, and gets no messages', async () => {
  const { Problem } = await import('../../core/problem.ts');
  const read = vi.fn<() => Promise<never[]>>().mockRejectedValue(new Problem('swarm.forbidden'));
  const watcher = hub.watch({ userId: 'ann', swarmId: 's', read, ready: async () => {}, send: () => {} });
  await watcher.started;
  onSent([rowOf(1)]);
  for (let n = 0; n < 5; n++) await nextLoopTick();
  expect(read).toHaveBeenCalledTimes(1);
  expect(report).not.toHaveBeenCalled();
});
