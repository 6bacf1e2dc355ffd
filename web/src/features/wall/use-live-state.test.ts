import { afterEach, beforeAll, expect, test } from 'vitest';
import { hourMs } from '@swarmdeck/bff/durations';
import { forgetPage } from '../../data/new-page.ts';
import { observeServerTime } from '../../data/server-clock.ts';
import { formatDayMonth } from '../../text/calendar.ts';
import { formatClock, loadTexts, t } from '../../text/text.ts';
import { liveStateOf, notLiveText } from './use-live-state.ts';

beforeAll(() => loadTexts('en'));
afterEach(forgetPage);

const healthy = { live: true, disconnectedAt: null, answeredAt: 100_000, visibleSince: 0, away: false, now: 103_000 };

test('a wall is live while events and responses arrive', () => {
  expect(liveStateOf(healthy).state).toBe('live');
  expect(liveStateOf({ ...healthy, live: false }).state).toBe('starting');
});

test('a lost stream has the time since when it was interrupted', () => {
  expect(liveStateOf({ ...healthy, live: false, disconnectedAt: 101_000 })).toEqual({
    state: 'disconnected',
    since: 101_000,
  });
});

test('the connection was interrupted if a request fails or no response arrives in time', () => {
  expect(liveStateOf({ ...healthy, away: true })).toEqual({ state: 'disconnected', since: 100_000 });
  expect(liveStateOf({ ...healthy, now: 113_000 })).toEqual({ state: 'disconnected', since: 100_000 });
});

test('the time since when does not change when the stream of a silent server is closed later', () => {
  const silent = { ...healthy, now: 113_000 };
  expect(liveStateOf({ ...silent, live: false, disconnectedAt: 130_000, now: 131_000 })).toEqual(liveStateOf(silent));
});

test('a page that becomes visible again has time to refetch', () => {
  const back = { ...healthy, now: 900_000, visibleSince: 899_000 };
  expect(liveStateOf(back).state).toBe('live');
  expect(liveStateOf({ ...back, now: 912_000 }).state).toBe('disconnected');
});

test('the connection is not lost before the first response', () => {
  expect(liveStateOf({ ...healthy, live: false, answeredAt: 0, away: true }).state).toBe('starting');
});

test('a wall that opens with what was stored on another day says on which', () => {
  const now = new Date('2026-11-20T09:00:00').getTime();
  const textAt = (at: string) => notLiveText({ since: Date.parse(at), now });
  expect(textAt('2026-11-20T08:02:00')).toBe(t.wall.not_live(formatClock('2026-11-20T08:02:00')));
  const clock = formatClock('2026-11-19T23:02:00');
  expect(textAt('2026-11-19T23:02:00')).toBe(t.wall.not_live(`${formatDayMonth('2026-11-19T23:02:00')}, ${clock}`));
});

test('the time since when a wall is not live is one of the clock that it shows', () => {
  const now = new Date('2026-11-20T09:00:00').getTime();
  observeServerTime({ date: new Date(now + 2 * hourMs).toUTCString(), now });
  expect(notLiveText({ since: now, now })).toBe(t.wall.not_live(formatClock('2026-11-20T11:00:00')));
});

test('a wall that opens without a network is not live since it was last read', () => {
  const opened = { live: false, disconnectedAt: null, answeredAt: 100_000, visibleSince: 900_000, now: 901_000 };
  expect(liveStateOf({ ...opened, away: false }).state).toBe('starting');
  expect(liveStateOf({ ...opened, away: true })).toEqual({ state: 'disconnected', since: 100_000 });
});
