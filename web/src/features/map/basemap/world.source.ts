import type { World } from './world.ts';

const details = ['110m', '50m', '10m'] as const;

export type Detail = (typeof details)[number];

const RETRY_AFTER = 10_000;

interface WorldSource {
  /** The best loaded world for a zoom. Fetches the one that the zoom needs. */
  at(zoom: number): World | null;
  /** Called when a more detailed world is loaded. */
  subscribe(listener: () => void): () => void;
}

export function detailFor(zoom: number): Detail {
  if (zoom >= 7) return '10m';
  return zoom >= 4 ? '50m' : '110m';
}

export function createWorldSource({ load }: { load: (detail: Detail) => Promise<World> }): WorldSource {
  const worlds = new Map<Detail, World>();
  const requested = new Set<Detail>();
  const listeners = new Set<() => void>();

  function fetchWorld(detail: Detail): void {
    if (requested.has(detail)) return;
    requested.add(detail);
    load(detail).then(
      (world) => {
        worlds.set(detail, world);
        for (const listener of listeners) listener();
      },
      // The coarser world stays; a later call of `at` retries.
      () => setTimeout(() => requested.delete(detail), RETRY_AFTER),
    );
  }

  return {
    at(zoom) {
      const needed = detailFor(zoom);
      const world = worlds.get(needed);
      if (world) return world;
      // Coarser files load sooner.
      for (const detail of details) {
        fetchWorld(detail);
        if (detail === needed) break;
      }
      return worlds.get('50m') ?? worlds.get('110m') ?? null;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
