import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { lazyPage } from '../ui/pages/lazy.tsx';
import { markWhenReady } from './ready-mark.ts';

const isReady = () => 'ready' in document.documentElement.dataset;

test('the page is ready a moment after the last request and the last code have arrived', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const data = Promise.withResolvers<string>();
  const code = Promise.withResolvers<() => null>();
  void client.prefetchQuery({ queryKey: ['devices'], queryFn: () => data.promise });
  const stop = markWhenReady(client);
  const loading = lazyPage(() => code.promise).preload();
  await vi.advanceTimersByTimeAsync(1000);
  expect(isReady()).toBe(false);
  data.resolve('');
  await vi.advanceTimersByTimeAsync(1000);
  expect(isReady()).toBe(false);
  code.resolve(() => null);
  await loading;
  await vi.advanceTimersByTimeAsync(90);
  expect(isReady()).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isReady()).toBe(true);
  void client.prefetchQuery({ queryKey: ['swarms'], queryFn: () => new Promise(() => undefined) });
  await vi.advanceTimersByTimeAsync(0);
  expect(isReady()).toBe(false);
  stop();
  client.clear();
});
