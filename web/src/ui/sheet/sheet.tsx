import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import './sheet.css';
import { useBackCloses } from '../dialogs/back-closes.ts';
import { heightAs } from '../browser/measured-height.ts';
import { lowest as lowestQuery, useMedia } from '../browser/media.ts';
import { useSheetDrag } from './sheet-drag.ts';
import { cardDirection, restingStop, stopBeside, stopHeights, type SheetSize, type Stop } from './sheet-stops.ts';

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
  const [dragged, setDragged] = useState<number | null>(null);
  const isBelow = useMedia(lowestQuery);
  const showsCard = stop === 'card' && !!card;

  const size = useSheetSize({ sheet, cardBox, list, stop, showsCard });
  const heights = stopHeights(size);
  const resting = heights[stop];
  const height = Math.min(heights.list, Math.max(Math.min(80, resting), resting + (dragged ?? 0)));
  useSettledHeight({ covered: isBelow ? 0 : resting, isSettled: resting > 0 && dragged === null, onHeight });
  useSlidesOnceMeasured(sheet, size.available > 0);
  useSheetInset(sheet, stop !== 'list' && !isBelow);

  const moveCard = showsCard ? onCard : undefined;
  const handle = useSheetMoves({ sheet, stop, heights, moveCard, onDrag: setDragged, onStop });
  useBackCloses(stop === 'list', () => onStop('half'));

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

interface SheetSizeOptions {
  sheet: RefObject<HTMLElement | null>;
  cardBox: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  stop: Stop;
  showsCard: boolean;
}

/** The size of what is around the sheet, and of what it shows at its lowest stop. All are 0 until they are measured. */
function useSheetSize({ sheet, cardBox, list, stop, showsCard }: SheetSizeOptions): SheetSize {
  const [size, setSize] = useState<SheetSize>({ available: 0, width: 0, card: 0 });
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
  }, [sheet, cardBox, list, stop, showsCard]);
  return size;
}

interface SettledHeightOptions {
  covered: number;
  isSettled: boolean;
  onHeight(height: number): void;
}

/** Calls `onHeight` when the sheet has settled, and when the covered height changes then. */
function useSettledHeight({ covered, isSettled, onHeight }: SettledHeightOptions): void {
  const settled = useEffectEvent(onHeight);
  useEffect(() => {
    if (isSettled) settled(covered);
  }, [covered, isSettled]);
}

/** The first time it does not slide, because that would move its content while the page loads. */
function useSlidesOnceMeasured(sheet: RefObject<HTMLElement | null>, isMeasured: boolean): void {
  useEffect(() => {
    const element = sheet.current;
    // Reading the height applies the first height before the transition is set.
    if (isMeasured && element && element.offsetHeight > 0) element.toggleAttribute('data-slides', true);
  }, [sheet, isMeasured]);
}

interface SheetMovesOptions {
  sheet: RefObject<HTMLElement | null>;
  stop: Stop;
  heights: Record<Stop, number>;
  /** What moves instead of the sheet. */
  moveCard: SheetProps['onCard'];
  /** The distance that the sheet is dragged, in px. Null: it is not. */
  onDrag(up: number | null): void;
  onStop(stop: Stop): void;
}

/** Drags, taps and arrow keys move the sheet to another stop, or its card. Returns the listeners of the handle. */
function useSheetMoves({ sheet, stop, heights, moveCard, onDrag, onStop }: SheetMovesOptions) {
  const resting = heights[stop];
  const { handle, isDragClick } = useSheetDrag({
    sheet,
    // A card that is higher than the sheet scrolls.
    isHighest: resting === heights.list,
    onDrag,
    onEnd(drag) {
      onDrag(null);
      if (!drag) return;
      const direction = moveCard && cardDirection({ ...drag, height: resting });
      if (direction) moveCard[direction]();
      if (!moveCard) onStop(restingStop({ height: resting + drag.up, speed: drag.speed, heights }));
    },
  });
  return {
    ...handle,
    onKeyDown(event: KeyboardEvent) {
      const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      if (moveCard) moveCard[step > 0 ? 'up' : 'down']();
      else onStop(stopBeside(stop, step));
    },
    onClick() {
      if (isDragClick()) return;
      if (moveCard) moveCard.up();
      else onStop(stop === 'half' ? 'list' : 'half');
    },
  };
}

const measuresInset = heightAs('--sheet-inset');

/** Measures the height of a sheet, so that toasts are above it and do not cover its buttons. */
export function useSheetInset(sheet: RefObject<HTMLElement | null>, enabled = true): void {
  useLayoutEffect(() => (enabled ? measuresInset(sheet.current) : undefined), [sheet, enabled]);
}
