import { feature, mesh } from 'topojson-client';
import { nameSpot } from './country-name.ts';
import { packLines } from './lines.ts';
import { worldX, worldY } from './mercator.ts';
import type { World } from './world.ts';

type Topology = Parameters<typeof feature>[0];
type Geometry = Parameters<typeof feature>[1];

/** Far enough below the world's south edge that no frame reaches it. */
const BELOW = 4;

/** Turns a world-atlas topology into lines in world units. Costs 10 ms to 1 s: for a worker. */
export function decodeWorld(topology: Topology): World {
  const { land, countries } = topology.objects as { land: Geometry; countries: Geometry };
  const rings = ringsOf(feature(topology, land)).map(unwrap).filter(isOutline);
  const borders = mesh(topology, countries as Parameters<typeof mesh>[1], (one, other) => one !== other);
  return {
    land: packLines(rings.map(closed)),
    coast: packLines(rings.flatMap(coastOf)),
    borders: packLines(borders.coordinates.map(unwrap)),
    names: featuresOf(feature(topology, countries))
      .flatMap((country) => {
        const spot = nameSpot(ringsOf(country).map(unwrap).filter(isOutline).map(closed));
        return spot === null ? [] : [{ name: String(country.properties?.['name'] ?? ''), ...spot }];
      })
      .sort((one, other) => other.room - one.room),
  };
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

/** Degrees to world units. A step of more than half the world is the short way around. */
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

/** The 50m atlas has a ring around the south pole itself: the seam of its own projection, no outline. */
function isOutline(line: number[]): boolean {
  return !line.every((value, at) => at % 2 === 0 || value > 1);
}

function goesAround(line: number[]): boolean {
  return Math.abs((line.at(-2) ?? 0) - (line[0] ?? 0)) > 0.5;
}

/** Antarctica's coast goes once around the world: its area is closed below the edge. */
function closed(line: number[]): number[] {
  return goesAround(line) ? [...line, line.at(-2) ?? 0, BELOW, line[0] ?? 0, BELOW] : line;
}

/** Splits an outline where it runs along the antimeridian: that is where the atlas was cut, not a shore. */
function coastOf(line: number[]): number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  for (let at = 0; at < line.length; at += 2) {
    const x = line[at] ?? 0;
    const y = line[at + 1] ?? 0;
    const alongTheCut = Number.isInteger(x) && part.at(-2) === x;
    if (alongTheCut) {
      parts.push(part);
      part = [];
    }
    part.push(x, y);
  }
  parts.push(part);
  return parts.filter(({ length }) => length > 2);
}
