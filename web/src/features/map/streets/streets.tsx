import type { MapTiles } from '@swarmdeck/bff/contract';
import { useMemo, useState, type ReactNode } from 'react';
import type { MapColours } from '../canvas/map-colours.ts';
import type { LoadTile } from '../tiles/tile-layer.ts';
import { StreetNames } from './street-names.ts';
import { createStreetTiles, createView } from './street-tiles.ts';

interface StreetsProps {
  source: MapTiles;
  colours: MapColours;
  children: (load: LoadTile) => ReactNode;
}

/** Vector tiles. `children` shows the tiles, whose names are a layer above them all. */
export function Streets({ source, colours, children }: StreetsProps) {
  const [view] = useState(() => createView(source));
  const tiles = useMemo(() => createStreetTiles({ view, colours }), [view, colours]);
  return (
    <>
      {children(tiles.load)}
      <StreetNames tiles={tiles} colours={colours} />
    </>
  );
}
