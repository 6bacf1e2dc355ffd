import { feature, mesh } from 'topojson-client';
import { worldX, worldY } from '../geometry/mercator.ts';
import type { Outlines, CountryName } from './world.ts';
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
        const disc = namePosition(ringsOf(country).map(unwrap).filter(isOutline).map(closed));
        if (disc === null) return [];
        const [x, y, room] = [disc.x, disc.y, disc.room].map((value) => Number(value.toFixed(5)));
        const name = String(country.properties?.['name'] ?? '');
        return [{ name, code: codeOf(country.id), x: x!, y: y!, room: room! }];
      })
      .sort((one, other) => other.room - one.room),
  };
}

/** Converts the lakes and rivers of a topology: its areas are lakes, its lines are rivers. Runs in the build. */
export function watersOf(topology: Topology): Pick<Outlines, 'land' | 'borders'> {
  const { lakes, rivers } = topology.objects as { lakes: Geometry; rivers: Geometry };
  return {
    land: ringsOf(feature(topology, lakes)).map(unwrap),
    borders: linesOf(feature(topology, rivers)).map(unwrap),
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

function linesOf(shape: GeoJSON.Feature | GeoJSON.FeatureCollection): GeoJSON.Position[][] {
  return featuresOf(shape).flatMap(({ geometry }) => {
    if (geometry.type === 'LineString') return [geometry.coordinates];
    return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
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

const ROWS = 15;

/**
 * The position of a country's name: the middle of the widest stretch from west to east through its largest part, with a
 * preference for its vertical middle. A centroid would put Norway's name in Sweden.
 */
function namePosition(rings: readonly number[][]): Omit<CountryName, 'name' | 'code'> | null {
  const ring = rings.reduce<number[] | null>((best, one) => (best && areaOf(best) >= areaOf(one) ? best : one), null);
  if (ring === null) return null;
  const heights = ring.filter((_, at) => at % 2 === 1);
  const north = heights.reduce((low, y) => Math.min(low, y), 1);
  const south = heights.reduce((high, y) => (y <= 1 ? Math.max(high, y) : high), north);

  let best: { x: number; y: number; room: number; worth: number } | null = null;
  for (let row = 1; row < ROWS; row += 1) {
    const y = north + ((south - north) * row) / ROWS;
    const offCentre = Math.abs((2 * row) / ROWS - 1);
    const crossings = crossingsAt(ring, y);
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const west = crossings[at] ?? 0;
      const room = (crossings[at + 1] ?? 0) - west;
      const worth = room * (1 - 0.5 * offCentre);
      if (best === null || worth > best.worth) best = { x: west + room / 2, y, room, worth };
    }
  }
  return best && { x: best.x - Math.floor(best.x), y: best.y, room: best.room };
}

/** The crossings of an outline with a parallel, from west to east. */
function crossingsAt(ring: number[], y: number): number[] {
  const crossings: number[] = [];
  for (let at = 0; at < ring.length; at += 2) {
    const [x = 0, fromY = 0] = [ring[at], ring[at + 1]];
    const next = (at + 2) % ring.length;
    const [toX = 0, toY = 0] = [ring[next], ring[next + 1]];
    if (fromY > y !== toY > y) crossings.push(x + ((y - fromY) / (toY - fromY)) * (toX - x));
  }
  return crossings.sort((one, other) => one - other);
}

function areaOf(ring: number[]): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    twice += (ring[at] ?? 0) * (ring[next + 1] ?? 0) - (ring[next] ?? 0) * (ring[at + 1] ?? 0);
  }
  return Math.abs(twice / 2);
}
