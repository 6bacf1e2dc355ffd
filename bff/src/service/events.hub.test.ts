import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { FeedRow } from '../store/tables.ts';
import type { EventRecords, RecordEvent } from './event-records.store.ts';
import { createHub } from './events.hub.ts';
import type { Hub } from './events.hub.ts';

/** An entry of the feed and its event. */
interface Change {
  kind: FeedRow['kind'];
  resourceId?: string;
  n: number | string;
  to: readonly string[];
  swarms: Record<string, string[]>;
}

let hub: Hub;
let reported: unknown[];
let changes: Change[];
let publish: (more: Change[]) => void;
const at = '2026-01-02T03:04:05.678Z';
beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
  changes = [];
  let subscriber = (_entries: readonly FeedRow[]) => {};
  const entryOf = ({ kind, resourceId }: Change, index: number) =>
    ({ seq: index + 1, kind, resource_id: resourceId ?? null }) as FeedRow;
  const since = (after: number, most: number) =>
    after > changes.length || changes.length - after > most ? undefined : changes.map(entryOf).slice(after);
  const feed: Feed = {
    name: 'p1',
    get newest() {
      return changes.length;
    },
    since,
    subscribe(added) {
      subscriber = added;
      return () => {};
    },
    close: () => {},
  };
  const eventOf = ({ seq, kind }: FeedRow): RecordEvent => {
    const { n, to, swarms, resourceId } = changes[seq - 1]!;
    const audience = { users: to, swarms: new Map(Object.entries(swarms)) };
    const type = kind === 'resource.moved' ? 'resource.updated' : (kind as RecordEvent['type']);
    const of = resourceId === undefined ? {} : { resourceId };
    return { seq, at, type, data: JSON.stringify({ n }), audience, isMove: kind === 'resource.moved', ...of };
  };
  const records: EventRecords = {
    read: (entries, isWanted) => entries.map(eventOf).filter(({ audience }) => isWanted(audience)),
  };
  publish = (more) => {
    const before = changes.length;
    changes.push(...more);
    subscriber(since(before, more.length)!);
  };
  hub = createHub({ feed, records, now: () => new Date(at), report: (error) => reported.push(error) });
});
afterEach(() => void vi.useRealTimers());

/** Subscribes a user and collects the output. */
function listen(user: string, after?: string) {
  const writes: Uint8Array[] = [];
  const end = hub.subscribe({ user, after, send: ({ bytes }) => writes.push(bytes) });
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
  return { writes, events, end, lastId, told: () => events().map(({ data }) => data['n']) };
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
const pass = (milliseconds = 1000) => void vi.advanceTimersByTime(milliseconds);

describe('an event', () => {
  it('is an envelope with the record, under its own id', () => {
    const ann = listen('ann');
    publish([news(1)]);
    pass();
    expect(Buffer.concat(ann.writes).toString()).toBe(
      'id: p1-1\ndata: {"id":"p1-1","type":"invitation.updated","at":"2026-01-02T03:04:05.678Z","data":{"n":1}}\n\n',
    );
  });

  it('is sent to all streams of its recipients, and to no other user', () => {
    const [ann, again, bob] = [listen('ann'), listen('ann'), listen('bob')];
    publish([news(1), news(2, { to: ['bob'] }), news(3, { to: ['ann', 'bob'] })]);
    pass();
    expect([ann.told(), again.told(), bob.told()]).toEqual([
      [1, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  it('reaches the other streams if one of them throws', () => {
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
    pass();
    expect(again.told()).toEqual([1]);
    expect(reported).toEqual([fault]);
  });

  it('is sent once to a user who sees it in several swarms', () => {
    const ann = listen('ann');
    publish([news(1, { to: ['ann'], swarms: { s1: ['ann', 'bob'], s2: ['ann'] } })]);
    pass();
    expect(ann.told()).toEqual([1]);
  });

  it('is not sent to a closed stream', () => {
    const ann = listen('ann');
    ann.end();
    publish([news(1)]);
    pass();
    expect(ann.told()).toEqual([]);
  });

  it('is sent immediately after a pause; many events are sent in few writes', () => {
    const ann = listen('ann');
    publish([news(0)]);
    pass(1);
    expect(ann.told()).toEqual([0]);
    for (let n = 1; n <= 100; n++) {
      publish([news(n)]);
      pass(1);
    }
    pass();
    expect(ann.told()).toEqual(Array.from({ length: 101 }, (_, n) => n));
    expect(ann.writes.length).toBeLessThan(6);
  });
});

describe('a moving device', () => {
  it('is sent immediately, then at most five times a second, and finally with its last position', () => {
    const ann = listen('ann');
    for (let n = 1; n <= 200; n++) {
      publish([move('r1', n)]);
      pass(10);
      if (n === 1) expect(ann.told()).toEqual([1]);
    }
    pass();
    const told = ann.told() as number[];
    expect(told.at(-1)).toBe(200);
    expect(told.length).toBeLessThanOrEqual(11);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it('does not delay other events', () => {
    const ann = listen('ann');
    publish([move('r1', 1)]);
    pass(1);
    publish([move('r1', 2), move('r2', 3), news(4)]);
    pass(80);
    expect(ann.told()).toEqual([1, 3, 4]);
  });

  it('is never sent with an older state after a newer one', () => {
    const ann = listen('ann');
    publish([move('r1', 1)]);
    pass(1);
    publish([move('r1', 2), news(3, { kind: 'resource.updated', resourceId: 'r1' })]);
    pass();
    expect(ann.told()).toEqual([1, 3]);
    publish([move('r1', 4), news(5, { kind: 'resource.destroyed', resourceId: 'r1' })]);
    pass();
    expect(ann.told()).toEqual([1, 3, 5]);
  });

  it('is not sent to users who lost access to it before its position is sent', () => {
    const ann = listen('ann');
    publish([move('r1', 1)]);
    pass(1);
    publish([move('r1', 2)]);
    changes[1]!.to = ['bob'];
    pass();
    expect(ann.told()).toEqual([1]);
  });
});

describe('a client that reconnects', () => {
  it('receives its missed events in order', () => {
    const first = listen('ann');
    publish([news(1), news(2, { to: ['bob'] })]);
    pass();
    const after = first.lastId();
    first.end();
    publish([news(3), news(4, { to: ['bob'] }), news(5, { to: [], swarms: { s1: ['ann'] } })]);
    pass();
    const again = listen('ann', after);
    publish([news(6)]);
    pass();
    expect(again.told()).toEqual([3, 5, 6]);
  });

  it('receives a position that was delayed when it disconnected', () => {
    const first = listen('ann');
    publish([move('r1', 1)]);
    pass(1);
    publish([move('r1', 2), news(3)]);
    pass(80);
    expect(first.told()).toEqual([1, 3]);
    // The client's position is before the delayed position, so later events are sent again.
    const after = first.lastId();
    expect(after).toBe('p1-1');
    first.end();
    pass();
    expect(listen('ann', after).told()).toEqual([2, 3]);
  });

  it('can continue from a mark', () => {
    publish([news(1)]);
    pass();
    const after = hub.mark().slice('id: '.length).trim();
    publish([news(2)]);
    pass();
    expect(listen('ann', after).told()).toEqual([2]);
    expect(listen('ann', hub.newest()).events()).toEqual([]);
  });

  it.each(['other-1', 'p1-2', 'p1-99999999999999999999', 'p1-x', 'p1', '', '-', 'p1-1 '])(
    'receives a reset for the unknown id %j',
    (after) => {
      publish([news(1)]);
      pass();
      const ann = listen('ann', after);
      expect(ann.events()).toEqual([{ id: 'p1-1', type: 'reset', at: '2026-01-02T03:04:05.678Z', data: {} }]);
      publish([news(2)]);
      pass();
      expect(ann.told()).toEqual([undefined, 2]);
    },
  );

  it('receives a reset after too many events', () => {
    for (let n = 1; n <= 5001; n++) publish([news(n, { to: ['bob'] })]);
    pass();
    expect(listen('ann', 'p1-0').events()).toMatchObject([{ type: 'reset' }]);
    expect(listen('ann', 'p1-1').events()).toEqual([]);
  });

  it('receives a reset after too many bytes', () => {
    for (let n = 1; n <= 100; n++) publish([news('x'.repeat(2000))]);
    pass();
    expect(listen('ann', 'p1-0').events()).toMatchObject([{ type: 'reset' }]);
    expect(listen('ann', 'p1-90').events()).toHaveLength(10);
  });
});

it('leaves no timer when it is stopped', () => {
  listen('ann');
  publish([news(1), move('r1', 2)]);
  hub.stop();
  expect(vi.getTimerCount()).toBe(0);
});
