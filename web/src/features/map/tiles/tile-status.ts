import type { TileCounts } from './tile-layer.ts';

/** What there is to say of the tiles on a map, if anything. While more are on their way, one that failed says little. */
export function tilesWord({
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
 * Whether a map is one of tiles, which have names of their own, rather than the built-in one with some tiles on it. On
 * the way to other tiles it stays what it was, unless half of them are there.
 */
export function isTiled({ loading, shown, missing, failed }: TileCounts, before: boolean): boolean {
  const without = missing + failed;
  if (loading === 0) return shown > without;
  return before || shown >= loading + without;
}
