import { decodeWorld } from './world.decode.ts';
import { buffersOfWorld } from './world.ts';

/** Takes the bytes of a world-atlas file and answers with the world, so that no decoding blocks the page. */
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const world = decodeWorld(JSON.parse(new TextDecoder().decode(data)) as Parameters<typeof decodeWorld>[0]);
  postMessage(world, { transfer: buffersOfWorld(world) as ArrayBuffer[] });
});
