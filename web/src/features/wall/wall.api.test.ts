import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { wallDeviceQuery } from './wall.api.ts';

afterEach(() => vi.useRealTimers());

test('a wall, which is open for months, does not keep the devices that were selected', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const query = { ...wallDeviceQuery({ audience: 'all', id: 'a' }), queryFn: async () => null };
  const deselect = new QueryObserver(client, query).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(client.getQueryCache().getAll()).toHaveLength(1);
  deselect();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(client.getQueryCache().getAll()).toEqual([]);
});
