import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { mountPart } from '../mounted.fixture.tsx';
import { useLargeText, useRowHeight } from './row-height.ts';

afterEach(() => {
  document.documentElement.style.removeProperty('font-size');
  vi.restoreAllMocks();
});

/** The elements whose sizes are observed, and what tells of a change. */
function observeSizes() {
  const observed = new Map<Element, () => void>();
  class Observer {
    readonly #changed: () => void;
    #element: Element | undefined;
    constructor(changed: () => void) {
      this.#changed = changed;
    }
    observe(element: Element) {
      this.#element = element;
      observed.set(element, this.#changed);
    }
    disconnect() {
      if (this.#element) observed.delete(this.#element);
    }
  }
  vi.stubGlobal('ResizeObserver', Observer);
  return observed;
}

function List() {
  const large = useLargeText();
  return <p>{`${useRowHeight({ base: 40 })} ${large}`}</p>;
}

test('the rows of all lists follow the text size by one element, and measure nothing at each render', async () => {
  const { container, show, unmount } = await mountPart(null);
  const observed = observeSizes();
  const measure = vi.spyOn(globalThis, 'getComputedStyle');
  const lists = () => show([1, 2, 3].map((key) => <List key={key} />));
  const heights = () => [...container.querySelectorAll('p')].map(({ textContent }) => textContent);
  await lists();
  await lists();
  expect(observed.size).toBe(1);
  expect(measure).toHaveBeenCalledOnce();
  expect(heights()).toEqual(Array(3).fill('40 false'));

  document.documentElement.style.fontSize = '32px';
  await act(async () => observed.forEach((changed) => changed()));
  expect(heights()).toEqual(Array(3).fill('80 false'));

  // It may change while no list is shown.
  await show(null);
  expect(observed.size).toBe(0);
  document.documentElement.style.fontSize = '16px';
  await lists();
  expect(heights()).toEqual(Array(3).fill('40 false'));
  await unmount();
});
