import type { MapFeature, Position } from '@swarmdeck/bff/contract';
import type {
  LeafletMouseEvent,
  Map as LeafletMap,
  LeafletEvent,
  LeafletEventHandlerFnMap,
  LeafletKeyboardEvent,
} from 'leaflet';
import type { SymbolLayer } from '../symbols/symbol-layer.tsx';
import { useEffect, useEffectEvent, type RefObject } from 'react';
import { positionAt, bboxOf, type Insets, type Bbox } from '../geometry/view.ts';
import { freeCentre } from './free-view.ts';
import { frameOf } from '../geometry/frame.ts';

/** The tolerance of the pointer around symbols, in px. */
export const SLACK = { mouse: 2, touch: 10 };

export function isTouch({ originalEvent }: LeafletMouseEvent): boolean {
  return originalEvent instanceof PointerEvent && originalEvent.pointerType === 'touch';
}

interface PointerOptions {
  map: LeafletMap | null;
  symbols: RefObject<SymbolLayer | null>;
  enabled: boolean;
  onHover: (id: string | null) => void;
  onClick: (feature: MapFeature | null) => void;
}

/** Handles hover and click on symbols. A click beside them reports null. */
export function usePointer({ map, symbols, enabled, onHover, onClick }: PointerOptions): void {
  const featureAt = (event: LeafletMouseEvent) =>
    symbols.current?.at(event.containerPoint, isTouch(event) ? SLACK.touch : SLACK.mouse)?.feature ?? null;
  const hover = (feature: MapFeature | null) => {
    map?.getContainer().classList.toggle('map-on-symbol', feature !== null);
    onHover(feature?.id ?? null);
  };

  useLeafletEvents(
    map,
    enabled
      ? {
          mousemove: (event: LeafletMouseEvent) => hover(featureAt(event)),
          mouseout: () => hover(null),
          click: (event: LeafletMouseEvent) => onClick(featureAt(event)),
        }
      : {},
  );
}

/**
 * Adds the latest handlers to a map that is a sibling of the component. It does not remove them between renders,
 * because events of other effects would be lost.
 */
export function useLeafletEvents(map: LeafletMap | null, handlers: LeafletEventHandlerFnMap): void {
  const handle = useEffectEvent((event: LeafletEvent) => {
    const handler = handlers[event.type as keyof LeafletEventHandlerFnMap] as
      | ((event: LeafletEvent) => void)
      | undefined;
    handler?.(event);
  });
  const types = Object.keys(handlers).toSorted().join(' ');
  useEffect(() => {
    if (map === null || types === '') return undefined;
    const listener = (event: LeafletEvent) => handle(event);
    map.on(types, listener);
    return () => {
      map.off(types, listener);
    };
  }, [map, types]);
}

interface PlacingOptions {
  map: LeafletMap | null;
  active: boolean;
  /** The mode was started just now, so the map gets the focus. */
  takeFocus: boolean;
  insets: Insets;
  /** `isKey`: by Enter. */
  onPlace: (position: Position, isKey: boolean) => void;
  onCancel: () => void;
}

/** The placing mode: a click, or Enter for the cross in the centre, sets the position; Escape cancels. */
export function usePlacingInput({ map, active, takeFocus, insets, onPlace, onCancel }: PlacingOptions): void {
  useEffect(() => {
    if (!takeFocus) return;
    map?.getContainer().focus({ preventScroll: true });
    map?.getContainer().scrollIntoView({ block: 'nearest' });
  }, [map, takeFocus]);

  useLeafletEvents(
    map,
    active
      ? {
          click: ({ latlng }: LeafletMouseEvent) => onPlace(positionAt(latlng), false),
          keydown: ({ originalEvent }: LeafletKeyboardEvent) => {
            const { key } = originalEvent;
            if (map === null || (key !== 'Enter' && key !== 'Escape')) return;
            // The page has other shortcuts with these keys.
            originalEvent.stopPropagation();
            // Enter may move the focus to a button, which it must not press.
            originalEvent.preventDefault();
            if (key === 'Enter') onPlace(positionAt(freeCentre({ map, insets })), true);
            else onCancel();
          },
        }
      : {},
  );
}

/** In px. A smaller box is a click. */
const smallest = 5;

/** Shift and a drag with the mouse draw a box. Leaflet's own handler would zoom to it. */
export function useBoxSelect({ map, onBox }: { map: LeafletMap | null; onBox: ((bbox: Bbox) => void) | undefined }) {
  const report = useEffectEvent((bbox: Bbox) => onBox?.(bbox));
  const enabled = onBox !== undefined;
  useEffect(() => {
    if (!map || !enabled) return undefined;
    const container = map.getContainer();
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    let end: (() => void) | undefined;

    function begin(event: PointerEvent) {
      if (!event.shiftKey || event.button !== 0 || event.pointerType === 'touch') return;
      event.preventDefault();
      const frame = container.getBoundingClientRect();
      const box = document.createElement('div');
      box.className = 'map-box';
      const at = ({ clientX, clientY }: MouseEvent) => ({ x: clientX - frame.left, y: clientY - frame.top });
      const start = at(event);
      let [left, top, right, bottom] = [start.x, start.y, start.x, start.y];
      const drawing = new AbortController();
      const drawn = { capture: true, signal: drawing.signal };
      end = () => {
        drawing.abort();
        box.remove();
        end = undefined;
      };
      const isBox = () => right - left > smallest || bottom - top > smallest;
      const move = (moved: PointerEvent) => {
        const { x, y } = at(moved);
        [left, right] = [Math.max(0, Math.min(start.x, x)), Math.min(frame.width, Math.max(start.x, x))];
        [top, bottom] = [Math.max(0, Math.min(start.y, y)), Math.min(frame.height, Math.max(start.y, y))];
        if (!isBox()) return;
        box.style.cssText = `transform: translate(${left}px, ${top}px); inline-size: ${right - left}px; block-size: ${bottom - top}px`;
        container.append(box);
      };
      const finish = () => {
        end?.();
        if (!isBox()) return;
        // The click that ends the drag selects no device. A drag that ends outside the window has none.
        const ended = new AbortController();
        const once = { capture: true, signal: ended.signal };
        addEventListener('click', (click) => (click.stopPropagation(), ended.abort()), once);
        for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => ended.abort(), once);
        report(bboxOf({ frame: frameOf(map!), box: { left, top, right, bottom } }));
      };
      const cancel = (key: KeyboardEvent) => {
        if (key.key !== 'Escape') return;
        key.stopPropagation();
        end?.();
      };
      addEventListener('pointermove', move, drawn);
      addEventListener('pointerup', finish, drawn);
      addEventListener('pointercancel', () => end?.(), drawn);
      addEventListener('keydown', cancel, drawn);
    }
    container.addEventListener('pointerdown', begin, options);
    // otherwise Leaflet drags the map
    container.addEventListener('mousedown', (event) => event.shiftKey && event.stopPropagation(), options);
    return () => {
      listeners.abort();
      end?.();
    };
  }, [map, enabled]);
}
