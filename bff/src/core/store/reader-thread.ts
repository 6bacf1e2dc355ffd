import type { Query } from './statement.ts';
import { createThread } from './thread.ts';

/** The thread for reads that are long, and for those with a shape. `url`: of the opened store. */
export const createReaderThread = ({ url, onLost }: { url: string; onLost: (error: Error) => void }) =>
  createThread<Query, unknown[]>({
    file: new URL('./read.thread.ts', import.meta.url),
    workerData: { url },
    onLost,
  });
