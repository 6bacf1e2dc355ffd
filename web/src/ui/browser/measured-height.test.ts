import { beforeEach, expect, it, vi } from 'vitest';
import { heightAs, pageHeightAs, readsHeights } from './measured-height.ts';

let resized: (() => void)[] = [];

beforeEach(() => {
  resized = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resized.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
});

const page = document.documentElement;

function create(height = 0) {
  const element = document.createElement('div');
  Object.defineProperty(element, 'offsetHeight', { value: height });
  return element;
}
const measure = () => resized.forEach((callback) => callback());

it('is a property of those that read it, also of one that comes later, and not of the page', () => {
  const [early, late] = [create(), create()];
  const ends = [readsHeights(early), heightAs('--foot')(create(56))];
  measure();
  ends.push(readsHeights(late));
  const height = () => [early, late, page].map(({ style }) => style.getPropertyValue('--foot'));
  expect(height()).toEqual(['56px', '56px', '']);
  ends[1]?.();
  expect(height()).toEqual(['', '', '']);
  ends.forEach((end) => end?.());
});

it('is one of the page only while it is more than 0', () => {
  const ends = [pageHeightAs('--empty')(create(0)), pageHeightAs('--notice')(create(40))];
  measure();
  expect(page.style.cssText).toBe('--notice: 40px;');
  ends.forEach((end) => end?.());
  expect(page.style.cssText).toBe('');
});
