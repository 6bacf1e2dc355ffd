import type { Frame } from '../geometry/trace.ts';
import { createFileSource } from './file-source.ts';
import type { WorldCells } from './world.cells.ts';
import type { Waters, World } from './world.ts';

type WorldFile = '110m' | '50m' | 'water';

/** From this zoom on, a map loads only the cells that it shows. */
const cellsFromZoom = 7;

interface WorldSourceOptions {
  load(file: WorldFile): Promise<World>;
  loadCells(kind: 'land' | 'water'): Promise<WorldCells>;
}

export function createWorldSource({ load, loadCells }: WorldSourceOptions) {
  const { files, request, subscribe, notify } = createFileSource(load);
  const cells = createFileSource(async (kind: 'land' | 'water') => {
    const loaded = await loadCells(kind);
    loaded.subscribe(notify);
    return loaded;
  });
  cells.subscribe(notify);

  /** The best loaded land for a zoom below that of the cells. Fetches what the zoom needs. */
  function at(zoom: number): World | null {
    // The coarser one loads sooner.
    request('110m');
    if (zoom >= 4) request('50m');
    return (zoom >= 4 && files.get('50m')) || (files.get('110m') ?? null);
  }

  function cellsWithin(kind: 'land' | 'water', frame: Frame) {
    cells.request(kind);
    return cells.files.get(kind)?.within(frame) ?? { isLoaded: false, hasFailed: cells.failed.has(kind), worlds: [] };
  }
  return {
    at,
    /** The best loaded land of a part of the map, which may be in several cells. Fetches what it needs. */
    within(zoom: number, frame: Frame): readonly World[] {
      if (zoom < cellsFromZoom) return [at(zoom) ?? []].flat();
      const { isLoaded, hasFailed, worlds } = cellsWithin('land', frame);
      if (isLoaded) return worlds;
      const coarse = at(hasFailed ? cellsFromZoom : 0);
      return [files.get('50m') ?? coarse ?? []].flat();
    },
    /** The loaded waters of a part of the map. They are fetched after the first land. */
    watersWithin(zoom: number, frame: Frame): readonly Waters[] {
      if (files.size === 0) return [];
      const part = zoom < cellsFromZoom ? null : cellsWithin('water', frame);
      if (!part || part.hasFailed) request('water');
      const worlds = part?.isLoaded ? part.worlds : [files.get('water') ?? []].flat();
      return worlds.map(({ land, borders }) => ({ lakes: land, rivers: borders }));
    },
    subscribe,
  };
}
