/** Views that refer to the part of a map that panel, card and sheet do not cover. */
import type { LatLng, Map as LeafletMap, ZoomPanOptions } from 'leaflet';
import { prefersReducedMotion } from '../../../ui/media.ts';
import { frameOf } from '../geometry/frame.ts';
import { freeBox, freeOffset, freeSize } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { bboxOf, fittingView, isOneSpot, roundedView, shifted } from '../geometry/view.ts';
import type { Bbox, View } from '../geometry/view.ts';

const FLIGHT = 0.5;
/** The padding of fitted bounds in px: more than half a symbol. */
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
 * The insets with the map's controls for several devices, so that none is under a button. A single device is centred.
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

/** The view that shows a whole bbox. */
export function viewAround({ map, insets, bbox }: Covered & { bbox: Bbox }): View {
  return fittingView({ bbox, free: freeSize({ size: map.getSize(), insets }) });
}

export function flyToView({ map, insets, view }: Covered & { view: View }): void {
  const { lat, lng, zoom } = shifted(view, freeOffset(insets));
  if (prefersReducedMotion()) map.setView([lat, lng], zoom, { animate: false });
  else map.flyTo([lat, lng], zoom, { duration: FLIGHT });
}

/**
 * Sets the view without animation. With `exact` everything is drawn again; without it Leaflet moves the panes by whole
 * pixels.
 */
export function showView({ map, insets, view, exact }: Covered & { view: View; exact: boolean }): void {
  const { lat, lng, zoom } = shifted(view, freeOffset(insets));
  map.setView([lat, lng], zoom, { animate: false, reset: exact } as ZoomPanOptions);
}

/** The current view, as the URL and the list use it. */
export function currentView({ map, insets }: Covered): View & { bbox: Bbox } {
  const { lat, lng } = freeCentre({ map, insets });
  const bbox = bboxOf({ frame: frameOf(map), box: freeBox({ size: map.getSize(), insets }) });
  return { ...roundedView({ lat, lng, zoom: map.getZoom() }), bbox };
}
