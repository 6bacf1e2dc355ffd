import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { isInside } from '../../../ui/urls/map-view-url.ts';
import { freeSize, fittingView, bboxOf, withoutEdges, type Insets, type Bbox, type View } from '../geometry/view.ts';
import { EDGE_LATITUDE } from '../geometry/mercator.ts';
import { currentView, besideControls, limitZoom, showView, type KeptFree, type LeastView } from './free-view.ts';
import { useLeafletEvents } from './map-events.ts';
import { frameOf, PADDING, padded } from '../geometry/frame.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Viewport } from '../map.api.ts';

/** The view is reported when the map has not moved for this long, in ms. */
const SETTLE_MS = 150;

interface ViewSettledOptions {
  map: LeafletMap | null;
  insets: Insets;
  onView?: (view: View & { bbox: Bbox }) => void;
  least?: LeastView;
}

/** Keeps a map within the world, and reports its view when it has settled. */
export function useViewSettled({ map, insets, onView, least }: ViewSettledOptions): void {
  const { top, right, bottom, left } = insets;
  const oneWorld = least?.oneWorld === true;
  const [west, south, east, north] = (oneWorld && least.bounds) || [];
  const { top: freeTop = 0, bottom: freeBottom = 0 } = least?.keptFree ?? {};
  const [size, setSize] = useState<{ x: number; y: number } | null>(null);
  const report = useEffectEvent(() => map && onView?.(currentView({ map, insets })));
  useEffect(() => {
    if (map === null) return undefined;
    let timer = 0;
    const scheduleReport = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => report(), SETTLE_MS);
    };
    const bounds = north === undefined ? null : ([west, south, east, north] as Bbox);
    const keptFree = { top: freeTop, bottom: freeBottom };
    limitZoom({ map, insets: { top, right, bottom, left }, size: size ?? map.getSize(), oneWorld, bounds, keptFree });
    scheduleReport();
    map.on('moveend', scheduleReport);
    return () => {
      clearTimeout(timer);
      map.off('moveend', scheduleReport);
    };
  }, [map, size, top, right, bottom, left, oneWorld, west, south, east, north, freeTop, freeBottom]);

  useLeafletEvents(map, {
    resize: () => map && setSize(map.getSize()),
    dragend: () => {
      const { lat = 0, lng = 0 } = map?.getCenter() ?? {};
      if (Math.abs(lat) > EDGE_LATITUDE) map?.panTo([Math.sign(lat) * EDGE_LATITUDE, lng]);
    },
  });
}

const nothing: KeptFree = { top: 0, bottom: 0 };

interface FirstViewOptions {
  map: LeafletMap | null;
  insets: Insets;
  initialView: View | null;
  bounds: Bbox | null;
  /** The part in view. */
  seen?: Bbox | null;
  /** A map of one world shows later bounds that are out of view too. */
  oneWorld?: boolean;
  keptFree?: KeptFree | undefined;
  /** The view until the bounds are known, or if there are no devices. */
  fallback: View;
  onOpen: () => void;
}

/**
 * Opens the map at a view, or else at the bounds of all devices when they are known. Until the user moves it, the map
 * keeps that view when panels or the window are resized. Later bounds move only a map of one world. `onOpen`: the map
 * shows its first view, or the user has moved it before. Returns whether it shows all by itself.
 */
export function useFirstView({
  map,
  insets: { top, right, bottom, left },
  initialView,
  bounds,
  seen = null,
  oneWorld = false,
  keptFree: { top: freeTop, bottom: freeBottom } = nothing,
  fallback,
  onOpen,
}: FirstViewOptions): RefObject<boolean> {
  const [first] = useState(initialView);
  const [empty] = useState(fallback);
  const [extent, setExtent] = useState(bounds);
  const [size, setSize] = useState<{ x: number; y: number } | null>(null);
  // A device where something may appear over it counts as out of view.
  const height = map ? freeSize({ size: size ?? map.getSize(), insets: { top, right, bottom, left } }).height : 0;
  const shown = seen && withoutEdges(seen, { height, top: freeTop, bottom: freeBottom });
  const isOutside = oneWorld && shown !== null && bounds !== null && bounds !== extent && !covers(shown, bounds);
  if (isOutside || (extent === null && bounds !== null)) setExtent(bounds);
  const touched = useRef(false);
  const isFitted = useRef(initialView === null);
  const opening = useRef(false);
  const opened = useRef(false);
  const reportOpen = useEffectEvent(onOpen);

  useEffect(() => {
    if (map === null || touched.current) return;
    const given = { top, right, bottom, left };
    const keptFree = { top: freeTop, bottom: freeBottom };
    const insets = first || !extent ? given : besideControls({ map, insets: given, bbox: extent, keptFree });
    opening.current = true;
    const free = freeSize({ size: size ?? map.getSize(), insets });
    const view = first ?? (extent ? fittingView({ bbox: extent, free }) : empty);
    limitZoom({ map, insets: given, size: size ?? map.getSize(), oneWorld, bounds: extent, keptFree });
    // Exact, because a rounded view would drift with each reload. Later, a moving sheet need not redraw everything.
    const isKnown = first !== null || extent !== null;
    showView({ map, insets, view, exact: isKnown && !opened.current });
    if (isKnown) {
      opened.current = true;
      reportOpen();
    }
    opening.current = false;
  }, [map, first, extent, empty, size, oneWorld, top, right, bottom, left, freeTop, freeBottom]);

  const touch = () => {
    touched.current = true;
    onOpen();
  };
  const move = () => {
    if (opening.current) return;
    isFitted.current = false;
    touch();
  };
  useLeafletEvents(map, {
    // Before the map has opened, a click has no position.
    click: () => opened.current && !oneWorld && touch(),
    movestart: move,
    zoomstart: move,
    resize: () => map && setSize(map.getSize()),
  });
  return isFitted;
}

function covers(seen: Bbox, [west, south, east, north]: Bbox): boolean {
  return isInside(seen, { longitude: west, latitude: south }) && isInside(seen, { longitude: east, latitude: north });
}

/** A drag that has used this fraction of the padding fetches the next area. */
const USED_UP = 0.7;

interface RequestedArea {
  viewport: Viewport;
  /** The frame at that time, without the padding. */
  frame: Frame;
}

/** The area to request. It changes when the map settles, and during a drag that uses up most of the padding. */
export function useViewport(map: LeafletMap | null): RequestedArea | null {
  const [moved, setMoved] = useState<RequestedArea | null>(null);
  const requested = moved ?? (map && viewportOf(map));

  const request = () => map && setMoved(viewportOf(map));
  useLeafletEvents(map, {
    moveend: request,
    resize: request,
    drag: () => {
      if (map === null || requested === null) return;
      const { left, top, width, height } = frameOf(map);
      const used = Math.max(
        Math.abs(left - requested.frame.left) / width,
        Math.abs(top - requested.frame.top) / height,
      );
      if (used > PADDING * USED_UP) request();
    },
  });
  return requested;
}

function viewportOf(map: LeafletMap): RequestedArea {
  const frame = frameOf(map);
  const requested = padded(frame);
  const box = { left: 0, top: 0, right: requested.width, bottom: requested.height };
  // At fractional zooms, clusters of the next level are at most a sixth too close together.
  const zoom = Math.floor(map.getZoom() + 0.25);
  return { viewport: { bbox: bboxOf({ frame: requested, box }), zoom }, frame };
}
