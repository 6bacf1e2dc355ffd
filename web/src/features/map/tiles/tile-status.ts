import type { TileCounts } from './tile-layer.ts';

/** The state of the tiles to report, if any. A single failure is not reported while more tiles are loading. */
export function tileStatus({
  loading,
  shown,
  missing,
  failed,
}: TileCounts): 'failed' | 'some_failed' | 'missing' | null {
  if (failed > 0 && shown === 0) return 'failed';
  if (loading > 0) return null;
  if (failed > 0) return 'some_failed';
  return missing > 0 && shown === 0 ? 'missing' : null;
}

/**
 * Whether the map is shown as a tile map, whose tiles contain names, instead of the built-in map with some tiles. While
 * other tiles load, it stays as it was, unless half of them are shown.
 */
export function isTiled({ loading, shown, missing, failed }: TileCounts, before: boolean): boolean {
  const without = missing + failed;
  if (loading === 0) return shown > without;
  return before || shown >= loading + without;
}
