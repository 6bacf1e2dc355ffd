import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import type { Insets, View } from '../geometry/view.ts';
import { freeCentre, placeSentTo, showView, sizeOf, type ShownPlace } from './free-view.ts';
import { useLeafletEvents } from './map-events.ts';

interface KeptPlaceOptions {
  map: LeafletMap | null;
  insets: Insets;
  /** A place is being chosen under a pin. */
  enabled: boolean;
}

/**
 * Only the user moves the place under a pin: when the phone is turned, the keyboard opens or a panel changes, the map follows. Use
 * it after the hooks that move the map then.
 */
export function useKeptPlace({ map, insets, enabled }: KeptPlaceOptions): void {
  const { top, right, bottom, left } = insets;
  const [size, setSize] = useState('');
  const kept = useRef<ShownPlace | null>(null);
  const isMoving = useRef(false);

  useLeafletEvents(
    map,
    enabled
      ? {
          movestart: () => (isMoving.current = true),
          move() {
            const { current } = kept;
            if (map && current && isFor(current, { map, insets })) current.view = viewOf(map, insets);
          },
          moveend() {
            isMoving.current = false;
            const { current } = kept;
            if (!map || !current || isFor(current, { map, insets })) return;
            // The map was on its way to a place when the panels changed.
            if (current.size === sizeOf(map)) current.view = viewOf(map, current.insets);
            keep(kept, { map, insets });
          },
          resize: () => map && setSize(sizeOf(map)),
        }
      : {},
  );
  useEffect(() => {
    if (!map || !enabled) kept.current = null;
    else if (!isMoving.current) keep(kept, { map, insets: { top, right, bottom, left }, size });
  }, [map, enabled, size, top, right, bottom, left]);
}

interface Frame {
  map: LeafletMap;
  insets: Insets;
  /** By which an effect depends on it. The map has the current one. */
  size?: string;
}

/** Shows the kept place under the pin, or keeps the one that is under it, or that the map was sent to before there was a pin. */
function keep(kept: { current: ShownPlace | null }, { map, insets }: Frame): void {
  const before = kept.current ?? placeSentTo(map);
  const view = before?.view ?? viewOf(map, insets);
  kept.current = { view, insets, size: sizeOf(map) };
  if (before && !isFor(before, { map, insets })) showView({ map, insets, view, exact: true });
}

function isFor({ insets: before, size }: ShownPlace, { map, insets }: Frame): boolean {
  const sides = ['top', 'right', 'bottom', 'left'] as const;
  return size === sizeOf(map) && sides.every((side) => before[side] === insets[side]);
}

/** Where the map was sent, unless it has moved in another way since; else what it shows. */
function viewOf(map: LeafletMap, insets: Insets): View {
  const { lat, lng } = freeCentre({ map, insets });
  return placeSentTo(map)?.view ?? { lat, lng, zoom: map.getZoom() };
}

/** Keeps the place of a map whose code must not have it from the start. */
export function KeptPlace(options: Omit<KeptPlaceOptions, 'enabled'>): null {
  useKeptPlace({ ...options, enabled: true });
  return null;
}
