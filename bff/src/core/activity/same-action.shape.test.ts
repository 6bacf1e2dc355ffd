import { expect, test } from 'vitest';
import { bulkGapMs } from '../limits/field-rules.ts';
import { sameAction } from './same-action.shape.ts';

const start = Date.parse('2026-11-29T10:00:00.000Z');
const at = (...ago: number[]) => ago.map((ms) => ({ at: new Date(start - ms).toISOString() }));
const counted = (...ago: number[]) => sameAction.make(at(...ago), { after: at(0)[0]!.at } as never);

test.each([
  ['none are left, because they were deleted meanwhile', [], 0],
  ['they follow each other', [0, bulkGapMs, 2 * bulkGapMs], 3],
  ['there is a gap before the first one', [bulkGapMs + 1], 0],
  ['there is a gap among them', [1, bulkGapMs + 2, bulkGapMs + 3], 1],
])('entries of one action are counted if %s', (_, ago, count) => {
  expect(counted(...ago)).toEqual([{ count }]);
});
