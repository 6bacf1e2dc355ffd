/** What is sent while reads fail, come late, or know more than the feed. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GuestEvent } from '../contract.ts';
import type { FeedSubscriber } from '../change-feed/change-feed.ts';
import type { EventStream } from '../http/event-streams.ts';
import { createViewers, type OpenLink } from './viewers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const expires_at = '2999-01-01T00:00:00.000Z';
const link: OpenLink = {
  id: 'link',
  user_id: 'ann',
  resource_id: 'ferry',
  swarm_id: null,
  shows_track: 0,
  expires_at,
  created_at: '2026-11-20T12:00:00.000Z',
  opened_at: null,
};
const ferry = (latitude: number) => ({
  name: 'Ferry',
  machine_type: 'pc' as const,
  position: { longitude: 8, latitude },
  accuracy: null,
  located_at: null,
});

function setUp() {
  let emit: FeedSubscriber = () => undefined;
  /** What the database has. */
  const stored = { isOpen: true, latitude: 54, expires_at };
  const read = () =>
    stored.isOpen
      ? { expires_at: stored.expires_at, devices: [{ id: 'ferry', device: ferry(stored.latitude), endsAt: null }] }
      : undefined;
  const sharedNow = vi.fn<() => Promise<ReturnType<typeof read>>>(async () => read());
  const reported: unknown[] = [];
  const viewers = createViewers({
    feed: {
      subscribe(listener) {
        emit = listener;
        return () => undefined;
      },
    },
    links: { sharedNow, noteEnd: () => {} },
    trackSince: async () => [],
    now: () => new Date(),
    report: (error) => void reported.push(error),
  });
  function look() {
    const events: GuestEvent[] = [];
    const send = (line = '') => void events.push(JSON.parse(line.slice('data: '.length)) as GuestEvent);
    const watched = viewers.watch({ ...link }, {
      send,
      revoke: send,
      isSlow: () => false,
      flushed: async () => undefined,
    } as unknown as EventStream);
    return { events, ...watched };
  }
  const note = (kind: string) =>
    emit([
      { kind, record_id: link.id, resource_id: link.resource_id, owner: 'ann' } as NonNullable<
        Parameters<FeedSubscriber>[0]
      >[number],
    ]);
  return { viewers, stored, read, sharedNow, reported, look, note };
}
const typesOf = (events: readonly GuestEvent[]) => events.map(({ type }) => type);

test('each of the guests who come at once sees the device, also while the link changes', async () => {
  const { sharedNow, read, look, note, viewers } = setUp();
  const held: (() => void)[] = [];
  sharedNow.mockImplementation(async () => {
    await new Promise<void>((resolve) => void held.push(resolve));
    return read();
  });
  const guests = [look(), look(), look()];
  note('share_link.changed');
  const all = Promise.all(guests.map(({ started }) => started));
  await vi.waitFor(() => {
    held.shift()?.();
    for (const { events } of guests) expect(events).not.toEqual([]);
  });
  await all;
  for (const { events } of guests) expect(typesOf(events)).toEqual(['opened']);
  viewers.close();
});

test('a position from after the end of a link is not sent, though the feed has not brought the end', async () => {
  const { stored, look, note, viewers } = setUp();
  const guest = look();
  await guest.started;
  stored.isOpen = false;
  stored.latitude = 80;
  note('resource.moved');
  await vi.advanceTimersByTimeAsync(1000);
  expect(typesOf(guest.events)).toEqual(['opened', 'ended']);
  viewers.close();
});

test('a link that has ended before its device was read shows nothing of it', async () => {
  const { stored, look, viewers } = setUp();
  stored.isOpen = false;
  const guest = look();
  await guest.started;
  expect(typesOf(guest.events)).toEqual(['ended']);
  viewers.close();
});

test('the last position is sent after a read that has failed', async () => {
  const { stored, sharedNow, reported, look, note, viewers } = setUp();
  const guest = look();
  await guest.started;
  await vi.advanceTimersByTimeAsync(1000);
  stored.latitude = 55;
  sharedNow.mockRejectedValueOnce(new Error('the connection is lost'));
  note('resource.moved');
  await vi.advanceTimersByTimeAsync(1000);
  expect([typesOf(guest.events), reported]).toEqual([['opened'], [expect.any(Error)]]);
  // Streams ask this each second.
  viewers.endedOf([link.id]);
  await vi.advanceTimersByTimeAsync(0);
  expect(guest.events.at(-1)).toEqual({
    type: 'changed',
    devices: [{ key: expect.any(Number) as number, ...ferry(55) }],
  });
  viewers.close();
});

test.each(['2998-01-01T00:00:00.000Z', '3000-01-01T00:00:00.000Z'])(
  'who comes while a link is read sees its new end: %s',
  async (end) => {
    const { stored, sharedNow, read, look, note, viewers } = setUp();
    const first = look();
    await first.started;
    const before = read();
    const late = Promise.withResolvers<typeof before>();
    sharedNow.mockReturnValueOnce(late.promise);
    const second = look();
    await vi.advanceTimersByTimeAsync(0);
    stored.expires_at = end;
    note('share_link.changed');
    await vi.advanceTimersByTimeAsync(0);
    late.resolve(before);
    await second.started;
    await vi.advanceTimersByTimeAsync(0);
    for (const { events } of [first, second]) expect(events.at(-1)).toEqual({ type: 'end_changed', expires_at: end });
    viewers.close();
  },
);

describe('of a swarm', () => {
  const swarmLink: OpenLink = { ...link, resource_id: null, swarm_id: 'race' };
  /** What the database has, by id. */
  function setUpSwarm(count: number) {
    const boats = new Map(Array.from({ length: count }, (_, index) => [`boat-${index}`, ferry(index % 80)]));
    const ends = new Map<string, string>();
    const asked: (number | undefined)[] = [];
    let emit: FeedSubscriber = () => undefined;
    const viewers = createViewers({
      feed: {
        subscribe(listener) {
          emit = listener;
          return () => undefined;
        },
      },
      links: {
        noteEnd: () => {},
        async sharedNow(_link, only) {
          asked.push(only?.length);
          const ids = only ?? [...boats.keys()];
          const devices = ids.flatMap((id) => {
            const device = boats.get(id);
            return device ? [{ id, device, endsAt: ends.get(id) ?? null }] : [];
          });
          return { expires_at, devices };
        },
      },
      trackSince: async () => [],
      now: () => new Date(),
      report: (error) => {
        throw error;
      },
    });
    const note = (kind: 'resource.moved' | 'membership.changed', ids: string[]) =>
      emit(
        ids.map((id) => ({
          kind,
          resource_id: id,
          swarm_id: 'race',
          record_id: null,
          owner: 'bob',
        })) as unknown as NonNullable<Parameters<FeedSubscriber>[0]>,
      );
    function look({ isSlow = (): boolean => false } = {}) {
      const events: GuestEvent[] = [];
      const send = (line = '') => void events.push(JSON.parse(line.slice('data: '.length)) as GuestEvent);
      const stream = { send, revoke: send, isSlow, flushed: async () => undefined } as unknown as EventStream;
      const watched = viewers.watch({ ...swarmLink }, stream);
      /** As the page has them. */
      const shown = () => {
        const byKey = new Map<number, number>();
        for (const event of events) {
          if (event.type === 'changed') for (const key of event.gone ?? []) byKey.delete(key);
          if ('devices' in event) for (const { key, position } of event.devices) byKey.set(key, position!.latitude);
        }
        return [...byKey.values()].toSorted((a, b) => a - b);
      };
      return { events, shown, ...watched };
    }
    const stored = () => [...boats.values()].map(({ position }) => position.latitude).toSorted((a, b) => a - b);
    const moveAll = (latitude: number) => {
      for (const id of boats.keys()) boats.set(id, ferry(latitude));
      note('resource.moved', [...boats.keys()]);
    };
    return { viewers, boats, ends, asked, note, look, stored, moveAll };
  }
  const largest = (events: readonly GuestEvent[]) =>
    Math.max(...events.map((event) => ('devices' in event ? event.devices.length : 0)));

  test('many devices come in parts, and are read in parts when they move all the time', async () => {
    const { asked, look, stored, moveAll, viewers } = setUpSwarm(3500);
    const guest = look();
    await guest.started;
    expect(guest.shown()).toEqual(stored());
    await vi.advanceTimersByTimeAsync(10_000);
    const before = guest.events.length;
    for (let step = 1; step <= 50; step += 1) {
      moveAll(step);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(guest.events.length - before).toBeLessThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(guest.shown()).toEqual(stored());
    expect(largest(guest.events)).toBe(1000);
    expect(Math.max(...asked.map((count) => count ?? 0))).toBe(1000);
    viewers.close();
  });

  test('a slow reader misses steps, and gets the last one; others do not wait for it', async () => {
    const { look, stored, moveAll, viewers } = setUpSwarm(10);
    let isSlow = false;
    const [slow, quick] = [look({ isSlow: () => isSlow }), look()];
    await Promise.all([slow.started, quick.started]);
    isSlow = true;
    for (let step = 1; step <= 5; step += 1) {
      moveAll(step);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(quick.shown()).toEqual(stored());
    expect(slow.events).toHaveLength(1);
    isSlow = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(slow.shown()).toEqual(stored());
    expect(slow.events).toHaveLength(2);
    viewers.close();
  });

  test('members come and go at once, also while others move', async () => {
    const { boats, note, look, stored, moveAll, viewers } = setUpSwarm(5);
    const guest = look();
    await guest.started;
    moveAll(10);
    await vi.advanceTimersByTimeAsync(1000);
    boats.delete('boat-3');
    note('membership.changed', ['boat-3']);
    await vi.advanceTimersByTimeAsync(0);
    expect(guest.shown()).toEqual(stored());
    boats.set('late', ferry(70));
    note('membership.changed', ['late', 'not shown']);
    await vi.advanceTimersByTimeAsync(0);
    expect(guest.shown()).toEqual(stored());
    const keys = guest.events.flatMap((event) => ('devices' in event ? event.devices.map(({ key }) => key) : []));
    expect(new Set(keys).size).toBe(6);
    viewers.close();
  });

  test('a member whose time is over is taken away then, before anybody deletes it', async () => {
    const { boats, ends, look, viewers } = setUpSwarm(3);
    ends.set('boat-1', new Date(Date.now() + 5000).toISOString());
    const guest = look();
    await guest.started;
    await vi.advanceTimersByTimeAsync(4999);
    expect(guest.shown()).toHaveLength(boats.size);
    await vi.advanceTimersByTimeAsync(1);
    expect(guest.shown()).toEqual([0, 2]);
    viewers.close();
  });
});
