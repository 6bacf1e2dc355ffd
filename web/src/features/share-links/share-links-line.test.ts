import { expect, test } from 'vitest';
import type { ShareLink } from '@swarmdeck/bff/contract';
import { togetherOf } from './share-links-line.tsx';

test('several links show a device until the last one ends', () => {
  const link = (expires_at: string, viewers: number) => ({ expires_at, viewers }) as ShareLink;
  const [early, late] = ['2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z'] as const;
  expect(togetherOf([link(late, 1), link(early, 2)])).toEqual({ expires_at: late, viewers: 3 });
});
