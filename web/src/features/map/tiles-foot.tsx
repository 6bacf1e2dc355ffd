import type { MapTiles } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { words } from './map-words.ts';
import type { TileCounts } from './tile-layer.ts';
import { tilesWord } from './tiles-word.ts';

/** Whose the tiles are, and what is wrong with them. */
export function TilesFoot({
  source: { host, attribution },
  counts,
  onRetry,
}: {
  source: MapTiles;
  counts: TileCounts;
  onRetry: () => void;
}) {
  const word = tilesWord(counts);
  const { text, url } = attribution;
  const owner = url ? (
    <a href={url} target="_blank" rel="noreferrer">
      <Bdi>{text}</Bdi>
    </a>
  ) : (
    <Bdi>{text}</Bdi>
  );
  return (
    <div className="map-tiles-foot">
      {word && (
        <output className="map-tiles-notice">
          <span>
            <Rich text={words.tiles[word]} host={<Bdi>{host}</Bdi>} />
          </span>
          {word !== 'missing' && (
            <button type="button" className="map-notice-action" onClick={onRetry}>
              {t.map.retry}
            </button>
          )}
        </output>
      )}
      {counts.shown > 0 && (
        <p className="map-tiles-credits">
          <Rich text={words.tiles.credits} owner={owner} />
        </p>
      )}
    </div>
  );
}
