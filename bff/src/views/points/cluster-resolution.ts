import type { Box } from './bounds.ts';
import { toY } from './mercator.ts';

/** How coarse a view is grouped: cells of the grid are 32 px at `zoom`, and no two leading cells lie within `radius` px. */
export interface Grain {
  zoom: number;
  radius: number;
  /** How many px of the screen a px at `zoom` has at least. */
  scale: number;
}

export const cellPixels = 32;
const tilePixels = 256;
/** Quadtree levels from a tile of zoom 0, the world, to its cells. */
export const levelsOfTile = Math.log2(tilePixels / cellPixels);

/** Symbols that a view may be asked to hold before it is grouped more coarsely, were it full from edge to edge. */
const mostSymbols = 1000;
const radii = [60, 85] as const;
/** A map asks for the whole zoom that is at most a quarter above its own. */
const leastScale = 2 ** -0.25;

/**
 * Leading cells are 60 px apart. A view in which that could be too many symbols gets the next coarser grain, in steps
 * of the square root of two. The grain depends only on the size of the view, so panning does not change it.
 */
export function grainOf({ bbox: [west, south, east, north], zoom }: { bbox: Box; zoom: number }): Grain {
  const degrees = east >= west ? east - west : east - west + 360;
  const [wide, high] = [degrees / 360, toY(south) - toY(north)];
  for (let step = 0; ; step++) {
    const coarser = Math.max(0, zoom - Math.floor(step / 2));
    const grain = { zoom: coarser, radius: radii[step % 2]!, scale: leastScale * 2 ** (zoom - coarser) };
    const pixels = tilePixels * 2 ** grain.zoom;
    // symbols half in view are included, which matters in a narrow view
    const symbols = ((wide * pixels + 2 * grain.radius) * (high * pixels + 2 * grain.radius)) / grain.radius ** 2;
    if (symbols <= mostSymbols || grain.zoom === 0) return grain;
  }
}
