import { createFileSource } from './file-source.ts';
import type { World } from './world.ts';

const details = ['110m', '50m', '10m'] as const;

export type Detail = (typeof details)[number];

export function detailFor(zoom: number): Detail {
  if (zoom >= 7) return '10m';
  return zoom >= 4 ? '50m' : '110m';
}

export function createWorldSource({ load }: { load: (detail: Detail) => Promise<World> }) {
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
    subscribe,
  };
}
