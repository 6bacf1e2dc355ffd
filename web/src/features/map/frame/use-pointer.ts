import type { MapFeature } from '@swarmdeck/bff/contract';
import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import type { RefObject } from 'react';
import type { SymbolLayer } from '../symbols/symbol-layer.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

/** The tolerance of the pointer around symbols, in px. */
export const SLACK = { mouse: 2, dot: 5, touch: 10 };

export function isTouch({ originalEvent }: LeafletMouseEvent): boolean {
  return originalEvent instanceof PointerEvent && originalEvent.pointerType === 'touch';
}

/** Handles hover and click on symbols. A click beside them reports null. */
export function usePointer({
  map,
  symbols,
  enabled,
  onHover,
  onClick,
}: {
  map: LeafletMap | null;
  symbols: RefObject<SymbolLayer | null>;
  enabled: boolean;
  onHover: (id: string | null) => void;
  onClick: (feature: MapFeature | null) => void;
}): void {
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
