import { use, useSyncExternalStore } from 'react';
import { optional } from '../../ui/late.tsx';
import { MapInsets } from './map-insets.ts';
import type { Palette } from './palette.ts';
import { worldSource } from './world.load.ts';

const Names = optional(async () => (await import('./names-layer.ts')).Names);
const MapTiles = optional(async () => (await import('./map-tiles.tsx')).MapTiles);

const LateHandlers = optional(async () => (await import('./late-handlers.tsx')).LateHandlers);

const hasLand = () => worldSource.at(0) !== null;

/** The names on a map, tiles where the server has any, keys and two fingers: once its land is drawn. */
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
