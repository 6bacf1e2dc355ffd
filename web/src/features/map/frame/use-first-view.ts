import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { freeSize } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { fittingView } from '../geometry/view.ts';
import type { Bbox, View } from '../geometry/view.ts';
import { besideControls, showView } from './free-view.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

/**
 * Opens the map at a view, or, without one, at all there is, as soon as that is known. Until somebody moves it
 * the map keeps to that while panels open and windows grow. What comes later does not move it.
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
    // to the pixel, or a view from the URL would drift with each load; a sheet that moves need not redraw all
    if (view) showView({ map, insets, view, exact: !opened.current });
    opened.current = true;
    opening.current = false;
  }, [map, first, extent, size, top, right, bottom, left]);

  const touch = () => {
    if (!opening.current) touched.current = true;
  };
  useLeafletEvents(map, {
    // on a map that has not opened yet a click points at nothing
    click: () => opened.current && touch(),
    movestart: touch,
    zoomstart: touch,
    resize: () => map && setSize(map.getSize()),
  });
}
