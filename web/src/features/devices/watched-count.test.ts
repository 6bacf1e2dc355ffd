import { QueryClient } from '@tanstack/react-query';
import type { DevicePage } from '@swarmdeck/bff/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { watchedCountQuery } from './devices.api.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['sees none', { visible: 0, own: 0 }, 0],
  ['sees only those of others', { visible: 3, own: 0 }, 3],
  ['has got the first own one since the list was read', { visible: 4, own: 1 }, 0],
])('who watches devices: a user who %s', async (_who, totals, watched) => {
  const answer = (path: string): Pick<DevicePage, 'total'> => ({
    total: path.includes('audience=visible') ? totals.visible : totals.own,
  });
  vi.stubGlobal('fetch', async (path: string) => new Response(JSON.stringify(answer(path))));
  expect(await new QueryClient().fetchQuery(watchedCountQuery)).toBe(watched);
});
