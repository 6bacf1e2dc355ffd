import { beforeEach, expect, it, vi } from 'vitest';
import { createCoalescer } from './event-coalescer.ts';

beforeEach(() => void vi.useFakeTimers());

function recorded() {
  const passed: string[][] = [];
  const coalescer = createCoalescer<string, string>({
    everyMs: 200,
    beatMs: 50,
    onDue() {
      const due = coalescer.take();
      if (due.length > 0) passed.push(due);
    },
  });
  return { coalescer, passed };
}

it('passes the first value of a key immediately, then the last one of each period', () => {
  const { coalescer, passed } = recorded();
  coalescer.put('a', 'a1');
  vi.advanceTimersByTime(1);
  expect(passed).toEqual([['a1']]);
  for (const value of ['a2', 'a3', 'a4']) coalescer.put('a', value);
  vi.advanceTimersByTime(150);
  expect(passed).toEqual([['a1']]);
  vi.advanceTimersByTime(100);
  expect(passed).toEqual([['a1'], ['a4']]);
});

it('passes a key that changes constantly five times a second', () => {
  const { coalescer, passed } = recorded();
  for (let step = 0; step < 1000; step++) {
    coalescer.put('a', String(step));
    vi.advanceTimersByTime(10);
  }
  expect(passed.length).toBeGreaterThan(30);
  expect(passed.length).toBeLessThanOrEqual(51);
  const values = passed.flat().map(Number);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
});

it('passes many keys in few batches', () => {
  const { coalescer, passed } = recorded();
  for (let step = 0; step < 100; step++) {
    coalescer.put(String(step), String(step));
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(300);
  expect(passed.flat()).toHaveLength(100);
  expect(passed.length).toBeLessThanOrEqual(22);
});

it('passes all values without a key in order, in the next batch', () => {
  const { coalescer, passed } = recorded();
  coalescer.put('a', 'a1');
  vi.advanceTimersByTime(1);
  coalescer.put('a', 'a2');
  for (const value of ['x', 'y', 'x']) coalescer.add(value);
  vi.advanceTimersByTime(50);
  expect(passed).toEqual([['a1'], ['x', 'y', 'x']]);
});

it('lists the delayed values, oldest first', () => {
  const { coalescer } = recorded();
  for (const key of ['a', 'b']) coalescer.put(key, `${key}1`);
  vi.advanceTimersByTime(1);
  for (const value of ['a2', 'b2', 'a3']) coalescer.put(value[0]!, value);
  coalescer.add('x');
  expect([...coalescer.delayed()]).toEqual(['b2', 'a3']);
});

it('drops a key, and passes nothing after it was stopped', () => {
  const { coalescer, passed } = recorded();
  coalescer.put('a', 'a1');
  coalescer.drop('a');
  coalescer.add('x');
  coalescer.clear();
  vi.advanceTimersByTime(1000);
  expect(passed).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
