import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSwipe } from './swipe.ts';

const accept = vi.fn<() => void>();
const reject = vi.fn<() => void>();
let row: HTMLElement;
let isOpen = true;

function Row() {
  const { gestures } = useSwipe(
    isOpen
      ? {
          right: { label: 'Accept', look: 'accent', act: accept },
          left: { label: 'Reject', look: 'bad', act: reject },
        }
      : {},
  );
  return <div {...gestures} />;
}

const page = document.createElement('div');
const root = createRoot(page);
const render = () => act(async () => root.render(<Row />));
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('innerWidth', 400);
  document.body.append(page);
  isOpen = true;
  await render();
  row = page.firstElementChild as HTMLElement;
  Object.defineProperty(row, 'offsetWidth', { value: 400 });
});
afterEach(() => vi.resetAllMocks());

const touch = (type: string, clientX: number, clientY = 0, more: object = {}) =>
  row.dispatchEvent(
    new PointerEvent(type, { clientX, clientY, pointerType: 'touch', isPrimary: true, bubbles: true, ...more }),
  );
function move(...places: [number, number?][]) {
  touch('pointerdown', ...places[0]!);
  for (const place of places.slice(1)) touch('pointermove', ...place);
}

test('a swipe to the right or to the left acts when the finger is lifted', () => {
  move([100], [150], [230]);
  expect([row.style.translate, row.dataset['swipeLabel'], 'swipeReady' in row.dataset]).toEqual([
    '130px',
    'Accept',
    true,
  ]);
  expect(accept).not.toHaveBeenCalled();
  touch('pointerup', 230);
  expect([accept.mock.calls.length, row.style.translate, 'swipe' in row.dataset]).toEqual([1, '', false]);
  move([300], [170]);
  touch('pointerup', 170);
  expect(reject).toHaveBeenCalledOnce();
});

/** The movements, and where the finger is lifted. */
const otherMovements: Record<string, () => number> = {
  'is too short': () => (move([100], [200]), 200),
  'goes back': () => (move([100], [300], [150]), 150),
  scrolls: () => (move([100], [108, 40], [300, 60]), 300),
  'begins at the edge of the screen, as the browser’s own gesture': () => (move([10], [300]), 300),
  'is one of a mouse'() {
    touch('pointerdown', 100, 0, { pointerType: 'mouse' });
    touch('pointermove', 300, 0, { pointerType: 'mouse' });
    return 300;
  },
  'gets a second finger'() {
    move([100], [300]);
    touch('pointerdown', 50, 0, { isPrimary: false });
    return 300;
  },
  'the browser cancels'() {
    move([100], [300]);
    touch('pointercancel', 300);
    return 300;
  },
};

test.each(Object.entries(otherMovements))('a movement that %s does nothing', (_name, movement) => {
  touch('pointerup', movement());
  expect([accept.mock.calls, reject.mock.calls, row.style.translate]).toEqual([[], [], '']);
});

test('a row that is answered elsewhere while it is swiped is in its place again', async () => {
  move([100], [300]);
  isOpen = false;
  await render();
  touch('pointerup', 300);
  expect([accept.mock.calls, row.style.translate, 'swipe' in row.dataset]).toEqual([[], '', false]);
});
