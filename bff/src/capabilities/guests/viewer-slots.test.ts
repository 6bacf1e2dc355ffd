import { expect, test } from 'vitest';
import { guestLimits } from './limits.ts';
import { createViewerSlots } from './viewer-slots.ts';

const { viewers, viewersOfProcess } = guestLimits;
const tooMany = expect.objectContaining({ code: 'share_link.too_many_viewers' }) as Error;

/** Takes slots, and knows whose were ended. Connections close later, and release their slots then. */
function setUp() {
  const slots = createViewerSlots();
  const ended: string[] = [];
  return {
    slots,
    ended,
    take: (id: string, { owner = 'ann', address = '192.0.2.1' } = {}) =>
      slots.take({ link: { id, user_id: owner }, address, stop: () => ended.push(`${owner} ${address}`) }),
  };
}
const times = (count: number, run: (index: number) => void) => Array.from({ length: count }, (_, index) => run(index));

test('who has most slots of a full link gives one to another address, and gets none back', () => {
  const { slots, ended, take } = setUp();
  times(viewers, () => take('link'));
  take('link', { address: '198.51.100.2' });
  expect(ended).toEqual(['ann 192.0.2.1']);
  expect(() => take('link')).toThrow(tooMany);
  expect(slots.count('link')).toBe(viewers);
});

test('addresses that have as many as others get no more', () => {
  const { ended, take } = setUp();
  times(viewers, (index) => take('link', { address: `10.0.${index}.1` }));
  expect(() => take('link', { address: '10.1.0.1' })).toThrow(tooMany);
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
  take('link', { address: '198.51.100.2' });
  releases.at(-1)!();
  expect(slots.count('link')).toBe(viewers);
});

test.each([
  ['an IPv4 /24', (n: number) => `203.0.113.${n}`],
  ['an IPv6 /56', (n: number) => `2001:db8:1:${(0x4200 + n).toString(16)}::`],
  ['an IPv6 /48', (n: number) => `2001:db8:1:${(n << 8).toString(16)}::`],
])('%s that has taken all slots gives its newest to another one, and no other loses one', (_, addressOf) => {
  const { slots, ended, take } = setUp();
  const others = ['198.51.100.1', '198.51.100.1', '198.51.100.1', '2001:db8:2:1::', '2001:db8:2:1::'];
  others.forEach((address) => take('link', { address }));
  times(viewers - others.length, (index) => take('link', { address: addressOf(index) }));
  const newest = [1, 2, 3].map((n) => `ann ${addressOf(viewers - others.length - n)}`);
  for (const address of ['192.0.2.1', '2001:db8:3:1::', '192.0.2.2']) take('link', { address });
  expect(ended).toEqual(newest);
  expect(slots.count('link')).toBe(viewers);
  expect(() => take('link', { address: addressOf(99) })).toThrow(tooMany);
});

test.each([
  ['an address of a /24', '203.0.113.1', '203.0.113.2'],
  ['a /56 of a /48', '2001:db8:1:4200::', '2001:db8:1:4300::'],
])('%s that has most gives one to its neighbour', (_, most, neighbour) => {
  const { ended, take } = setUp();
  times(viewers, () => take('link', { address: most }));
  take('link', { address: neighbour });
  expect(ended).toEqual([`ann ${most}`]);
});
