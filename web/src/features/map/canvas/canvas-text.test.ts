import { expect, it } from 'vitest';
import { isolate } from './canvas-text.ts';

it('text on the canvas is isolated, so that a name in another script turns nothing around', () => {
  expect(isolate('مضخة 3')).toBe('\u2068مضخة 3\u2069');
});
