import { expect, test } from 'vitest';
import { shownWay } from './shown-way.ts';

test.each([
  ['password', 'password'],
  ['password+app', 'password'],
  ['password+code', 'code'],
  ['passkey', 'passkey'],
  ['link', 'link'],
  ['home', 'provider:At home'],
  ['home+mfa', 'provider:At home'],
  ['home+code', 'code'],
  // The server no longer has it.
  ['work', 'work'],
])('%s is shown as %s', (way, shown) => {
  expect(shownWay(way, [{}, { shown: (name) => (name === 'home' ? 'provider:At home' : undefined) }])).toBe(shown);
});
