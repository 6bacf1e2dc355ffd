import { expect, test } from 'vitest';
import { feedPosition } from './stream/feed-position.ts';
import { forgetPage } from './new-page.ts';
import { observeServerTime, serverTime } from './server-clock.ts';

test('modules forget what they know of a page when the next one is opened', () => {
  forgetPage();
  feedPosition.note('feed-7');
  observeServerTime({ date: new Date(90_000).toUTCString(), now: 0 });
  expect([feedPosition.first(), serverTime(0)]).toEqual(['feed-7', 90_000]);
  forgetPage();
  expect([feedPosition.first(), serverTime(0)]).toEqual([undefined, 0]);
});
