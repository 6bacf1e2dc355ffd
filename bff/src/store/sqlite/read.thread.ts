import { workerData } from 'node:worker_threads';
import type { Query } from '../statement.ts';
import { serveThread } from '../thread.ts';
import { openReader } from './connection.ts';

const reader = openReader(workerData as { path: string });
serveThread((query: Query) => reader.read(query));
