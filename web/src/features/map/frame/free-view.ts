/** Views of a map that mean the part of it which panel, card and sheet leave free. */
import type { LatLng, Map as LeafletMap, ZoomPanOptions } from 'leaflet';
import { prefersReducedMotion } from '../canvas/motion.ts';
import { frameOf } from '../geometry/frame-of.ts';
import { freeBox, freeOffset, freeSize } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { bboxOf, fittingView, isOneSpot, roundedView, shifted } from '../geometry/view.ts';
import type { Bbox, View } from '../geometry/view.ts';

const FLIGHT = 0.5;
/** Padding in px when bounds are fitted: more than half a symbol. That much may lie under the controls. */
const FIT_PADDING = 24;

interface Covered {
  map: LeafletMap;
  insets: Insets;
}

export function freeCentre({ map, insets }: Covered): LatLng {
  const { x, y } = freeOffset(insets);
  return map.unproject(map.project(map.getCenter()).add([x, y]));
}

/**
 * The same with the controls of the map, where many are brought into sight: none of them comes to lie under a button.
 * One alone stays in the middle.
 */
export function besideControls({ map, insets, bbox }: Covered & { bbox: Bbox }): Insets {
  const around = map.getContainer().parentElement;
  const controls = around?.querySelector<HTMLElement>('.map-controls');
  if (!around || !controls || isOneSpot(bbox)) return insets;
  const { offsetLeft, offsetWidth } = controls;
  const [side, taken] =
    offsetLeft < around.clientWidth / 2
      ? (['left', offsetLeft + offsetWidth] as const)
      : (['right', around.clientWidth - offsetLeft] as const);
  return { ...insets, [side]: Math.max(insets[side], taken - FIT_PADDING) };
}

/** The view that shows all of a bbox. */
export function viewAround({ map, insets, bbox }: Covered & { bbox: Bbox }): View {
  return fittingView({ bbox, free: freeSize({ size: map.getSize(), insets }) });
}

export function flyToView({ map, insets, view }: Covered & { view: View }): void {
  const { lat, lng, zoom } = shifted(view, freeOffset(insets));
  if (prefersReducedMotion()) map.setView([lat, lng], zoom, { animate: false });
  else map.flyTo([lat, lng], zoom, { duration: FLIGHT });
}

/** At once. With `exact` all is drawn afresh; without it Leaflet moves what is drawn, by whole pixels. */
export function showView({ map, insets, view, exact }: Covered & { view: View; exact: boolean }): void {
  const { lat, lng, zoom } = shifted(view, freeOffset(insets));
  map.setView([lat, lng], zoom, { animate: false, reset: exact } as ZoomPanOptions);
}

/** What the map shows now, as the URL and the list use it. */
export function currentView({ map, insets }: Covered): View & { bbox: Bbox } {
  const { lat, lng } = freeCentre({ map, insets });
  const bbox = bboxOf({ frame: frameOf(map), box: freeBox({ size: map.getSize(), insets }) });
  return { ...roundedView({ lat, lng, zoom: map.getZoom() }), bbox };
}
