import { act, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { rangeOf, useWindow } from './list.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const view = { height: 560, rowHeight: 56, count: 100_000, overscan: 2 };

test('at its start a list shows the first rows and a few more', () => {
  expect(rangeOf({ ...view, top: 0 })).toEqual({ start: 0, end: 12 });
});

test('in the middle of 100,000 rows it shows those in sight', () => {
  expect(rangeOf({ ...view, top: 50_000 * 56 })).toEqual({ start: 49_998, end: 50_012 });
});

test('at its end it goes no further than the last row', () => {
  expect(rangeOf({ ...view, top: 100_000 * 56 - 560 })).toEqual({ start: 99_988, end: 100_000 });
});

test('a list that has become shorter than where one had scrolled to still has rows', () => {
  expect(rangeOf({ ...view, count: 3, top: 5000 })).toEqual({ start: 2, end: 3 });
});

test('an empty list has none', () => {
  expect(rangeOf({ ...view, count: 0, top: 0 })).toEqual({ start: 0, end: 0 });
});

test('a list below its viewport shows nothing but what it keeps at hand', () => {
  expect(rangeOf({ ...view, top: -2000 })).toEqual({ start: 0, end: 0 });
});

let unmount = () => {};
afterEach(() => unmount());

/** jsdom lays nothing out: the viewport is 300 px high, and the list goes up as far as one has scrolled. */
function List({ count, keep }: { count: number; keep?: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { rows, height, reveal } = useWindow({ scroller, list, count, rowHeight: 50, overscan: 0, keep: keep ?? null });
  return (
    <div
      ref={(element) => {
        scroller.current = element;
        if (element) {
          element.getBoundingClientRect = () => new DOMRect(0, 0, 100, 300);
          element.scrollBy = (options) => {
            element.scrollTop += (options as ScrollToOptions).top ?? 0;
          };
        }
      }}
    >
      <ul
        ref={(element) => {
          list.current = element;
          if (element)
            element.getBoundingClientRect = () => new DOMRect(0, -(scroller.current?.scrollTop ?? 0), 100, 1);
        }}
        data-height={height}
      >
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
      <button type="button" onClick={() => reveal(20)}>
        reveal
      </button>
    </div>
  );
}

function show(props: { count: number; keep?: number }) {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #measure: () => void;
      constructor(measure: () => void) {
        this.#measure = measure;
      }
      observe() {
        this.#measure();
      }
      disconnect() {}
    },
  );
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  act(() => root.render(<List {...props} />));
  unmount = () => {
    act(() => root.unmount());
    container.remove();
  };
  const scroller = container.firstElementChild as HTMLElement;
  const rows = () => [...container.querySelectorAll('li')].map((row) => Number(row.textContent));
  const scrollTo = async (top: number) => {
    scroller.scrollTop = top;
    await act(async () => {
      scroller.dispatchEvent(new Event('scroll'));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  };
  return { container, scroller, rows, scrollTo };
}

test('only what is in sight is rendered, and it follows the scrolling', async () => {
  const { container, rows, scrollTo } = show({ count: 100_000 });
  expect(rows()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(container.querySelector('ul')!.dataset['height']).toBe('5000000');
  await scrollTo(1000);
  expect(rows()).toEqual([20, 21, 22, 23, 24, 25]);
});

test('the row with the focus stays, wherever one scrolls', async () => {
  const { rows, scrollTo } = show({ count: 1000, keep: 3 });
  await scrollTo(5000);
  expect(rows()).toEqual([3, 100, 101, 102, 103, 104, 105]);
  await scrollTo(0);
  expect(rows()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('revealing a row scrolls as little as needed, and to the middle if the row is far away', async () => {
  const { container, scroller, scrollTo } = show({ count: 1000 });
  const reveal = () => act(() => container.querySelector('button')!.click());
  reveal();
  expect(scroller.scrollTop).toBe(20 * 50 + 25 - 300 / 2);
  await scrollTo(600);
  reveal();
  expect(scroller.scrollTop).toBe(20 * 50 + 50 - 300);
});
