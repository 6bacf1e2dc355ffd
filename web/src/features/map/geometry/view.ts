import type { Insets, MapUrlView } from '../../../ui/urls/map-view-url.ts';
import { freeParts, type Rect } from './boxes.ts';
import {
  EDGE_LATITUDE,
  latitudeAt,
  longitudeAt,
  metresPerPixel,
  shownY,
  TILE,
  wrapLongitude,
  worldSize,
  worldX,
  worldY,
} from './mercator.ts';
import type { Frame } from './trace.ts';

/** west, south, east, north. West > east crosses the antimeridian. */
export type Bbox = [number, number, number, number];

export type View = MapUrlView;
export type { Insets };

export const ZOOM_SNAP = 0.25;
export const MAX_ZOOM = 18;
export const FIT_MAX_ZOOM = 13;
/** The zoom for a single disc, at which the surrounding coasts are visible. */
export const POINT_ZOOM = 7;
const FIT_PADDING = 48;

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals));
const snapped = (zoom: number) => Math.floor(zoom / ZOOM_SNAP + 1e-6) * ZOOM_SNAP;

/** The minimum zoom: the world fills the smaller side of the free part. */
export function leastZoom({ width, height }: { width: number; height: number }): number {
  return Math.max(0, snapped(Math.log2(Math.min(width, height) / TILE)));
}

/** The least zoom at which a map of that width shows no place twice. */
export function oneWorldZoom(width: number): number {
  return Math.ceil(Math.log2(width / TILE) / ZOOM_SNAP - 1e-6) * ZOOM_SNAP;
}

interface FittingViewOptions {
  bbox: Bbox;
  free: { width: number; height: number };
}

/** The closest view that shows a whole bbox in a free part of that size. */
export function fittingView({ bbox: [west, south, east, north], free }: FittingViewOptions): View {
  const left = worldX(west);
  const right = worldX(east) + (east < west ? 1 : 0);
  const [top, bottom] = [shownY(north), shownY(south)];
  const roomX = Math.max(free.width - 2 * FIT_PADDING, free.width / 2);
  const roomY = Math.max(free.height - 2 * FIT_PADDING, free.height / 2);
  const scale = Math.min(roomX / (right - left), roomY / (bottom - top));
  const nearest = isOnePoint([west, south, east, north]) ? POINT_ZOOM : FIT_MAX_ZOOM;
  const zoom = Math.min(nearest, Math.max(leastZoom(free), snapped(Math.log2(scale / TILE))));
  return { lat: latitudeAt((top + bottom) / 2), lng: wrapLongitude(longitudeAt((left + right) / 2)), zoom };
}

interface ZoomAroundOptions {
  latitude: number;
  within: number;
  free: { width: number; height: number };
}

/** The closest zoom at which all within a distance of a point, in metres, is in a free part of that size. */
export function zoomAround({ latitude, within, free }: ZoomAroundOptions): number {
  const room = Math.min(free.width, free.height);
  const pixels = Math.max(room - 2 * FIT_PADDING, room / 2);
  return Math.max(leastZoom(free), snapped(Math.log2((pixels * metresPerPixel({ latitude, zoom: 0 })) / (2 * within))));
}

/** Shifts a view by an offset in px, so that its centre is in the centre of the free part. */
export function shifted({ lat, lng, zoom }: View, { x, y }: { x: number; y: number }): View {
  const scale = worldSize(zoom);
  return { lat: latitudeAt(worldY(lat) - y / scale), lng: longitudeAt(worldX(lng) - x / scale), zoom };
}

/** The bbox of a part of a frame, rounded to a metre. A whole world or more is all longitudes. */
export function bboxOf({ frame, box }: { frame: Pick<Frame, 'scale' | 'left' | 'top'>; box: Rect }): Bbox {
  const { scale, left, top } = frame;
  // At an edge of the map, the bbox extends to the pole.
  const south = top + box.bottom < scale ? latitudeAt((top + box.bottom) / scale) : -90;
  const north = top + box.top > 0 ? latitudeAt((top + box.top) / scale) : 90;
  if (box.right - box.left >= scale) return [-180, rounded(south, 5), 180, rounded(north, 5)];
  const west = wrapLongitude(longitudeAt((left + box.left) / scale));
  const east = wrapLongitude(longitudeAt((left + box.right) / scale));
  return [rounded(west, 5), rounded(south, 5), rounded(east, 5), rounded(north, 5)];
}

/** Whether a bbox is a single point, which no zoom separates. */
export function isOnePoint([west, south, east, north]: Bbox): boolean {
  return west === east && south === north;
}

/** A point of the map as a position: in range, rounded to a centimetre. */
export function positionAt({ lat, lng }: { lat: number; lng: number }): { longitude: number; latitude: number } {
  const latitude = Math.min(EDGE_LATITUDE, Math.max(-EDGE_LATITUDE, lat));
  // Adding 0 converts -0 to 0.
  return { longitude: rounded(wrapLongitude(lng), 7) + 0, latitude: rounded(latitude, 7) + 0 };
}

export function roundedView({ lat, lng, zoom }: View): View {
  return { lat: rounded(lat, 5), lng: rounded(wrapLongitude(lng), 5), zoom: rounded(zoom, 2) };
}

/**
 * The uncovered part of a map, in px from its corner. If everything is covered, it is the whole map in that direction.
 */
export function freeBox({ size, insets }: { size: { x: number; y: number }; insets: Insets }): Rect {
  const box = { left: insets.left, top: insets.top, right: size.x - insets.right, bottom: size.y - insets.bottom };
  if (box.right - box.left < 1 || box.bottom - box.top < 1) return { left: 0, top: 0, right: size.x, bottom: size.y };
  return box;
}

export function freeSize(map: { size: { x: number; y: number }; insets: Insets }): { width: number; height: number } {
  const { left, top, right, bottom } = freeBox(map);
  return { width: right - left, height: bottom - top };
}

/** A bbox that is shown in `height` px, without so many px at its top and its bottom. */
export function withoutEdges(
  [west, south, east, north]: Bbox,
  { height, top, bottom }: { height: number; top: number; bottom: number },
): Bbox {
  const [first, last] = [shownY(north), shownY(south)];
  const px = (last - first) / Math.max(1, height);
  const below = bottom > 0 ? latitudeAt(last - bottom * px) : south;
  return [west, below, east, top > 0 ? latitudeAt(first + top * px) : north];
}

/** Symbols at the edge of a fitted bbox still have this distance to a box, in px: more than half a symbol. */
export const BOX_PADDING = 24;

/**
 * The insets with the boxes over the map, such as a card, so that a fitted bbox is under none of them: of the parts
 * beside the boxes, the one that shows it closest. A single device is centred.
 */
export function insetsBeside(options: {
  bbox: Bbox;
  size: { x: number; y: number };
  insets: Insets;
  boxes: readonly Rect[];
}): Insets {
  const { bbox, size, insets, boxes } = options;
  if (isOnePoint(bbox)) return insets;
  let [best, zoom, area] = [insets, -1, 0];
  for (const { left, top, right, bottom } of freeParts({ view: freeBox({ size, insets }), boxes })) {
    const part = {
      top: Math.max(insets.top, top - BOX_PADDING),
      right: Math.max(insets.right, size.x - right - BOX_PADDING),
      bottom: Math.max(insets.bottom, size.y - bottom - BOX_PADDING),
      left: Math.max(insets.left, left - BOX_PADDING),
    };
    const free = freeSize({ size, insets: part });
    const [nearest, space] = [fittingView({ bbox, free }).zoom, free.width * free.height];
    if (nearest > zoom || (nearest === zoom && space > area)) [best, zoom, area] = [part, nearest, space];
  }
  return best;
}

/** The offset of the centre of the free part from the centre of the map, in px. */
export function freeOffset(insets: Insets): { x: number; y: number } {
  return { x: (insets.left - insets.right) / 2, y: (insets.top - insets.bottom) / 2 };
}
