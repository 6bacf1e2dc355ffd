import { expect, it } from 'vitest';
import { createFeedPosition } from './feed-position.ts';

it('is the smallest of the answers, by number', () => {
  const position = createFeedPosition();
  expect(position.first()).toBeUndefined();
  for (const id of ['ab-10', 'ab-9', 'ab-11']) position.note(id);
  expect(position.first()).toBe('ab-9');
});

it.each([null, 'cd-3', 'nonsense'])('is unknown after an answer without a position of the same feed: %s', (id) => {
  const position = createFeedPosition();
  position.note('ab-10');
  position.note(id);
  position.note('ab-9');
  expect(position.first()).toBeUndefined();
});

it('is unknown if the first answer has none', () => {
  const position = createFeedPosition();
  position.note(null);
  position.note('ab-9');
  expect(position.first()).toBeUndefined();
});
