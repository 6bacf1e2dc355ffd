import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { webhookQuery } from './webhook.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  { state: 'delivered', attempts: 1, answer: '', reads: 1 },
  // It is tried again after minutes.
  { state: 'waiting', attempts: 2, answer: 'timeout', reads: 1 },
  { state: 'waiting', attempts: 0, answer: null, reads: 4 },
  { state: 'waiting', attempts: 1, answer: null, reads: 4 },
])('the results are read again only while one is on its way: $state after $attempts', async (result) => {
  vi.useFakeTimers();
  const webhook = { url: 'https://example.org/hook', created_at: '', results: [result] };
  const fetched = vi.fn<() => Promise<Response>>(async () => Response.json({ webhook }));
  vi.stubGlobal('fetch', fetched);
  const client = new QueryClient();
  const end = new QueryObserver(client, webhookQuery).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(6500);
  expect(fetched).toHaveBeenCalledTimes(result.reads);
  end();
  client.clear();
});
