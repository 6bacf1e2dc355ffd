import { expect, test } from 'vitest';
import { destinations, isAt } from './destinations.ts';

test.each([
  ['/', 'devices'],
  ['/devices/1', 'devices'],
  ['/import', 'devices'],
  ['/swarms/1', 'swarms'],
  ['/discover', 'swarms'],
  ['/join/code', 'swarms'],
  ['/invitations', 'invitations'],
  ['/invite', 'invitations'],
  ['/account', 'account'],
  ['/activity', 'account'],
])('%s is a page of one destination: %s', (pathname, id) => {
  const marked = destinations.filter((destination) => isAt({ destination, pathname }));
  expect(marked.map((each) => each.id)).toEqual([id]);
});
