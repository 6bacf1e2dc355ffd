import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cancelDraw, drawInTurn } from './draw-in-turn.ts';

let frames: (() => void)[];
let now: number;
beforeEach(() => {
  [frames, now] = [[], 0];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.unstubAllGlobals());

/** Returns what was drawn in the next frame. */
function frame(): string[] {
  drawn = [];
  frames.shift()?.();
  return drawn;
}
let drawn: string[] = [];
const charts = Array.from({ length: 8 }, (_, number) => ({ number }));
function draw(of: number, text: string, ms: number) {
  drawInTurn(charts[of]!, () => {
    drawn.push(text);
    now += ms;
  });
}

test('charts that take long share the frames, and none is drawn twice', () => {
  for (const { number } of charts) draw(number, `${number}`, 6);
  expect(frame()).toEqual(['0', '1', '2']);
  expect(frame()).toEqual(['3', '4', '5']);
  expect(frame()).toEqual(['6', '7']);
  expect(frames).toEqual([]);
});

test('a chart that changes again while it waits keeps its turn, and is drawn as it is then', () => {
  draw(0, 'first', 20);
  draw(1, 'old', 1);
  expect(frame()).toEqual(['first']);
  draw(0, 'second', 20);
  draw(1, 'new', 1);
  expect(frame()).toEqual(['new', 'second']);
});

test('a chart that is gone is not drawn', () => {
  draw(0, 'gone', 1);
  cancelDraw(charts[0]!);
  expect(frame()).toEqual([]);
  draw(0, 'back', 1);
  expect(frame()).toEqual(['back']);
});
