import type { Box } from './bounds.ts';
import { toY } from './mercator.ts';

/** How coarse: cells of the grid are 32 px at `zoom`, and no two leading cells lie within `radius` px. */
export interface Grain {
  zoom: number;
  radius: number;
}

export const cellPixels = 32;
const tilePixels = 256;
/** Quadtree levels from a tile of zoom 0, the world, to its cells. */
export const levelsOfTile = Math.log2(tilePixels / cellPixels);

/** Symbols that a view may be asked to hold before it is grouped more coarsely, were it full from edge to edge. */
const mostSymbols = 1000;
const radii = [60, 85] as const;

/**
 * Symbols keep 60 px apart; a view of so many pixels that this would be too many gets the next coarser grain, in
 * steps of the square root of two. It depends on the size of the view alone, so it is the same wherever one pans.
 */
export function grainOf({ bbox: [west, south, east, north], zoom }: { bbox: Box; zoom: number }): Grain {
  const degrees = east >= west ? east - west : east - west + 360;
  const [wide, high] = [degrees / 360, toY(south) - toY(north)];
  for (let step = 0; ; step++) {
    const grain = { zoom: Math.max(0, zoom - Math.floor(step / 2)), radius: radii[step % 2]! };
    const pixels = tilePixels * 2 ** grain.zoom;
    // symbols half in view are in it too, which counts where a view is narrow
    const symbols = ((wide * pixels + 2 * grain.radius) * (high * pixels + 2 * grain.radius)) / grain.radius ** 2;
    if (symbols <= mostSymbols || grain.zoom === 0) return grain;
  }
}
