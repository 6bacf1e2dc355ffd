import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '@swarmdeck/bff/durations';
import type { Series, Value } from '../../data/values/series.ts';
import { aloneIn, columnsOf as drawnColumns, distinctStates, statesOf, tableOf } from './columns.ts';

const seriesOf = (kind: Series['kind'], times: number[], values: Value[], step: number | null = null): Series => ({
  id: `${kind} ${values.join()}`,
  resource_id: 'd1',
  key: 't',
  kind,
  times,
  values,
  step,
});

const columnsOf = (...drawn: Parameters<typeof drawnColumns>) => drawnColumns(...drawn).columns;

/** Wide enough for each value of its own. */
const drawn = { span: [0, 4 * hourMs], width: 20_000 } as const;

test('a line has a gap where nothing came', () => {
  const times = [0, minuteMs, 2 * minuteMs, 30 * minuteMs];
  expect(columnsOf([seriesOf('number', times, [1, 2, 3, 4])], drawn)).toEqual([
    [0, minuteMs, 2 * minuteMs, 4.5 * minuteMs, 30 * minuteMs],
    [1, 2, 3, null, 4],
  ]);
});

test('lines with other times go on where only others have a value, and end after their last one', () => {
  const one = seriesOf('number', [0, 2000, 4000], [1, 2, 3]);
  const other = seriesOf('number', [1000, 2000], [7, 8]);
  expect(columnsOf([one, other], drawn)).toEqual([
    [0, 1000, 2000, 4000, 7000, 9000],
    [1, undefined, 2, 3, undefined, null],
    [undefined, 7, 8, undefined, null, null],
  ]);
});

test('a gap of one line goes on while others have values', () => {
  const one = seriesOf('number', [0, minuteMs, 2 * minuteMs, 30 * minuteMs], [1, 2, 3, 4]);
  const times = Array.from({ length: 5 }, (_, index) => 7 * minuteMs * index + 1);
  const [, ofOne] = columnsOf([one, seriesOf('number', times, times)], drawn);
  expect(ofOne).toEqual([1, undefined, 2, 3, null, null, null, null, null, 4, null, null]);
});

test('steps have their largest and smallest numbers', () => {
  const steps = {
    ...seriesOf('number', [0, hourMs, 3 * hourMs], [2, 3, 4], hourMs),
    least: [1, 2, 3],
    most: [3, 4, 5],
  };
  expect(columnsOf([steps], drawn)).toEqual([
    [0, hourMs, 1.75 * hourMs, 3 * hourMs],
    [3, 4, null, 5],
    [1, 2, null, 3],
    [2, 3, null, 4],
  ]);
});

test('only the values of the span are drawn, with those beside it', () => {
  const one = seriesOf('number', [0, 1000, 2000, 3000, 4000], [1, 2, 3, 4, 5]);
  expect(columnsOf([one], { ...drawn, span: [1500, 2500] })).toEqual([
    [1000, 2000, 3000],
    [2, 3, 4],
  ]);
  expect(columnsOf([one], { ...drawn, span: [9000, 10_000] })).toEqual([[4000], [5]]);
});

test('of many values, each px has the smallest and the largest, as they came', () => {
  const times = Array.from({ length: 100 }, (_, index) => 10 * index);
  const one = seriesOf(
    'number',
    times,
    times.map((_, index) => (index === 7 ? 99 : index === 3 ? -9 : 1)),
  );
  const other = seriesOf(
    'number',
    times.map((time) => time + 5),
    times,
  );
  const [ofOne] = [columnsOf([one], { span: [0, 1000], width: 10 })];
  expect(ofOne[0].slice(0, 4)).toEqual([0, 50, 100, 150]);
  expect(ofOne[1]!.slice(0, 4)).toEqual([-9, 99, 1, 1]);
  // Several lines have the same rows, and the gap after their last ones.
  expect(columnsOf([one, other], { span: [0, 1000], width: 10 })[0].slice(0, -1)).toEqual(ofOne[0]);
  // They stay where they are while the span moves.
  const moved = columnsOf([one], { span: [230, 1230], width: 10 });
  expect(ofOne[0]).toEqual(expect.arrayContaining(moved[0].slice(2)));
});

test('of a px with few values, each is drawn, also beside one with many', () => {
  const times = [0, 1000, 1500, ...Array.from({ length: 50 }, (_, index) => 2000 + 10 * index)];
  const [at, values] = columnsOf([seriesOf('number', times, times)], { span: [0, 10_000], width: 10 });
  expect(at).toEqual([0, 1000, 1500, 2000, 2500]);
  expect(values).toEqual([0, 1000, 1500, 2000, 2490]);
});

test('of many steps, each px is a longer step, whose mean counts all numbers', () => {
  const times = Array.from({ length: 80 }, (_, index) => index * minuteMs);
  const steps = {
    ...seriesOf(
      'number',
      times,
      times.map((_, index) => (index % 8 === 0 ? 100 : 20)),
      minuteMs,
    ),
    least: times.map((_, index) => -index),
    most: times.map((_, index) => index),
    counts: times.map((_, index) => (index % 8 === 0 ? 1 : 99)),
  };
  const [at, most, least, mean] = columnsOf([steps], { span: [0, 80 * minuteMs], width: 10 });
  expect(at.slice(0, 2)).toEqual([0, 8 * minuteMs]);
  expect(most!.slice(0, 2)).toEqual([7, 15]);
  expect(least!.slice(0, 2)).toEqual([-7, -15]);
  expect(mean![0]).toBeCloseTo(20 + 80 / (7 * 99 + 1));
});

test('of many values, a gap that is longer than two px is seen, and all times are in order', () => {
  const times = Array.from({ length: 200 }, (_, index) => 10 * index + (index < 100 ? 0 : 20_000));
  const [at, values] = columnsOf([seriesOf('number', times, times)], { span: [0, 22_000], width: 22 });
  expect(values).toContain(null);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
});

test.each([
  ['usual numbers', [21.5, -3], 1],
  ['very large ones', [1e308, -1e308], 1e308],
  ['very small ones', [2e-9, 1e-9], 1e-9],
  ['zero', [0, 0], 1],
])('the unit of %s', (_case, values, unit) => {
  const { columns, unit: found } = drawnColumns([seriesOf('number', [0, 1000], values)], drawn);
  expect(found).toBe(unit);
  expect(columns[1]).toEqual(values.map((value) => value / unit));
});

test('a state lasts until the next one, or until a gap', () => {
  const states = seriesOf('state', [0, hourMs, 2 * hourMs, 9 * hourMs], ['open', 'open', 'shut', 'open']);
  expect(statesOf(states, 9.5 * hourMs)).toEqual([
    { from: 0, to: 2 * hourMs, value: 'open' },
    { from: 2 * hourMs, to: 4 * hourMs, value: 'shut' },
    { from: 9 * hourMs, to: 9.5 * hourMs, value: 'open' },
  ]);
  expect(distinctStates(states)).toEqual(['open', 'shut']);
});

test('a table has a row for each time, newest first, or for parts if there are too many', () => {
  const one = seriesOf('number', [0, 1000], [1, 2]);
  const door = seriesOf('state', [1000], [true]);
  expect(tableOf([one, door], [0, 5000])).toEqual([
    { at: 1000, cells: [2, true] },
    { at: 0, cells: [1, undefined] },
  ]);
  const times = Array.from({ length: 1000 }, (_, index) => index);
  const rows = tableOf([seriesOf('number', times, times)], [0, 1000]);
  expect(rows).toHaveLength(100);
  expect(rows.at(-1)).toEqual({ at: 0, cells: [expect.closeTo(4.5)] });
  // A step counts as often as it has numbers.
  const counts = times.map((index) => (index === 0 ? 1 : 0.001));
  const [first] = tableOf([{ ...seriesOf('number', times, times), counts }], [0, 1000]).toReversed();
  expect(first!.cells[0]).toBeCloseTo(0.0446, 3);
});

test.each<[column: (number | null | undefined)[], alone: number[]]>([
  [[1], [0]],
  [[1, 2], []],
  [[null, 1, undefined, null, 2, 3], [1]],
  [[1, 2, null, undefined, 3, undefined], [4]],
  [[1, undefined, 2, null, 5], [4]],
  [[], []],
])('of %j, alone are the values at %j', (column, alone) => {
  expect(aloneIn(column)).toEqual(alone);
});
