import { beforeEach, expect, it, vi } from 'vitest';
import { coversPage, endToastSpace } from './toast-space.ts';

let measure: (() => void)[] = [];

beforeEach(() => {
  measure = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        measure.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
});

const space = () => document.documentElement.style.getPropertyValue('--toast-space');

/** Lists with these heights. An empty one has the height of its padding. */
function show(...sizes: number[]) {
  const lists = sizes.map(() => document.createElement('section'));
  const ends = lists.map((list) => coversPage(list));
  const resize = (...now: number[]) => {
    for (const [index, list] of lists.entries()) {
      list.replaceChildren(...(now[index]! > 16 ? [document.createElement('div')] : []));
      Object.defineProperty(list, 'offsetHeight', { value: now[index], configurable: true });
    }
    measure.forEach((callback) => callback());
  };
  resize(...sizes);
  return { resize, end: () => ends.forEach((end) => end?.()) };
}

it('is the height of all toasts, and stays until the next page', () => {
  const { resize, end } = show(16, 0);
  expect(space()).toBe('');
  resize(96, 0);
  expect(space()).toBe('96px');
  resize(96, 80);
  expect(space()).toBe('176px');
  resize(16, 80);
  expect(space(), 'a toast has ended').toBe('176px');
  endToastSpace();
  expect(space(), 'another page').toBe('80px');
  resize(16, 0);
  endToastSpace();
  expect(space()).toBe('');
  end();
});
