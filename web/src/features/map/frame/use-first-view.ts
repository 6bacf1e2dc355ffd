import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { freeSize } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { fittingView } from '../geometry/view.ts';
import type { Bbox, View } from '../geometry/view.ts';
import { besideControls, showView } from './free-view.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

/**
 * Opens the map at a view, or else at the bounds of all devices when they are known. Until the user moves it, the map
 * keeps that view when panels or the window are resized. Later changes of the bounds do not move it.
 */
export function useFirstView({
  map,
  insets: { top, right, bottom, left },
  initialView,
  bounds,
}: {
  map: LeafletMap | null;
  insets: Insets;
  initialView: View | null;
  bounds: Bbox | null;
}): void {
  const [first] = useState(initialView);
  const [extent, setExtent] = useState(bounds);
  if (extent === null && bounds !== null) setExtent(bounds);
  const [size, setSize] = useState<{ x: number; y: number } | null>(null);
  const touched = useRef(false);
  const opening = useRef(false);
  const opened = useRef(false);

  useEffect(() => {
    if (map === null || touched.current || (first === null && extent === null)) return;
    const given = { top, right, bottom, left };
    const insets = first || !extent ? given : besideControls({ map, insets: given, bbox: extent });
    opening.current = true;
    const free = freeSize({ size: size ?? map.getSize(), insets });
    const view = first ?? (extent && fittingView({ bbox: extent, free }));
    // Exact, because a rounded view would drift with each reload. Later, a moving sheet need not redraw everything.
    if (view) showView({ map, insets, view, exact: !opened.current });
    opened.current = true;
    opening.current = false;
  }, [map, first, extent, size, top, right, bottom, left]);

  const touch = () => {
    if (!opening.current) touched.current = true;
  };
  useLeafletEvents(map, {
    // Before the map has opened, a click has no position.
    click: () => opened.current && touch(),
    movestart: touch,
    zoomstart: touch,
    resize: () => map && setSize(map.getSize()),
  });
}
