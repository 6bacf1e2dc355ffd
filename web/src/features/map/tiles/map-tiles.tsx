import type { MapTiles as Source, TileLayers } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useMap } from 'react-leaflet';
import { useMedia } from '../../../ui/browser/media.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { partWithin } from '../geometry/part-within.ts';
import type { Bbox } from '../geometry/view.ts';
import { StreetNames } from '../streets/street-names.ts';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { createStreetTiles } from '../streets/street-tiles.ts';
import { loadImage, type LoadTile } from './map-tiles.api.ts';
import { Tiles, type TileCounts, type TileLayer } from './tile-layer.ts';
import { isTiled, StreetsHint, TilesCredits, TilesNotice } from './tile-notices.tsx';

const UnknownLayersNotice = lazyPart(async () => (await import('./unknown-layers-notice.tsx')).UnknownLayersNotice);

/** The tiles of a map if the server offers any, with their attribution, and a notice if they do not load. */
export function MapTiles({ source, colours }: { source: Source | null; colours: MapColours }) {
  // With forced colours, the built-in map is used instead of images, which cannot apply them.
  const forced = useMedia('(forced-colors: active)');
  if (source === null) return <WithoutTiles />;
  if (source.kind === 'vector') {
    // A file that does not name its layers is drawn as those of Protomaps, which was the only form once.
    const { layers = 'protomaps' } = source;
    if (layers === 'unknown') return <WithUnknownLayers name={source.name} />;
    return <Streets source={source} layers={layers} colours={colours} />;
  }
  return forced ? null : <TiledMap source={source} load={loadImage} />;
}

/** Vector tiles. Their names are a layer above them all. */
function Streets({ source, layers, colours }: { source: Source; layers: TileLayers; colours: MapColours }) {
  const { covers } = source;
  // Reads the colours again after they have changed.
  const tiles = useMemo(() => colours && createStreetTiles({ covers, layers }), [covers, layers, colours]);
  return (
    <>
      <TiledMap source={source} load={tiles.load} />
      <StreetNames tiles={tiles} />
    </>
  );
}

/** From this zoom, the built-in map is blank in most places. */
const CLOSE_ZOOM = 12;

function WithoutTiles() {
  const map = useMap();
  const isClose = useOnMap(() => map.getZoom() >= CLOSE_ZOOM);
  const credits = map.getContainer().parentElement?.querySelector('.map-credits');
  return isClose && credits && createPortal(<StreetsHint />, credits);
}

function WithUnknownLayers({ name }: { name: string }) {
  return createPortal(<UnknownLayersNotice name={name} />, useMap().getContainer().parentElement!);
}

function boundsOf(map: LeafletMap): Bbox {
  const bounds = map.getBounds();
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
}

/** A fact about the view, read again after each move. */
function useOnMap(read: () => boolean): boolean {
  const map = useMap();
  const subscribe = useCallback(
    (listener: () => void) => {
      map.on('moveend', listener);
      return () => void map.off('moveend', listener);
    },
    [map],
  );
  return useSyncExternalStore(subscribe, read);
}

function TiledMap({ source, load }: { source: Source; load: LoadTile }) {
  const map = useMap();
  const shell = map.getContainer().parentElement!;
  const layer = useRef<TileLayer>(null);
  const [counts, setCounts] = useState<TileCounts>({ loading: 0, shown: 0, missing: 0, failed: 0 });
  const [tiled, setTiled] = useState(false);
  // A file may be of one city, whose tiles have no names for the rest of a country.
  const isCovered = useOnMap(() => partWithin(boundsOf(map), source.covers?.bbox) >= 0.5);
  if (tiled !== isTiled(counts, tiled)) setTiled(!tiled);

  useEffect(() => {
    const container = map.getContainer();
    container.classList.toggle('map-tiled', tiled && isCovered);
    return () => container.classList.remove('map-tiled');
  }, [map, tiled, isCovered]);

  return (
    <>
      <Tiles ref={layer} source={source} load={load} onCounts={setCounts} />
      {createPortal(<TilesNotice name={source.name} counts={counts} onRetry={() => layer.current?.retry()} />, shell)}
      {counts.shown > 0 && createPortal(<TilesCredits {...source.attribution} />, shell.querySelector('.map-credits')!)}
    </>
  );
}
