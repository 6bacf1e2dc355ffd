import { workerData } from 'node:worker_threads';
import type { Value } from '../statement.ts';
import { serveThread } from '../thread.ts';
import { openReader } from './connection.ts';

export interface QueryRequest {
  sql: string;
  params: readonly Value[];
}

const reader = openReader((workerData as { path: string }).path);
serveThread(({ sql, params }: QueryRequest) => reader.all(sql, params));
