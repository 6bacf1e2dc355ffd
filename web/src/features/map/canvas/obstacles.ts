import type { Map as LeafletMap } from 'leaflet';
import type { Rect, Disc } from '../geometry/boxes.ts';
import type { Frame } from '../geometry/trace.ts';

/** The boxes and symbols that names must not cover, in px from the corner of a frame. */
export interface Obstacles {
  frame: Pick<Frame, 'scale' | 'left' | 'top'>;
  discs: readonly Disc[];
  boxes: readonly Rect[];
}

const latest = new WeakMap<LeafletMap, Obstacles>();

/** Called by the symbol layer after each change. Fires the map's event `obstacles`. */
export function publishObstacles(map: LeafletMap, obstacles: Obstacles): void {
  latest.set(map, obstacles);
  map.fire('obstacles');
}

export function obstaclesOn(map: LeafletMap): Obstacles | undefined {
  return latest.get(map);
}

/**
 * The boxes of the elements over the map: controls, credits, scale, notices, and elements with `data-over-map`, or only
 * these panels and cards. In px of the container.
 */
export function coveredBoxes(container: Element, parts: 'all' | 'panels' = 'all'): Rect[] {
  const own = container.getBoundingClientRect();
  // With CSS zoom, getBoundingClientRect returns screen pixels.
  const pageScale = own.width / container.clientWidth || 1;
  const shell = container.closest('.map');
  if (!shell) return [];
  const onMap = '.map-controls > *, .map > :not(.map-frame, .map-controls), .scale-bar';
  const over = [
    ...(parts === 'all' ? shell.querySelectorAll(onMap) : []),
    ...document.querySelectorAll('[data-over-map]'),
  ];
  return over
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ left, top, right, bottom }) => ({
      left: (left - own.left) / pageScale,
      top: (top - own.top) / pageScale,
      right: (right - own.left) / pageScale,
      bottom: (bottom - own.top) / pageScale,
    }));
}
