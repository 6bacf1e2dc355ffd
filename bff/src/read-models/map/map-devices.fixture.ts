/** A table with the devices of a map, and a brute-force implementation of symbols.ts, which reads every device each time. */
import fc from 'fast-check';
import { createDeviceTable, kinds, presenceOfKind, roleOfKind, typeOfKind } from '../index/device-table.ts';
import type { Box } from './bounds.ts';
import type { ClusterResolution } from './cluster-resolution.ts';
import { columnOf, rowOf, side, toX, toY } from './mercator.ts';

export interface MapDevice {
  ref: number;
  kind: number;
  /** Both are null without a position. */
  longitude: number | null;
  latitude: number | null;
  /** The time of the last change, in ms. */
  at: number;
}

type Placed = MapDevice & { longitude: number; latitude: number };

export const isPlaced = (device: MapDevice): device is Placed => device.longitude !== null;

/** The kinds to include (device-table.ts). */
export type KindFilter = (kind: number) => boolean;

export type MapTable = ReturnType<typeof createMapTable>;

export function createMapTable(devices: Iterable<MapDevice> = []) {
  const table = createDeviceTable();
  function put({ ref, kind, longitude, latitude, at }: MapDevice) {
    table.put({
      ref,
      longitude,
      latitude,
      swarms: '',
      changedAt: at,
      createdAt: 0,
      memberSince: 0,
      heardAt: 0,
      machine_type: typeOfKind(kind),
      resource_type: roleOfKind(kind),
      presence: presenceOfKind(kind),
    });
  }
  for (const device of devices) put(device);
  return { table, put };
}

/** All symbols of the world, with their devices and positions. */
export function groupsOf(devices: readonly Placed[], resolution: ClusterResolution) {
  const across = 8 * 2 ** resolution.zoom;
  const width = side / across;
  const radius = (resolution.radius / 32) * width;
  const cells = new Map<
    string,
    { column: number; row: number; rank: number; devices: Placed[]; x: number; y: number }
  >();
  for (const device of devices) {
    const [x, y] = [columnOf(device.longitude), rowOf(device.latitude)];
    const [column, row] = [Math.floor(x / width), Math.floor(y / width)];
    const cell = cells.get(`${column}/${row}`) ?? { column, row, rank: rankOf(column, row), devices: [], x: 0, y: 0 };
    cell.devices.push(device);
    cell.x += x;
    cell.y += y;
    cells.set(`${column}/${row}`, cell);
  }
  const all = [...cells.values()].toSorted((a, b) => a.rank - b.rank || a.row - b.row || a.column - b.column);
  for (const cell of all) {
    cell.x /= cell.devices.length;
    cell.y /= cell.devices.length;
  }
  type Cell = (typeof all)[number];
  const way = (from: number, to: number) => to - from - Math.round((to - from) / side) * side;
  const distance = (a: Cell, b: Cell) => Math.hypot(way(a.x, b.x), a.y - b.y);
  const leaders: Cell[] = [];
  for (const cell of all) if (leaders.every((leader) => distance(cell, leader) >= radius)) leaders.push(cell);
  const members = new Map<Cell, Cell[]>(leaders.map((leader) => [leader, []]));
  for (const cell of all) {
    const nearest = leaders.reduce((best, leader) => (distance(cell, leader) < distance(cell, best) ? leader : best));
    members.get(members.has(cell) ? cell : nearest)!.push(cell);
  }
  const groups = [...members].map(([leader, ofLeader]) => {
    const inside = ofLeader.flatMap((cell) => cell.devices);
    const sum = (of: (device: Placed) => number) => inside.reduce((total, device) => total + of(device), 0);
    const x = leader.x + sum(({ longitude }) => way(leader.x, columnOf(longitude))) / inside.length + 0.5;
    return {
      key: `${resolution.zoom}/${leader.column}/${leader.row}/${resolution.radius}`,
      leader,
      devices: inside,
      x: ((x % side) + side) % side,
      y: sum(({ latitude }) => rowOf(latitude)) / inside.length + 0.5,
    };
  });

  type Merged = (typeof groups)[number];
  const pixel = width / 32 / resolution.scale;
  const apart = (a: Merged, b: Merged) => Math.hypot(way(a.x, b.x), a.y - b.y) / pixel;
  const rooms = new Map(
    groups.map((group) => {
      const near = groups.filter((other) => apart(group, other) < 64);
      return [group, radiusOf(near.reduce((sum, { devices: inside }) => sum + inside.length, 0))];
    }),
  );
  const size = ({ devices: inside }: Merged) => Math.floor(Math.log2(inside.length));
  const order = ({ leader }: Merged) => all.indexOf(leader);
  const clash = (a: Merged, b: Merged) => apart(a, b) < rooms.get(a)! + rooms.get(b)! + 4;
  const symbols = new Map<Merged, Merged[]>();
  for (const group of groups.toSorted((a, b) => size(b) - size(a) || order(a) - order(b))) {
    const rivals = [...symbols.keys()].filter((symbol) => clash(symbol, group));
    if (rivals.length === 0) symbols.set(group, [group]);
    else symbols.get(rivals.reduce((a, b) => (apart(b, group) < apart(a, group) ? b : a)))!.push(group);
  }
  return [...symbols].map(([{ key, x, y }, merged]) => ({
    key,
    x,
    y,
    devices: merged.flatMap((each) => each.devices),
  }));
}

/** A copy of the function in symbol-size.ts. */
const radiusOf = (count: number) => Math.min(30, 14 + 1.7 * Math.log2(count));

/** A copy on purpose: if the order changes, every symbol moves. */
function rankOf(column: number, row: number): number {
  let mixed = Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

export function isShown({ x, y }: { x: number; y: number }, bbox: Box, resolution: ClusterResolution): boolean {
  const [west, south, east, north] = bbox;
  const across = 8 * 2 ** resolution.zoom;
  const left = Math.floor(toX(west) * across) - 1;
  const right = Math.ceil((toX(east) + (west > east ? 1 : 0)) * across) + 1;
  const column = (((((x / side) * across - left) % across) + across) % across) + left;
  const row = (y / side) * across;
  return column <= right && row >= Math.floor(toY(north) * across) - 1 && row <= Math.ceil(toY(south) * across) + 1;
}

export function isIn({ longitude, latitude }: Placed, [west, south, east, north]: Box): boolean {
  const across = west > east ? longitude >= west || longitude <= east : longitude >= west && longitude <= east;
  return across && latitude >= south && latitude <= north;
}

type Place = [longitude: number, latitude: number];
const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));

// Towns, shared spots and edges, because uniform noise has no clusters and no equal positions.
const towns: Place[] = [
  [8.55, 47.37],
  [8.6, 47.4],
  [-74, 40.7],
  [179.9, -17],
  [-179.9, -17.1],
  [0, 89.9],
];
const edges: Place[] = [
  [180, -90],
  [-180, 90],
  [180, 0],
  [-180, 0],
  [0, 0],
];
const offset = fc.oneof(fc.constant(0), fc.double({ min: -0.4, max: 0.4, noNaN: true }), fc.constantFrom(0.1, -0.1));
const nearTown = fc
  .tuple(fc.constantFrom(...towns), offset, offset)
  .map(([[longitude, latitude], east, north]): Place => [clamp(longitude + east, 180), clamp(latitude + north, 90)]);
const anywhere: fc.Arbitrary<Place> = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const onEarth = fc.oneof(
  { weight: 6, arbitrary: nearTown },
  { weight: 2, arbitrary: anywhere },
  { weight: 1, arbitrary: fc.constantFrom(...edges) },
);
export const place: fc.Arbitrary<Pick<MapDevice, 'longitude' | 'latitude'>> = fc.oneof(
  // Adding 0 converts -0 to 0.
  {
    weight: 9,
    arbitrary: onEarth.map(([longitude, latitude]) => ({ longitude: longitude + 0, latitude: latitude + 0 })),
  },
  { weight: 1, arbitrary: fc.constant({ longitude: null, latitude: null }) },
);

export const bbox: fc.Arbitrary<Box> = fc
  .tuple(anywhere, anywhere)
  .map(([[west, a], [east, b]]) => [west, Math.min(a, b), east, Math.max(a, b)]);
export const someKinds: fc.Arbitrary<KindFilter> = fc
  .subarray(
    Array.from({ length: kinds }, (_, kind) => kind),
    { minLength: 1 },
  )
  .map((includesKind) => (kind: number) => includesKind.includes(kind));
