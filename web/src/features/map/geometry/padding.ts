import type { Frame } from './trace.ts';

/** How far requests and canvases extend beyond the view on each side, as a fraction of the view. */
export const PADDING = 0.25;

export function padded({ scale, left, top, width, height }: Frame): Frame {
  const [x, y] = [width * PADDING, height * PADDING];
  return { scale, left: left - x, top: top - y, width: width + 2 * x, height: height + 2 * y };
}
