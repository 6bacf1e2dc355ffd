/** What is sent while reads fail, come late, or know more than the feed. */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GuestEvent } from '../../contract.ts';
import type { FeedSubscriber } from '../../core/feed/change-feed.ts';
import type { EventStream } from '../../core/http/event-streams.ts';
import { createBudget } from '../../core/limits/budget.ts';
import { guestLimits, guestsMemory } from './limits.ts';
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
const unlimited = createBudget({ perSecond: Infinity, burst: Infinity });
/** As the reader makes it of a device. */
const textOf = (device: object) => JSON.stringify(device).slice(1);
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
  const read = () => ({
    ends: stored.isOpen ? [{ id: link.id, expires_at: stored.expires_at }] : [],
    devices: [{ id: 'ferry', text: textOf(ferry(stored.latitude)), endsAt: null }],
    made: 0,
  });
  const sharedNow = vi.fn<() => Promise<ReturnType<typeof read>>>(async () => read());
  const reported: unknown[] = [];
  const viewers = createViewers({
    feed: {
      subscribe(listener) {
        emit = listener;
        return () => undefined;
      },
      catchUp: async () => {},
    },
    links: { sharedNow, sharedAfter: sharedNow, noteEnd: () => {} },
    reading: unlimited,
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
type SharedNow = Awaited<ReturnType<Parameters<typeof createViewers>[0]['links']['sharedNow']>>;
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
  const linkOf = (id: string, { swarm = 'race', owner = 'ann' } = {}): OpenLink => ({
    ...link,
    id,
    user_id: owner,
    resource_id: null,
    swarm_id: swarm,
  });
  /** What the database has, by id. */
  function setUpSwarm(count: number, { reading = unlimited } = {}) {
    const ids = Array.from({ length: count }, (_, index) => `boat-${String(index).padStart(6, '0')}`);
    const boats = new Map(ids.map((id, index) => [id, ferry(index % 80)]));
    const ends = new Map<string, string>();
    /** How many devices were asked for, and how many each part of a list had. */
    const asked: number[] = [];
    const parts: number[] = [];
    const closed = new Set<string>();
    const reported: unknown[] = [];
    let emit: FeedSubscriber = () => undefined;
    const devicesOf = (some: readonly string[]) =>
      some.flatMap((id) => {
        const device = boats.get(id);
        return device ? [{ id, text: textOf(device), endsAt: ends.get(id) ?? null }] : [];
      });
    const sharedAfter = vi.fn<(options: { swarmId: string; after: string }) => Promise<SharedNow>>(
      async ({ after }) => {
        const next = [...boats.keys()].toSorted().filter((id) => id > after);
        const devices = devicesOf(next.slice(0, guestLimits.devicesAtOnce));
        parts.push(devices.length);
        return { ends: [], devices, made: devices.reduce((sum, { text }) => sum + text.length, 0) };
      },
    );
    const viewers = createViewers({
      feed: {
        subscribe(listener) {
          emit = listener;
          return () => undefined;
        },
        catchUp: async () => {},
      },
      links: {
        async sharedNow({ links, only }) {
          asked.push(only.length);
          const open = links.filter((id) => !closed.has(id)).map((id) => ({ id, expires_at }));
          return { ends: open, devices: devicesOf(only), made: 0 };
        },
        sharedAfter,
        noteEnd: () => {},
      },
      reading,
      trackSince: async () => [],
      now: () => new Date(),
      report: (error) => void reported.push(error),
    });
    const note = (kind: 'resource.moved' | 'membership.changed', changed: string[]) =>
      emit(
        changed.map((id) => ({
          kind,
          resource_id: id,
          swarm_id: 'race',
          record_id: null,
          owner: 'bob',
        })) as unknown as NonNullable<Parameters<FeedSubscriber>[0]>,
      );
    function look({ isSlow = (): boolean => false, of = linkOf('link') } = {}) {
      const events: GuestEvent[] = [];
      const send = (line: Uint8Array | string = '') =>
        void events.push(JSON.parse(String(line).slice('data: '.length)) as GuestEvent);
      const fail = vi.fn<() => void>();
      const stream = { send, revoke: send, fail, isSlow, flushed: async () => undefined } as unknown as EventStream;
      const watched = viewers.watch({ ...of }, stream);
      watched.started.catch(() => {});
      /** As the page has them: the latitude of each key. */
      const byKey = () => {
        const found = new Map<number, number>();
        for (const event of events) {
          if (event.type === 'changed') for (const key of event.gone ?? []) found.delete(key);
          if ('devices' in event) for (const { key, position } of event.devices) found.set(key, position!.latitude);
        }
        return found;
      };
      const shown = () => [...byKey().values()].toSorted((a, b) => a - b);
      return { events, byKey, shown, fail, ...watched };
    }
    const stored = () => [...boats.values()].map(({ position }) => position.latitude).toSorted((a, b) => a - b);
    const moveAll = (latitude: number, some = [...boats.keys()]) => {
      for (const id of some) boats.set(id, ferry(latitude));
      note('resource.moved', some);
    };
    return {
      viewers,
      ids,
      boats,
      ends,
      asked,
      parts,
      sharedAfter,
      closed,
      reported,
      note,
      look,
      stored,
      moveAll,
      loseEntries: () => emit(undefined),
    };
  }
  const largest = (events: readonly GuestEvent[]) =>
    Math.max(...events.map((event) => ('devices' in event ? event.devices.length : 0)));
  const { keptMs } = guestLimits;

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
    // a part also takes turns of the real event loop, which a busy machine has fewer of in each of these seconds
    for (let seconds = 0; seconds < 100 && guest.shown()[0] !== 50; seconds += 1)
      await vi.advanceTimersByTimeAsync(1000);
    expect(guest.shown()).toEqual(stored());
    expect(largest(guest.events)).toBe(1000);
    expect(Math.max(...asked)).toBe(1000);
    viewers.close();
  });

  test('a list is read once, in parts, for all guests of all links, which name its devices differently', async () => {
    const { look, parts, asked, viewers } = setUpSwarm(3500);
    const links = ['one', 'one', 'two', 'two', 'three'].map((id) => linkOf(id));
    const guests = links.map((of) => look({ of }));
    await Promise.all(guests.map(({ started }) => started));
    const later = look({ of: linkOf('one') });
    await later.started;
    expect(parts).toEqual([1000, 1000, 1000, 500]);
    expect(Math.max(...asked)).toBe(0);
    const [one, same, two, , three] = guests.map(({ byKey }) => [...byKey().keys()]);
    expect(one).toHaveLength(3500);
    expect(same).toEqual(one);
    expect([...later.byKey().keys()]).toEqual(one);
    expect(new Set([...one!, ...two!, ...three!]).size).toBe(3 * 3500);
    viewers.close();
  });

  test('what was read stays for some seconds after the last guest, with its keys, and is given to the next one', async () => {
    const { look, parts, viewers } = setUpSwarm(1500);
    const [first, other] = [look(), look({ of: linkOf('other') })];
    await Promise.all([first.started, other.started]);
    const held = viewers.bytes();
    expect(held).toBeGreaterThan(1500 * 100);
    [first, other].forEach(({ stop }) => stop());
    await vi.advanceTimersByTimeAsync(keptMs - 1);
    expect(viewers.bytes()).toBe(held);
    const next = look();
    await next.started;
    expect(next.byKey()).toEqual(first.byKey());
    await vi.advanceTimersByTimeAsync(keptMs);
    expect([parts, viewers.bytes()]).toEqual([[1000, 500], held]);
    next.stop();
    await vi.advanceTimersByTimeAsync(keptMs);
    expect(viewers.bytes()).toBe(0);
    await look().started;
    expect(parts).toEqual([1000, 500, 1000, 500]);
    viewers.close();
  });

  test('what ends or changes while nobody looks is not shown to the next guest as it was', async () => {
    const { boats, ends, ids, look, parts, note, moveAll, stored, viewers } = setUpSwarm(1500);
    ends.set(ids[1]!, new Date(Date.now() + 3000).toISOString());
    const first = look();
    await first.started;
    first.stop();
    boats.delete(ids[0]!);
    note('membership.changed', [ids[0]!]);
    moveAll(85, [ids[2]!]);
    await vi.advanceTimersByTimeAsync(3000);
    boats.delete(ids[1]!);
    const next = look();
    await next.started;
    expect(next.shown()).toEqual(stored());
    expect(parts).toHaveLength(2);
    viewers.close();
  });

  test('a link that has ended while nobody looks shows nothing to the next guest', async () => {
    const { look, closed, viewers } = setUpSwarm(3);
    const first = look();
    await first.started;
    first.stop();
    closed.add('link');
    const next = look();
    await next.started;
    expect(typesOf(next.events)).toEqual(['ended']);
    expect(viewers.endedOf(['link'])).toEqual(['link']);
    viewers.close();
  });

  test('if more has changed than one read brings while nobody looks, all is read again', async () => {
    const { look, parts, moveAll, stored, viewers } = setUpSwarm(1500);
    const first = look();
    await first.started;
    first.stop();
    moveAll(7);
    expect(viewers.bytes()).toBe(0);
    const next = look();
    await next.started;
    expect(next.shown()).toEqual(stored());
    expect(parts).toEqual([1000, 500, 1000, 500]);
    viewers.close();
  });

  test('lost entries of the feed drop the list, and its guests come back to another one', async () => {
    const { boats, ids, look, loseEntries, stored, viewers } = setUpSwarm(3);
    const first = look();
    await first.started;
    boats.delete(ids[0]!);
    loseEntries();
    expect(first.fail).toHaveBeenCalledOnce();
    expect([viewers.bytes(), viewers.endedOf(['link'])]).toEqual([0, ['link']]);
    const again = look();
    await again.started;
    expect(again.shown()).toEqual(stored());
    viewers.close();
  });

  test('a link of the next owner of the swarm has a list of its own', async () => {
    const { look, parts, viewers } = setUpSwarm(3);
    const first = look();
    await first.started;
    await look({ of: linkOf('next', { owner: 'bob' }) }).started;
    expect(first.fail).toHaveBeenCalledOnce();
    expect(parts).toEqual([3, 3]);
    viewers.close();
  });

  test('a member that leaves while its part is being read is not shown', async () => {
    const { boats, ids, look, note, sharedAfter, stored, viewers } = setUpSwarm(3);
    const read = sharedAfter.getMockImplementation()!;
    sharedAfter.mockImplementationOnce(async (options) => {
      const part = await read(options);
      boats.delete(ids[0]!);
      note('membership.changed', [ids[0]!]);
      return part;
    });
    const guest = look();
    await guest.started;
    expect(guest.shown()).toEqual(stored());
    expect(guest.events).toHaveLength(1);
    viewers.close();
  });

  test('a list of which a part cannot be read fails its guests, and the next one has it read again', async () => {
    const { look, sharedAfter, viewers } = setUpSwarm(3);
    sharedAfter.mockRejectedValueOnce(new Error('the connection is lost'));
    const first = look();
    await expect(first.started).rejects.toThrow('the connection is lost');
    expect(viewers.bytes()).toBe(0);
    const next = look();
    await next.started;
    expect(next.shown()).toHaveLength(3);
    viewers.close();
  });

  test('what is read and sent is charged to the owner of the link, whose guests wait when it is used up', async () => {
    const reading = createBudget({ perSecond: 1000, burst: 300_000 });
    const { look, viewers } = setUpSwarm(1500, { reading });
    const first = look();
    await first.started;
    const sent = first.events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    const waits = reading.msUntilLeft('ann');
    // Both what was read and what was sent, without the names of devices in each line.
    expect(waits).toBeGreaterThan(2 * sent - 300_000 - 50_000);
    expect(reading.msUntilLeft('bob')).toBe(0);
    const next = look();
    await vi.advanceTimersByTimeAsync(waits - 10);
    expect(next.events).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(next.events).toHaveLength(1);
    viewers.close();
  });

  test('a consent that ends is not delayed by guests who have used up what their owner may read', async () => {
    const reading = createBudget({ perSecond: 1, burst: 1 });
    const { boats, ids, look, note, stored, viewers } = setUpSwarm(3, { reading });
    const guest = look();
    while (guest.events.length === 0) await vi.advanceTimersByTimeAsync(1000);
    const waiting = look({ of: linkOf('other') });
    boats.delete(ids[0]!);
    note('membership.changed', [ids[0]!]);
    await vi.waitFor(() => expect(guest.shown()).toEqual(stored()));
    expect(waiting.events).toEqual([]);
    viewers.close();
  });

  test('beyond what a process holds, lists without guests go, then the newest of the owner whose lists have most', async () => {
    // Nobody is sent anything, so that no line has these texts.
    let isUsedUp = false;
    const reading = { ...unlimited, msUntilLeft: () => (isUsedUp ? 1e6 : 0) };
    const { look, sharedAfter, viewers } = setUpSwarm(0, { reading });
    const text = 'x'.repeat(guestsMemory.guest_lists.most / 400);
    const devices = Array.from({ length: 100 }, (_, index) => ({ id: `boat ${index}`, text, endsAt: null }));
    sharedAfter.mockImplementation(async () => {
      isUsedUp = true;
      return { ends: [], devices, made: 0 };
    });
    const open = async (swarm: string, owner: string) => {
      isUsedUp = false;
      const calls = sharedAfter.mock.calls.length;
      const guest = look({ of: linkOf(swarm, { swarm, owner }) });
      while (sharedAfter.mock.calls.length === calls) await nextLoopTick();
      await nextLoopTick();
      return guest;
    };
    const [first, second, unviewed] = [await open('1', 'ann'), await open('2', 'ann'), await open('3', 'bob')];
    unviewed.stop();
    const third = await open('4', 'eva');
    expect(viewers.endedOf(['1', '2', '3', '4'])).toEqual(['3']);
    const fourth = await open('5', 'max');
    expect([first, second, third, fourth].map(({ fail }) => fail.mock.calls.length)).toEqual([0, 1, 0, 0]);
    expect(viewers.endedOf(['1', '2', '4', '5'])).toEqual(['2']);
    expect(viewers.bytes()).toBeLessThanOrEqual(guestsMemory.guest_lists.most);
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
    boats.delete('boat-000003');
    note('membership.changed', ['boat-000003']);
    await vi.waitFor(() => expect(guest.shown()).toEqual(stored()));
    boats.set('late', ferry(70));
    note('membership.changed', ['late', 'not shown']);
    await vi.waitFor(() => expect(guest.shown()).toEqual(stored()));
    const keys = guest.events.flatMap((event) => ('devices' in event ? event.devices.map(({ key }) => key) : []));
    expect(new Set(keys).size).toBe(6);
    viewers.close();
  });

  test('members whose time is over are not shown to the next guest while they are hidden, which takes several turns', async () => {
    const { ids, ends, look, viewers } = setUpSwarm(2500);
    for (const id of ids) if (id !== ids[7]) ends.set(id, new Date(Date.now() + 5000).toISOString());
    const guest = look();
    await guest.started;
    expect(guest.shown()).toHaveLength(2500);
    vi.setSystemTime(Date.now() + 5000);
    const next = look();
    await next.started;
    expect(next.shown()).toEqual([7]);
    // A part a second, each in a turn of the event loop, for which the clock does not wait.
    while (guest.shown().length > 1) await vi.advanceTimersByTimeAsync(1000);
    expect(guest.shown()).toEqual([7]);
    viewers.close();
  });

  test('a member whose time is over is taken away then, before anybody deletes it', async () => {
    const { boats, ends, look, viewers } = setUpSwarm(3);
    ends.set('boat-000001', new Date(Date.now() + 5000).toISOString());
    const guest = look();
    await guest.started;
    await vi.advanceTimersByTimeAsync(4999);
    expect(guest.shown()).toHaveLength(boats.size);
    await vi.advanceTimersByTimeAsync(1);
    expect(guest.shown()).toEqual([0, 2]);
    viewers.close();
  });
});
