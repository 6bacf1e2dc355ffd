import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextState } from './next-state.ts';

const seconds = (amount: number) => amount * 1000;
const at = (now: number, more: Partial<Parameters<typeof nextState>[0]> = {}) =>
  nextState({ state: 'online', heardAt: 0, every: 60, now: seconds(now), runningSince: -seconds(3600), ...more });

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

test('nothing falls silent before the server has run for the time, and what is silent stays so', () => {
  const runningSince = seconds(5000);
  expect(at(5000, { runningSince })).toEqual({ state: 'offline', dueAt: seconds(5120) });
  expect(at(5119, { runningSince }).state).toBe('offline');
  expect(at(5120, { runningSince }).state).toBe('silent');
  expect(at(5000, { runningSince, state: 'silent' }).state).toBe('silent');
});

test('a state that can change is due later than now', () => {
  const time = fc.integer({ min: -1e9, max: 1e9 });
  const every = fc.option(fc.integer({ min: 60, max: 30 * 86_400 }));
  const state = fc.constantFrom('online' as const, 'offline' as const, 'silent' as const);
  fc.assert(
    fc.property(state, time, every, time, time, (was, heardAt, each, now, runningSince) => {
      const next = nextState({ state: was, heardAt, every: each, now, runningSince });
      if (next.dueAt !== null) expect(next.dueAt).toBeGreaterThan(now);
      else expect(next.state).toBe(each === null ? 'offline' : 'silent');
    }),
  );
});
