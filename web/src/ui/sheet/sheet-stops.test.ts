import { expect, it } from 'vitest';
import { cardDirection, restingStop, stopBeside, stopHeights } from './sheet-stops.ts';

const heights = stopHeights({ available: 780, width: 390, card: 220 });

it('has three stops, the highest below the top of the map', () => {
  expect(heights).toEqual({ card: 220, half: 429, list: 736 });
});

it('leaves a part of the map visible, even with a very high card', () => {
  expect(stopHeights({ available: 780, width: 390, card: 578_197 })).toEqual({ card: 736, half: 736, list: 736 });
});

it('shows two rows of a list at half of a low screen if that is wide', () => {
  expect(stopHeights({ available: 360, width: 720, card: 60 }).half).toBe(276);
  expect(stopHeights({ available: 360, width: 320, card: 60 }).half).toBe(198);
});

it('leaves a line of controls of a map that is low and wide', () => {
  expect(stopHeights({ available: 311, width: 667, card: 60 })).toEqual({ card: 60, half: 243, list: 243 });
});

it('keeps the order of the stops on a low screen', () => {
  const low = stopHeights({ available: 240, width: 320, card: 220 });
  expect(low.card).toBeLessThanOrEqual(low.half);
  expect(low.half).toBeLessThanOrEqual(low.list);
});

it.each([
  [300, 'card'],
  [340, 'half'],
  [700, 'list'],
])('snaps from %d to the nearest stop: %s', (height, stop) => {
  expect(restingStop({ height, speed: 0, heights })).toBe(stop);
});

it('follows a flick to the next stop in its direction', () => {
  expect(restingStop({ height: 440, speed: 1, heights })).toBe('list');
  expect(restingStop({ height: 420, speed: -1, heights })).toBe('card');
  expect(restingStop({ height: 730, speed: -1, heights })).toBe('half');
  expect(restingStop({ height: 100, speed: -1, heights })).toBe('card');
});

it('moves one stop per key press and stops at the ends', () => {
  expect(stopBeside('card', 1)).toBe('half');
  expect(stopBeside('list', 1)).toBe('list');
  expect(stopBeside('card', -1)).toBe('card');
});

it.each([
  [90, 0, 'up'],
  [-90, 0, 'down'],
  [20, 0.8, 'up'],
  [-20, -0.8, 'down'],
  [60, 0.1, undefined],
])('moves a card that was dragged %d px up at %d px per ms: %s', (up, speed, direction) => {
  expect(cardDirection({ up, speed, height: 240 })).toBe(direction);
});
