import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineType, Position, ResourceCreate } from '@swarmdeck/bff/contract';

/** The devices of a harbour: 118 bugs, 41 PCs and 28 smartphones in northern Europe, four without a position. */
export function harbourFleet(): ResourceCreate[] {
  const positions = stationsBetween({ west: 2, south: 46.5, east: 22, north: 59 });
  const kinds: [MachineType, number, string[]][] = [
    [
      'bug',
      118,
      ['Greenhouse sensor', 'Gate sensor', 'Silo sensor', 'Bridge gauge', 'Rooftop weather station', 'Buoy'],
    ],
    ['pc', 41, ['Harbour hub', 'Cellar hub', 'Workshop hub', 'Lock control']],
    ['smartphone', 28, ['Van phone', 'Depot phone', 'Quay crane terminal']],
  ];
  const fleet = kinds.flatMap(([machine_type, count, names]) =>
    Array.from({ length: count }, (_, index): ResourceCreate => {
      const name = `${names[index % names.length]} ${Math.floor(index / names.length) + 1}`;
      return { name, machine_type, description: `${name}, checked in spring` };
    }),
  );
  return fleet.map((device, index) => {
    const position = positions[(index * 37) % positions.length];
    return index % 47 === 5 || !position ? device : { ...device, position };
  });
}

export const longName = 'Lock chamber water level gauge with backup float, remote gate, west wall 02';

/** Positions of real airports from `data/stations.csv`, inside the box. */
function stationsBetween({
  west,
  south,
  east,
  north,
}: Record<'west' | 'south' | 'east' | 'north', number>): Position[] {
  const lines = readFileSync(join(import.meta.dirname, 'data/stations.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return lines
    .map((line) => line.split(',').slice(-2).map(Number))
    .map(([longitude = 0, latitude = 0]) => ({ longitude, latitude }))
    .filter(({ longitude, latitude }) => longitude > west && longitude < east && latitude > south && latitude < north);
}
