import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import type { Message } from '@swarmdeck/bff/contract';
import { addLiveValues, liveValuesQuery } from './live-values.ts';
import { withNewer, type Series } from './series.ts';

const swarm_id = 's';
const client = new QueryClient();
afterEach(() => client.clear());

const read = (source: Parameters<typeof liveValuesQuery>[0]) =>
  client.getQueryData(liveValuesQuery(source).queryKey) as Series[];
const open = (source: Parameters<typeof liveValuesQuery>[0]) =>
  client.setQueryData(liveValuesQuery(source).queryKey, []);
const held = (all: readonly Series[]) =>
  all.reduce((sum, { times, values, least = [] }) => sum + times.length + values.length + least.length, 0);

const messageOf = (from: string, at: number, payload: object) =>
  ({ from, swarm_id, sent_at: new Date(at).toISOString(), payload }) as unknown as Message;
const send = (...items: Message[]) => addLiveValues(client, { swarm_id, items, skipped: 0 });

const devices = Array.from({ length: 40 }, (_, index) => `d${index}`);
const keys = Array.from({ length: 24 }, (_, index) => `k${index}`);

test('an hour of a swarm at 1,000 values a second is held as what its chart can draw, of the chosen key and devices', () => {
  const chosen = { swarm_id, key: 'k3', resource_ids: devices.slice(0, 8) };
  open({ swarm_id });
  open(chosen);
  const heldAt: number[] = [];
  for (let second = 0; second < 3600; second++) {
    const payload = Object.fromEntries([...keys.map((key) => [key, second]), ['door', second % 2 === 0]]);
    send(...devices.map((id, index) => messageOf(id, second * 1000 + index, payload)));
    if (second % 600 === 599) heldAt.push(held(read(chosen)));
  }
  const columns = read(chosen);
  expect(columns.map(({ resource_id, key }) => `${resource_id} ${key}`)).toEqual(
    chosen.resource_ids.map((id) => `${id} k3`),
  );
  expect(Math.max(...heldAt)).toBeLessThan(8 * 3 * 4000);
  expect(held(read({ swarm_id })), 'of the others, which device says what').toBe(2 * 1000);
});

test('a series that is longer than a screen becomes steps that have all of its numbers, and its newest values stay', () => {
  open({ resource_id: 'd0' });
  const count = 30_000;
  for (let from = 0; from < count; from += 500)
    send(...Array.from({ length: 500 }, (_, index) => messageOf('d0', from + index, { t: (from + index) % 100 })));
  const [series] = read({ resource_id: 'd0' });
  expect(series!.times.length).toBeLessThanOrEqual(4000);
  expect(series!.times[0]).toBe(0);
  expect(series!.counts!.reduce((sum, each) => sum + each)).toBe(count);
  expect([Math.min(...series!.least!), Math.max(...series!.most!)]).toEqual([0, 99]);
  const sum = series!.values.reduce<number>((total, mean, index) => total + Number(mean) * series!.counts![index]!, 0);
  expect(sum / count).toBeCloseTo(49.5, 6);
  expect(series!.times.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => count - 100 + index));
  const before: Series = { ...series!, times: [-2, -1], values: [500, 7], step: null };
  for (const column of ['least', 'most', 'counts'] as const) delete before[column];
  const [joined] = withNewer([before], [series!]);
  expect(joined!.most!.slice(0, 2)).toEqual([500, 7]);
  expect(joined!.counts!.length).toBe(joined!.times.length);
});

test('a state that changes all the time keeps one change for each step, and what it is now', () => {
  open({ resource_id: 'd0' });
  for (let from = 0; from < 20_000; from += 500)
    send(...Array.from({ length: 500 }, (_, index) => messageOf('d0', from + index, { door: index % 2 === 0 })));
  const [series] = read({ resource_id: 'd0' });
  expect(series!.times.length).toBeLessThanOrEqual(4000);
  expect([series!.times[0], series!.times.at(-1), series!.values.at(-1)]).toEqual([0, 19_999, false]);
});
