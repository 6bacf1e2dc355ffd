import { decodeWorld } from './world.decode.ts';
import { buffersOfWorld } from './world.ts';

/** Decodes the outlines in a worker, so that it does not block the page. */
addEventListener('message', ({ data: { bytes, port } }: MessageEvent<{ bytes: ArrayBuffer; port: MessagePort }>) => {
  const world = decodeWorld(new Uint8Array(bytes));
  port.postMessage(world, { transfer: buffersOfWorld(world) as ArrayBuffer[] });
});
