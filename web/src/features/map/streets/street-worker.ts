import { createWorkerCalls } from '../worker-calls.ts';
import type { StreetsReply, StreetsRequest } from './streets.draw.ts';

/** One for all maps of the page, with one cache of decoded tiles. */
export const streetWorker = createWorkerCalls<StreetsRequest, StreetsReply>(
  () => new Worker(new URL('./streets.worker.ts', import.meta.url), { type: 'module' }),
);
