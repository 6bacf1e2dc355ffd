import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { faultOf } from './fault.ts';
import type { Row, Statement, StorageFault, Value } from '../statement.ts';
import { createBatchWriter } from './batch-writer.ts';
import type { Outcome } from './batch-writer.ts';

export type WriteRequest =
  | { batch: Statement[][] }
  | { step: { sql: string; params: Value[]; first: boolean } }
  | { end: 'COMMIT' | 'ROLLBACK' }
  | { close: true };
export type WriteReply =
  | { outcomes: Outcome[] }
  | { rows: Row[]; changes: number }
  | { done: true }
  | { fault: StorageFault; message: string };

const { path, commitDelay } = workerData as { path: string; commitDelay: number };
const connection = openConnection({ path, readOnly: false });
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const batchWriter = createBatchWriter({
  connection,
  beforeCommit() {
    if (commitDelay > 0) Atomics.wait(sleeper, 0, 0, commitDelay);
  },
});

function answer(request: WriteRequest): WriteReply {
  try {
    if ('batch' in request) return { outcomes: batchWriter.batch(request.batch) };
    if ('step' in request) return batchWriter.step(request.step);
    if ('end' in request) batchWriter.end(request.end);
    else connection.close();
    return { done: true };
  } catch (error) {
    const { kind, message } = faultOf(error);
    return { fault: kind, message };
  }
}

parentPort?.on('message', (request: WriteRequest) => parentPort?.postMessage(answer(request)));
