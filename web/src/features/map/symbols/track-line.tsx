import type { Position } from '@swarmdeck/bff/contract';
import { canvas } from 'leaflet';
import { useEffect, useMemo, useState } from 'react';
import { CircleMarker, Polyline, useMap } from 'react-leaflet';
import type { ShownTrack } from '../../../api/track.ts';
import { useMapColours } from '../canvas/map-colours.ts';
import { longitudeNear } from '../geometry/mercator.ts';

const width = 3;
const radius = 7;
/** In pixels. */
const margin = 40;

/** Where a device was, as a line, with a ring at the chosen point. Lazily loaded. */
export function TrackLine({ points, end, chosen }: Pick<ShownTrack, 'points' | 'end' | 'chosen'>) {
  const map = useMap();
  const { accent, panel } = useMapColours();
  const [renderer] = useState(() => canvas({ padding: 0.5 }));
  const line = useMemo(() => lineOf(end ? [...points, end] : points), [points, end]);
  const at = chosen === null ? undefined : line[chosen];
  useEffect(() => {
    if (at) map.panInside(at, { padding: [margin, margin] });
  }, [map, at]);
  const common = { renderer, interactive: false };
  return (
    <>
      <Polyline {...common} positions={line} pathOptions={{ color: panel, weight: width + 3, opacity: 0.8 }} />
      <Polyline {...common} positions={line} pathOptions={{ color: accent, weight: width }} />
      {at && (
        <CircleMarker
          {...common}
          center={at}
          radius={radius}
          pathOptions={{ color: accent, weight: width, fillColor: panel, fillOpacity: 1 }}
        />
      )}
    </>
  );
}

/** Across the antimeridian too, each point is near the next one. */
export function lineOf(points: readonly Position[]): [number, number][] {
  let near = points.at(-1)?.longitude ?? 0;
  return points
    .toReversed()
    .map(({ latitude, longitude }): [number, number] => [latitude, (near = longitudeNear(longitude, near))])
    .toReversed();
}
