import { expect, test } from 'vitest';
import { largestPart } from './follow.tsx';

const view = { left: 320, top: 0, right: 1024, bottom: 768 };
const buttons = { left: 516, top: 16, right: 1008, bottom: 52 };

test('a device is followed in the part of the view that is neither under the buttons nor under the card', () => {
  expect(largestPart({ view, boxes: [buttons] })).toEqual({ ...view, top: 52 });
  const card = { left: 708, top: 330, right: 1008, bottom: 740 };
  expect(largestPart({ view, boxes: [buttons, card] })).toEqual({ ...view, top: 52, right: 708 });
  expect(largestPart({ view, boxes: [view] })).toEqual(view);
});
