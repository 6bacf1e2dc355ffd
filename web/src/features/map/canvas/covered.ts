import type { Box } from '../geometry/boxes.ts';

/**
 * The boxes of the elements over the map: controls, credits, scale, notices, and elements with `data-over-map`. In px of the
 * container.
 */
export function coveredBoxes(container: Element): Box[] {
  const own = container.getBoundingClientRect();
  // With CSS zoom, getBoundingClientRect returns screen pixels.
  const pageScale = own.width / container.clientWidth || 1;
  const shell = container.closest('.map');
  if (!shell) return [];
  const over = [
    ...shell.querySelectorAll('.map-controls > *, .map > :not(.map-frame, .map-controls), .leaflet-control-scale'),
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
