import { use, useSyncExternalStore } from 'react';
import { optional } from '../../../ui/lazy-part.tsx';
import { worldSource } from '../basemap/world.load.ts';
import type { Palette } from '../canvas/palette.ts';
import { MapInsets } from './map-insets.ts';

const Names = optional(async () => (await import('../names/names-layer.ts')).Names);
const MapTiles = optional(async () => (await import('../tiles/map-tiles.tsx')).MapTiles);

const LateHandlers = optional(async () => (await import('./late-handlers.tsx')).LateHandlers);

const hasLand = () => worldSource.at(0) !== null;

/** The lazily loaded parts of a map: names, tiles, keyboard and pinch handlers. Loaded after its land is drawn. */
export function LateParts({ palette }: { palette: Palette }) {
  const insets = use(MapInsets);
  const due = useSyncExternalStore(worldSource.subscribe, hasLand);
  return (
    due && (
      <>
        <Names palette={palette} insets={insets} />
        <MapTiles />
        <LateHandlers />
      </>
    )
  );
}
