import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem } from '../../../data/actions/actions.fixture.ts';
import { offerQuery } from './links.api.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a link is read again while it may end, and not after that', async () => {
  let isOpen = true;
  const read = vi.fn<() => Promise<Response>>(async () =>
    isOpen ? Response.json({}) : problem('link.not_found', 404),
  );
  vi.stubGlobal('fetch', read);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const stop = new QueryObserver(client, offerQuery('code')).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(read).toHaveBeenCalledTimes(3);
  isOpen = false;
  await vi.advanceTimersByTimeAsync(200_000);
  expect(read).toHaveBeenCalledTimes(4);
  stop();
  client.clear();
});
