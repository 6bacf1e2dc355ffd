import type { MapTiles } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Rich } from '../../../ui/rich.tsx';
import type { TileCounts } from './tile-layer.ts';
import { tileStatus } from './tile-status.ts';

/** A notice if tiles do not load. */
export function TilesNotice({ host, counts, onRetry }: { host: string; counts: TileCounts; onRetry: () => void }) {
  const word = tileStatus(counts);
  if (!word) return null;
  return (
    <output className="map-tiles-notice">
      <span>
        <Rich text={t.map.tiles[word]} host={<Bdi>{host}</Bdi>} />
      </span>
      {word !== 'missing' && (
        <button type="button" className="map-notice-action" onClick={onRetry}>
          {t.map.retry}
        </button>
      )}
    </output>
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
