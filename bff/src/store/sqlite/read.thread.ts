import { workerData } from 'node:worker_threads';
import { buffersOf, shaped } from '../shape.ts';
import type { Query } from '../statement.ts';
import { serveThread } from '../thread.ts';
import { openReader } from './connection.ts';

const reader = openReader(workerData as { path: string });
serveThread(
  async (query: Query) => {
    const rows: unknown[] = await reader.read(query);
    return query.shape ? shaped(rows, query.shape) : rows;
  },
  (results, { shape }) => (shape ? buffersOf(results) : []),
);
