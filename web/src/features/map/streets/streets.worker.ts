import type { WorkerCall } from '../worker-calls.ts';
import { createStreets, type StreetsRequest } from './streets.draw.ts';

let current: { key: string; draw: ReturnType<typeof createStreets> } | undefined;

/** Decodes and draws vector tiles in a worker: those of a city would block the page. */
addEventListener('message', ({ data: { request, port } }: WorkerCall<StreetsRequest>) => {
  const key = JSON.stringify([request.look, request.layers]);
  if (current?.key !== key) current = { key, draw: createStreets(request) };
  void current
    .draw(request)
    .catch(() => 'failed' as const)
    .then((reply) => port.postMessage(reply, reply !== 'failed' && reply.picture ? [reply.picture] : []));
});
