import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { faultOf } from './fault.ts';
import type { Row, StorageFault, Value } from '../statement.ts';

export interface QueryRequest {
  sql: string;
  params: readonly Value[];
}
export type QueryReply = { rows: Row[] } | { fault: StorageFault; message: string };

const connection = openConnection({ path: (workerData as { path: string }).path, readOnly: true });

function answer({ sql, params }: QueryRequest): QueryReply {
  try {
    return { rows: connection.all(sql, params) };
  } catch (error) {
    const { kind, message } = faultOf(error);
    return { fault: kind, message };
  }
}

parentPort?.on('message', (request: QueryRequest) => parentPort?.postMessage(answer(request)));
