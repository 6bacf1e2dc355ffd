import { decodeWorld } from './world.decode.ts';
import { buffersOfWorld } from './world.ts';

/** Decodes the outlines in a worker, so that it does not block the page. */
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const world = decodeWorld(new Uint8Array(data));
  postMessage(world, { transfer: buffersOfWorld(world) as ArrayBuffer[] });
});
