import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { act } from 'react';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OfflineError } from '../data/problem.ts';
import { loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { UnreachableNotice } from './unreachable-notice.tsx';

// Test files share their modules, and another file may have loaded the code.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());
vi.mock('./unreachable.tsx', () => Promise.reject(new Error('no server')));
beforeAll(() => loadTexts('en'));

test('a server that cannot be reached is asked again, and the page says so, also if the code of the notice cannot be loaded', async () => {
  // The first import takes real time.
  await import('./unreachable.tsx').catch(() => undefined);
  vi.useFakeTimers();
  // If the changes that wait in this browser are there in time, they read the account.
  vi.stubGlobal('fetch', async () => Response.json({ user_id: 'ann' }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const queryFn = vi.fn<() => Promise<number>>(() => Promise.reject(new OfflineError()));
  const stop = new QueryObserver(client, { queryKey: ['any'], queryFn }).subscribe(() => undefined);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { container, unmount } = await mountPart(<UnreachableNotice />, client);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  for (let second = 0; second < 4; second += 1) await pass(1000);
  expect(queryFn).toHaveBeenCalledTimes(2);
  expect(container.textContent).toContain(t.shell.unreachable.needs_connection);
  queryFn.mockResolvedValue(1);
  for (let second = 0; second < 7; second += 1) await pass(1000);
  expect(queryFn).toHaveBeenCalledTimes(3);
  expect(container.textContent).not.toContain(t.shell.unreachable.needs_connection);
  stop();
  await unmount();
});
