import type { Position } from '@swarmdeck/bff/contract';
import type { LeafletKeyboardEvent, LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import type { Insets } from '../geometry/insets.ts';
import { positionAt } from '../geometry/view.ts';
import { freeCentre } from './free-view.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

/** The placing mode: a click, or Enter for the cross in the centre, sets the position; Escape cancels. */
export function usePlacing({
  map,
  active,
  takeFocus,
  insets,
  onPlace,
  onCancel,
}: {
  map: LeafletMap | null;
  active: boolean;
  /** The mode was started just now, so the map gets the focus. */
  takeFocus: boolean;
  insets: Insets;
  onPlace: (position: Position) => void;
  onCancel: () => void;
}): void {
  useEffect(() => {
    if (takeFocus) map?.getContainer().focus({ preventScroll: true });
  }, [map, takeFocus]);

  useLeafletEvents(
    map,
    active
      ? {
          click: ({ latlng }: LeafletMouseEvent) => onPlace(positionAt(latlng)),
          keydown: ({ originalEvent }: LeafletKeyboardEvent) => {
            const { key } = originalEvent;
            if (map === null || (key !== 'Enter' && key !== 'Escape')) return;
            // The page has other shortcuts with these keys.
            originalEvent.stopPropagation();
            if (key === 'Enter') onPlace(positionAt(freeCentre({ map, insets })));
            else onCancel();
          },
        }
      : {},
  );
}
