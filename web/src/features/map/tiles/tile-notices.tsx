import type { MapTiles } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { MapNotice } from '../canvas/map-notice.tsx';
import type { TileCounts } from './tile-layer.ts';

/** A notice if tiles do not load. */
export function TilesNotice({ name, counts, onRetry }: { name: string; counts: TileCounts; onRetry: () => void }) {
  const word = tileStatus(counts);
  if (!word) return null;
  return (
    <MapNotice
      className="map-tiles-notice"
      text={<Rich text={t.map.tiles[word]} name={<Bdi>{name}</Bdi>} />}
      action={word === 'missing' ? undefined : t.shell.kit.retry}
      onAction={onRetry}
    />
  );
}

/** The attribution of the tiles. */
export function TilesCredits({ text, url }: MapTiles['attribution']) {
  const owner = <Bdi>{text}</Bdi>;
  const named = url ? (
    <a href={url} target="_blank" rel="noreferrer">
      {owner}
    </a>
  ) : (
    owner
  );
  return (
    <span className="map-tiles-credits">
      <Rich text={t.map.tiles.credits} owner={named} />
    </span>
  );
}

/** Says why there are no streets, with a link for operators. */
export function StreetsHint() {
  return (
    <a className="map-streets-hint" href="/docs#streets" target="_blank" rel="noreferrer">
      {t.map.tiles.add_streets}
    </a>
  );
}

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
