import { expect, test } from 'vitest';
import { textOf } from './payload-text.ts';

test.each([
  ['JSON is shown as JSON', { payload: 'ON' }, undefined],
  ['a text without quotation marks', { payload: 'say "hi"', encoding: 'text' }, 'say "hi"'],
  ['bytes with their number', { payload: '/wAB', encoding: 'base64' }, '3 bytes: /wAB'],
  ['no bytes', { payload: '', encoding: 'base64' }, '0 bytes: '],
] as const)('%s', (_case, message, text) => {
  expect(textOf(message)).toBe(text);
});
