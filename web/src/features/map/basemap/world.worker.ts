import type { WorkerCall } from '../worker-calls.ts';
import { decodeWorld } from './world.decode.ts';
import { buffersOfWorld, type WorldRequest } from './world.ts';

/** Decodes the outlines in a worker, so that it does not block the page. */
addEventListener('message', ({ data: { request, port } }: WorkerCall<WorldRequest>) => {
  const world = decodeWorld(new Uint8Array(request.bytes), request.cell);
  port.postMessage(world, { transfer: buffersOfWorld(world) as ArrayBuffer[] });
});
