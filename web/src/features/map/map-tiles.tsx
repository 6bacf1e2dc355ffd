import type { MapTiles as Source } from '@swarmdeck/bff/contract';
import { Suspense, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useMap } from 'react-leaflet';
import { useMedia } from '../../ui/media.ts';
import { useMapTiles } from './map-tiles.api.ts';
import { optional } from './optional.ts';
import type { RasterLayer, TileCounts } from './tile-layer.ts';
import { TilesFoot } from './tiles-foot.tsx';
import { isTiled } from './tiles-word.ts';

const Tiles = optional(async () => (await import('./tile-layer.ts')).Tiles);

/** Tiles on a map, where the server has any; their owner below them, and a word where they do not load. */
export function MapTiles() {
  const source = useMapTiles();
  // who asked for colours of their own gets the map that has them
  const forced = useMedia('(forced-colors: active)');
  return source && !forced ? <TiledMap source={source} /> : null;
}

function TiledMap({ source }: { source: Source }) {
  const map = useMap();
  const layer = useRef<RasterLayer>(null);
  const [counts, setCounts] = useState<TileCounts>({ loading: 0, shown: 0, missing: 0, failed: 0 });
  const [tiled, setTiled] = useState(false);
  if (tiled !== isTiled(counts, tiled)) setTiled(!tiled);

  useEffect(() => {
    const container = map.getContainer();
    container.classList.toggle('map-tiled', tiled);
    return () => container.classList.remove('map-tiled');
  }, [map, tiled]);

  return (
    <>
      <Suspense>
        <Tiles ref={layer} fine={source.fine} onCounts={setCounts} />
      </Suspense>
      {createPortal(
        <TilesFoot source={source} counts={counts} onRetry={() => layer.current?.retry()} />,
        map.getContainer().parentElement!,
      )}
    </>
  );
}
