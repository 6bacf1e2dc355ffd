import { expect, test } from 'vitest';
import { inOrder, isolate } from './isolate.ts';

test('a name with its own direction does not change the order of the text around it', () => {
  expect(isolate('مضخة 3')).toBe('\u2068مضخة 3\u2069');
});

test('nothing in a name turns a part of it around, and the marks of honest names stay', () => {
  expect(inOrder('\u202Elive\u202C \u2067evil\u2069')).toBe('live evil');
  expect(inOrder('\u200Fمضخة\u200E 3\u061C')).toBe('\u200Fمضخة\u200E 3\u061C');
});
