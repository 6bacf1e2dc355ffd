import { feature, mesh } from 'topojson-client';
import { worldX, worldY } from '../geometry/mercator.ts';
import { nameSpot } from './country-name.ts';
import type { Outlines } from './outlines.ts';
import { closed } from './world.decode.ts';

type Topology = Parameters<typeof feature>[0];
type Geometry = Parameters<typeof feature>[1];

/** Converts a world-atlas topology to outlines. Runs in the build. */
export function outlinesOf(topology: Topology): Outlines {
  const { land, countries } = topology.objects as { land: Geometry; countries: Geometry };
  const borders = mesh(topology, countries as Parameters<typeof mesh>[1], (one, other) => one !== other);
  return {
    land: ringsOf(feature(topology, land)).map(unwrap).filter(isOutline),
    borders: borders.coordinates.map(unwrap),
    names: featuresOf(feature(topology, countries))
      .flatMap((country) => {
        const spot = nameSpot(ringsOf(country).map(unwrap).filter(isOutline).map(closed));
        if (spot === null) return [];
        const [x, y, room] = [spot.x, spot.y, spot.room].map((value) => Number(value.toFixed(5)));
        const name = String(country.properties?.['name'] ?? '');
        return [{ name, code: codeOf(country.id), x: x!, y: y!, room: room! }];
      })
      .sort((one, other) => other.room - one.room),
  };
}

/** Converts the numeric country code of the atlas to two letters, which Intl needs. */
function codeOf(id: string | number | undefined): string {
  if (!/^\d{3}$/.test(String(id))) return '';
  return new Intl.Locale(`und-${id}`).region?.replace(/^\d+$/, '') ?? '';
}

function featuresOf(shape: GeoJSON.Feature | GeoJSON.FeatureCollection): GeoJSON.Feature[] {
  return shape.type === 'FeatureCollection' ? shape.features : [shape];
}

function ringsOf(shape: GeoJSON.Feature | GeoJSON.FeatureCollection): GeoJSON.Position[][] {
  return featuresOf(shape).flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates;
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
  });
}

/** Converts degrees to world units. A step of more than half the world takes the shorter way around. */
function unwrap(ring: GeoJSON.Position[]): number[] {
  const line: number[] = [];
  let turns = 0;
  let before = worldX(ring[0]?.[0] ?? 0);
  for (const [longitude = 0, latitude = 0] of ring) {
    const x = worldX(longitude);
    if (x - before > 0.5) turns -= 1;
    if (before - x > 0.5) turns += 1;
    before = x;
    line.push(x + turns, worldY(latitude));
  }
  return line;
}

/** The 50m atlas has a ring around the south pole: a seam of its projection, not a coast. */
function isOutline(line: number[]): boolean {
  return !line.every((value, at) => at % 2 === 0 || value > 1);
}
