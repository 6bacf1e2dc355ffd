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

/** Starting a worker takes longer than decoding a file, so all files share one. */
let worker: Worker | undefined;

function decode(bytes: ArrayBuffer): Promise<World> {
  const { port1, port2 } = new MessageChannel();
  const used = (worker ??= new Worker(new URL('./world.worker.ts', import.meta.url), { type: 'module' }));
  return new Promise<World>((resolve, reject) => {
    port1.addEventListener('message', ({ data }: MessageEvent<World>) => resolve(data));
    port1.start();
    used.addEventListener('error', ({ message }) => {
      if (worker === used) worker = undefined;
      used.terminate();
      reject(new Error(message));
    });
    used.postMessage({ bytes, port: port2 }, [bytes, port2]);
  }).finally(() => port1.close());
}
