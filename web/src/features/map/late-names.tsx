import { lazy, Suspense, use, useEffect, useState } from 'react';
import { MapInsets } from './map-insets.ts';
import { optional } from './optional.ts';
import type { Palette } from './palette.ts';
import { worldSource } from './world.load.ts';

const Names = lazy(async () => ({ default: (await import('./names-layer.ts')).Names }));
const MapTiles = optional(async () => (await import('./map-tiles.tsx')).MapTiles);

/** The names on a map, and tiles where the server has any, fetched when its first picture is there and the page has nothing better to do. */
export function LateNames({ palette }: { palette: Palette }) {
  const insets = use(MapInsets);
  const [due, setDue] = useState(false);
  useEffect(() => {
    let idle = 0;
    const look = () => {
      if (idle !== 0 || worldSource.at(0) === null) return;
      idle = requestIdleCallback(() => setDue(true));
    };
    const stopWatching = worldSource.subscribe(look);
    look();
    return () => {
      stopWatching();
      cancelIdleCallback(idle);
    };
  }, []);
  return (
    due && (
      <>
        <Suspense>
          <Names palette={palette} insets={insets} />
        </Suspense>
        <Suspense>
          <MapTiles />
        </Suspense>
      </>
    )
  );
}
