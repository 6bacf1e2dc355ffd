import { workerData } from 'node:worker_threads';
import type { Write } from '../statement.ts';
import { serveThread } from '../thread.ts';
import { createBatchWriter } from './batch-writer.ts';
import { openConnection } from './connection.ts';

/** A batch of writes, or the request to close the connection. */
export type WriteRequest = readonly Write[] | 'close';

const { path, commitDelay } = workerData as { path: string; commitDelay: number };
const connection = openConnection({ path, readOnly: false });
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const writeBatch = createBatchWriter({
  connection,
  beforeCommit() {
    if (commitDelay > 0) Atomics.wait(sleeper, 0, 0, commitDelay);
  },
});

serveThread((request: WriteRequest) => {
  if (request !== 'close') return writeBatch(request);
  connection.close();
  return [];
});
