import type { MapTiles as Source } from '@swarmdeck/bff/contract';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useMap } from 'react-leaflet';
import { useMedia } from '../../../ui/media.ts';
import { useMapTiles } from './map-tiles.api.ts';
import { Tiles, type RasterLayer, type TileCounts } from './tile-layer.ts';
import { isTiled, TilesCredits, TilesNotice } from './tile-notices.tsx';

/** The tiles of a map if the server offers any, with their attribution, and a notice if they do not load. */
export function MapTiles() {
  const source = useMapTiles();
  // With forced colours, the built-in map is used, which applies them.
  const forced = useMedia('(forced-colors: active)');
  return source?.kind === 'raster' && !forced ? <TiledMap source={source} /> : null;
}

function TiledMap({ source }: { source: Source }) {
  const map = useMap();
  const shell = map.getContainer().parentElement!;
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
      <Tiles ref={layer} source={source} onCounts={setCounts} />
      {createPortal(<TilesNotice name={source.name} counts={counts} onRetry={() => layer.current?.retry()} />, shell)}
      {counts.shown > 0 && createPortal(<TilesCredits {...source.attribution} />, shell.querySelector('.map-credits')!)}
    </>
  );
}
