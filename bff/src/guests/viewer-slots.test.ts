import { expect, test } from 'vitest';
import { shareLinkLimits } from '../limits/part-limits.ts';
import { createViewerSlots } from './viewer-slots.ts';

const { viewers, viewersOfProcess } = shareLinkLimits;
const tooMany = expect.objectContaining({ code: 'share_link.too_many_viewers' }) as Error;

/** Takes slots, and knows whose were ended. Connections close later, and release their slots then. */
function setUp() {
  const slots = createViewerSlots();
  const ended: string[] = [];
  return {
    slots,
    ended,
    take: (id: string, { owner = 'ann', address = 'one' } = {}) =>
      slots.take({ link: { id, user_id: owner }, address, stop: () => ended.push(`${owner} ${address}`) }),
  };
}
const times = (count: number, run: (index: number) => void) => Array.from({ length: count }, (_, index) => run(index));

test('who has most slots of a full link gives one to another address, and gets none back', () => {
  const { slots, ended, take } = setUp();
  times(viewers, () => take('link'));
  take('link', { address: 'two' });
  expect(ended).toEqual(['ann one']);
  expect(() => take('link')).toThrow(tooMany);
  expect(slots.count('link')).toBe(viewers);
});

test('addresses that have as many as others get no more', () => {
  const { ended, take } = setUp();
  times(viewers, (index) => take('link', { address: `address ${index}` }));
  expect(() => take('link', { address: 'another' })).toThrow(tooMany);
  expect(ended).toEqual([]);
});

test('ten newcomers of a full process end ten streams, before any connection has closed', () => {
  const { slots, ended, take } = setUp();
  const links = viewersOfProcess / viewers;
  for (let link = 0; link < links; link += 1) times(viewers, () => take(`link ${link}`));
  times(10, (index) => take(`another ${index}`, { owner: `owner ${index}` }));
  expect(ended).toHaveLength(10);
  const counts = Array.from({ length: links }, (_, link) => slots.count(`link ${link}`));
  expect(counts.reduce((sum, count) => sum + count)).toBe(viewersOfProcess - 10);
});

test('a place that was taken away is not released twice', () => {
  const { slots, take } = setUp();
  const releases = Array.from({ length: viewers }, () => take('link'));
  take('link', { address: 'two' });
  releases.at(-1)!();
  expect(slots.count('link')).toBe(viewers);
});
