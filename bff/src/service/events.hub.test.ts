import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../contract.ts';
import { createHub } from './events.hub.ts';
import type { Hub } from './events.hub.ts';
import type { News } from './news.store.ts';

let hub: Hub;
let reported: unknown[];
beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
  const report = (error: unknown) => reported.push(error);
  hub = createHub({ process: 'p1', now: () => new Date('2026-01-02T03:04:05.678Z'), report });
});
afterEach(() => void vi.useRealTimers());

/** What a user is told, as it goes over the wire. */
function listen(user: string, after?: string) {
  const writes: Uint8Array[] = [];
  const end = hub.subscribe({ user, after, told: ({ bytes }) => writes.push(bytes) });
  const events = () =>
    Buffer.concat(writes)
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as Event);
  return { writes, events, end, told: () => events().map(({ data }) => data['n']) };
}

const news = (n: number | string, more: Partial<News> = {}): News => ({
  type: 'invitation.updated',
  to: ['ann'],
  data: JSON.stringify({ n }),
  ...more,
});
const move = (about: string, n: number, more: Partial<News> = {}) =>
  news(n, { type: 'resource.updated', about, coalesce: true, ...more });
const pass = (milliseconds = 1000) => void vi.advanceTimersByTime(milliseconds);

describe('an event', () => {
  it('is an envelope with the record, under its own id', () => {
    const ann = listen('ann');
    hub.publish([news(1)]);
    pass();
    expect(Buffer.concat(ann.writes).toString()).toBe(
      'id: p1-1\ndata: {"id":"p1-1","type":"invitation.updated","at":"2026-01-02T03:04:05.678Z","data":{"n":1}}\n\n',
    );
  });

  it('goes to those it is for, each of their streams, and to nobody else', () => {
    const [ann, again, bob] = [listen('ann'), listen('ann'), listen('bob')];
    hub.publish([news(1), news(2, { to: ['bob'] }), news(3, { to: ['ann', 'bob'] })]);
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
      told() {
        throw fault;
      },
    });
    const again = listen('ann');
    hub.publish([news(1)]);
    pass();
    expect(again.told()).toEqual([1]);
    expect(reported).toEqual([fault]);
  });

  it('goes once to a user who may see it in several swarms', () => {
    const ann = listen('ann');
    hub.publish([news(1, { to: ['ann'], seenIn: '{"s1":["ann","bob"],"s2":["ann"]}' })]);
    pass();
    expect(ann.told()).toEqual([1]);
  });

  it('goes no more to a reader who has left', () => {
    const ann = listen('ann');
    ann.end();
    hub.publish([news(1)]);
    pass();
    expect(ann.told()).toEqual([]);
  });

  it('goes at once after a pause; a crowd of them in few writes', () => {
    const ann = listen('ann');
    hub.publish([news(0)]);
    pass(1);
    expect(ann.told()).toEqual([0]);
    for (let n = 1; n <= 100; n++) {
      hub.publish([news(n)]);
      pass(1);
    }
    pass();
    expect(ann.told()).toEqual(Array.from({ length: 101 }, (_, n) => n));
    expect(ann.writes.length).toBeLessThan(6);
  });
});

describe('a moving device', () => {
  it('is told of at once, then five times a second at most, and at last where it is', () => {
    const ann = listen('ann');
    for (let n = 1; n <= 200; n++) {
      hub.publish([move('r1', n)]);
      pass(10);
      if (n === 1) expect(ann.told()).toEqual([1]);
    }
    pass();
    const told = ann.told() as number[];
    expect(told.at(-1)).toBe(200);
    expect(told.length).toBeLessThanOrEqual(11);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it('holds nobody else back', () => {
    const ann = listen('ann');
    hub.publish([move('r1', 1)]);
    pass(1);
    hub.publish([move('r1', 2), move('r2', 3), news(4)]);
    pass(80);
    expect(ann.told()).toEqual([1, 3, 4]);
  });

  it('is never told older after something newer about it', () => {
    const ann = listen('ann');
    hub.publish([move('r1', 1)]);
    pass(1);
    hub.publish([move('r1', 2), news(3, { type: 'resource.updated', about: 'r1' })]);
    pass();
    expect(ann.told()).toEqual([1, 3]);
    hub.publish([move('r1', 4), news(5, { type: 'resource.destroyed', about: 'r1' })]);
    pass();
    expect(ann.told()).toEqual([1, 3, 5]);
  });

  it.each(['membership.changed', 'swarm.destroyed', 'resource.destroyed'] as const)(
    'is told of before %s may take it out of sight, not after',
    (type) => {
      const ann = listen('ann');
      const seenIn = '{"s1":["ann"]}';
      hub.publish([move('r1', 1, { to: [], seenIn }), move('r2', 1, { to: ['ann'] })]);
      pass(1);
      hub.publish([move('r1', 2, { to: [], seenIn }), move('r2', 3), news(4, { type, to: [], seenIn })]);
      pass(80);
      expect(ann.told()).toEqual([1, 1, 2, 4]);
    },
  );
});

describe('who comes again', () => {
  it('is told what they missed, in order, and nothing that is for others', () => {
    const first = listen('ann');
    hub.publish([news(1), news(2, { to: ['bob'] })]);
    pass();
    const after = first.events().at(-1)!.id;
    first.end();
    hub.publish([news(3), news(4, { to: ['bob'] }), news(5, { to: [], seenIn: '{"s1":["ann"]}' })]);
    pass();
    const again = listen('ann', after);
    hub.publish([news(6)]);
    pass();
    expect(again.told()).toEqual([3, 5, 6]);
  });

  it('misses no position that was still on its way', () => {
    const first = listen('ann');
    hub.publish([move('r1', 1)]);
    pass(1);
    hub.publish([move('r1', 2), news(3)]);
    pass(80);
    expect(first.told()).toEqual([1, 3]);
    const after = first.events().at(-1)!.id;
    first.end();
    pass();
    expect(listen('ann', after).told()).toEqual([2]);
  });

  it('knows where it was from the mark alone', () => {
    hub.publish([news(1)]);
    pass();
    const after = hub.mark().slice('id: '.length).trim();
    hub.publish([news(2)]);
    pass();
    expect(listen('ann', after).told()).toEqual([2]);
    expect(listen('ann', hub.newest()).events()).toEqual([]);
  });

  it.each(['other-1', 'p1-2', 'p1-99999999999999999999', 'p1-x', 'p1', '', '-', 'p1-1 '])(
    'is told to read the lists again where %j says nothing here',
    (after) => {
      hub.publish([news(1)]);
      pass();
      const ann = listen('ann', after);
      expect(ann.events()).toEqual([{ id: 'p1-1', type: 'reset', at: '2026-01-02T03:04:05.678Z', data: {} }]);
      hub.publish([news(2)]);
      pass();
      expect(ann.told()).toEqual([undefined, 2]);
    },
  );

  it('after too many events is told to read the lists again', () => {
    for (let n = 1; n <= 10_001; n++) hub.publish([news(n, { to: ['bob'] })]);
    pass();
    expect(listen('ann', 'p1-0').events()).toMatchObject([{ type: 'reset' }]);
    expect(listen('ann', 'p1-1').events()).toEqual([]);
  });

  it('and missed more than a screenful of lists is told to read these instead', () => {
    const data = JSON.stringify({ n: 'x'.repeat(2000) });
    for (let n = 1; n <= 100; n++) hub.publish([news(n, { data })]);
    pass();
    expect(listen('ann', 'p1-0').events()).toMatchObject([{ type: 'reset' }]);
    expect(listen('ann', 'p1-90').events()).toHaveLength(10);
  });
});

it('keeps no timer when it is stopped', () => {
  hub.publish([news(1), move('r1', 2)]);
  hub.stop();
  expect(vi.getTimerCount()).toBe(0);
});
