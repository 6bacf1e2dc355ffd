import { decodeWorld } from './world.decode.ts';
import { buffersOfWorld } from './world.ts';

/** Takes the bytes of a file of outlines and answers with the world, so that no decoding blocks the page. */
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const world = decodeWorld(new Uint8Array(data));
  postMessage(world, { transfer: buffersOfWorld(world) as ArrayBuffer[] });
});
