import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import './panel-sheet.css';
import { restingStop, stopBeside, stopHeights } from './sheet-stops.ts';
import type { Stop } from './sheet-stops.ts';

/** The sheet over the map of a phone. It is moved by its handle: dragged, tapped, or by the arrow keys. */
export function PanelSheet({
  stop,
  onStop,
  onHeight,
  children,
}: {
  stop: Stop;
  onStop(stop: Stop): void;
  /** How much of the map it covers, once it rests. */
  onHeight(height: number): void;
  children: ReactNode;
}) {
  const sheet = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ available: 0, card: 0 });
  const [drag, setDrag] = useState<{ from: number; height: number; at: number; y: number; speed: number } | null>(null);
  const heights = stopHeights(size);
  const height = heights[stop];

  useLayoutEffect(() => {
    const [element, inside] = [sheet.current, content.current];
    const around = element?.parentElement;
    if (!element || !inside || !around) return undefined;
    const measure = () => {
      const card = stop === 'card' ? inside.offsetHeight + inside.offsetTop : null;
      setSize((now) => ({ available: around.clientHeight, card: card ?? now.card }));
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(around);
    sizes.observe(inside);
    return () => sizes.disconnect();
  }, [stop]);

  const rested = useEffectEvent(onHeight);
  useEffect(() => {
    if (height > 0 && !drag) rested(height);
  }, [height, drag]);

  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: event.clientY + height, height, at: event.timeStamp, y: event.clientY, speed: 0 });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!drag) return;
    const passed = Math.max(1, event.timeStamp - drag.at);
    setDrag({
      ...drag,
      height: Math.min(heights.list, Math.max(80, drag.from - event.clientY)),
      speed: (drag.y - event.clientY) / passed,
      at: event.timeStamp,
      y: event.clientY,
    });
  };
  const onPointerUp = () => {
    if (!drag) return;
    setDrag(null);
    const moved = Math.abs(drag.height - height) > 4;
    if (moved) onStop(restingStop({ height: drag.height, speed: drag.speed, heights }));
    else onStop(stop === 'half' ? 'list' : 'half');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    onStop(stopBeside(stop, step));
  };

  return (
    <section
      ref={sheet}
      className={`sheet${drag ? ' sheet-dragged' : ''}`}
      style={{ blockSize: drag?.height ?? height }}
      aria-label={t.devices.list}
    >
      <button
        type="button"
        className="sheet-handle"
        aria-label={t.devices.sheet}
        aria-expanded={stop !== 'card'}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          // a pointer has done it already; this is Enter, Space or a screen reader
          if (event.detail === 0) onStop(stop === 'half' ? 'list' : 'half');
        }}
      />
      <div ref={content} className={stop === 'card' ? 'sheet-content sheet-low' : 'sheet-content'}>
        {children}
      </div>
    </section>
  );
}
