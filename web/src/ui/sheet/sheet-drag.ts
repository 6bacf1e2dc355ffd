import { useEffect, useEffectEvent, useRef, type PointerEvent as ReactPointerEvent, type RefObject } from 'react';

interface Point {
  y: number;
  at: number;
}

export interface Drag {
  /** The distance since the start, in px; down is negative. */
  up: number;
  /** In px per ms, up is positive. */
  speed: number;
}

interface SheetDragOptions {
  sheet: RefObject<HTMLElement | null>;
  /** A finger that goes up scrolls the list then. */
  isHighest: boolean;
  onDrag(up: number): void;
  /** Called without a drag if it was cancelled. */
  onEnd(drag?: Drag): void;
}

/**
 * Drags a sheet: with a finger anywhere on it, with a mouse by its handle. A list in the sheet scrolls by itself; a
 * finger on it drags the sheet only while the list is at its top. Touch events are used because a scroll can be
 * prevented only in `touchmove`; pointer events end as soon as the browser scrolls.
 */
export function useSheetDrag({ sheet, isHighest, onDrag, onEnd }: SheetDragOptions) {
  const first = useRef<Point | null>(null);
  const last = useRef<Point & { speed: number }>(null);
  const endedAt = useRef(Number.NEGATIVE_INFINITY);

  const begin = ({ y, at }: Point) => {
    first.current = { y, at };
    last.current = { y, at, speed: 0 };
  };
  const move = ({ y, at }: Point) => {
    if (!first.current || !last.current) return;
    const speed = (last.current.y - y) / Math.max(1, at - last.current.at);
    last.current = { y, at, speed };
    onDrag(first.current.y - y);
  };
  const end = (at: number, cancelled = false) => {
    const [from, to] = [first.current, last.current];
    first.current = null;
    if (!from || !to) return;
    const up = from.y - to.y;
    const moved = Math.abs(up) > 4;
    if (moved) endedAt.current = at;
    onEnd(moved && !cancelled ? { up, speed: to.speed } : undefined);
  };
  const onTouchBegan = useEffectEvent(begin);
  const onTouchMoved = useEffectEvent(move);
  const onTouchEnded = useEffectEvent(end);
  const canDrag = useEffectEvent((target: Element, up: number) => {
    const scroller = scrollerAround(target, sheet.current);
    if (!scroller) return true;
    return scroller.scrollTop <= 0 && (up < 0 || !isHighest);
  });

  useEffect(() => {
    const element = sheet.current;
    if (!element) return undefined;
    let touch: { x: number; y: number; drags?: boolean } | null = null;
    const onStart = (event: TouchEvent) => {
      const [finger] = event.touches;
      touch = finger && event.touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : null;
    };
    const onMove = (event: TouchEvent) => {
      const [finger] = event.touches;
      if (!touch || !finger) return;
      const { clientX: x, clientY: y } = finger;
      const at = event.timeStamp;
      if (touch.drags === undefined) {
        const up = touch.y - y;
        touch.drags = event.cancelable && Math.abs(up) > Math.abs(touch.x - x) && canDrag(event.target as Element, up);
        if (touch.drags) onTouchBegan({ y: touch.y, at });
      }
      if (!touch.drags) return;
      event.preventDefault();
      onTouchMoved({ y, at });
    };
    const onTouchEnd = (event: TouchEvent) => {
      if (touch?.drags) onTouchEnded(event.timeStamp, event.type === 'touchcancel');
      touch = null;
    };
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener('touchstart', onStart, { passive: true, signal });
    element.addEventListener('touchmove', onMove, { passive: false, signal });
    element.addEventListener('touchend', onTouchEnd, { signal });
    element.addEventListener('touchcancel', onTouchEnd, { signal });
    return () => stop.abort();
  }, [sheet]);

  return {
    /** Spread on the handle. */
    handle: {
      onPointerDown(event: ReactPointerEvent) {
        if (event.pointerType === 'touch') return;
        event.currentTarget.setPointerCapture(event.pointerId);
        begin({ y: event.clientY, at: event.timeStamp });
      },
      onPointerMove(event: ReactPointerEvent) {
        if (event.pointerType !== 'touch') move({ y: event.clientY, at: event.timeStamp });
      },
      onPointerUp(event: ReactPointerEvent) {
        if (event.pointerType !== 'touch') end(event.timeStamp);
      },
      onPointerCancel(event: ReactPointerEvent) {
        if (event.pointerType !== 'touch') end(event.timeStamp, true);
      },
    },
    /** Whether a click is only the end of a drag. */
    isDragClick: () => performance.now() - endedAt.current < 100,
  };
}

/** The nearest element inside the sheet that has something to scroll. */
function scrollerAround(target: Element, sheet: Element | null): Element | null {
  for (let at: Element | null = target; at && at !== sheet; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
