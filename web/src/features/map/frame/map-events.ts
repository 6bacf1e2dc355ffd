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
import { positionAt, type Insets } from '../geometry/view.ts';
import { freeCentre } from './free-view.ts';

/** The tolerance of the pointer around symbols, in px. */
const SLACK = { mouse: 2, touch: 10 };

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
