import url110 from 'virtual:world-110m';
import url50 from 'virtual:world-50m';
import urlWater from 'virtual:world-water';
import { loadBytes } from '../../../data/client.ts';
import { createWorkerCalls } from '../worker-calls.ts';
import { createWorldSource } from './world.source.ts';
import type { World, WorldRequest } from './world.ts';

const urls = { '110m': url110, '50m': url50, water: urlWater };

/** One source for all maps of the page: each file is fetched and decoded once. */
export const worldSource = createWorldSource({
  load: async (file) => decode({ bytes: await loadBytes(urls[file]) }),
  loadCells: async (kind) => (await import('./world.cells.ts')).worldCellsOf(kind, decode),
});

function decode(request: WorldRequest): Promise<World> {
  return decoder.call(request, [request.bytes]);
}

/** Starting a worker takes longer than decoding a file, so all files share one. */
const decoder = createWorkerCalls<WorldRequest, World>(
  () => new Worker(new URL('./world.worker.ts', import.meta.url), { type: 'module' }),
);
