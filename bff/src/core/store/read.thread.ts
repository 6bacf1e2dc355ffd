/** The worker thread for reads that are long, and for those with a shape. */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from './open.ts';
import { buffersOf } from './shape.ts';
import type { Query } from './statement.ts';
import { letOthersGoFirst, serveThread } from './thread.ts';

letOthersGoFirst();
const reader = await openReader(workerData as { url: string });
// Threads of tests serve one store after the other (reused-threads.fixture.ts).
parentPort!.once('close', () => void reader.close());
serveThread(
  (query: Query): Promise<unknown[]> => reader.read(query),
  (results, { shape }) => (shape ? buffersOf(results) : []),
);
