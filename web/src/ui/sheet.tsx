import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
} from 'react';
import './sheet.css';
import { useBackCloses } from './back-closes.ts';
import { heightAs } from './measured-height.ts';
import { lowest as lowestQuery, useMedia } from './media.ts';

interface SheetProps {
  label: string;
  handleLabel: string;
  stop: Stop;
  onStop(stop: Stop): void;
  /** Called with the covered height of the map in px when the sheet has settled. */
  onHeight(height: number): void;
  /** Replaces the children at the lowest stop. */
  card?: ReactNode;
  /** What moving the card up or down does. Without it, the sheet moves to another stop. */
  onCard?: { up(): void; down(): void } | undefined;
  /** Stay mounted behind the card, so that a list keeps its scroll position. The first child is the header. */
  children: ReactNode;
}

/**
 * A sheet over a map on a phone, with three stops. Touch drags it anywhere, a mouse by its handle. A tap on the handle
 * and the arrow keys also move it. On the lowest screens it is the part of the page below the map (sheet.css).
 */
export function Sheet({ label, handleLabel, stop, onStop, onHeight, card, onCard, children }: SheetProps) {
  const sheet = useRef<HTMLElement>(null);
  const cardBox = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ available: 0, width: 0, card: 0 });
  const [dragged, setDragged] = useState<number | null>(null);
  const isBelow = useMedia(lowestQuery);
  const showsCard = stop === 'card' && !!card;
  const moveCard = showsCard ? onCard : undefined;
  const heights = stopHeights(size);
  const resting = heights[stop];
  const height = Math.min(heights.list, Math.max(Math.min(80, resting), resting + (dragged ?? 0)));

  useLayoutEffect(() => {
    const around = sheet.current?.parentElement;
    // The content of the lowest stop: never the whole list, which is as high as all its rows.
    const lowest = showsCard ? cardBox.current : list.current?.firstElementChild;
    if (!around) return undefined;
    const measure = () => {
      const measured = stop === 'card' && lowest ? lowest.getBoundingClientRect().height : 0;
      setSize((now) => ({
        available: around.clientHeight,
        width: around.clientWidth,
        card: measured > 0 ? Math.ceil(measured) + handleHeight : now.card,
      }));
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(around);
    if (lowest) sizes.observe(lowest);
    return () => sizes.disconnect();
  }, [stop, showsCard]);

  const rested = useEffectEvent(onHeight);
  useEffect(() => {
    if (resting > 0 && dragged === null) rested(isBelow ? 0 : resting);
  }, [resting, dragged, isBelow]);
  // The first time it does not slide, because that would move its content while the page loads.
  const isMeasured = size.available > 0;
  useEffect(() => {
    const element = sheet.current;
    // Reading the height applies the first height before the transition is set.
    if (isMeasured && element && element.offsetHeight > 0) element.dataset['slides'] = '';
  }, [isMeasured]);
  useSheetInset(sheet, stop !== 'list' && !isBelow);

  const { handle, isDragClick } = useSheetDrag({
    sheet,
    // A card that is higher than the sheet scrolls.
    isHighest: resting === heights.list,
    onDrag: setDragged,
    onEnd(drag) {
      setDragged(null);
      if (!drag) return;
      const direction = moveCard && cardDirection({ ...drag, height: resting });
      if (direction) moveCard[direction]();
      if (!moveCard) onStop(restingStop({ height: resting + drag.up, speed: drag.speed, heights }));
    },
  });
  useBackCloses(stop === 'list', () => onStop('half'));

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    if (moveCard) moveCard[step > 0 ? 'up' : 'down']();
    else onStop(stopBeside(stop, step));
  };

  return (
    <section
      ref={sheet}
      className={dragged === null ? 'sheet' : 'sheet sheet-dragged'}
      style={{ blockSize: height }}
      aria-label={label}
    >
      <button
        type="button"
        className="sheet-handle"
        aria-label={handleLabel}
        aria-expanded={stop !== 'card'}
        {...handle}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (isDragClick()) return;
          if (moveCard) moveCard.up();
          else onStop(stop === 'half' ? 'list' : 'half');
        }}
      />
      <div className="column sheet-content">
        {showsCard && (
          <div className="sheet-card">
            <div ref={cardBox}>{card}</div>
          </div>
        )}
        <div
          ref={list}
          className={showsCard ? 'column sheet-list sheet-behind' : 'column sheet-list'}
          inert={showsCard}
        >
          {children}
        </div>
      </div>
    </section>
  );
}

/** In px, as in sheet.css. */
const handleHeight = 24;

/** The heights of a phone's sheet: only the card or the header, half of the screen, or nearly all of it. */
export type Stop = 'card' | 'half' | 'list';
/** In px: two whole rows below the head of a list. A low screen has them if it is wide, because its map then has its controls in one line. */
const leastHalf = 276;
const stops: readonly Stop[] = ['card', 'half', 'list'];

/** Height of the map that stays visible above the sheet, in px. A low and wide one has its controls in a line. */
const rims = { high: 44, wide: 68 };

/** In px: of what is around the sheet, and of its card or header. */
interface SheetSize {
  available: number;
  width: number;
  card: number;
}

export function stopHeights({ available, width, card }: SheetSize): Record<Stop, number> {
  const isWide = width > available;
  const least = isWide ? leastHalf : 0;
  const list = Math.max(0, available - (isWide ? rims.wide : rims.high));
  return {
    card: Math.min(card, list),
    half: Math.min(list, Math.max(card, least, Math.round(available * 0.55))),
    list,
  };
}

/**
 * The stop of a sheet that is released: the next one after a flick, otherwise the nearest. `speed` is in px per ms, up
 * is positive.
 */
export function restingStop(drag: { height: number; speed: number; heights: Record<Stop, number> }): Stop {
  const { height, speed, heights } = drag;
  if (Math.abs(speed) > 0.5) {
    const ahead = stops.filter((stop) => (speed > 0 ? heights[stop] > height : heights[stop] < height));
    return ahead.at(speed > 0 ? 0 : -1) ?? (speed > 0 ? 'list' : 'card');
  }
  const distance = (stop: Stop) => Math.abs(heights[stop] - height);
  return stops.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best));
}

/** Where a card that is released goes: a flick, or a third of its height. Undefined: it stays. */
export function cardDirection({ up, speed, height }: Drag & { height: number }): 'up' | 'down' | undefined {
  if (Math.abs(speed) > 0.5 || Math.abs(up) > height / 3) return up > 0 ? 'up' : 'down';
  return undefined;
}

export function stopBeside(stop: Stop, step: 1 | -1): Stop {
  return stops[stops.indexOf(stop) + step] ?? stop;
}

interface Point {
  y: number;
  at: number;
}

interface Drag {
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

const measuresInset = heightAs('--sheet-inset');

/** Measures the height of a sheet, so that toasts are above it and do not cover its buttons. */
export function useSheetInset(sheet: RefObject<HTMLElement | null>, enabled = true): void {
  useLayoutEffect(() => (enabled ? measuresInset(sheet.current) : undefined), [sheet, enabled]);
}
