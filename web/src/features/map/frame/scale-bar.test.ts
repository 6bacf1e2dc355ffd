import { expect, test } from 'vitest';
import { scaleOf } from './scale-bar.tsx';

test.each([
  { metres: 90, imperial: false, text: '50 m' },
  { metres: 999, imperial: false, text: '500 m' },
  { metres: 1000, imperial: false, text: '1 km' },
  { metres: 3_900_000, imperial: false, text: '3000 km' },
  { metres: 90, imperial: true, text: '200 ft' },
  { metres: 1609.4, imperial: true, text: '1 mi' },
])('a bar for at most $metres m says "$text"', ({ metres, imperial, text }) => {
  expect(scaleOf(metres, imperial).text).toBe(text);
});

test('the bar is as long as it says', () => {
  expect(scaleOf(80, false)).toEqual({ text: '50 m', share: 0.625 });
});
