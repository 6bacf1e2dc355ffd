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
