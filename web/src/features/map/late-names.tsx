import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, use, useEffect, useState } from 'react';
import { isMapAnswered } from './map.api.ts';
import { MapInsets } from './map-insets.ts';
import { optional } from './optional.ts';
import type { Palette } from './palette.ts';
import { worldSource } from './world.load.ts';

const Names = lazy(async () => ({ default: (await import('./names-layer.ts')).Names }));
const MapTiles = optional(async () => (await import('./map-tiles.tsx')).MapTiles);

/** How often it looks whether its turn has come, in ms, and how often where no symbols are asked for. */
const LOOK_EVERY = 100;
const LOOKS = 15;

/** The names on a map, and tiles where the server has any: when its first picture is there and the page waits for nothing else. */
export function LateNames({ palette }: { palette: Palette }) {
  const insets = use(MapInsets);
  const queries = useQueryClient();
  const [due, setDue] = useState(false);
  useEffect(() => {
    if (due) return undefined;
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
      if (worldSource.at(0) === null || queries.isFetching() > 0) return;
      if (looks > LOOKS || isMapAnswered(queries)) setDue(true);
    }, LOOK_EVERY);
    return () => clearInterval(looking);
  }, [due, queries]);
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
