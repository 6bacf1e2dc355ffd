import { cellsIn } from '../../../data/cells.ts';
import { loadCell } from '../../../data/cell-files.ts';
import { degreesOf } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import { createFileSource } from './file-source.ts';
import type { World, WorldRequest } from './world.ts';

type Decode = (request: WorldRequest) => Promise<World>;

/** The cells of the finest land, or of its waters (data/cells.ts). This module loads with the first map that needs it. */
export function worldCellsOf(kind: 'land' | 'water', decode: Decode) {
  return createWorldCells(async (cell) => {
    const bytes = await loadCell(kind, cell);
    return bytes ? decode({ bytes, cell }) : null;
  });
}

/** `load` returns null for a cell in which there is nothing. */
export function createWorldCells(load: (cell: number) => Promise<World | null>) {
  const { files, failed, request, subscribe } = createFileSource(load);
  return {
    /** What is loaded of a part of the map. Fetches the rest. */
    within(frame: Frame) {
      const cells = cellsIn(degreesOf(frame));
      for (const cell of cells) request(cell);
      return {
        isLoaded: cells.every((cell) => files.has(cell)),
        /** Without a network, as it is where the user has not been. */
        hasFailed: cells.some((cell) => failed.has(cell)),
        worlds: cells.flatMap((cell) => files.get(cell) ?? []),
      };
    },
    subscribe,
  };
}

export type WorldCells = ReturnType<typeof createWorldCells>;
