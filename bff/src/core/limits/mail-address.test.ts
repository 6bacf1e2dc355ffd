import { expect, test } from 'vitest';
import { isMailAddress } from './mail-address.ts';

test.each(['ann@example.org', "o'ann+swarm@mail-1.example.org", 'ann@localhost'])('%j is one', (text) => {
  expect(isMailAddress(text)).toBe(true);
});
test.each([
  '',
  'ann',
  'ann@',
  '@example.org',
  'ann@example..org',
  'ann@-example.org',
  'ann@example.org\n',
  'ann@example.org\r\nBcc: eve@example.org',
  'ann@example.org>, <eve@example.org',
  'Ann <ann@example.org>',
  '"ann b"@example.org',
  'ann@[127.0.0.1]',
  'änn@example.org',
  `${'a'.repeat(65)}@example.org`,
  `ann@${'a.'.repeat(130)}org`,
])('%j is none', (text) => {
  expect(isMailAddress(text)).toBe(false);
});
