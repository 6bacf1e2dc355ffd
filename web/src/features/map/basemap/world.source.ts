import { createFileSource } from './file-source.ts';
import type { Waters, World } from './world.ts';

const details = ['110m', '50m', '10m'] as const;

type Detail = (typeof details)[number];
export type WorldFile = Detail | 'water';

export function detailFor(zoom: number): Detail {
  if (zoom >= 7) return '10m';
  return zoom >= 4 ? '50m' : '110m';
}

export function createWorldSource({ load }: { load: (file: WorldFile) => Promise<World> }) {
  const { files, request, subscribe } = createFileSource(load);
  return {
    /** The best loaded world for a zoom. Fetches the one that the zoom needs. */
    at(zoom: number): World | null {
      const needed = detailFor(zoom);
      const world = files.get(needed);
      if (world) return world;
      // Coarser files load sooner.
      for (const detail of details.slice(0, details.indexOf(needed) + 1)) request(detail);
      return files.get('50m') ?? files.get('110m') ?? null;
    },
    /** Null until they are loaded. They are fetched after the first land. */
    waters(): Waters | null {
      if (files.size > 0) request('water');
      const file = files.get('water');
      return file ? { lakes: file.land, rivers: file.borders } : null;
    },
    subscribe,
  };
}
