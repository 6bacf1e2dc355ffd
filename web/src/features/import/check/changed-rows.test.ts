import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { textOf } from './changed-rows.tsx';

beforeAll(() => loadTexts('en'));

test.each([
  [{ field: 'expected_every', before: 3600, after: 0 }, ['1 hr', 'Never expected']],
  [{ field: 'keep_track', before: undefined, after: true }, ['', 'Recorded']],
  [
    { field: 'keep_values', before: 'sent_at', after: 'time' },
    ['When its message was sent', 'The “time” in its message'],
  ],
  [{ field: 'machine_type', before: 'pc', after: 'bug' }, ['PC', 'Bug']],
] as const)('the change of a row has words instead of codes: %j', (change, texts) => {
  expect([textOf(change, 'before'), textOf(change, 'after')]).toEqual(texts);
});
