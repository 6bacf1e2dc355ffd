import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../../contract.ts';
import { eventLimits, resumeLimits } from '../limits/part-limits.ts';
import type { ChangeFeed, FeedSubscriber } from '../feed/change-feed.ts';
import type { FeedRow } from '../store/row-types.ts';
import type { EventBuilder, RecordEvent } from './event-builder.store.ts';
import { createHub, type Hub } from './events.hub.ts';

/** An entry of the feed and its event. */
interface Change {
  kind: FeedRow['kind'];
  resourceId?: string;
  swarmId?: string;
  owner?: string;
  n: number | string;
  to: readonly string[];
  swarms: Record<string, string[]>;
}

let hub: Hub;
let reported: unknown[];
let changes: Change[];
let publish: (more: Change[]) => void;
/** As if the entries of these changes were purged before this process read them. */
let publishUnread: (more: Change[]) => void;
/** Whether the feed can be read. */
let isAway: boolean;
/** The entries of each read of records, those that are left by the next one, and the rows that a read counts. */
let reads: number[][];
let isLeft: Set<number>;
let rowsOf: (entries: readonly FeedRow[]) => Map<string, number>;
/** Reads of records wait for it. */
let reading: Promise<void>;
const at = '2026-01-02T03:04:05.678Z';
beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
  changes = [];
  reading = Promise.resolve();
  isAway = false;
  reads = [];
  isLeft = new Set();
  rowsOf = () => new Map();
  let subscriber: FeedSubscriber = () => {};
  const entryOf = ({ kind, resourceId, swarmId, owner = 'ann' }: Change, index: number) =>
    ({ seq: index + 1, kind, resource_id: resourceId ?? null, swarm_id: swarmId ?? null, owner }) as FeedRow;
  const since = async (after: number, most: number) =>
    after > changes.length ? undefined : changes.map(entryOf).slice(after, after + most);
  const feed: Omit<ChangeFeed, 'purge' | 'measure' | 'newestId' | 'oldestId' | 'readCommitted'> = {
    name: 'p1',
    get newest() {
      return changes.length;
    },
    since,
    subscribe(added) {
      subscriber = added;
      return () => {};
    },
    async catchUp() {
      if (isAway) throw new Error('away');
    },
    close: () => {},
  };
  const eventOf = ({ seq, kind }: FeedRow): RecordEvent => {
    const { n, to, swarms, resourceId } = changes[seq - 1]!;
    const recipients = { users: to, swarms: new Map(Object.entries(swarms)) };
    const type = kind === 'resource.moved' ? 'resource.updated' : (kind as RecordEvent['type']);
    const of = resourceId === undefined ? {} : { resourceId };
    return { seq, at, type, data: JSON.stringify({ n }), recipients, isMove: kind === 'resource.moved', ...of };
  };
  const records: EventBuilder = {
    seenBy: async (_user, entries) => [...entries],
    async read(entries, listeners) {
      await reading;
      reads.push(entries.map(({ seq }) => seq));
      const isListening = (user: string) => listeners.has(user);
      const events = entries
        .map(eventOf)
        .filter(({ recipients: { users, swarms } }) =>
          [users, ...swarms.values()].some((names) => names.some(isListening)),
        );
      const left = entries.filter(({ seq }) => isLeft.has(seq));
      isLeft.clear();
      return {
        events: events.filter(({ seq }) => left.every((entry) => entry.seq !== seq)),
        left,
        rows: rowsOf(entries),
      };
    },
  };
  publish = (more) => {
    const before = changes.length;
    changes.push(...more);
    subscriber(changes.map(entryOf).slice(before));
  };
  publishUnread = (more) => {
    changes.push(...more);
    subscriber(undefined);
  };
  hub = createHub({ feed, records, now: () => new Date(at), report: (error) => reported.push(error) });
});

/** Subscribes a user and collects the output. */
function listen(user: string, after?: string) {
  const writes: Uint8Array[] = [];
  const { started, stop: end } = hub.subscribe({ user, after, send: ({ bytes }) => writes.push(bytes) });
  const events = () =>
    Buffer.concat(writes)
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as Event);
  /** The `Last-Event-ID` of a client. */
  const lastId = () =>
    Buffer.concat(writes)
      .toString()
      .match(/(?<=^id: ).*/gm)!
      .at(-1)!;
  return {
    writes,
    started,
    events,
    end,
    lastId,
    received: () => events().map(({ data }) => (data as { n?: unknown }).n),
  };
}

const news = (n: number | string, more: Partial<Change> = {}): Change => ({
  kind: 'invitation.updated',
  to: ['ann'],
  swarms: {},
  n,
  ...more,
});
const move = (resourceId: string, n: number, more: Partial<Change> = {}) =>
  news(n, { kind: 'resource.moved', resourceId, ...more });
const pass = (milliseconds = 1000) => vi.advanceTimersByTimeAsync(milliseconds);
/** Comes again: what the user missed has been sent. */
async function resumed(user: string, after: string) {
  const listener = listen(user, after);
  await listener.started;
  return listener;
}

describe('an event', () => {
  it('is an envelope with the record, under its own id', async () => {
    const ann = listen('ann');
    publish([news(1)]);
    await pass();
    expect(Buffer.concat(ann.writes).toString()).toBe(
      'id: p1-1\ndata: {"id":"p1-1","type":"invitation.updated","at":"2026-01-02T03:04:05.678Z","data":{"n":1}}\n\n',
    );
  });

  it('is sent to all streams of its recipients, and to no other user', async () => {
    const [ann, again, bob] = [listen('ann'), listen('ann'), listen('bob')];
    publish([news(1), news(2, { to: ['bob'] }), news(3, { to: ['ann', 'bob'] })]);
    await pass();
    expect([ann.received(), again.received(), bob.received()]).toEqual([
      [1, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  it('reaches the other streams if one of them throws', async () => {
    const fault = new Error('a stream that throws');
    hub.subscribe({
      user: 'ann',
      after: undefined,
      send() {
        throw fault;
      },
    });
    const again = listen('ann');
    publish([news(1)]);
    await pass();
    expect(again.received()).toEqual([1]);
    expect(reported).toEqual([fault]);
  });

  it('is sent once to a user who sees it in several swarms', async () => {
    const ann = listen('ann');
    publish([news(1, { to: ['ann'], swarms: { s1: ['ann', 'bob'], s2: ['ann'] } })]);
    await pass();
    expect(ann.received()).toEqual([1]);
  });

  it('is not sent to a closed stream', async () => {
    const ann = listen('ann');
    ann.end();
    publish([news(1)]);
    await pass();
    expect(ann.received()).toEqual([]);
  });

  it('is sent immediately after a pause; many events are sent in few writes', async () => {
    const ann = listen('ann');
    publish([news(0)]);
    await pass(1);
    expect(ann.received()).toEqual([0]);
    for (let n = 1; n <= 100; n++) {
      publish([news(n)]);
      await pass(1);
    }
    await pass();
    expect(ann.received()).toEqual(Array.from({ length: 101 }, (_, n) => n));
    expect(ann.writes.length).toBeLessThan(6);
  });
});

describe('a moving device', () => {
  it('is sent immediately, then at most five times a second, and finally with its last position', async () => {
    const ann = listen('ann');
    for (let n = 1; n <= 200; n++) {
      publish([move('r1', n)]);
      await pass(10);
      if (n === 1) expect(ann.received()).toEqual([1]);
    }
    await pass();
    const received = ann.received() as number[];
    expect(received.at(-1)).toBe(200);
    expect(received.length).toBeLessThanOrEqual(11);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  it('does not delay other events', async () => {
    const ann = listen('ann');
    publish([move('r1', 1)]);
    await pass(1);
    publish([move('r1', 2), move('r2', 3), news(4)]);
    await pass(80);
    expect(ann.received()).toEqual([1, 3, 4]);
  });

  it('is never sent with an older state after a newer one', async () => {
    const ann = listen('ann');
    publish([move('r1', 1)]);
    await pass(1);
    publish([move('r1', 2), news(3, { kind: 'resource.updated', resourceId: 'r1' })]);
    await pass();
    expect(ann.received()).toEqual([1, 3]);
    publish([move('r1', 4), news(5, { kind: 'resource.destroyed', resourceId: 'r1' })]);
    await pass();
    expect(ann.received()).toEqual([1, 3, 5]);
  });

  it('is not sent to users who lost access to it before its position is sent', async () => {
    const ann = listen('ann');
    publish([move('r1', 1)]);
    await pass(1);
    publish([move('r1', 2)]);
    changes[1]!.to = ['bob'];
    await pass();
    expect(ann.received()).toEqual([1]);
  });
});

describe('the changes of an owner that cost more rows than a beat has', () => {
  const rename = (resourceId: string, n: number, more: Partial<Change> = {}) =>
    news(n, { kind: 'resource.updated', resourceId, ...more });
  const others = (user: string) => news(0, { to: [user] });
  beforeEach(async () => {
    // The next beat is the one after it.
    const carl = listen('carl');
    publish([others('carl')]);
    await pass(1);
    carl.end();
    reads = [];
    // A change of Ann's is read in as many rows as a beat has.
    rowsOf = (entries) => new Map(entries.some(({ owner }) => owner === 'ann') ? [['ann', eventLimits.ofOwner]] : []);
  });

  it('wait for the next beats, with only the last of each device; those of others do not', async () => {
    const [ann, bob] = [listen('ann'), listen('bob')];
    publish([rename('r1', 1)]);
    for (let n = 2; n <= 9; n++) publish([rename(`r${1 + (n % 2)}`, n)]);
    publish([rename('r3', 10, { owner: 'bob', to: ['bob'] })]);
    await pass(1);
    expect(reads).toEqual([[2], ...Array.from({ length: 8 }, () => []), [11]]);
    await pass();
    expect(reads.slice(10).filter((seqs) => seqs.length > 0)).toEqual([[9, 10]]);
    expect([ann.received(), bob.received()]).toEqual([[1, 8, 9], [10]]);
  });

  it('are resumed by a client that left before they were sent', async () => {
    const first = listen('ann');
    publish([rename('r1', 1)]);
    publish([rename('r2', 2), news(3)]);
    await vi.advanceTimersByTimeAsync(0);
    expect(hub.cursorLine()).toBe('id: p1-1\n');
    first.end();
    expect((await resumed('ann', 'p1-2')).received()).toEqual([2, 3]);
  });

  it('are no moves if one of them is more than a move', async () => {
    const isMove: boolean[] = [];
    hub.subscribe({
      user: 'ann',
      after: undefined,
      send: ({ events }) => isMove.push(...events.map((event) => event.isMove)),
    });
    publish([rename('r1', 1)]);
    publish([rename('r2', 2)]);
    publish([move('r2', 3)]);
    await pass();
    expect(isMove).toEqual([false, false]);
  });

  it('are not sent after the device was deleted', async () => {
    const ann = listen('ann');
    publish([rename('r1', 1)]);
    publish([rename('r2', 2)]);
    publish([rename('r2', 3, { kind: 'resource.destroyed' })]);
    await pass();
    expect(ann.received()).toEqual([1, 3]);
  });

  it('wait too if a read left them', async () => {
    rowsOf = () => new Map();
    const ann = listen('ann');
    isLeft = new Set([3]);
    publish([rename('r1', 1), rename('r2', 2), rename('r3', 3)]);
    await pass();
    expect(reads.filter((seqs) => seqs.length > 0)).toEqual([[2, 3, 4], [3]]);
    expect(ann.received()).toEqual([1, 2, 3]);
  });

  it('are at most forty of swarms, each with its last one', async () => {
    rowsOf = () => new Map();
    const ann = listen('ann');
    const update = (swarm: number, n: number) => news(n, { kind: 'swarm.updated', swarmId: `s${swarm}` });
    publish([
      ...Array.from({ length: 50 }, (_, n) => update(n, n)),
      ...Array.from({ length: 50 }, (_, n) => update(n, 50 + n)),
    ]);
    await pass();
    expect(reads.map(({ length }) => length)).toEqual([40, 10]);
    expect(ann.received()).toEqual(Array.from({ length: 50 }, (_, n) => 50 + n));
  });
});

describe('a client that reconnects', () => {
  it('receives its missed events in order', async () => {
    const first = listen('ann');
    publish([news(1), news(2, { to: ['bob'] })]);
    await pass();
    const after = first.lastId();
    first.end();
    publish([news(3), news(4, { to: ['bob'] }), news(5, { to: [], swarms: { s1: ['ann'] } })]);
    await pass();
    const again = await resumed('ann', after);
    publish([news(6)]);
    await pass();
    expect(again.received()).toEqual([3, 5, 6]);
  });

  it('receives a position that was delayed when it disconnected', async () => {
    const first = listen('ann');
    publish([move('r1', 1)]);
    await pass(1);
    publish([move('r1', 2), news(3)]);
    await pass(80);
    expect(first.received()).toEqual([1, 3]);
    // The client's position is before the delayed position, so later events are sent again.
    const after = first.lastId();
    expect(after).toBe('p1-1');
    first.end();
    await pass();
    expect((await resumed('ann', after)).received()).toEqual([2, 3]);
  });

  it('can continue from a mark', async () => {
    publish([news(1)]);
    await pass();
    const after = hub.cursorLine().slice('id: '.length).trim();
    publish([news(2)]);
    await pass();
    expect((await resumed('ann', after)).received()).toEqual([2]);
    expect((await resumed('ann', `p1-${changes.length}`)).events()).toEqual([]);
  });

  it.each(['other-1', 'p1-2', 'p1-99999999999999999999', 'p1-x', 'p1', '', '-', 'p1-1 '])(
    'receives a reset for the unknown id %j',
    async (after) => {
      publish([news(1)]);
      await pass();
      const ann = await resumed('ann', after);
      expect(ann.events()).toEqual([{ id: 'p1-1', type: 'reset', at: '2026-01-02T03:04:05.678Z', data: {} }]);
      publish([news(2)]);
      await pass();
      expect(ann.received()).toEqual([undefined, 2]);
    },
  );

  it('receives a reset after too many events', async () => {
    for (let n = 1; n <= 1001; n++) publish([news(n)]);
    await pass();
    expect((await resumed('ann', 'p1-0')).events()).toMatchObject([{ type: 'reset' }]);
    expect((await resumed('ann', 'p1-1')).events()).toHaveLength(1000);
  });

  it('receives no reset because of the events of other users, but looks through a limited number', async () => {
    publish([news(0)]);
    publish(Array.from({ length: resumeLimits.entries }, (_, n) => move(`r${n % 3}`, n, { to: ['bob'] })));
    publish([move('r', 1), news(2), move('r', 3)]);
    await pass();
    expect((await resumed('ann', 'p1-1')).received()).toEqual([2, 3]);
    publish(Array.from({ length: 2000 }, (_, n) => move(`r${n % 3}`, n, { to: ['bob'] })));
    await pass();
    expect((await resumed('ann', 'p1-1')).events()).toMatchObject([{ type: 'reset' }]);
  });

  it('delays no new events of other users, and gets its own after those that it missed', async () => {
    publish([news(1)]);
    await pass();
    const read = Promise.withResolvers<void>();
    reading = read.promise;
    const [ann, bob] = [listen('ann', 'p1-0'), listen('bob')];
    await pass();
    reading = Promise.resolve();
    publish([news(2, { to: ['ann', 'bob'] })]);
    await pass();
    expect([ann.received(), bob.received()]).toEqual([[], [2]]);
    read.resolve();
    await pass();
    expect(ann.received()).toEqual([1, 2]);
  });

  it('receives a reset instead of too many new events while it waits', async () => {
    publish([news(1)]);
    await pass();
    const read = Promise.withResolvers<void>();
    reading = read.promise;
    const ann = listen('ann', 'p1-0');
    await pass();
    reading = Promise.resolve();
    for (let n = 2; n < 80; n++) {
      publish([news('x'.repeat(2000))]);
      await pass();
    }
    read.resolve();
    await pass();
    expect(ann.events()).toMatchObject([{ type: 'reset', id: 'p1-79' }]);
    publish([news(80)]);
    await pass();
    expect(ann.received()).toEqual([undefined, 80]);
  });

  it('receives a reset after too many bytes', async () => {
    for (let n = 1; n <= 100; n++) publish([news('x'.repeat(2000))]);
    await pass();
    expect((await resumed('ann', 'p1-0')).events()).toMatchObject([{ type: 'reset' }]);
    expect((await resumed('ann', 'p1-90')).events()).toHaveLength(10);
  });
});

describe('while records are read', () => {
  it('a client that reconnects receives the missed events before new ones, and none twice', async () => {
    publish([news(1), news(2)]);
    await pass();
    const read = Promise.withResolvers<void>();
    reading = read.promise;
    const ann = listen('ann', 'p1-0');
    publish([news(3)]);
    await pass();
    expect(ann.received()).toEqual([]);
    read.resolve();
    await pass();
    expect(ann.received()).toEqual([1, 2, 3]);
  });

  it('a new client receives only the events from then on', async () => {
    listen('bob');
    const read = Promise.withResolvers<void>();
    reading = read.promise;
    publish([news(1)]);
    const ann = listen('ann');
    publish([news(2)]);
    read.resolve();
    await pass();
    expect(ann.received()).toEqual([2]);
  });

  it('a mark does not say that an event was sent before it is', async () => {
    const ann = listen('ann');
    publish([move('r1', 1)]);
    await vi.advanceTimersByTimeAsync(0);
    const read = Promise.withResolvers<void>();
    reading = read.promise;
    publish([move('r2', 2)]);
    await pass();
    expect(hub.cursorLine()).toBe('id: p1-1\n');
    read.resolve();
    await pass();
    expect(ann.received()).toEqual([1, 2]);
    expect(hub.cursorLine()).toBe('id: p1-2\n');
  });
});

describe('after events are lost', () => {
  it('every client receives a reset, and continues after it', async () => {
    const [ann, bob] = [listen('ann'), listen('bob')];
    publish([move('r1', 1)]);
    await pass(1);
    publish([move('r1', 2)]);
    publishUnread([news(3), news(4)]);
    await pass();
    expect(ann.events().map(({ id, type }) => [id, type])).toEqual([
      ['p1-1', 'resource.updated'],
      ['p1-4', 'reset'],
    ]);
    expect(bob.events().map(({ type }) => type)).toEqual(['reset']);
    publish([news(5)]);
    publish([move('r1', 6)]);
    await pass();
    expect(ann.received()).toEqual([1, undefined, 5, 6]);
    expect(ann.lastId()).toBe('p1-6');
  });

  it.each([
    ['records', () => news(2)],
    ['positions', () => move('r1', 2)],
  ])('because %s could not be read, every client receives a reset when they can', async (_, change) => {
    const [ann, bob] = [listen('ann'), listen('bob')];
    publish([news(1)]);
    await pass();
    const before = ann.lastId();
    isAway = true;
    const fault = new Error('the connection is lost');
    reading = Promise.reject(fault);
    publish([change()]);
    reading.catch(() => {});
    await pass(10_000);
    expect(reported).toEqual([fault]);
    // The client's position is still before the lost event.
    expect(ann.received()).toEqual([1]);
    expect(hub.cursorLine()).toBe(`id: ${before}\n`);
    reading = Promise.resolve();
    isAway = false;
    await pass();
    publish([news(3)]);
    await pass();
    expect(ann.received()).toEqual([1, undefined, 3]);
    expect(bob.events().map(({ type }) => type)).toEqual(['reset']);
    expect(reported).toEqual([fault]);
  });

  it('a stopped hub does not wait for the database', async () => {
    listen('ann');
    isAway = true;
    reading = Promise.reject(new Error('closed'));
    reading.catch(() => {});
    publish([news(1)]);
    await pass();
    hub.stop();
    await pass();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('leaves no timer when it is stopped', async () => {
  listen('ann');
  publish([news(1), move('r1', 2)]);
  hub.stop();
  expect(vi.getTimerCount()).toBe(0);
});
