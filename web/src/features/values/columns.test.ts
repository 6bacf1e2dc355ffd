import { expect, test } from 'vitest';
import type { Series, Value } from '../../data/values/series.ts';
import { columnsOf, distinctStates, statesOf, tableOf, unitOf } from './columns.ts';

const minute = 60_000;
const hour = 60 * minute;
const seriesOf = (kind: Series['kind'], times: number[], values: Value[], step: number | null = null): Series => ({
  id: `${kind} ${values.join()}`,
  resource_id: 'd1',
  key: 't',
  kind,
  times,
  values,
  step,
});

test('a line has a gap where nothing came', () => {
  const times = [0, minute, 2 * minute, 30 * minute];
  expect(columnsOf([seriesOf('number', times, [1, 2, 3, 4])])).toEqual([
    [0, minute, 2 * minute, 4.5 * minute, 30 * minute],
    [1, 2, 3, null, 4],
  ]);
});

test('lines with other times go on where only others have a value', () => {
  const one = seriesOf('number', [0, 2000, 4000], [1, 2, 3]);
  const other = seriesOf('number', [1000, 2000], [7, 8]);
  expect(columnsOf([one, other])).toEqual([
    [0, 1000, 2000, 4000],
    [1, undefined, 2, 3],
    [undefined, 7, 8, undefined],
  ]);
});

test('steps have their largest and smallest numbers', () => {
  const steps = { ...seriesOf('number', [0, hour, 3 * hour], [2, 3, 4], hour), least: [1, 2, 3], most: [3, 4, 5] };
  expect(columnsOf([steps])).toEqual([
    [0, hour, 1.75 * hour, 3 * hour],
    [3, 4, null, 5],
    [1, 2, null, 3],
    [2, 3, null, 4],
  ]);
});

test.each([
  ['usual numbers', [21.5, -3], 1],
  ['very large ones', [1e308, -1e308], 1e308],
  ['very small ones', [2e-9, 1e-9], 1e-9],
  ['zero', [0], 1],
])('the unit of %s', (_case, values, unit) => {
  expect(unitOf([seriesOf('number', [0, 1], values)])).toBe(unit);
});

test('a state lasts until the next one, or until a gap', () => {
  const states = seriesOf('state', [0, hour, 2 * hour, 9 * hour], ['open', 'open', 'shut', 'open']);
  expect(statesOf(states, 9.5 * hour)).toEqual([
    { from: 0, to: 2 * hour, value: 'open' },
    { from: 2 * hour, to: 4 * hour, value: 'shut' },
    { from: 9 * hour, to: 9.5 * hour, value: 'open' },
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
  expect(rows.at(-1)).toEqual({ at: 0, cells: [4.5] });
});
