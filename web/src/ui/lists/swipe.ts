import { useRef, type PointerEvent } from 'react';
import './swipe.css';

/** What a swipe in one direction does. */
export interface Swipe {
  /** Shown beside the element while it moves. */
  label: string;
  look: 'accent' | 'bad' | 'plain';
  act(): void;
}

/** The directions are those of the finger, in every language. Undefined: nothing happens in this direction. */
interface Swipes {
  left?: Swipe | undefined;
  right?: Swipe | undefined;
}

/**
 * In px. `start`: before it, a movement may be a tap or a scroll. `distance`: from it on, the swipe acts when the finger
 * is lifted; on a narrow element a third of its width. `edge`: the browser's own gesture to go back begins there.
 */
const limits = { start: 10, distance: 112, edge: 24 };

interface Drag {
  x: number;
  y: number;
  isSwipe: boolean;
}

/**
 * Lets a finger swipe an element to the left or to the right, which moves with it. Returns what to spread on it. The browser
 * keeps vertical movements for scrolling (swipe.css). `cancel` ends a swipe that has begun.
 */
export function useSwipe({ left, right }: Swipes) {
  const drag = useRef<Drag>(null);
  const moved = useRef<HTMLElement>(null);

  function cancel() {
    drag.current = null;
    const element = moved.current;
    moved.current = null;
    if (!element) return;
    element.style.translate = '';
    for (const name of ['swipe', 'swipeLabel', 'swipeLook', 'swipeReady']) delete element.dataset[name];
  }

  function show(element: HTMLElement, { x, swipe }: { x: number; swipe: Swipe | undefined }) {
    if (!swipe) {
      element.style.translate = '';
      delete element.dataset['swipe'];
      return;
    }
    moved.current = element;
    element.style.translate = `${x}px`;
    element.dataset['swipe'] = x > 0 ? 'right' : 'left';
    element.dataset['swipeLabel'] = swipe.label;
    element.dataset['swipeLook'] = swipe.look;
    element.toggleAttribute('data-swipe-ready', isFar(element, x));
  }

  return {
    cancel,
    gestures: {
      onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) {
        cancel();
        const isAtEdge = Math.min(x, innerWidth - x) < limits.edge;
        if (pointerType === 'touch' && isPrimary && !isAtEdge) drag.current = { x, y, isSwipe: false };
      },
      onPointerMove({ clientX, clientY, isPrimary, currentTarget }: PointerEvent<HTMLElement>) {
        const from = drag.current;
        if (!from || !isPrimary) return;
        const [x, y] = [clientX - from.x, Math.abs(clientY - from.y)];
        if (!from.isSwipe && y > limits.start && y >= Math.abs(x)) return cancel();
        from.isSwipe ||= Math.abs(x) > limits.start;
        if (from.isSwipe) show(currentTarget, { x, swipe: x > 0 ? right : left });
      },
      onPointerUp({ clientX, isPrimary, currentTarget }: PointerEvent<HTMLElement>) {
        const from = drag.current;
        if (!isPrimary) return;
        cancel();
        if (!from?.isSwipe) return;
        const x = clientX - from.x;
        const swipe = x > 0 ? right : left;
        if (swipe && isFar(currentTarget, x)) swipe.act();
      },
      onPointerCancel: cancel,
    },
  };
}

const isFar = ({ offsetWidth }: HTMLElement, x: number) => Math.abs(x) >= Math.min(limits.distance, offsetWidth / 3);
