import { expect, it } from 'vitest';
import { isolate } from './canvas-text.ts';

it('text on the canvas has bidi isolation, so that a name does not reorder the text around it', () => {
  expect(isolate('مضخة 3')).toBe('\u2068مضخة 3\u2069');
});
