import { Worker } from 'node:worker_threads';
import { StorageError } from '../statement.ts';

interface Thread<Request, Reply> {
  /** Asks and waits; replies come in the order of the requests. Throws StorageError `away` if the thread ends first. */
  ask(request: Request): Promise<Reply>;
  /** False while there is no thread: it has just ended, or was stopped. */
  readonly alive: boolean;
  stop(): Promise<void>;
}

const longestPauseMs = 5000;

/**
 * Starts a thread, and another one whenever it ends by itself: at once, or after a pause if it did not reply to
 * anything. `onLost` gets the reason; what was asked before that may have been done or not.
 */
export function startThread<Request, Reply>(options: {
  file: URL;
  workerData: object;
  onLost: (error: Error) => void;
}): Thread<Request, Reply> {
  const { file, workerData, onLost } = options;
  const asked: { resolve(reply: Reply): void; reject(error: Error): void }[] = [];
  let worker: Worker | undefined = start();
  let restarting: NodeJS.Timeout | undefined;
  let pauseMs = 0;
  let isStopped = false;

  function start(): Worker {
    const started = new Worker(file, { workerData });
    let reason = 'it was terminated';
    started.on('message', (reply: Reply) => {
      pauseMs = 0;
      asked.shift()?.resolve(reply);
    });
    started.on('error', (error) => (reason = error instanceof Error ? error.message : String(error)));
    started.on('exit', () => {
      worker = undefined;
      const error = new StorageError('away', `the storage thread has ended: ${reason}`);
      for (const { reject } of asked.splice(0)) reject(error);
      if (isStopped) return;
      restarting = setTimeout(() => (worker = start()), pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs + 100);
      onLost(error);
    });
    return started;
  }

  return {
    ask(request) {
      if (!worker) return Promise.reject(new StorageError('away', 'the storage thread has ended'));
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      // Before `push`: a request that cannot be sent must not get another one's reply.
      try {
        worker.postMessage(request);
        asked.push({ resolve, reject });
      } catch (error) {
        reject(error);
      }
      return promise;
    },
    get alive() {
      return worker !== undefined;
    },
    async stop() {
      isStopped = true;
      clearTimeout(restarting);
      await worker?.terminate();
      worker = undefined;
    },
  };
}
