import { expect, test } from 'vitest';
import { dayMs } from '../../core/limits/durations.ts';
import { measuredAt } from './demo-weather.ts';

const station = (machine_type: 'pc' | 'bug' | 'smartphone') => ({ id: 'device-0a1f', machine_type });

test('a station measures the same at the same time, and changes over a month', () => {
  const times = Array.from({ length: 30 * 24 }, (_, hour) => Date.UTC(2026, 10, 1) + hour * (dayMs / 24));
  for (const type of ['pc', 'bug', 'smartphone'] as const) {
    const all = times.map((at) => measuredAt(station(type), at));
    expect(all).toEqual(times.map((at) => measuredAt(station(type), at)));
    expect(new Set(all.map((values) => JSON.stringify(values))).size).toBeGreaterThan(200);
  }
  const batteries = times.map((at) => measuredAt(station('smartphone'), at)['battery'] as number);
  expect([Math.min(...batteries), Math.max(...batteries)]).toEqual([40, 100]);
  const skies = new Set(times.map((at) => measuredAt(station('bug'), at)['sky']));
  expect(skies).toEqual(new Set(['clear', 'cloudy', 'rain']));
});
