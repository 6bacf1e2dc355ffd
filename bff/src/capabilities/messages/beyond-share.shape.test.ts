import { expect, test } from 'vitest';
import { beyondShare } from './beyond-share.shape.ts';

const least = { leastBytes: 10, leastBytesOfLast: 30 };

/** Newest first: each as its sender, its bytes, and `*` for the sender being a member. Returns the numbers of those beyond. */
function beyond(messages: string[], bytes: number): number[] {
  const rows = messages.map((text, index) => {
    const [sender_id = '', size = '0', member = ''] = text.split(' ');
    return { seq: messages.length - index, sender_id, bytes: Number(size), is_member: member === '*' ? 1 : 0 };
  });
  const make = beyondShare.make as unknown as (messages: readonly object[], allowance: object) => { seq: number }[];
  return make(rows, { bytes, ...least }).map(({ seq }) => seq);
}

test('what fits the allowance is kept, to the byte', () => {
  expect(beyond(['a 60', 'b 40'], 100)).toEqual([]);
  expect(beyond(['a 60', 'b 40'], 99)).toEqual([2]);
});

test('the senders who have most lose their oldest messages, which are returned oldest first', () => {
  // a has 90, b 40: the two oldest of a are the last in the order by what their sender has with them.
  expect(beyond(['a 30', 'b 20', 'a 30', 'b 20', 'a 30'], 70)).toEqual([1, 3]);
  expect(beyond(['a 30', 'b 20', 'a 30', 'b 20', 'a 30'], 100)).toEqual([1]);
});

test('of messages with which their senders have equally much, the older ones are beyond', () => {
  expect(beyond(['a 50', 'b 50', 'c 50'], 100)).toEqual([1]);
});

test('a small message takes a part of the allowance, so that their number is bounded', () => {
  expect(beyond(['a 1', 'a 1', 'a 1'], 20)).toEqual([1]);
});

test('the last message of a member is in an allowance of its own, with a part of its own', () => {
  expect(beyond(['a 90', 'm 20 *', 'n 20 *', 'o 20 *'], 90)).toEqual([]);
  // Each takes 30: the oldest one is beyond.
  expect(beyond(['m 1 *', 'n 1 *', 'o 1 *', 'p 1 *'], 90)).toEqual([1]);
});

test('what a member has sent before its last message counts with that message', () => {
  // m has 80 with the older one, b only 50: it is m's that is beyond.
  expect(beyond(['m 40 *', 'b 50', 'm 40 *'], 60)).toEqual([1]);
});
