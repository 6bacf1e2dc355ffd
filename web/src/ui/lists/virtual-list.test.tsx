import { act, createRef, useLayoutEffect, useRef, type ComponentProps } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeRoom } from './make-room.ts';
import { listRows } from './list-rows.ts';
import type { ListSection, VirtualListHandle } from './list-sections.ts';
import { VirtualList } from './virtual-list.tsx';
import { waitFor } from '../wait-for.fixture.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const rowHeight = 50;
const screen = 300;
const ids = (count: number, prefix = 'r') => Array.from({ length: count }, (_, row) => ({ id: `${prefix}${row}` }));

function sectionOf(items: { id: string }[], more: Partial<ListSection> = {}): ListSection {
  const { firstRow = 0 } = more;
  return {
    label: 'Rows',
    rows: listRows(items),
    rowHeight,
    renderRow(row, tabIndex) {
      const item = items[row - firstRow];
      return item ? (
        <button type="button" data-row={item.id} tabIndex={tabIndex}>
          {item.id}
        </button>
      ) : (
        'empty'
      );
    },
    ...more,
  };
}

let root: Root;
let container: HTMLElement;
let observers: (() => void)[] = [];
let observed: Element[] = [];

// jsdom has no layout: the scroller is 300 px high, and the list starts at its top.
beforeEach(() => {
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(changed: () => void) {
        observers.push(changed);
      }
      observe(element: Element) {
        observed.push(element);
      }
      unobserve() {}
      disconnect() {}
    },
  );
  const scrollTo = function scrollTo(this: HTMLElement, { top = 0 }: ScrollToOptions) {
    this.scrollTop = top;
    this.dispatchEvent(new Event('scroll'));
  };
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(screen);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(screen);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(100_000 * rowHeight);
  Object.assign(HTMLElement.prototype, {
    scrollTo,
    scrollBy(this: HTMLElement, { top = 0 }: ScrollToOptions) {
      scrollTo.call(this, { top: this.scrollTop + top });
    },
  });
});

afterEach(() => {
  act(() => root.unmount());
  container.remove();
  observers = [];
  observed = [];
  vi.restoreAllMocks();
});

function show(props: ComponentProps<typeof VirtualList>) {
  act(() => root.render(<VirtualList {...props} />));
}
const scroller = () => container.querySelector<HTMLElement>('.virtual-list')!;
const buttons = () => [...container.querySelectorAll<HTMLElement>('button')];
const shown = () => buttons().map((button) => button.textContent);
const tabStops = () => buttons().filter((button) => button.tabIndex === 0);
/** In px below the top of the view. */
const placeOf = (name: string) => {
  const row = buttons().find((button) => button.textContent === name)!;
  return Number.parseFloat(row.closest('li')!.style.insetBlockStart) - scroller().scrollTop;
};
/** Lengths in jsdom have six digits. */
const expectPlace = (name: string, place: number) => {
  expect(Math.abs(placeOf(name) - place), name).toBeLessThanOrEqual(scroller().scrollTop > 1e7 ? 50 : 5);
};
const focused = () => document.activeElement?.textContent;
const scrollTo = async (top: number) => {
  await act(async () => {
    scroller().scrollTo({ top });
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
};
const press = async (key: string) => {
  await act(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
};

test('only the visible rows of 100,000 and a few more are rendered', async () => {
  show({ sections: [sectionOf(ids(100_000))] });
  expect(shown()).toEqual(ids(12).map(({ id }) => id));
  expect(container.querySelector('ul')!.style.blockSize).toBe('5000000px');
  await scrollTo(50_000 * rowHeight);
  expect(shown()).toEqual([
    'r0',
    ...ids(50_012)
      .slice(49_994)
      .map(({ id }) => id),
  ]);
});

test('all of a million rows can be reached, although browsers draw no list of that height', async () => {
  const many = ids(1_000_000);
  const list = createRef<VirtualListHandle>();
  const onVisible = vi.fn<(visible: { start: number; end: number }) => void>();
  show({ sections: [sectionOf(many, { onVisible })], handle: list });
  const height = Number.parseFloat(container.querySelector('ul')!.style.blockSize);
  expect(height).toBeLessThan(17_000_000);
  await scrollTo(height - screen);
  expect(shown().at(-1)).toBe('r999999');
  expect(onVisible).toHaveBeenLastCalledWith({ start: 999_994, end: 1_000_000 });
  expectPlace('r999999', screen - rowHeight);
  await act(async () => list.current!.reveal('r500000'));
  expectPlace('r500000', (screen - rowHeight) / 2);
  await act(async () => list.current!.focus('r0'));
  expect(focused()).toBe('r0');
  await press('End');
  expect(focused()).toBe('r999999');
  await press('ArrowUp');
  expect(focused()).toBe('r999998');
});

test('rows that are added above do not move the visible rows of a list of a million', async () => {
  const many = ids(1_000_000);
  show({ sections: [sectionOf(many)], keepPlace: true });
  await scrollTo(7_000_000);
  const name = shown().at(10)!;
  const before = placeOf(name);
  const { scrollTop } = scroller();
  show({ sections: [sectionOf([...ids(5, 'new'), ...many])], keepPlace: true });
  expect(scroller().scrollTop).not.toBe(scrollTop);
  expectPlace(name, before);
});

test('a change of size begins to observe nothing, and the element that scrolls is observed as soon as it is another one', () => {
  show({ sections: [sectionOf(ids(100))] });
  const observedViews = () => observed.filter((element) => element.contains(scroller()));
  expect(observedViews()).toEqual([scroller()]);
  act(() => observers.forEach((changed) => changed()));
  expect(observedViews()).toEqual([scroller()]);
  scroller().classList.add('in-page');
  act(() => observers.forEach((changed) => changed()));
  expect(observedViews()).toEqual([scroller()]);
  act(() => void dispatchEvent(new Event('resize')));
  act(() => void dispatchEvent(new Event('resize')));
  expect(observedViews()).toEqual([scroller(), document.documentElement]);
});

test('each row has its position and the size of the list', () => {
  show({ sections: [sectionOf(ids(3), { firstRow: 7, count: 20 })] });
  const rows = [...container.querySelectorAll('li')];
  expect(rows.map((row) => row.getAttribute('aria-posinset'))).toContain('8');
  expect(rows[0]!.getAttribute('aria-setsize')).toBe('20');
  expect(rows[0]!.getAttribute('aria-hidden'), 'a row that is not loaded is hidden').toBe('true');
  expect(rows[7]!.hasAttribute('aria-hidden')).toBe(false);
});

test('one row is a tab stop, and arrow keys move it', async () => {
  show({ sections: [sectionOf(ids(100))] });
  expect(tabStops().map((row) => row.textContent)).toEqual(['r0']);
  act(() => tabStops()[0]!.focus());
  await press('ArrowDown');
  expect(focused()).toBe('r1');
  await press('PageDown');
  expect(focused()).toBe('r9');
  await press('End');
  expect(focused()).toBe('r99');
  await press('Home');
  expect(focused()).toBe('r0');
  await press('ArrowUp');
  expect(focused()).toBe('r0');
  expect(tabStops()).toHaveLength(1);
});

test('the selected row is the tab stop until the focus has been in the list', () => {
  show({ sections: [sectionOf(ids(100))], selected: 'r4' });
  expect(tabStops().map((row) => row.textContent)).toEqual(['r4']);
});

test('the focused row stays rendered and focused while the list is scrolled', async () => {
  show({ sections: [sectionOf(ids(1000))] });
  act(() => buttons()[3]!.focus());
  await scrollTo(5000);
  expect(shown()[0]).toBe('r3');
  expect(focused()).toBe('r3');
});

test('a row has the focus if it or a part of it has, not if the head above it has', async () => {
  const list = createRef<VirtualListHandle>();
  show({ sections: [sectionOf(ids(3), { head: <input /> })], handle: list });
  act(() => container.querySelector('input')!.focus());
  expect(list.current!.focused()).toBeNull();
  await act(async () => list.current!.step(1));
  expect(focused()).toBe('r0');
  expect(list.current!.focused()).toBe('r0');
});

test('the focus stays in the list when its row, or a part of the row, is removed', async () => {
  const withPart = (items: { id: string }[], hasPart: boolean) => ({
    ...sectionOf(items),
    renderRow: (row: number, tabIndex: 0 | -1) => (
      <>
        <button type="button" data-row={items[row]!.id} tabIndex={tabIndex}>
          {items[row]!.id}
        </button>
        {hasPart && <input aria-label={items[row]!.id} />}
      </>
    ),
  });
  const shows = (items: { id: string }[], hasPart: boolean) =>
    act(async () => show({ sections: [withPart(items, hasPart)] }));
  await shows(ids(3), true);
  act(() => container.querySelectorAll('input')[1]!.focus());
  await shows(ids(3), false);
  expect(focused()).toBe('r1');
  await shows([{ id: 'r0' }, { id: 'r2' }], false);
  expect(focused(), 'the next row').toBe('r2');
  await shows([], false);
  expect(document.activeElement, 'no row is left').toBe(scroller());
});

test('the focus does not follow a row to another section, and does not scroll the list', async () => {
  const sections = (open: { id: string }[], history: { id: string }[]) => [
    sectionOf(open, { label: 'Open' }),
    sectionOf(history, { label: 'History' }),
  ];
  const shows = (...rows: Parameters<typeof sections>) => act(async () => show({ sections: sections(...rows) }));
  await shows(ids(100), ids(3, 'h'));
  act(() => buttons()[1]!.focus());
  await scrollTo(2000);
  await shows(
    ids(100).filter(({ id }) => id !== 'r1'),
    [{ id: 'r1' }, ...ids(3, 'h')],
  );
  expect(focused(), 'the row that is now in its place').toBe('r2');
  expect(scroller().scrollTop).toBe(2000);
});

test('the page gets the focus of a removed list', async () => {
  const main = document.body.appendChild(Object.assign(document.createElement('main'), { tabIndex: -1 }));
  await act(async () => root.render(<VirtualList sections={[sectionOf(ids(3))]} />));
  act(() => buttons()[0]!.focus());
  await act(async () => root.render(null));
  await waitFor(() => expect(document.activeElement).toBe(main));
  main.remove();
});

test('arrow keys move to the next section, but not past rows that are not loaded', async () => {
  const open = sectionOf(ids(3, 'a'), { label: 'Open' });
  const history = sectionOf(ids(2, 'b'), { label: 'History' });
  show({ sections: [open, history] });
  act(() => buttons()[2]!.focus());
  await press('ArrowDown');
  expect(focused()).toBe('b0');
  await press('ArrowUp');
  expect(focused()).toBe('a2');
  show({ sections: [{ ...open, count: 10 }, history] });
  await press('ArrowDown');
  expect(focused()).toBe('a2');
});

test('End loads the rest of the section first', async () => {
  const few = sectionOf(ids(3), { count: 5 });
  show({ sections: [{ ...few, loadAll: async () => ids(5) }] });
  act(() => buttons()[0]!.focus());
  await press('End');
  show({ sections: [sectionOf(ids(5))] });
  expect(focused()).toBe('r4');
});

test('reveal scrolls as little as needed, or to the middle if the row is far away', async () => {
  const handle = createRef<VirtualListHandle>();
  show({ sections: [sectionOf(ids(1000))], handle });
  await act(async () => handle.current!.reveal('r3'));
  expect(scroller().scrollTop).toBe(0);
  await act(async () => handle.current!.reveal('r8'));
  expect(scroller().scrollTop).toBe(9 * rowHeight - screen);
  await act(async () => handle.current!.reveal('r500'));
  expect(scroller().scrollTop).toBe(500 * rowHeight + rowHeight / 2 - screen / 2);
  await act(async () => handle.current!.reveal('unknown'));
  expect(scroller().scrollTop).toBe(500 * rowHeight + rowHeight / 2 - screen / 2);
});

test('a page can scroll the list before its first paint', async () => {
  function Page() {
    const handle = useRef<VirtualListHandle>(null);
    useLayoutEffect(() => handle.current!.reveal('r500'), []);
    return <VirtualList sections={[sectionOf(ids(1000))]} handle={handle} />;
  }
  await act(async () => root.render(<Page />));
  expect(scroller().scrollTop).toBe(500 * rowHeight + rowHeight / 2 - screen / 2);
  expect(shown()).toContain('r500');
});

test('rows that are added or removed above do not move the visible rows', async () => {
  const renderArrivals = (count: number) => <p>{count} new</p>;
  const rows = ids(100);
  show({ sections: [sectionOf(rows)], keepPlace: true, renderArrivals });
  await scrollTo(500);
  show({ sections: [sectionOf([...ids(2, 'n'), ...rows])], keepPlace: true, renderArrivals });
  expect(scroller().scrollTop).toBe(600);
  expect(container.querySelector('p')?.textContent).toBe('2 new');
  show({ sections: [sectionOf(rows.slice(1))], keepPlace: true, renderArrivals });
  expect(scroller().scrollTop, 'the first visible row stays in place').toBe(450);
  show({ sections: [sectionOf(rows.filter(({ id }) => id !== 'r10'))], keepPlace: true, renderArrivals });
  expect(scroller().scrollTop, 'the next row stays in place if the first one is removed').toBe(450);
});

test('a row that moves to the section in view does not move the visible rows', async () => {
  const [open, history] = [ids(20, 'a'), ids(100, 'b')];
  // The second section begins where the first one ends.
  vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function top(this: HTMLElement) {
    const before = this.previousElementSibling;
    return before instanceof HTMLElement ? Number.parseFloat(before.style.blockSize) : 0;
  });
  const shows = (...rows: { id: string }[][]) =>
    show({
      sections: rows.map((items, number) =>
        sectionOf(items, { label: `${number}`, rowHeight: number === 0 ? 50 : 20 }),
      ),
      keepPlace: true,
    });
  shows(open, history);
  await scrollTo(20 * 50 + 10 * 20);
  shows(open.slice(1), [open[0]!, ...history]);
  expect(scroller().scrollTop, 'b10 stays the first visible row').toBe(19 * 50 + 11 * 20);
});

test('a row that is removed below the view of a table in a page does not move the page', async () => {
  container.style.overflowY = 'auto';
  vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function top(this: HTMLElement) {
    return this.matches('.virtual-rows') ? 1000 : 0;
  });
  const shows = (rows: { id: string }[]) =>
    show({ className: 'in-page', sections: [sectionOf(rows, { isTable: true })], keepPlace: true });
  const rows = ids(100);
  shows(rows);
  await act(async () => container.scrollTo({ top: 1000 + 10 * rowHeight }));
  shows(rows.filter(({ id }) => id !== 'r20'));
  expect(container.scrollTop).toBe(1000 + 10 * rowHeight);
});

test('new rows are visible at the top of the list', () => {
  show({ sections: [sectionOf(ids(10))], keepPlace: true });
  show({ sections: [sectionOf([...ids(2, 'n'), ...ids(10)])], keepPlace: true });
  expect(scroller().scrollTop).toBe(0);
});

test('rows that arrive above a touch list that is shorter than the screen do not move it', async () => {
  const padding = () => Number.parseFloat(scroller().style.paddingBlockEnd || '0');
  let rows = 2;
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(() =>
    Math.max(screen, rows * rowHeight + padding()),
  );
  const most = () => scroller().scrollHeight - screen;
  Object.assign(HTMLElement.prototype, {
    scrollBy(this: HTMLElement, { top = 0 }: ScrollToOptions) {
      this.scrollTop = Math.min(this.scrollTop + top, most());
    },
  });
  const render = (prefixes: string[]) => {
    const items = [...prefixes.map((id) => ({ id })), ...ids(2)];
    rows = items.length;
    show({ sections: [sectionOf(items)], keepPlace: true, makeRoom });
  };
  render([]);
  render(['new']);
  expectPlace('r0', 0);
  render(['newer', 'new']);
  expectPlace('r0', 0);
  // A view that becomes higher moves no row.
  expect(most()).toBe(2 * rowHeight + 96);
  // Scrolled to the end, which is between two pixels.
  await scrollTo(most() + 0.4);
  expect(most()).toBe(2 * rowHeight + 96);
  await scrollTo(0);
  expect(padding()).toBe(0);
});

test('the list reports the visible rows, so that more are loaded', async () => {
  const onVisible = vi.fn<(visible: { start: number; end: number }) => void>();
  show({ sections: [sectionOf(ids(100), { onVisible })] });
  expect(onVisible).toHaveBeenLastCalledWith({ start: 0, end: 6 });
  await scrollTo(1000);
  expect(onVisible).toHaveBeenLastCalledWith({ start: 20, end: 26 });
});

test('on a low screen the rows follow what scrolls around them', async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  container.style.overflowY = 'auto';
  const handle = createRef<VirtualListHandle>();
  show({ sections: [sectionOf(ids(1000))], handle });
  expect(shown()).toEqual(ids(12).map(({ id }) => id));
  await act(async () => container.scrollTo({ top: 500 * rowHeight }));
  expect(shown()).toContain('r500');
  act(() => handle.current?.focus('r900'));
  expect(focused()).toBe('r900');
  expect(container.scrollTop).toBe(900.5 * rowHeight - screen / 2);
  act(() => handle.current?.scrollToTop());
  expect(container.scrollTop).toBe(0);
});
