import type { MapTiles } from '@swarmdeck/bff/contract';

/** Below this zoom, the built-in map shows more than streets would. */
const STREETS_ZOOM = 7;

/** From which zoom the tiles of a source are shown. */
export function leastZoomOf({ kind, covers }: Pick<MapTiles, 'kind' | 'covers'>): number {
  if (!covers) return 0;
  return kind === 'raster' ? covers.min_zoom : Math.max(STREETS_ZOOM, covers.min_zoom + 1);
}

/** Where a source has tiles over the built-in map. */
export function tiledPartOf(source: MapTiles | null | undefined) {
  if (!source?.covers || source.layers === 'unknown') return null;
  return { bbox: source.covers.bbox, from: leastZoomOf(source) };
}
