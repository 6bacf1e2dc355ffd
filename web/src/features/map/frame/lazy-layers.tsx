import { use, useSyncExternalStore } from 'react';
import { lazyPart } from '../../../ui/lazy.tsx';
import { worldSource } from '../basemap/world.load.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { MapInsets } from '../geometry/insets.ts';
import { ScaleBar } from './scale-bar.tsx';

const Names = lazyPart(async () => (await import('../names/names-layer.ts')).Names);
const MapTiles = lazyPart(async () => (await import('../tiles/map-tiles.tsx')).MapTiles);

const hasLand = () => worldSource.at(0) !== null;

/** The names on a map, its scale, and tiles if the server has any. They load after the land is drawn. */
export function LazyLayers({ colours }: { colours: MapColours }) {
  const insets = use(MapInsets);
  const isDue = useSyncExternalStore(worldSource.subscribe, hasLand);
  return (
    isDue && (
      <>
        <Names colours={colours} insets={insets} />
        <MapTiles />
        <ScaleBar />
      </>
    )
  );
}
