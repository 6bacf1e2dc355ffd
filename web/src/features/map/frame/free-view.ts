/** Views that refer to the part of a map that panel, card and sheet do not cover. */
import type { LatLng, Map as LeafletMap, ZoomPanOptions } from 'leaflet';
import { prefersReducedMotion } from '../../../ui/browser/media.ts';
import { NEAR } from '../../../ui/urls/map-view-url.ts';
import type { OwnPosition } from '../../../ui/browser/use-own-location.ts';
import { frameOf } from '../geometry/frame.ts';
import {
  freeBox,
  freeOffset,
  freeSize,
  bboxOf,
  fittingView,
  insetsBeside,
  isOnePoint,
  leastZoom,
  oneWorldZoom,
  roundedView,
  shifted,
  zoomAround,
  BOX_PADDING,
  MAX_ZOOM,
  type Insets,
  type Bbox,
  type View,
} from '../geometry/view.ts';
import type { MapFeature, Position } from '@swarmdeck/bff/contract';
import { coveredBoxes } from '../canvas/obstacles.ts';

const FLIGHT = 0.5;

interface Covered {
  map: LeafletMap;
  insets: Insets;
}

interface FitOptions extends Covered {
  bbox: Bbox;
  keptFree?: KeptFree | undefined;
}

export function freeCentre({ map, insets }: Covered): LatLng {
  const { x, y } = freeOffset(insets);
  return map.unproject(map.project(map.getCenter()).add([x, y]));
}

/** In px, within the insets: what a view of several devices leaves free, because something may appear there. */
export interface KeptFree {
  top: number;
  bottom: number;
}

/**
 * The insets with the map's controls and what is kept free, for several devices, so that none is under a button. A single device
 * is centred.
 */
export function besideControls({ map, insets, bbox, keptFree }: FitOptions): Insets {
  if (isOnePoint(bbox)) return insets;
  const { top = 0, bottom = 0 } = keptFree ?? {};
  const beside = {
    ...insets,
    top: insets.top + Math.max(0, top - BOX_PADDING),
    bottom: insets.bottom + Math.max(0, bottom - BOX_PADDING),
  };
  const around = map.getContainer().parentElement;
  const controls = around?.querySelector<HTMLElement>('.map-controls');
  if (!around || !controls) return beside;
  const { offsetLeft, offsetWidth } = controls;
  const [side, taken] =
    offsetLeft < around.clientWidth / 2
      ? (['left', offsetLeft + offsetWidth] as const)
      : (['right', around.clientWidth - offsetLeft] as const);
  return { ...beside, [side]: Math.max(insets[side], taken - BOX_PADDING) };
}

/** The view that shows a whole bbox. */
function viewAround({ map, insets, bbox }: Covered & { bbox: Bbox }): View {
  return fittingView({ bbox, free: freeSize({ size: map.getSize(), insets }) });
}

/** The view of the whole map whose free part has that centre, at a zoom that the map can show. */
function wholeView({ map, insets, view }: Covered & { view: View }): View {
  const zoom = Math.min(map.getMaxZoom(), Math.max(map.getMinZoom(), view.zoom));
  return shifted({ ...view, zoom }, freeOffset(insets));
}

export function flyToView({ map, insets, view }: Covered & { view: View }): void {
  const { lat, lng, zoom } = wholeView({ map, insets, view });
  if (prefersReducedMotion()) map.setView([lat, lng], zoom, { animate: false });
  else map.flyTo([lat, lng], zoom, { duration: FLIGHT });
}

/** The view around the own location, at least as close as `nearest`, unless the area in which the user may be needs a wider one. */
export function viewOfOwn({ map, insets, at, nearest }: Covered & { at: OwnPosition; nearest: number }): View {
  const free = freeSize({ size: map.getSize(), insets });
  const widest = zoomAround({ latitude: at.latitude, within: at.accuracy, free });
  return { lat: at.latitude, lng: at.longitude, zoom: Math.min(widest, Math.max(nearest, map.getZoom())) };
}

/**
 * Sets the view without animation. With `exact` everything is drawn again; without it Leaflet moves the panes by whole
 * pixels.
 */
export function showView({ map, insets, view, exact }: Covered & { view: View; exact: boolean }): void {
  const { lat, lng, zoom } = wholeView({ map, insets, view });
  map.setView([lat, lng], zoom, { animate: false, reset: exact } as ZoomPanOptions);
}

/** A view of the free part of a map, with the insets and the size for which it was shown. */
export interface ShownPlace {
  view: View;
  insets: Insets;
  size: string;
}

/** Where a map was sent, until it moves in another way. It may be on its way, and its panels may have changed since. */
const sentTo = new WeakMap<LeafletMap, ShownPlace>();
export const placeSentTo = (map: LeafletMap): ShownPlace | undefined => sentTo.get(map);

export const sizeOf = (map: LeafletMap): string => map.getSize().toString();

function noteSent({ map, insets, view }: Covered & { view: View }): void {
  sentTo.set(map, { view, insets, size: sizeOf(map) });
  map.once('movestart', () => sentTo.delete(map));
}

/** What the least zoom of a map must leave room for: `oneWorld`: nothing twice, unless that would leave out some of `bounds`. */
export interface LeastView {
  oneWorld: boolean;
  bounds: Bbox | null;
  keptFree?: KeptFree | undefined;
}

/**
 * Sets the minimum zoom. If the map is below it, its free part keeps its centre, or is where the map was sent. Leaflet would keep the centre of the
 * whole map, with an animation that the next view interrupts.
 */
export function limitZoom({
  map,
  insets,
  size,
  oneWorld = false,
  bounds = null,
  keptFree,
}: Covered & { size: { x: number; y: number } } & Partial<LeastView>): void {
  const free = freeSize({ size, insets });
  const fit = bounds && freeSize({ size, insets: besideControls({ map, insets, bbox: bounds, keptFree }) });
  const whole = fit ? fittingView({ bbox: bounds, free: fit }).zoom : Infinity;
  const least = oneWorld ? Math.max(leastZoom(free), Math.min(oneWorldZoom(size.x), whole)) : leastZoom(free);
  if (map.getZoom() < least) {
    const sent = sentTo.get(map)?.view;
    const { lat, lng, zoom } = sent ?? { ...freeCentre({ map, insets }), zoom: least };
    const view = { lat, lng, zoom: Math.max(least, zoom) };
    showView({ map, insets, view, exact: true });
    if (sent) noteSent({ map, insets, view });
  }
  map.setMinZoom(least);
}

/** The current view, as the URL and the list use it. */
export function currentView({ map, insets }: Covered): View & { bbox: Bbox } {
  const { lat, lng } = freeCentre({ map, insets });
  const bbox = bboxOf({ frame: frameOf(map), box: freeBox({ size: map.getSize(), insets }) });
  return { ...roundedView({ lat, lng, zoom: map.getZoom() }), bbox };
}

type Cluster = Pick<MapFeature, 'geometry'> & { properties: { bbox: Bbox } };

interface CreateMapNavigationOptions {
  map: LeafletMap | null;
  insets: Insets;
  /** The bounds of all devices. */
  bounds: Bbox | null;
  keptFree?: KeptFree | undefined;
  leave: () => void;
}

/** The actions that move the map. Each calls `leave` first. */
export function createMapNavigation({ map, insets, bounds, keptFree, leave }: CreateMapNavigationOptions) {
  const show = (view: View) => map && flyToView({ map, insets, view });
  return {
    fit() {
      leave();
      if (!map || !bounds) return;
      const beside = insetsBeside({
        bbox: bounds,
        size: map.getSize(),
        insets: besideControls({ map, insets, bbox: bounds, keptFree }),
        boxes: coveredBoxes(map.getContainer(), 'panels'),
      });
      flyToView({ map, insets: beside, view: viewAround({ map, insets: beside, bbox: bounds }) });
    },
    flyToOwn(at: OwnPosition) {
      leave();
      if (map) show(viewOfOwn({ map, insets, at, nearest: NEAR }));
    },
    flyTo({ latitude: lat, longitude: lng }: Position, zoom?: number) {
      if (!map) return;
      const view = { lat, lng, zoom: zoom ?? Math.max(NEAR, map.getZoom()) };
      show(view);
      noteSent({ map, insets, view });
    },
    /** Zooms in until the cluster separates. Returns false if no zoom separates it. */
    into({ geometry, properties: { bbox } }: Cluster): boolean {
      leave();
      const zoom = map?.getZoom() ?? 0;
      if (map === null || isOnePoint(bbox) || zoom >= MAX_ZOOM) return false;
      const [lng, lat] = geometry.coordinates;
      const inside = viewAround({ map, insets, bbox });
      show(inside.zoom > zoom ? inside : { lat, lng, zoom: Math.min(MAX_ZOOM, zoom + 1) });
      return true;
    },
  };
}
