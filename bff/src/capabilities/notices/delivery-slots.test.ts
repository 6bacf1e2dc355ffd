import { expect, test } from 'vitest';
import { createDeliverySlots } from './delivery-slots.ts';

const usersOf = (due: readonly { user_id: string }[]) => due.map(({ user_id }) => user_id);
const dueOf = (...users: string[]) => users.map((user_id) => ({ user_id }));

test('who was not tried for longest comes first, and who was never tried before all', () => {
  let now = 1000;
  const turns = createDeliverySlots({ clock: () => now });
  for (const user of ['ann', 'ben', 'cleo']) {
    now += 1000;
    expect(turns.take(user)).toBe(true);
    turns.leave(user);
  }
  expect(usersOf(turns.inFairOrder(dueOf('cleo', 'ben', 'dan', 'ann')))).toEqual(['dan', 'ann', 'ben', 'cleo']);
  now += 1000;
  turns.take('ann');
  expect(usersOf(turns.inFairOrder(dueOf('ann', 'ben', 'cleo')))).toEqual(['ben', 'cleo', 'ann']);
});

test('deliveries of one user stay in their order', () => {
  const turns = createDeliverySlots({ clock: () => 1000 });
  const due = [1, 2, 3].map((number) => ({ user_id: 'ann', number }));
  expect(turns.inFairOrder(due)).toEqual(due);
});
