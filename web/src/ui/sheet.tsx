import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { restingStop, stopBeside, stopHeights } from './sheet-stops.ts';
import type { Stop } from './sheet-stops.ts';
import './sheet.css';
import { useLayer } from './layers.ts';
import { useSheetDrag } from './use-sheet-drag.ts';
import { useSheetInset } from './use-sheet-inset.ts';

/**
 * A sheet over a map on a phone, with three stops. Touch drags it anywhere, a mouse by its handle. A tap on the handle
 * and the arrow keys also move it.
 */
export function Sheet({
  label,
  handleLabel,
  stop,
  onStop,
  onHeight,
  card,
  children,
}: {
  label: string;
  handleLabel: string;
  stop: Stop;
  onStop(stop: Stop): void;
  /** Called with the covered height of the map in px when the sheet has settled. */
  onHeight(height: number): void;
  /** Replaces the children at the lowest stop. */
  card?: ReactNode;
  /** Stay mounted behind the card, so that a list keeps its scroll position. The first child is the header. */
  children: ReactNode;
}) {
  const sheet = useRef<HTMLElement>(null);
  const cardBox = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ available: 0, card: 0 });
  const [dragged, setDragged] = useState<number | null>(null);
  const showsCard = stop === 'card' && !!card;
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
    if (resting > 0 && dragged === null) rested(resting);
  }, [resting, dragged]);
  // The first time it does not slide, because that would move its content while the page loads.
  const isMeasured = size.available > 0;
  useEffect(() => {
    const element = sheet.current;
    // Reading the height applies the first height before the transition is set.
    if (isMeasured && element && element.offsetHeight > 0) element.dataset['slides'] = '';
  }, [isMeasured]);
  useSheetInset(sheet, stop !== 'list');

  const { handle, isDragClick } = useSheetDrag({
    sheet,
    isHighest: stop === 'list',
    onDrag: setDragged,
    onEnd(drag) {
      setDragged(null);
      if (drag) onStop(restingStop({ height: resting + drag.up, speed: drag.speed, heights }));
    },
  });
  useLayer(stop === 'list', () => onStop('half'));

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    onStop(stopBeside(stop, step));
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
          if (!isDragClick()) onStop(stop === 'half' ? 'list' : 'half');
        }}
      />
      <div className="sheet-content">
        {showsCard && (
          <div className="sheet-card">
            <div ref={cardBox}>{card}</div>
          </div>
        )}
        <div ref={list} className={showsCard ? 'sheet-list sheet-behind' : 'sheet-list'} inert={showsCard}>
          {children}
        </div>
      </div>
    </section>
  );
}

/** In px, as in sheet.css. */
const handleHeight = 24;
