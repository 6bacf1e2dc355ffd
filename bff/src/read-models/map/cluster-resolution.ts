import type { Box } from './bounds.ts';
import { toY } from './mercator.ts';

/**
 * The resolution of clusters: cells of the grid are 32 px at `zoom`, and leading cells are at least `radius` px apart.
 */
export interface ClusterResolution {
  zoom: number;
  radius: number;
  /** The minimum number of screen px per px at `zoom`. */
  scale: number;
}

export const cellPixels = 32;
const tilePixels = 256;
/** The quadtree levels between a tile and its cells. */
export const levelsOfTile = Math.log2(tilePixels / cellPixels);

/** The maximum number of symbols in a full view at one resolution. */
const mostSymbols = 1000;
const radii = [60, 85] as const;
/** A map requests a whole zoom that is at most a quarter above its own. */
const leastScale = 2 ** -0.25;

/**
 * Leading cells are 60 px apart. A view with too many possible symbols gets the next coarser resolution, in steps of
 * the square root of two. It depends only on the size of the view, so panning does not change it.
 */
export function clusterResolutionOf({
  bbox: [west, south, east, north],
  zoom,
}: {
  bbox: Box;
  zoom: number;
}): ClusterResolution {
  const degrees = east >= west ? east - west : east - west + 360;
  const [wide, high] = [degrees / 360, toY(south) - toY(north)];
  for (let step = 0; ; step++) {
    const coarser = Math.max(0, zoom - Math.floor(step / 2));
    const resolution = { zoom: coarser, radius: radii[step % 2]!, scale: leastScale * 2 ** (zoom - coarser) };
    const pixels = tilePixels * 2 ** resolution.zoom;
    // Includes symbols that are half in view, which matters in a narrow view.
    const symbols =
      ((wide * pixels + 2 * resolution.radius) * (high * pixels + 2 * resolution.radius)) / resolution.radius ** 2;
    if (symbols <= mostSymbols || resolution.zoom === 0) return resolution;
  }
}
