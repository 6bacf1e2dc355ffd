import url10 from 'virtual:world-10m';
import url110 from 'virtual:world-110m';
import url50 from 'virtual:world-50m';
import urlWater from 'virtual:world-water';
import { loadBytes } from '../../../api/client.ts';
import { createWorldSource } from './world.source.ts';
import type { World } from './world.ts';

const urls = { '110m': url110, '50m': url50, '10m': url10, water: urlWater };

/** One source for all maps of the page: each file is fetched and decoded once. */
export const worldSource = createWorldSource({ load: async (file) => decode(await loadBytes(urls[file])) });

function decode(bytes: ArrayBuffer): Promise<World> {
  const worker = new Worker(new URL('./world.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<World>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<World>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage(bytes, [bytes]);
  }).finally(() => worker.terminate());
}
