import type { Query } from './statement.ts';
import { startThread } from './thread.ts';

/** Starts the thread for reads that are long, and for those with a shape. `url`: of the opened store. */
export const startReaderThread = ({ url, onLost }: { url: string; onLost: (error: Error) => void }) =>
  startThread<Query, unknown[]>({
    file: new URL('./read.thread.ts', import.meta.url),
    workerData: { url },
    onLost,
  });
