/** What is sent while reads fail, come late, or know more than the feed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GuestEvent, SharedDevice } from '../contract.ts';
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
  shows_track: 0,
  expires_at,
  created_at: '2026-11-20T12:00:00.000Z',
};
const ferry = (latitude: number): SharedDevice => ({
  name: 'Ferry',
  machine_type: 'pc',
  position: { longitude: 8, latitude },
  accuracy: null,
  located_at: null,
});

function setUp() {
  let emit: FeedSubscriber = () => undefined;
  /** What the database has. */
  const stored = { isOpen: true, latitude: 54, expires_at };
  const read = () =>
    new Map(stored.isOpen ? [[link.id, { expires_at: stored.expires_at, device: ferry(stored.latitude) }]] : []);
  const sharedNow = vi.fn<() => Promise<ReturnType<typeof read>>>(async () => read());
  const reported: unknown[] = [];
  const viewers = createViewers({
    feed: {
      subscribe(listener) {
        emit = listener;
        return () => undefined;
      },
    },
    links: { sharedNow },
    trackSince: async () => [],
    now: () => new Date(),
    report: (error) => void reported.push(error),
  });
  function look() {
    const events: GuestEvent[] = [];
    const send = (line = '') => void events.push(JSON.parse(line.slice('data: '.length)) as GuestEvent);
    const watched = viewers.watch({ ...link }, { send, revoke: send } as unknown as EventStream);
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
  while (held.length > 0) {
    held.shift()!();
    await vi.advanceTimersByTimeAsync(0);
  }
  await Promise.all(guests.map(({ started }) => started));
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
  expect(guest.events.at(-1)).toEqual({ type: 'changed', device: ferry(55) });
  viewers.close();
});

test('of two reads that overlap, the earlier end counts', async () => {
  const { stored, sharedNow, read, look, note, viewers } = setUp();
  const first = look();
  await first.started;
  const before = read();
  const late = Promise.withResolvers<typeof before>();
  sharedNow.mockReturnValueOnce(late.promise);
  const second = look();
  stored.expires_at = '2998-01-01T00:00:00.000Z';
  note('share_link.changed');
  await vi.advanceTimersByTimeAsync(0);
  late.resolve(before);
  await second.started;
  expect(first.events.at(-1)).toEqual({ type: 'shortened', expires_at: stored.expires_at });
  expect(second.events).toEqual([expect.objectContaining({ type: 'opened', expires_at: stored.expires_at })]);
  viewers.close();
});
