import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPace } from './pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function recorded() {
  const passed: string[][] = [];
  const pace = createPace<string, string>({ everyMs: 200, beatMs: 50, pass: (due) => passed.push(due) });
  return { pace, passed };
}

it('lets the first of a key through at once, and of those that come meanwhile the last one', () => {
  const { pace, passed } = recorded();
  pace.put('a', 'a1');
  vi.advanceTimersByTime(1);
  expect(passed).toEqual([['a1']]);
  for (const value of ['a2', 'a3', 'a4']) pace.put('a', value);
  vi.advanceTimersByTime(150);
  expect(passed).toEqual([['a1']]);
  vi.advanceTimersByTime(100);
  expect(passed).toEqual([['a1'], ['a4']]);
});

it('lets a key that never pauses through five times a second', () => {
  const { pace, passed } = recorded();
  for (let step = 0; step < 1000; step++) {
    pace.put('a', String(step));
    vi.advanceTimersByTime(10);
  }
  expect(passed.length).toBeGreaterThan(30);
  expect(passed.length).toBeLessThanOrEqual(51);
  const values = passed.flat().map(Number);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
});

it('lets keys through together, however many there are', () => {
  const { pace, passed } = recorded();
  for (let step = 0; step < 100; step++) {
    pace.put(String(step), String(step));
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(300);
  expect(passed.flat()).toHaveLength(100);
  expect(passed.length).toBeLessThanOrEqual(22);
});

it('keeps what has no key in order, each of it, with the next beat', () => {
  const { pace, passed } = recorded();
  pace.put('a', 'a1');
  vi.advanceTimersByTime(1);
  pace.put('a', 'a2');
  for (const value of ['x', 'y', 'x']) pace.add(value);
  vi.advanceTimersByTime(50);
  expect(passed).toEqual([['a1'], ['x', 'y', 'x']]);
});

it('hastens what waits, before what comes later', () => {
  const { pace, passed } = recorded();
  pace.put('a', 'a1');
  pace.put('b', 'b1');
  vi.advanceTimersByTime(1);
  pace.put('a', 'a2');
  pace.put('b', 'b2');
  pace.hasten((value) => value === 'b2');
  pace.add('x');
  vi.advanceTimersByTime(50);
  expect(passed).toEqual([
    ['a1', 'b1'],
    ['b2', 'x'],
  ]);
});

it('forgets what is dropped, and stops', () => {
  const { pace, passed } = recorded();
  pace.put('a', 'a1');
  pace.drop('a');
  pace.add('x');
  pace.stop();
  vi.advanceTimersByTime(1000);
  expect(passed).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
