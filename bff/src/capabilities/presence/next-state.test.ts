import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextState, type Pause } from './next-state.ts';

const seconds = (amount: number) => amount * 1000;
const at = (now: number, more: Partial<Parameters<typeof nextState>[0]> = {}) =>
  nextState({ heardAt: 0, every: 60, now: seconds(now), pauses: [], ...more });
const pause = (from: number, to: number): Pause => ({ started_at: seconds(from), ended_at: seconds(to) });

test('a device that is expected is online, then offline, and silent after twice its time', () => {
  expect(at(0)).toEqual({ state: 'online', dueAt: seconds(70) });
  expect(at(69.9).state).toBe('online');
  expect(at(70)).toEqual({ state: 'offline', dueAt: seconds(120) });
  expect(at(119.9).state).toBe('offline');
  expect(at(120)).toEqual({ state: 'silent', dueAt: null });
});

test('a device that is not expected is never silent', () => {
  expect(at(309, { every: null })).toEqual({ state: 'online', dueAt: seconds(310) });
  expect(at(1e9, { every: null })).toEqual({ state: 'offline', dueAt: null });
});

test('a time in which nobody listened does not count', () => {
  const restart = [pause(-500, -100), pause(20, 50)];
  expect(at(99, { pauses: restart })).toEqual({ state: 'online', dueAt: seconds(100) });
  expect(at(100, { pauses: restart }).state).toBe('offline');
  const pauses = [pause(-500, -100), pause(20, 5020)];
  expect(at(5070, { pauses })).toEqual({ state: 'offline', dueAt: seconds(5120) });
  expect(at(5120, { pauses }).state).toBe('silent');
  // It begins when the device is nearly silent: it has its whole time once more.
  expect(at(5110, { pauses: [pause(110, 5110)] })).toEqual({ state: 'offline', dueAt: seconds(5170) });
  // One that ended before it was heard, and one that began when it was silent.
  expect(at(121, { pauses: [pause(-50, 0), pause(122, 200)] }).state).toBe('silent');
});

test('a device that was not heard before and after a long pause is not online', () => {
  // Heard 10 s before a backup that is restored two days later.
  const pauses = [pause(10, 172_800)];
  expect(at(172_801, { pauses })).toEqual({ state: 'offline', dueAt: seconds(172_910) });
  expect(at(172_801, { pauses, every: null })).toEqual({ state: 'offline', dueAt: null });
  // One hour in which a machine slept is as long.
  expect(at(3620, { pauses: [pause(10, 3610)], every: null }).state).toBe('offline');
  // Of several pauses, all count.
  const restarts = Array.from({ length: 20 }, (_, index) => pause(10 + 20 * index, 25 + 20 * index));
  expect(at(369, { pauses: restarts, every: null }).state).toBe('online');
  expect(at(370, { pauses: restarts, every: null }).state).toBe('offline');
});

test('a server that is started again often still notices', () => {
  const day = 86_400;
  const nights = Array.from({ length: 30 }, (_, night) => pause(night * day + 100, night * day + 200));
  const known = (now: number) => nights.filter(({ ended_at }) => ended_at <= seconds(now));
  const silent = nights.findIndex((_, night) => {
    const now = (night + 1) * day;
    return at(now, { every: day, pauses: known(now) }).state === 'silent';
  });
  expect(silent).toBe(3);
});

test('a state that can change is due later than now', () => {
  const time = fc.integer({ min: -1e9, max: 1e9 });
  const every = fc.option(fc.integer({ min: 60, max: 30 * 86_400 }));
  fc.assert(
    fc.property(time, every, time, fc.array(fc.tuple(time, fc.nat(1e8))), (heardAt, each, now, given) => {
      const pauses = given.map(([from, ms]) => ({ started_at: from, ended_at: from + ms }));
      const next = nextState({ heardAt, every: each, now, pauses });
      if (next.dueAt !== null) expect(next.dueAt).toBeGreaterThan(now);
      else expect(next.state).toBe(each === null ? 'offline' : 'silent');
    }),
  );
});
